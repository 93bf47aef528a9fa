// Package apidoc makes the API's description: what each call takes and answers, in OpenAPI 3.1.
package apidoc

import "sanad/internal/openapi"

// FormType is the media type of a form with files.
const FormType = "multipart/form-data"

// FileTypes are the media types of interchange files that are no single JSON value, with what such a body is.
var FileTypes = []struct{ Media, What string }{
	{"application/jsonl", "JSON values, one after the other."},
	{"application/x-ndjson", "JSON values, one after the other."},
	{"text/csv", "Rows under a line of names."}, {"text/event-stream", "A streamed answer, as a provider sends it."},
}

// MaxListLimit is how many rows a page of a list has at most.
const MaxListLimit = 200

// Call is a call of the API: its Doc, and what follows from the endpoint itself.
type Call struct {
	Doc           *Doc
	Method, Path  string
	Role          string // the least that it needs; "" if it is public
	Idempotent    bool   // takes Idempotency-Key
	IfMatch       bool   // takes If-Match
	MatchRequired bool   // and answers 428 without it
	Erasable      bool   // what it names may have been erased
}

// Doc documents an endpoint in the API's description, beyond what follows from the endpoint itself.
type Doc struct {
	ID, Tag, Summary, Description string

	Query        []*openapi.Parameter
	Path         map[string]*openapi.Schema // schemas of the path parameters that are not plain text
	Reads        any                        // an empty value of the body's type, or a SchemaFunc; nil if no body
	BodyOptional bool
	JSONLines    bool // the body may also be JSON Lines
	// Form has the parts that the body may have as multipart/form-data instead, nil if it may not. Idempotent then calls
	// ReadForm, which reads it and looks up the answer of its Idempotency-Key.
	Form        []Part
	Example     any
	IfNoneMatch bool // takes If-None-Match
	Conflicts   bool // may answer 409 because of the object's state
	Answers     []Answer
}

// Answer is one successful answer of an endpoint.
type Answer struct {
	Status      string
	Description string
	Body        any // an empty value of the body's type, or a SchemaFunc; nil if no body
	Headers     []string
}

// Part is a part that a body of the API may have as multipart/form-data.
type Part struct {
	Name, Description string

	File bool // it must have a file name
	Text bool // it must have none
	Many bool // there may be several
}
