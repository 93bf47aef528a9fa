package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/openapi"
)

// Endpoint is one method of one address: who may call it, what the API's description says of it, and what answers.
type Endpoint struct {
	Method, Path string
	Action       access.Action
	Object       string // kind of the object that :id names; "" where the action is on the tenant
	Reauth       bool   // requires a password given in the last minutes (db.FreshFor)

	Handle echo.HandlerFunc

	// Idempotent stands in for Handle where the endpoint takes Idempotency-Key: its answers are kept and given again.
	Idempotent func(echo.Context) (reply, error)
	Streams    bool     // Idempotent reads a body of any length as it arrives, and asks checkAnswered itself
	Secrets    []string // members of the body that Idempotent's kept answers must not depend on

	IfMatch precondition // whether it takes If-Match

	Doc *Doc // nil for pages
}

// Doc is what the API's description says of an endpoint besides what follows from the endpoint itself.
type Doc struct {
	ID, Tag, Summary, Description string

	Query        []*openapi.Parameter
	Path         map[string]*openapi.Schema // of the parts of the path that have more to say than "text"
	Reads        any                        // an empty value of the type of the body, or made; nil for no body
	BodyOptional bool
	JSONLines    bool // the body may also be JSON Lines
	Example      any
	IfNoneMatch  bool // takes If-None-Match
	Conflicts    bool // may be refused because of the state that things are in: 409
	Answers      []Answer
}

// Answer is what an endpoint answers when it does what was asked.
type Answer struct {
	Status      string
	Description string
	Body        any // an empty value of the type of the body, or made; nil for no body
	Headers     []string
}

// precondition says whether an endpoint takes If-Match: the zero value does not.
type precondition struct {
	of       string // what the ETag names, in the words of the error
	required bool
}

func requiredMatch(of string) precondition { return precondition{of: of, required: true} }
func optionalMatch(of string) precondition { return precondition{of: of} }

func (p precondition) taken() bool { return p.of != "" }

const preconditionKey = "precondition"

// check refuses a request that lacks an If-Match that is required, and remembers the precondition for checkMatch.
func (p precondition) check(c echo.Context) error {
	c.Set(preconditionKey, p)
	if p.required && c.Request().Header.Get("If-Match") == "" {
		return withStatus(http.StatusPreconditionRequired,
			domain.Conflictf("Send If-Match with the ETag of the %s you read, or * to change whatever is there.", p.of))
	}
	return nil
}

// checkMatch refuses to change what has changed since the caller read it: its revision is not the one that If-Match names.
// Without the header, which check lets through only if it is optional, whatever is there may be changed.
func checkMatch(c echo.Context, id string, revision int) error {
	header := c.Request().Header.Get("If-Match")
	if header == "" || matches(header, etag(id, revision)) {
		return nil
	}
	p, _ := c.Get(preconditionKey).(precondition)
	return withStatus(http.StatusPreconditionFailed,
		domain.Conflictf("The %s has changed since; it is at revision %d. Read it again.", p.of, revision))
}

// sessionMatches is checkMatch for the session of a change.
func sessionMatches(c echo.Context) func(*ledger.Session) error {
	return func(session *ledger.Session) error { return checkMatch(c, session.ID, session.Revision) }
}

// ledgerTag is the header that names the revision of a session's ledger.
func ledgerTag(s *ledger.Session) map[string]string {
	return map[string]string{"ETag": etag(s.ID, s.Revision)}
}

// notModified sets the ETag of an answer, and reports whether the caller has it already: then it is 304.
func notModified(c echo.Context, tag string) bool {
	c.Response().Header().Set("ETag", tag)
	none := c.Request().Header.Get("If-None-Match")
	return none != "" && matches(none, tag)
}
