package web

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
	Idempotent func(echo.Context) (Reply, error)
	Streams    bool     // Idempotent reads a body of any length as it arrives, and asks CheckAnswered itself
	Secrets    []string // members of the body that Idempotent's kept answers must not depend on

	IfMatch Precondition // whether it takes If-Match

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

// Precondition says whether an endpoint takes If-Match: the zero value does not.
type Precondition struct {
	of       string // what the ETag names, in the words of the error
	required bool
}

func RequiredMatch(of string) Precondition { return Precondition{of: of, required: true} }

func OptionalMatch(of string) Precondition { return Precondition{of: of} }

func (p Precondition) taken() bool { return p.of != "" }

const preconditionKey = "precondition"

// check refuses a request that lacks an If-Match that is required, and remembers the precondition for CheckMatch.
func (p Precondition) check(c echo.Context) error {
	c.Set(preconditionKey, p)
	if p.required && c.Request().Header.Get("If-Match") == "" {
		return WithStatus(http.StatusPreconditionRequired,
			domain.Conflictf("Send If-Match with the ETag of the %s you read, or * to change whatever is there.", p.of))
	}
	return nil
}

// CheckMatch refuses to change what has changed since the caller read it: its revision is not the one that If-Match names.
// Without the header, which check lets through only if it is optional, whatever is there may be changed.
func CheckMatch(c echo.Context, id string, revision int) error {
	header := c.Request().Header.Get("If-Match")
	if header == "" || matches(header, Etag(id, revision)) {
		return nil
	}
	p, _ := c.Get(preconditionKey).(Precondition)
	return WithStatus(http.StatusPreconditionFailed,
		domain.Conflictf("The %s has changed since; it is at revision %d. Read it again.", p.of, revision))
}

// SessionMatches is CheckMatch for the session of a change.
func SessionMatches(c echo.Context) func(*ledger.Session) error {
	return func(session *ledger.Session) error { return CheckMatch(c, session.ID, session.Revision) }
}

// LedgerTag is the header that names the revision of a session's ledger.
func LedgerTag(s *ledger.Session) map[string]string {
	return map[string]string{"ETag": Etag(s.ID, s.Revision)}
}

// NotModified sets the ETag of an answer, and reports whether the caller has it already: then it is 304.
func NotModified(c echo.Context, tag string) bool {
	c.Response().Header().Set("ETag", tag)
	none := c.Request().Header.Get("If-None-Match")
	return none != "" && matches(none, tag)
}
