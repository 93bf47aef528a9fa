package packs

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/filetype"
	"sanad/internal/domain/pack"
	"sanad/internal/exporters/packs"
	"sanad/internal/handlers/web"
	"sanad/static"
)

// packFormats are the export formats of a signed pack (rule P-18), by name.
var packFormats = map[string]filetype.Type{
	"zip":      filetype.Zip,
	"json":     filetype.JSON,
	"markdown": filetype.Markdown,
	"pdf":      filetype.PDF,
}

// checkPackFormat refuses a format that is not in packFormats.
func checkPackFormat(name string) error {
	if _, known := packFormats[name]; !known {
		return domain.Refuse(domain.Invalid, "format", "refused_choose_zip_json")
	}
	return nil
}

// packLink is the personal link of an export.
func packLink(token string) string { return web.DownloadsPath + "packs/" + url.PathEscape(token) }

// downloadPack serves the personal link of a pack's export, until it expires, to the user it was created for and nobody
// else. The file is complete, and the download logged, before the first byte.
func (s *server) downloadPack(c echo.Context) error {
	e, err := s.Store.PackExport(c.Request().Context(), s.Who(c), db.HashToken(c.Param("token")))
	if err != nil {
		return err
	}
	return s.sendCopy(c, &e)
}

// sendCopy sends the file of an export and logs it before the first byte; the log refuses one that has expired.
func (s *server) sendCopy(c echo.Context, e *pack.ExportRequest) error {
	ctx, who := c.Request().Context(), s.Who(c)
	f, known := packFormats[e.Format]
	if !known {
		return web.NotFound()
	}
	data, err := s.packFile(ctx, who.Tenant, e.PackID, e.Format)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	if err := s.Store.LogPackExport(ctx, who, *e, hex.EncodeToString(sum[:])); err != nil {
		return err
	}
	c.Response().Header().Set("Content-Disposition", web.Attachment(e.PackID+f.Extension()))
	return c.Blob(http.StatusOK, f.ContentType(), data)
}

// packFile makes the file of an export from the files that were stored at sign-off, which it verifies; nothing is
// rendered.
func (s *server) packFile(ctx context.Context, tenant, id, format string) ([]byte, error) {
	files, err := s.verifiedFiles(ctx, tenant, id)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	switch format {
	case "zip":
		files[packs.VerifyPage] = static.VerifyPage
		err = packs.Zip(&out, files)
	case "json":
		err = packs.JSON(&out, files[pack.FileJSON], files[packEnvelope])
	case "markdown":
		return files[pack.FileMarkdown], nil
	default:
		return files[pack.FilePDF], nil
	}
	return out.Bytes(), err
}

// packEnvelope is the stored file of a signed pack's DSSE envelope.
const packEnvelope = "pack.dsse.json"
