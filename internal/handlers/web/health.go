package web

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
)

// health answers as long as the process runs.
func (s *Server) health(c echo.Context) error { return c.String(http.StatusOK, "ok\n") }

// ready answers 200 if the database can be read and written and the Authorizer and the lake respond, else 503 with a
// reason that an operator can use.
func (s *Server) ready(c echo.Context) error {
	why, err := s.notReady(c.Request().Context())
	if why == "" {
		if some := s.Store.Frozen(); some != "" { // the other tenants go on
			return c.String(http.StatusOK, "ready\nread-only: "+some+"\n")
		}
		return c.String(http.StatusOK, "ready\n")
	}
	s.Log.Error("not ready", "request_id", RequestID(c), "why", why, "err", err)
	return c.String(http.StatusServiceUnavailable, "not ready: "+why+"\n")
}

// notReady returns why the server cannot do its work, "" if it can. err is for the log.
func (s *Server) notReady(ctx context.Context) (why string, err error) {
	if err := s.Store.Ready(ctx); err != nil {
		if domain.KindOf(err) == domain.Unavailable { // the store has a more precise message
			return FaultOf(err).Msg, err
		}
		return "the database does not answer", err
	}
	if a, ok := s.Authorizer.(interface{ Ready(context.Context) error }); ok {
		if err := a.Ready(ctx); err != nil {
			return cmp.Or(FaultOf(err).Msg, "the authorization server does not answer, so everything is denied"), err
		}
	}
	return s.lakeNotReady(ctx)
}

// lakeWait bounds the wait for the lake, because whoever polls /readyz has a short timeout too.
const lakeWait = 3 * time.Second

func (s *Server) lakeNotReady(ctx context.Context) (why string, err error) {
	if s.Lake == nil {
		return "", nil
	}
	ctx, cancel := context.WithTimeout(ctx, lakeWait)
	defer cancel()
	if err := s.Lake.Ready(ctx); err != nil {
		return "the lake cannot be reached, so no evidence bundle can be built or read", err
	}
	return "", nil
}
