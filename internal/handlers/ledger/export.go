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

// sendExport sends a session's ledger as a file. It is sent only when it is complete and logged.
func (s *server) sendExport(c echo.Context, id string, f exporters.Format) error {
	ctx := c.Request().Context()
	if err := s.Store.Verified(ctx, s.Who(c).Tenant, id); err != nil {
		return err
	}
	session, err := s.Store.SessionFor(ctx, s.Who(c), id)
	if err != nil {
		return err
	}
	data, err := app.ExportLedger(ctx, s.Store, s.Who(c), session, f)
	if err != nil {
		return err
	}
	s.MarkGuideStep(c, ui.GuidePack, session.ID)
	c.Response().Header().Set("Content-Disposition", web.Attachment(fileName(session, f.Extension)))
	return c.Blob(http.StatusOK, f.ContentType, data)
}

// fileName names an export by the session's title and revision.
func fileName(s *ledger.Session, extension string) string {
	title := web.SafeName(s.Title)
	if runes := []rune(title); len(runes) > 80 {
		title = string(runes[:80])
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
