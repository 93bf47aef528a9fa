// Package views holds the pages, in a package per capability: one struct per page with a pure constructor, and templ
// components that only lay out what the struct holds. No Echo, no database. README.md describes the packages. The page
// of the API, which belongs to all capabilities, is here.
package views

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"sanad/internal/openapi"
	"sanad/internal/views/ui"
)

// APIPage is the description of the API as a page. Its chrome is in the reader's language; the descriptions are in
// English, like the names in them.
type APIPage struct {
	ui.Chrome
	Intro    []string
	Chapters []APIChapter
	Schemas  []APISchema
}

// APIChapter is a part of the API.
type APIChapter struct {
	Name, Title, Description string
	Calls                    []APICall
}

// APICall is one operation.
type APICall struct {
	ID, Method, Path     string
	Summary, About, Role string
	Parameters           []APIField
	Body                 APIType // nil if none
	Optional             bool    // the body may be left out
	Example              string
	Answers              []APIAnswer
}

// APIField is a parameter of a call, or a member of a schema.
type APIField struct {
	Name, In, Note string
	Required       bool
	Type           APIType
}

// APIAnswer is what a call may answer.
type APIAnswer struct {
	Status, Words string
	Type          APIType
	Headers       []string
}

// APISchema is an object that has a name.
type APISchema struct {
	Name   string
	Fields []APIField
}

// APIType describes a value's type in words: pieces of text, some of which are links to a schema.
type APIType []APIPiece

// APIPiece is a piece of an APIType.
type APIPiece struct{ Text, Href string }

// NewAPIPage lays out a description. Pure.
func NewAPIPage(c ui.Chrome, d *openapi.Document) *APIPage {
	p := &APIPage{Chrome: c, Intro: strings.Split(d.Info.Description, "\n\n")}
	for _, tag := range d.Tags {
		chapter := APIChapter{
			Name: tag.Name, Title: strings.ToUpper(tag.Name[:1]) + tag.Name[1:], Description: tag.Description,
		}
		for _, path := range d.Paths {
			for _, m := range *path.Value {
				if slices.Contains(m.Value.Tags, tag.Name) {
					chapter.Calls = append(chapter.Calls, newAPICall(d, m.Name, path.Name, m.Value))
				}
			}
		}
		p.Chapters = append(p.Chapters, chapter)
	}
	for _, s := range d.Components.Schemas {
		p.Schemas = append(p.Schemas, APISchema{s.Name, fieldsOf(s.Value)})
	}
	return p
}

func newAPICall(d *openapi.Document, method, path string, o *openapi.Operation) APICall {
	call := APICall{
		ID: o.ID, Method: strings.ToUpper(method), Path: path, Summary: o.Summary, About: o.Description, Role: o.Role,
	}
	for _, param := range o.Parameters {
		if name := lastPart(param.Ref); name != "" {
			param = d.Components.Parameters.Get(name)
		}
		call.Parameters = append(call.Parameters, APIField{
			Name: param.Name, In: param.In, Note: note(param.Description, param.Schema),
			Required: param.Required, Type: typeOf(param.Schema),
		})
	}
	if o.Body != nil {
		for _, media := range slices.Sorted(maps.Keys(o.Body.Content)) { // one, or JSON first
			body := o.Body.Content[media]
			if call.Body != nil {
				call.Body = append(call.Body, APIType{{Text: " | "}, {Text: media}}...)
				continue
			}
			call.Body, call.Optional, call.Example = bodyType(media,
				body.Schema), !o.Body.Required, example(body.Example)
		}
	}
	for _, r := range o.Responses {
		call.Answers = append(call.Answers, newAPIAnswer(d, r.Name, r.Value))
	}
	return call
}

func newAPIAnswer(d *openapi.Document, status string, r *openapi.Response) APIAnswer {
	if name := lastPart(r.Ref); name != "" {
		r = d.Components.Responses.Get(name)
	}
	a := APIAnswer{Status: status, Words: r.Description}
	for _, h := range r.Headers {
		a.Headers = append(a.Headers, h.Name)
	}
	for media, body := range r.Content { // one
		a.Type = bodyType(media, body.Schema)
	}
	return a
}

// bodyType is what a body is: its schema where it is JSON, else its media type.
func bodyType(media string, s *openapi.Schema) APIType {
	if strings.HasSuffix(media, "json") {
		return typeOf(s)
	}
	return APIType{{Text: media}}
}

// example writes an example as people read JSON; "" if none.
func example(v any) string {
	if v == nil {
		return ""
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return ""
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func fieldsOf(s *openapi.Schema) []APIField {
	var out []APIField
	for _, p := range s.Properties {
		out = append(out, APIField{
			Name: p.Name, Note: note("", p.Value), Required: slices.Contains(s.Required, p.Name),
			Type: typeOf(p.Value),
		})
	}
	return out
}

// note describes what a value's type does not say.
func note(first string, s *openapi.Schema) string {
	return strings.TrimSpace(first + " " + s.Description)
}

// typeOf describes a value's type.
func typeOf(s *openapi.Schema) APIType {
	switch {
	case s.Ref != "":
		name := lastPart(s.Ref)
		return APIType{{name, "#" + url.PathEscape(schemaID(name))}}
	case len(s.AnyOf) > 0:
		return joined(s.AnyOf, " or ")
	case len(s.Enum) > 0:
		return APIType{{Text: choices(s.Enum)}}
	case s.Items != nil:
		return append(APIType{{Text: "list of "}}, typeOf(s.Items)...)
	case len(s.Properties) > 0:
		return members(s)
	case len(s.Type) == 0:
		return APIType{{Text: "any JSON"}}
	}
	if other, is := s.Additional.(*openapi.Schema); is {
		return append(APIType{{Text: "object of "}}, typeOf(other)...)
	}
	return APIType{{Text: strings.Join(s.Type, " or ") + limits(s)}}
}

func joined(list []*openapi.Schema, between string) APIType {
	var out APIType
	for i, s := range list {
		if i > 0 {
			out = append(out, APIPiece{Text: between})
		}
		out = append(out, typeOf(s)...)
	}
	return out
}

// members writes an object without a name: {sessions: list of SessionRow, next: string or null}.
func members(s *openapi.Schema) APIType {
	out := APIType{{Text: "{ "}}
	for i, p := range s.Properties {
		if i > 0 {
			out = append(out, APIPiece{Text: ", "})
		}
		out = append(append(out, APIPiece{Text: p.Name + ": "}), typeOf(p.Value)...)
	}
	return append(out, APIPiece{Text: " }"})
}

func choices(list []any) string {
	words := make([]string, len(list))
	for i, v := range list {
		words[i] = "null"
		if v != nil {
			words[i] = fmt.Sprint(v)
		}
	}
	return strings.Join(words, " | ")
}

func limits(s *openapi.Schema) string {
	out := ""
	if s.Format != "" {
		out += ", " + s.Format
	}
	if s.Minimum != nil {
		out += fmt.Sprintf(", from %d", *s.Minimum)
	}
	if s.Maximum != nil && *s.Maximum < 1<<30 {
		out += fmt.Sprintf(" to %d", *s.Maximum)
	}
	if s.MaxLength > 0 {
		out += fmt.Sprintf(", at most %d characters", s.MaxLength)
	}
	return out
}

func lastPart(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }

func schemaID(name string) string { return "schema-" + name }
