package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain/access"
	galleryviews "sanad/internal/views/gallery"
)

// galleryEndpoints is the gallery, of the demo alone; elsewhere it does not exist.
func (s *Server) galleryEndpoints() []Endpoint {
	if !s.gallery {
		return nil
	}
	return []Endpoint{
		{Method: http.MethodGet, Path: "/dev/gallery", Action: access.Public, Handle: s.showGallery},
	}
}

// showGallery shows the components of the pages in each of their states, ?part= one group of them.
func (s *Server) showGallery(c echo.Context) error {
	p := galleryviews.NewPage(s.chrome(c), c.QueryParam("part"))
	if p == nil {
		return echo.ErrNotFound
	}
	return s.render(c, http.StatusOK, galleryviews.Show(p))
}
