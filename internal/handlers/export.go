package handlers

import (
	"fmt"
	"mime"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/exporters"
)

// downloadSession sends a session's ledger as a file.
func (s *Server) downloadSession(c echo.Context) error {
	f, err := exporters.FormatByName(c.Param("format"))
	if err != nil {
		return notFound()
	}
	return s.sendExport(c, s.who(c).Tenant, c.Param("id"), f)
}

// sendExport renders the whole file, logs the export, and then sends: never half a file, never one that is not logged.
func (s *Server) sendExport(c echo.Context, tenantID, id string, f exporters.Format) error {
	ctx := c.Request().Context()
	session, err := s.store.Session(ctx, tenantID, id)
	if err != nil {
		return err
	}
	tenant, err := s.store.Tenant(ctx, tenantID)
	if err != nil {
		return err
	}
	l := ledger.Assess(session, tenant.FreshnessMonths)
	data, err := f.Render(&l)
	if err != nil {
		return err
	}
	if err := s.store.LogEvent(ctx, s.who(c), db.SessionExported(session, f.Name)); err != nil {
		return err
	}
	c.Response().Header().Set("Content-Disposition", attachment(fileName(session, f.Extension)))
	return c.Blob(http.StatusOK, f.ContentType, data)
}

// fileName names an export by the session's title and revision.
func fileName(s *ledger.Session, extension string) string {
	title := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) {
			return '-'
		}
		return r
	}, text.CleanControls(s.Title))
	if runes := []rune(title); len(runes) > 80 {
		title = string(runes[:80])
	}
	return fmt.Sprintf("%s r%d.%s", strings.TrimSpace(title), s.Revision, extension)
}

// attachment writes a Content-Disposition with an ASCII name for old clients and the real one in UTF-8.
func attachment(name string) string {
	ascii := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || r == '"' || r == '\\' {
			return '_'
		}
		return r
	}, name)
	plain := fmt.Sprintf(`attachment; filename="%s"`, ascii)
	if ascii == name {
		return plain
	}
	encoded := strings.TrimPrefix(mime.FormatMediaType("attachment", map[string]string{"filename": name}), "attachment")
	return plain + encoded
}

// download sends what a personal link of the API's export names, until it expires.
func (s *Server) download(c echo.Context) error {
	who := s.who(c)
	e, err := s.store.Export(c.Request().Context(), who.Tenant, db.HashToken(c.Param("token")), s.now())
	if err != nil {
		return err
	}
	f, err := exporters.FormatByName(e.Format)
	if err != nil {
		return err
	}
	return s.sendExport(c, who.Tenant, e.SessionID, f)
}
