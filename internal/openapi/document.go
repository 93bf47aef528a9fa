// Package openapi is an OpenAPI 3.1 document as Go values: what describes the API of internal/handlers, and what the
// readable page is drawn from. It holds the parts of the standard that our API needs and no others. Its schemas are made
// from the Go types that are sent and read (Schemas), so that they say what the code says.
package openapi

import (
	"bytes"
	"encoding/json"
)

// Version is the version of the standard.
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

// Indented is the document as a file.
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

// Info says whose API this is.
type Info struct {
	Title       string `json:"title"`
	Version     string `json:"version"`
	Summary     string `json:"summary"`
	Description string `json:"description"` // paragraphs, parted by empty lines
}

// Server is where the paths begin.
type Server struct {
	URL string `json:"url"`
}

// Tag is a chapter of the API.
type Tag struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
}

// Path has the operations of one address, by method in small letters.
type Path = Ordered[*Operation]

// Operation is one call.
type Operation struct {
	ID          string                `json:"operationId"`
	Tags        []string              `json:"tags"`
	Summary     string                `json:"summary"`
	Description string                `json:"description,omitempty"`
	Role        string                `json:"x-role,omitempty"`   // the least role that it needs
	Security    []map[string][]string `json:"security,omitempty"` // where it differs from the document's
	Parameters  []*Parameter          `json:"parameters,omitempty"`
	Body        *Body                 `json:"requestBody,omitempty"`
	Responses   Ordered[*Response]    `json:"responses"` // by status
}

// Parameter is a part of the path, of the query, or a header.
type Parameter struct {
	Ref         string  `json:"$ref,omitempty"`
	Name        string  `json:"name,omitempty"`
	In          string  `json:"in,omitempty"` // path, query or header
	Required    bool    `json:"required,omitempty"`
	Deprecated  bool    `json:"deprecated,omitempty"`
	Description string  `json:"description,omitempty"`
	Schema      *Schema `json:"schema,omitempty"`
}

// Body is what a call sends.
type Body struct {
	Required bool             `json:"required"`
	Content  map[string]Media `json:"content"`
}

// Media is a body of one media type.
type Media struct {
	Schema  *Schema `json:"schema"`
	Example any     `json:"example,omitempty"`
}

// Response is what a call answers.
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

// Components are the parts that others name.
type Components struct {
	Schemas    Ordered[*Schema]    `json:"schemas"`
	Parameters Ordered[*Parameter] `json:"parameters"`
	Headers    Ordered[*Header]    `json:"headers"`
	Responses  Ordered[*Response]  `json:"responses"`
	Security   map[string]Security `json:"securitySchemes"`
}

// Security is a way to say who asks.
type Security struct {
	Type        string `json:"type"`
	Scheme      string `json:"scheme"`
	Description string `json:"description,omitempty"`
}

// Named is a member of an Ordered.
type Named[T any] struct {
	Name  string
	Value T
}

// Ordered is a JSON object that keeps its members in their order, which is how people read it.
type Ordered[T any] []Named[T]

// Get gives a member, or the zero value.
func (o Ordered[T]) Get(name string) (value T) {
	for _, m := range o {
		if m.Name == name {
			return m.Value
		}
	}
	return value
}

// Set adds a member at the end, or changes the one of that name.
func (o *Ordered[T]) Set(name string, value T) {
	for i := range *o {
		if (*o)[i].Name == name {
			(*o)[i].Value = value
			return
		}
	}
	*o = append(*o, Named[T]{name, value})
}

// MarshalJSON writes the object.
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
