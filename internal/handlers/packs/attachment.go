package packs

import (
	"io"
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/web"
	"sanad/internal/words"
)

// downloadAttachment sends a file that belongs to a pack, found by the digest in pack.json. A file whose digest has
// changed is not sent. The download is logged before its first byte.
func (s *server) downloadAttachment(c echo.Context) error {
	ctx, who, id := c.Request().Context(), s.Who(c), c.Param("id")
	r, a, err := s.Store.PackAttachment(ctx, who.Tenant, id, c.Param("sha256"))
	if err != nil {
		return err
	}
	defer r.Close() //nolint:errcheck // only read
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if pack.Digest(data) != a.SHA256 {
		return &domain.Error{Op: "handlers.downloadAttachment",
			Message: words.Msg("refused_stored_file_pack")}
	}
	event := db.Event{Action: "pack.attachment_downloaded", Kind: "pack", ObjectID: id,
		Details: map[string]any{"sha256": a.SHA256}}
	if err := s.Store.LogEvent(ctx, who, event); err != nil {
		return err
	}
	c.Response().Header().Set("Content-Disposition", web.Attachment(a.Name))
	return c.Blob(http.StatusOK, "application/octet-stream", data)
}
