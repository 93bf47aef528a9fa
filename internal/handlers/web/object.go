package web

import (
	"context"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

// ObjectFinder returns the id of the object that an address names by something else: a request, or the token of a link.
// NotFound if none.
type ObjectFinder func(s *Server, c echo.Context) (string, error)

// OfPackExport finds the pack of the request for a copy that :id names.
func OfPackExport(s *Server, c echo.Context) (string, error) {
	return s.Store.PackOfExport(c.Request().Context(), s.Who(c).Tenant, c.Param("id"))
}

// OfPackPurge finds the pack of the purge that is waiting, which the parameter names.
func OfPackPurge(parameter string) ObjectFinder {
	return func(s *Server, c echo.Context) (string, error) {
		return s.Store.PackOfPurge(c.Request().Context(), s.Who(c).Tenant, c.Param(parameter))
	}
}

// OfPackLink finds the pack of a personal link.
func OfPackLink(s *Server, c echo.Context) (string, error) {
	e, err := s.Store.PackExport(c.Request().Context(), s.Who(c), db.HashToken(c.Param("token")))
	return e.PackID, err
}

// OfLink finds the session of a personal link to its ledger.
func OfLink(s *Server, c echo.Context) (string, error) {
	who := s.Who(c)
	e, err := s.Store.Export(c.Request().Context(), who.Tenant, db.HashToken(c.Param("token")), s.Now())
	if err == nil && e.Actor != who.ID {
		err = NotFound()
	}
	return e.SessionID, err
}

// objectOf returns the object that the request is about. One that is not there, or a malformed id, becomes the zero
// one, so that no text of a request reaches the Authorizer and the handler answers not found.
func (s *Server) objectOf(c echo.Context, e Endpoint) (access.Object, error) {
	if e.Object == "" {
		return access.Object{Kind: "tenant", ID: who(c).Tenant}, nil
	}
	id := c.Param("id")
	if e.Names != nil {
		var err error
		if id, err = e.Names(s, c); err != nil && domain.KindOf(err) != domain.NotFound {
			return access.Object{}, err
		}
	}
	if !isID(e.Object, id) {
		id = uuid.Nil.String()
	}
	return access.Object{Kind: e.Object, ID: id}, nil
}

// MayReadLedger refuses somebody who may not read a session's ledger, as if it were not there.
func (s *Server) MayReadLedger(c echo.Context, sessionID string) error {
	if !isID("session", sessionID) {
		return nil // a decision may name any text; there is no such session
	}
	may, err := s.Readable(c.Request().Context(), s.Who(c))(access.Object{Kind: "session", ID: sessionID})
	if err == nil && !may {
		err = NotFound()
	}
	return err
}

// mayReadCopy refuses a pack whose ledger's session the actor may not read: the pack holds a copy of the ledger.
func (s *Server) mayReadCopy(c echo.Context, on access.Object) error {
	if s.ByRoles() || on.Kind != EvidencePack {
		return nil // a role is the same for every object
	}
	session, err := s.Store.SessionOfPack(c.Request().Context(), who(c).Tenant, on.ID)
	if domain.KindOf(err) == domain.NotFound {
		return nil // the handler says so
	}
	if err != nil {
		return err
	}
	return s.MayReadLedger(c, session)
}

// ByRoles reports whether roles alone decide what somebody may do: there is no Authorizer that knows more.
func (s *Server) ByRoles() bool {
	_, plain := s.objects.(access.ByRole)
	return plain
}

// May reports whether the person who sent the request may do an action to an object, besides that of the endpoint.
func (s *Server) May(c echo.Context, action access.Action, on access.Object) (bool, error) {
	who := s.Who(c)
	if !access.InScope(who, action) || who.Unproven && access.NeedsFactor(action) {
		return false, nil
	}
	may, err := s.Authorizer.Allowed(c.Request().Context(), who, action, on)
	if err != nil {
		return false, NotChecked(err)
	}
	return may, nil
}

// Readable returns a function that reports whether an actor may read the ledger that an object is or belongs to. It
// asks about each object once. The scopes of a token were asked for by the endpoint: one that may export a pack needs
// no scope for the ledger in it.
func (s *Server) Readable(ctx context.Context, actor access.Actor) func(on access.Object) (bool, error) {
	if s.ByRoles() {
		return func(access.Object) (bool, error) { return true, nil } // the endpoint has asked for the role
	}
	known := map[access.Object]bool{}
	return func(on access.Object) (bool, error) {
		may, found := known[on]
		if found {
			return may, nil
		}
		may, err := s.objects.Allowed(ctx, actor, access.ReadLedger, on)
		if err != nil {
			return false, NotChecked(err)
		}
		known[on] = may
		return may, nil
	}
}
