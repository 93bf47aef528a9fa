package bundles

import (
	"errors"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/app"
	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/bundle"
	"sanad/internal/handlers/web"
	"sanad/internal/lake"
)

// apiArtifact answers PUT /lake/{path}.
type apiArtifact struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
	Size   int    `json:"size"`
}

// lakePath returns the path in the lake that the address names, decoded: Echo leaves %2e as it is.
func lakePath(c echo.Context) string {
	return strings.TrimPrefix(c.Request().URL.Path, "/api/v1/lake/")
}

// apiPutArtifact writes a body of any type into the lake, once: 201, or 200 if the same bytes are there, or 409 if
// others are (rule B-13).
func (s *server) apiPutArtifact(c echo.Context) error {
	path := lakePath(c)
	if err := bundle.CheckPath(path); err != nil {
		var bad *domain.Error
		if errors.As(err, &bad) {
			bad.Path = "path"
		}
		return err
	}
	if strings.HasPrefix(path, app.OwnPrefix) {
		return domain.Refuse(domain.Invalid, "path", "refused_below_written_server", "Name", app.OwnPrefix)
	}
	area, err := s.area(c)
	if err != nil {
		return err
	}
	data, err := artifact(http.MaxBytesReader(c.Response(), c.Request().Body, lake.MaxBytes+1), c.Request().ContentLength)
	if err != nil {
		var tooBig *http.MaxBytesError
		if errors.As(err, &tooBig) {
			return domain.Refuse(domain.TooLarge, "", "refused_lake_most", "N", lake.MaxBytes>>20)
		}
		return err
	}
	ctx := c.Request().Context()
	if _, err := area.Put(ctx, path, data); err != nil {
		return err
	}
	a := db.ArtifactOf(path, data)
	created, err := s.Store.AddArtifact(ctx, s.Who(c), a)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if created {
		status = http.StatusCreated
		c.Response().Header().Set("Location", c.Request().URL.EscapedPath())
	}
	return web.SendJSON(c, status, apiArtifact(a))
}

// artifact reads a body of length bytes, negative if it is not stated. It is held once: one whose length nobody states
// goes through a file, because a buffer that grows is held several times.
func artifact(body io.Reader, length int64) (data []byte, err error) {
	if length > lake.MaxBytes {
		return nil, &http.MaxBytesError{Limit: lake.MaxBytes}
	}
	if length < 0 {
		f, err := os.CreateTemp("", "artifact-*") // mode 0600
		if err != nil {
			return nil, err
		}
		defer func() { _ = errors.Join(f.Close(), os.Remove(f.Name())) }()
		if length, err = io.Copy(f, body); err != nil {
			return nil, err
		}
		body = io.NewSectionReader(f, 0, length)
	}
	data = make([]byte, length)
	_, err = io.ReadFull(body, data)
	return data, err
}

// apiGetArtifact returns an artifact of the lake as a download, whatever its type. A path that the lake cannot hold is
// a 404.
func (s *server) apiGetArtifact(c echo.Context) error {
	area, err := s.area(c)
	if err != nil {
		return err
	}
	data, err := area.Get(c.Request().Context(), lakePath(c))
	if kind := domain.KindOf(err); err != nil && kind != domain.Internal && kind != domain.Unavailable {
		return web.NotFound()
	}
	if err != nil {
		return err
	}
	c.Response().Header().Set("Content-Disposition", "attachment")
	return c.Blob(http.StatusOK, "application/octet-stream", data)
}
