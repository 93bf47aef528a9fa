package web

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
)

// health answers as long as the process runs.
func (s *Server) health(c echo.Context) error { return c.String(http.StatusOK, "ok\n") }

// readiness is what /readyz answers as JSON. Operators' programs read it.
type readiness struct {
	Ready    bool   `json:"ready"`
	ReadOnly string `json:"read_only,omitempty"` // why some tenants, or all for want of room, only read
	Needs    []need `json:"needs"`
}

// need is something that the server needs: database, files, log, content, witness, authorization or lake. A server that
// is stopping also lists the need "time", which is never met.
type need struct {
	Name  string `json:"name"`
	Ready bool   `json:"ready"`
	Why   string `json:"why,omitempty"`
}

// ready answers 200 if everything that the server needs is there, else 503 and what is missing, as an operator can use
// it: a line of text, or JSON for who asks for that.
func (s *Server) ready(c echo.Context) error {
	needs, err := s.needs(c.Request().Context())
	why := whyNot(needs)
	status := http.StatusOK
	if why != "" {
		status = http.StatusServiceUnavailable
		level := slog.LevelError
		if errors.Is(err, errStopping) {
			level = slog.LevelInfo
		}
		s.Log.Log(c.Request().Context(), level, "not ready", "request_id", RequestID(c), "why", why, "err", err)
	}
	some := ""
	if why == "" {
		some = onlyReads(s.Store.Frozen(), s.Store.Full())
	}
	c.Response().Header().Add(echo.HeaderVary, echo.HeaderAccept)
	if strings.Contains(c.Request().Header.Get(echo.HeaderAccept), echo.MIMEApplicationJSON) {
		return c.JSON(status, readiness{Ready: why == "", ReadOnly: some, Needs: needs})
	}
	switch {
	case why != "":
		return c.String(status, "not ready: "+why+"\n")
	case some != "":
		some = "read-only: " + some + "\n"
	}
	return c.String(status, "ready\n"+some)
}

// onlyReads joins the reasons why some tenants only read and why no changes are stored. The server is ready all the
// same, so that a balancer goes on sending it requests.
func onlyReads(frozen, full string) string {
	return strings.Join(slices.DeleteFunc([]string{frozen, full}, func(s string) bool { return s == "" }), "; ")
}

// whyNot returns what is missing, "" if nothing is.
func whyNot(needs []need) string {
	var missing []string
	for _, n := range needs {
		if !n.Ready {
			missing = append(missing, n.Why)
		}
	}
	return strings.Join(missing, "; ")
}

// notReady returns why the server cannot do its work, "" if it can.
func (s *Server) notReady(ctx context.Context) string {
	needs, _ := s.needs(ctx) // what they say is enough
	return whyNot(needs)
}

// needs asks for everything that the server needs. err is for the log.
func (s *Server) needs(ctx context.Context) (needs []need, err error) {
	say := func(name, why string, fault error) {
		n := need{Name: name, Ready: fault == nil}
		if fault != nil {
			n.Why, err = why, errors.Join(err, fault)
		}
		needs = append(needs, n)
	}
	for _, n := range s.Store.HealthChecks(ctx) {
		why := "the database does not answer"
		if n.Err != nil && domain.KindOf(n.Err) == domain.Unavailable { // the store has a more precise message
			why = FaultOf(n.Err).Message.String()
		}
		say(n.Name, why, n.Err)
	}
	if a, ok := s.Authorizer.(interface{ Ready(context.Context) error }); ok {
		fault, why := a.Ready(ctx), ""
		if fault != nil {
			why = cmp.Or(FaultOf(fault).Message.String(), "the authorization server does not answer, so everything is denied")
		}
		say("authorization", why, fault)
	}
	select {
	case <-s.stopping:
		say("time", "this server is about to stop", errStopping)
	default:
	}
	if s.Lake != nil {
		ctx, cancel := context.WithTimeout(ctx, lakeWait)
		defer cancel()
		say("lake", "the lake cannot be reached, so no evidence bundle can be built or read", s.Lake.Ready(ctx))
	}
	return needs, err
}

var errStopping = errors.New("the server was told to stop")

// lakeWait bounds the wait for the lake, because whoever polls /readyz has a short timeout too.
const lakeWait = 3 * time.Second
