package web

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/ledger"
	"sanad/internal/handlers/web/apidoc"
	"sanad/internal/handlers/web/limits"
)

// Endpoint is one method of one address: who may call it, how the API's description documents it, and what handles it.
type Endpoint struct {
	Method, Path string
	Action       access.Action
	Object       string       // kind of the object that the address names; "" if the action is on the tenant
	Names        ObjectFinder // finds that object where :id is not its id; nil if it is
	Erasable     erasure.Kind // of what the address names, where Object does not say it; "" if it cannot be erased
	Reauth       bool         // requires a password given in the last minutes (access.FreshFor)

	Work limits.Work // the memory that it may take; by default that of its body

	Handle echo.HandlerFunc

	// Idempotent replaces Handle if the endpoint takes Idempotency-Key: its answers are stored and sent again.
	Idempotent func(echo.Context) (Reply, error)
	Streams    bool     // Idempotent reads a body of any length as it arrives, and calls CheckAnswered itself
	Secrets    []string // members of the body that are left out of the stored digest

	IfMatch Precondition // whether it takes If-Match

	Doc *apidoc.Doc // nil for pages
}

// Precondition says whether an endpoint takes If-Match; the zero value does not.
type Precondition struct {
	of       string // the noun for the object in the error's text
	required bool
}

func RequiredMatch(of string) Precondition { return Precondition{of: of, required: true} }

func OptionalMatch(of string) Precondition { return Precondition{of: of} }

func (p Precondition) taken() bool { return p.of != "" }

const preconditionKey = "precondition"

// check refuses a request without a required If-Match, and stores the precondition for CheckMatch.
func (p Precondition) check(c echo.Context) error {
	c.Set(preconditionKey, p)
	if p.required && c.Request().Header.Get("If-Match") == "" {
		return WithStatus(http.StatusPreconditionRequired,
			domain.Refuse(domain.Conflict, "", "refused_send_if_match", "Name", p.of))
	}
	return nil
}

// CheckMatch refuses to change an object that has changed since the caller read it: its revision is not the one that
// If-Match names. Without the header (check lets that pass only if it is optional) any revision may be changed.
func CheckMatch(c echo.Context, id string, revision int) error {
	return CheckTag(c, Etag(id, revision), revision)
}

// CheckTag is CheckMatch for an object whose tag says more than its revision.
func CheckTag(c echo.Context, tag string, revision int) error {
	header := c.Request().Header.Get("If-Match")
	if header == "" || matches(header, tag) {
		return nil
	}
	p, _ := c.Get(preconditionKey).(Precondition)
	return WithStatus(http.StatusPreconditionFailed,
		domain.Refuse(domain.Conflict, "", "refused_changed_since_revision", "Name", p.of, "N", revision))
}

// SessionMatches is CheckMatch as a function of the session, for the store to call inside the transaction.
func SessionMatches(c echo.Context) func(*ledger.Session) error {
	return func(session *ledger.Session) error { return CheckMatch(c, session.ID, session.RevisionFor(who(c).ID)) }
}

// LedgerTag returns the ETag header of a session's revision, as the caller is shown it.
func LedgerTag(c echo.Context, s *ledger.Session) map[string]string {
	return map[string]string{"ETag": Etag(s.ID, s.RevisionFor(who(c).ID))}
}

// NotModified sets the ETag of an answer, and reports whether the caller has that version already; the answer is then
// 304.
func NotModified(c echo.Context, tag string) bool {
	c.Response().Header().Set("ETag", tag)
	none := c.Request().Header.Get("If-None-Match")
	return none != "" && matches(none, tag)
}
