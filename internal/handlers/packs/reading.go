package packs

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"sanad/internal/app"
	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/filetype"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/web"
)

// draftPDF sends the draft PDF of a pack that is not signed off.
func (s *server) draftPDF(c echo.Context) error {
	return s.readingPDF(c, func(v *db.PackView) error {
		if !v.SignedAt.IsZero() {
			return domain.Refuse(domain.Conflict, "", "fault_reading_signed")
		}
		return nil
	})
}

// languagePDF sends a signed pack's PDF in one language, beside the signed file.
func (s *server) languagePDF(c echo.Context) error {
	return s.readingPDF(c, func(v *db.PackView) error {
		if v.SignedAt.IsZero() {
			return domain.Refuse(domain.Conflict, "", "fault_reading_draft")
		}
		if c.QueryParam("language") == "" {
			return web.WithStatus(http.StatusBadRequest,
				domain.Refuse(domain.Invalid, "language", "refused_choose_en_ar_pdf"))
		}
		return nil
	})
}

// readingPDF renders and sends a PDF; it is logged before its first byte.
func (s *server) readingPDF(c echo.Context, check func(*db.PackView) error) error {
	view, err := s.pack(c)
	if err != nil {
		return err
	}
	language := c.QueryParam("language")
	if language != "" && !slices.Contains(web.PDFLanguages, language) {
		return web.InvalidChoice("language", web.PDFLanguages)
	}
	if err := check(view); err != nil {
		return err
	}
	ctx, who := c.Request().Context(), s.Who(c)
	tenant, err := s.Store.Tenant(ctx, who.Tenant)
	if err != nil {
		return err
	}
	data, err := app.ReadingPDF(&tenant, view, language, s.Now())
	if err != nil {
		return err
	}
	event := db.Event{Action: "pack.rendered", Kind: "pack", ObjectID: view.Life.PackID,
		Details: map[string]any{"language": language, "sha256": pack.Digest(data)}}
	if err := s.Store.LogEvent(ctx, who, event); err != nil {
		return err
	}
	name := view.Life.PackID + "-draft"
	if !view.SignedAt.IsZero() {
		name = view.Life.PackID
	}
	if language != "" {
		name += "-" + language
	}
	c.Response().Header().Set("Content-Disposition", web.Attachment(name+filetype.PDF.Extension()))
	return c.Blob(http.StatusOK, filetype.PDF.MediaType, data)
}
