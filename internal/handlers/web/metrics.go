package web

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/telemetry"
)

type routeKey struct{}

// withRoute records for observe which route handles the request. Echo's c.Path() cannot be used: if no route matches it
// returns the address itself, which would create a metric series for each address that somebody tries.
func withRoute(pattern string, next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if route, ok := c.Request().Context().Value(routeKey{}).(*string); ok {
			*route = strings.ReplaceAll(pattern, `\`, "") // Echo requires a literal colon in a path to be escaped
		}
		return next(c)
	}
}

// showMetrics serves the metrics to callers with the operator's token. If none is configured it answers 404, as any
// unknown address does. Callers are programs, so a refused token gets a line of text.
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

// figures returns what waits to be done, for the metrics.
func (s *Server) figures(ctx context.Context) (telemetry.Queue, error) {
	q, err := s.Store.Queue(ctx)
	return telemetry.Queue{Waiting: q.Waiting, Running: q.Running, Oldest: q.Oldest, Messages: q.Messages}, err
}
