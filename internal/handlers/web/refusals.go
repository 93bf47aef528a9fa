package web

import (
	"context"
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/views/ui"
)

// caller is what is known of a request when it is answered: who sent it, for what, and why it was refused.
type caller struct {
	who    access.Actor
	action access.Action
	token  bool   // it brought a token, right or wrong
	why    string // "" if it was not refused, or the status says it
}

type callerKey struct{}

// callerOf returns the notes about a request.
func callerOf(ctx context.Context) *caller {
	if at, ok := ctx.Value(callerKey{}).(*caller); ok {
		return at
	}
	return &caller{} // of a handler without the guards, as in tests
}

// refusedFor notes why a request is refused.
func refusedFor(c echo.Context, why string) { callerOf(c.Request().Context()).why = why }

// wordOf returns the name of an error's reason, "" if it has none.
func wordOf(err error) string {
	var role *roleError
	var ours *domain.Error
	switch {
	case errors.As(err, &role):
		return "role"
	case errors.As(err, &ours):
		return ui.FormWord(ours)
	}
	return ""
}

// logRefusal writes a line about a request that was refused because of who sent it: with the person's id and what they
// asked for, without anything that they sent.
func (s *Server) logRefusal(r *http.Request, route string, status int) {
	at := callerOf(r.Context())
	switch status {
	case http.StatusForbidden, http.StatusMisdirectedRequest, http.StatusTooManyRequests:
	case http.StatusUnauthorized:
		if !at.token { // somebody who has not signed in
			return
		}
	default:
		if at.why == "" {
			return
		}
	}
	who, now := at.who.ID, s.Now()
	if who == "" {
		who = access.Anonymous
	}
	left, may := s.refusals.Take(who, now)
	if !may {
		return
	}
	id, _ := r.Context().Value(requestIDKey{}).(string)
	line := []any{"request_id", id, "method", logged(r.Method), "path", logPath(r, route), "status", status, "person", who}
	for _, x := range []struct{ name, value string }{{"tenant", at.who.Tenant}, {"token", at.who.Token},
		{"action", string(at.action)}, {"why", at.why}} {
		if x.value != "" {
			line = append(line, x.name, x.value)
		}
	}
	if left > 0 {
		line = append(line, "not_logged", left)
	}
	s.Log.Warn("refused", line...)
}
