package ledger

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/app"
	"sanad/internal/db"
	"sanad/internal/domain/ledger"
	"sanad/internal/exporters"
	"sanad/internal/handlers/web"
	"sanad/internal/views/ui"
)

// downloadSession sends a session's ledger as a file.
func (s *server) downloadSession(c echo.Context) error {
	f, err := exporters.FormatByName(c.Param("format"))
	if err != nil {
		return web.NotFound()
	}
	return s.sendExport(c, c.Param("id"), f)
}

// exportLanguage reads the language that a file is asked for in, "" for the format's default.
func exportLanguage(c echo.Context, f exporters.Format) (exporters.Language, error) {
	language := exporters.Language(c.QueryParam("language"))
	if err := f.CheckLanguage(language); err != nil {
		return "", web.WithStatus(http.StatusBadRequest, err)
	}
	return language, nil
}

// sendExport sends a session's ledger as a file, in the language of the address. It is sent only when it is complete
// and logged.
func (s *server) sendExport(c echo.Context, id string, f exporters.Format) error {
	ctx := c.Request().Context()
	language, err := exportLanguage(c, f)
	if err != nil {
		return err
	}
	if err := s.Store.Verified(ctx, s.Who(c).Tenant, id); err != nil {
		return err
	}
	web.AnswerLater(c) // making it, and then sending it
	file, err := app.ExportLedger(ctx, s.Store, s.Who(c), id, f, language)
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // it is only read
	s.MarkGuideStep(c, ui.GuidePack, file.Session.ID)
	head := c.Response().Header()
	head.Set("Content-Disposition", web.Attachment(fileName(file.Session, string(f.OneLanguage(language)), f.Extension)))
	head.Set("Content-Type", f.ContentType)
	web.AnswerLater(c)
	c.Response().WriteHeader(http.StatusOK)
	_, err = file.WriteTo(c.Response())
	return err
}

// fileName names an export by the session's title and revision, and its language if it has one.
func fileName(s *ledger.Session, language, extension string) string {
	title := web.SafeName(s.Title)
	if runes := []rune(title); len(runes) > 80 {
		title = string(runes[:80])
	}
	if language != "" {
		extension = language + "." + extension
	}
	return fmt.Sprintf("%s r%d.%s", strings.TrimSpace(title), s.Revision, extension)
}

// download serves the personal link of an API export, until it expires, to the user who created it and nobody else.
func (s *server) download(c echo.Context) error {
	who := s.Who(c)
	e, err := s.Store.Export(c.Request().Context(), who.Tenant, db.HashToken(c.Param("token")), s.Now())
	if err != nil {
		return err
	}
	if e.Actor != who.ID {
		return web.NotFound()
	}
	f, err := exporters.FormatByName(e.Format)
	if err != nil {
		return err
	}
	return s.sendExport(c, e.SessionID, f)
}
