package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// health answers as long as the process runs.
func (s *Server) health(c echo.Context) error { return c.String(http.StatusOK, "ok\n") }

// ready answers 200 where the database can be read and written, else 503 with a reason an operator can use.
func (s *Server) ready(c echo.Context) error {
	if err := s.store.Ready(c.Request().Context()); err != nil {
		s.log.Error("not ready", "request_id", requestID(c), "err", err)
		return c.String(http.StatusServiceUnavailable, "not ready: the database does not answer\n")
	}
	return c.String(http.StatusOK, "ready\n")
}
