package web

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"
)

type routeKey struct{}

// named tells observe which route of the map answers. Echo's own c.Path() will not do: where no route fits it is the
// address itself, which would make a series of figures for each address that somebody tries.
func named(pattern string, next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if route, ok := c.Request().Context().Value(routeKey{}).(*string); ok {
			*route = strings.ReplaceAll(pattern, `\`, "") // Echo wants a colon in an address escaped
		}
		return next(c)
	}
}

// showMetrics gives the figures to who brings the operator's token. Without one set there is nothing at this address, as at any
// unknown one. What asks here is a program: a refused token is a line of text.
func (s *Server) showMetrics(c echo.Context) error {
	if s.metrics == nil || s.metricsToken == "" {
		return echo.ErrNotFound
	}
	given, want := sha256.Sum256([]byte(bearer(c.Request()))), sha256.Sum256([]byte(s.metricsToken))
	if subtle.ConstantTimeCompare(given[:], want[:]) != 1 {
		c.Response().Header().Set("WWW-Authenticate", "Bearer")
		return c.String(http.StatusUnauthorized, "Send the operator's token as Authorization: Bearer.\n")
	}
	s.metrics.Handler().ServeHTTP(c.Response(), c.Request())
	return nil
}
