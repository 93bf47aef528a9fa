package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/views"
)

// showGallery shows the components of the pages in each of their states, ?part= one group of them (issue 8).
func (s *Server) showGallery(c echo.Context) error {
	p := views.NewGalleryPage(s.chrome(c), c.QueryParam("part"))
	if p == nil {
		return echo.ErrNotFound
	}
	return s.render(c, http.StatusOK, views.Gallery(p))
}
