package web

import (
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/handlers/web/apidoc"
)

// APIChange is a change that waits for a second administrator, or that one decided (rule P-29).
type APIChange struct {
	ID        string  `json:"change_id"`
	Kind      string  `json:"kind"`
	Object    string  `json:"object"`  // id of what it is about; of a new person the login name; "" for the tenant
	Role      string  `json:"role"`    // that a person gets, "" for other kinds
	Version   int     `json:"version"` // of the policy that it would replace, 0 for other kinds
	On        bool    `json:"on"`      // access enabled, hold set
	Reason    string  `json:"reason"`
	Status    string  `json:"status"`
	AskedBy   string  `json:"asked_by"`
	AskedAt   string  `json:"asked_at"`
	ExpiresAt string  `json:"expires_at"`
	DecidedBy string  `json:"decided_by"`
	DecidedAt *string `json:"decided_at"`
}

// NewAPIChange lays out a request.
func NewAPIChange(r access.Request) APIChange {
	return APIChange{
		ID: r.ID, Kind: string(r.Change.Kind), Object: r.Change.Object, Role: string(r.Change.Role),
		Version: r.Change.Version, On: r.Change.On, Reason: r.Reason, Status: string(r.State), AskedBy: r.AskedBy,
		AskedAt: FormatTime(r.AskedAt), ExpiresAt: FormatTime(r.ExpiresAt), DecidedBy: r.DecidedBy,
		DecidedAt: TimeOrNull(r.DecidedAt),
	}
}

// WaitsAnswer describes the answer of an operation that a second administrator has to confirm.
var WaitsAnswer = apidoc.Answer{
	Status: "202", Body: APIChange{}, Headers: []string{"Location"},
	Description: "It waits for a second administrator, whom this organisation requires: nothing is changed yet.",
}

// pendingChange is a request that a change became.
type pendingChange struct{ request access.Request }

func askedOf(err error) *pendingChange {
	var waits *db.AskedError
	if !errors.As(err, &waits) {
		return nil
	}
	return &pendingChange{waits.Request}
}

func (p *pendingChange) reply() Reply {
	return Reply{Status: http.StatusAccepted, Body: NewAPIChange(p.request),
		Headers: map[string]string{"Location": "/api/v1/changes/" + p.request.ID}}
}

// waits answers a change that waits for a second administrator: 202 for programs, the page of such changes for people.
// It reports whether err was one.
func (s *Server) waits(c echo.Context, err error) (bool, error) {
	p := askedOf(err)
	if p == nil {
		return false, nil
	}
	if strings.HasPrefix(c.Request().URL.Path, "/api/") {
		return true, p.reply().send(c)
	}
	return true, SeeOther(c, "/admin/changes?done=asked")
}

// WhoBecause is Who with the reason that a form gives for a change that may need a second administrator.
func (s *Server) WhoBecause(c echo.Context) access.Actor {
	who := s.Who(c)
	who.Why = c.FormValue("reason")
	return who
}
