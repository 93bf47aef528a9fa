package handlers

import (
	"github.com/labstack/echo/v4"

	"sanad/internal/domain/access"
	"sanad/internal/openapi"
)

// Endpoint is one method of one address: who may call it, what the API's description says of it, and what answers.
type Endpoint struct {
	Method, Path string
	Action       access.Action
	Object       string // kind of the object that :id names; "" where the action is on the tenant
	Reauth       bool   // requires a password given in the last minutes (db.FreshFor)

	Idempotent bool         // takes Idempotency-Key
	IfMatch    precondition // whether it takes If-Match

	Doc    *Doc // nil for pages
	Handle echo.HandlerFunc
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
