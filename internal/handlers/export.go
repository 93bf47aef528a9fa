package handlers

import (
	"fmt"
	"net/http"
	"strings"
	"unicode"

	"github.com/labstack/echo/v4"

	"sanad/internal/app"
	"sanad/internal/db"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/exporters"
	"sanad/internal/views/ui"
)

// downloadSession sends a session's ledger as a file.
func (s *Server) downloadSession(c echo.Context) error {
	f, err := exporters.FormatByName(c.Param("format"))
	if err != nil {
		return notFound()
	}
	return s.sendExport(c, c.Param("id"), f)
}

// sendExport sends a session's ledger as a file: never half of it, and never one that is not logged.
func (s *Server) sendExport(c echo.Context, id string, f exporters.Format) error {
	ctx := c.Request().Context()
	session, err := s.store.SessionFor(ctx, s.who(c), id)
	if err != nil {
		return err
	}
	data, err := app.ExportLedger(ctx, s.store, s.who(c), session, f)
	if err != nil {
		return err
	}
	s.guideDid(c, ui.GuidePack, session.ID)
	c.Response().Header().Set("Content-Disposition", attachment(fileName(session, f.Extension)))
	return c.Blob(http.StatusOK, f.ContentType, data)
}

// fileName names an export by the session's title and revision.
func fileName(s *ledger.Session, extension string) string {
	title := safeName(s.Title)
	if runes := []rune(title); len(runes) > 80 {
		title = string(runes[:80])
	}
	return fmt.Sprintf("%s r%d.%s", strings.TrimSpace(title), s.Revision, extension)
}

// safeName takes out of a file name what could mislead a person (controls, marks that turn the direction of writing) or a
// system (separators, wildcards, quotes).
func safeName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
			return -1
		case strings.ContainsRune(`/\:*?"<>|`, r):
			return '-'
		}
		return r
	}, text.CleanControls(name))
}

// attachment writes a Content-Disposition with an ASCII name for old clients and, where it differs, the real one in UTF-8
// (RFC 6266, RFC 8187).
func attachment(name string) string {
	name = strings.Trim(safeName(name), ". ")
	if name == "" {
		name = "download"
	}
	ascii := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || r == '%' {
			return '_'
		}
		return r
	}, name)
	plain := `attachment; filename="` + ascii + `"`
	if ascii == name {
		return plain
	}
	return plain + "; filename*=UTF-8''" + extValue(name)
}

// extValue writes text as RFC 8187's value-chars.
func extValue(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		if c < 0x80 && (unicode.IsLetter(rune(c)) || unicode.IsDigit(rune(c)) || strings.IndexByte("!#$&+-.^_`|~", c) >= 0) {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

// download sends what a personal link of the API's export names, until it expires, to whoever made it and nobody else.
func (s *Server) download(c echo.Context) error {
	who := s.who(c)
	e, err := s.store.Export(c.Request().Context(), who.Tenant, db.HashToken(c.Param("token")), s.now())
	if err != nil {
		return err
	}
	if e.Actor != who.ID {
		return notFound()
	}
	f, err := exporters.FormatByName(e.Format)
	if err != nil {
		return err
	}
	return s.sendExport(c, e.SessionID, f)
}
