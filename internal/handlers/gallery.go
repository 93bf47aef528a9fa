package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	galleryviews "sanad/internal/views/gallery"
)

// galleryEndpoints serve the gallery, in the demo only.
func galleryEndpoints(s *web.Server, demo bool) []web.Endpoint {
	if !demo {
		return nil
	}
	return []web.Endpoint{
		{Method: http.MethodGet, Path: "/dev/gallery", Action: access.Public, Handle: showGallery(s)},
	}
}

// showGallery shows the components of the pages in each of their states, ?part= one group of them.
func showGallery(s *web.Server) echo.HandlerFunc {
	return func(c echo.Context) error {
		p := galleryviews.NewPage(s.Chrome(c), c.QueryParam("part"))
		if p == nil {
			return echo.ErrNotFound
		}
		return s.Render(c, http.StatusOK, galleryviews.Show(p))
	}
}
