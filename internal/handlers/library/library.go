// Package library serves the library: documents with versions that many sessions take their sources from.
package library

import (
	"errors"
	"io"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/library"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/limits"
	"sanad/internal/importers"
)

// server answers the requests of this capability.
type server struct {
	*web.Server
	imports importers.Options
}

// Endpoints returns the endpoints of the library.
func Endpoints(core *web.Server, imports importers.Options) []web.Endpoint {
	s := &server{Server: core, imports: imports}
	return append(s.api(), []web.Endpoint{
		{Method: http.MethodGet, Path: "/library", Action: access.ReadLibrary, Handle: s.list},
		{Method: http.MethodPost, Path: "/library", Work: limits.FormUpload, Action: access.ChangeLibrary,
			Handle: s.add},
		{Method: http.MethodGet, Path: "/library/new", Action: access.ChangeLibrary, Handle: s.addForm},
		{Method: http.MethodGet, Path: "/library/:id", Work: limits.ExportWork, Action: access.ReadLibrary,
			Erasable: erasure.Library,
			Handle:   s.show},
		{Method: http.MethodPost, Path: "/library/:id", Action: access.ChangeLibrary, Erasable: erasure.Library,
			Handle: web.SmallForm(s.change)},
		{Method: http.MethodPost, Path: "/library/:id/versions", Work: limits.FormUpload, Action: access.ChangeLibrary,
			Erasable: erasure.Library,
			Handle:   s.addVersion},
		{Method: http.MethodGet, Path: "/library/:id/versions/:n", Action: access.CopyLibrary, Erasable: erasure.Library,
			Handle: s.download},
		{Method: http.MethodGet, Path: "/library/:id/compare", Work: limits.ExportWork, Action: access.ReadLibrary,
			Erasable: erasure.Library,
			Handle:   s.compare},
		{Method: http.MethodGet, Path: "/library/:id/compare.pdf", Work: limits.ExportWork, Action: access.CopyLibrary,
			Erasable: erasure.Library,
			Handle:   s.comparePDF},
	}...)
}

// queryOf reads by what the list is narrowed.
func queryOf(c echo.Context) library.Query {
	return library.Query{Words: c.QueryParam("q"), Folder: c.QueryParam("folder"), Tag: c.QueryParam("tag"),
		After: c.QueryParam("after")}
}

// download sends the file of a version, always as an attachment. It is logged before the first byte.
func (s *server) download(c echo.Context) error {
	n, err := strconv.Atoi(c.Param("n"))
	if err != nil || n < 1 {
		return web.NotFound()
	}
	r, v, err := s.Store.LibraryFile(c.Request().Context(), s.Who(c).Tenant, library.Ref{ID: c.Param("id"), No: n})
	if err != nil {
		return err
	}
	defer r.Close() //nolint:errcheck // only read
	if err := s.Store.LogEvent(c.Request().Context(), s.Who(c), db.Event{Action: "library.downloaded", Kind: "library",
		ObjectID: c.Param("id"), Details: map[string]any{"version": n}}); err != nil {
		return err
	}
	h := c.Response().Header()
	h.Set("Content-Disposition", web.Attachment(v.Filename))
	h.Set("Content-Type", "application/octet-stream")
	c.Response().WriteHeader(http.StatusOK)
	_, err = io.Copy(c.Response(), r)
	return err
}

// fileOf reads the one file of a form; nil if none was chosen.
func fileOf(r *http.Request) (*importers.File, error) {
	for _, h := range r.MultipartForm.File["file"] {
		if h.Filename == "" && h.Size == 0 {
			continue
		}
		f, err := h.Open()
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(f)
		if err = errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
		return &importers.File{Name: h.Filename, Data: data}, nil
	}
	return nil, nil
}
