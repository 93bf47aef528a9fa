// Package openapi represents an OpenAPI 3.1 document as Go values. It describes the API of internal/handlers and is the
// source of the readable API page. It covers only the parts of the standard that this API needs. Schemas are derived
// from the Go types that are sent and read (Schemas), so that they match the code.
package openapi

import (
	"bytes"
	"encoding/json"
)

// Version is the version of the OpenAPI standard.
const Version = "3.1.0"

// Document describes an API.
type Document struct {
	OpenAPI    string                `json:"openapi"`
	Info       Info                  `json:"info"`
	Servers    []Server              `json:"servers"`
	Security   []map[string][]string `json:"security"`
	Tags       []Tag                 `json:"tags"`
	Paths      Ordered[*Path]        `json:"paths"`
	Components Components            `json:"components"`
}

// Indented returns the document as an indented JSON file.
func (d *Document) Indented() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(d); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Info names and describes the API.
type Info struct {
	Title       string `json:"title"`
	Version     string `json:"version"`
	Summary     string `json:"summary"`
	Description string `json:"description"` // paragraphs, separated by empty lines
}

// Server is the base address of the paths.
type Server struct {
	URL string `json:"url"`
}

// Tag is a chapter of the API's description.
type Tag struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
}

// Path holds the operations of one address, by lower-case method.
type Path = Ordered[*Operation]

// Operation is one API call.
type Operation struct {
	ID          string                `json:"operationId"`
	Tags        []string              `json:"tags"`
	Summary     string                `json:"summary"`
	Description string                `json:"description,omitempty"`
	Role        string                `json:"x-role,omitempty"`   // the lowest role that may call it
	Security    []map[string][]string `json:"security,omitempty"` // if it differs from the document's
	Parameters  []*Parameter          `json:"parameters,omitempty"`
	Body        *Body                 `json:"requestBody,omitempty"`
	Responses   Ordered[*Response]    `json:"responses"` // by status
}

// Parameter is a path parameter, a query parameter or a header.
type Parameter struct {
	Ref         string  `json:"$ref,omitempty"`
	Name        string  `json:"name,omitempty"`
	In          string  `json:"in,omitempty"` // path, query or header
	Required    bool    `json:"required,omitempty"`
	Description string  `json:"description,omitempty"`
	Schema      *Schema `json:"schema,omitempty"`
}

// Body is the body of a request.
type Body struct {
	Required bool             `json:"required"`
	Content  map[string]Media `json:"content"`
}

// Media is a body of one media type.
type Media struct {
	Schema  *Schema `json:"schema"`
	Example any     `json:"example,omitempty"`
}

// Response is one answer of an operation.
type Response struct {
	Ref         string           `json:"$ref,omitempty"`
	Description string           `json:"description,omitempty"`
	Headers     Ordered[*Header] `json:"headers,omitempty"`
	Content     map[string]Media `json:"content,omitempty"`
}

// Header is a header of a response.
type Header struct {
	Ref         string  `json:"$ref,omitempty"`
	Description string  `json:"description,omitempty"`
	Schema      *Schema `json:"schema,omitempty"`
}

// Components are the named parts that others refer to.
type Components struct {
	Schemas    Ordered[*Schema]    `json:"schemas"`
	Parameters Ordered[*Parameter] `json:"parameters"`
	Headers    Ordered[*Header]    `json:"headers"`
	Responses  Ordered[*Response]  `json:"responses"`
	Security   map[string]Security `json:"securitySchemes"`
}

// Security is an authentication scheme.
type Security struct {
	Type        string `json:"type"`
	Scheme      string `json:"scheme"`
	Description string `json:"description,omitempty"`
}

// Named is a member of an Ordered object.
type Named[T any] struct {
	Name  string
	Value T
}

// Ordered is a JSON object whose members keep their order, so that people can read it.
type Ordered[T any] []Named[T]

// Get returns a member, or the zero value if none.
func (o Ordered[T]) Get(name string) (value T) {
	for _, m := range o {
		if m.Name == name {
			return m.Value
		}
	}
	return value
}

// Set appends a member, or replaces the one with that name.
func (o *Ordered[T]) Set(name string, value T) {
	for i := range *o {
		if (*o)[i].Name == name {
			(*o)[i].Value = value
			return
		}
	}
	*o = append(*o, Named[T]{name, value})
}

// MarshalJSON encodes the object.
func (o Ordered[T]) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		for j, part := range []any{m.Name, m.Value} {
			data, err := json.Marshal(part)
			if err != nil {
				return nil, err
			}
			if j > 0 {
				b.WriteByte(':')
			}
			b.Write(data)
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
