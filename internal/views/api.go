// Package views holds the pages, in a package per capability: one struct per page with a pure constructor, and templ
// components that only lay out what the struct holds. No Echo, no database. README.md describes the packages. The page
// of the API, which belongs to all capabilities, is here.
package views

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"sanad/internal/openapi"
	"sanad/internal/views/ui"
)

// APIPage is a page of the description of the API: the first one, with all that there is, or a chapter. Its chrome is
// in the reader's language; the descriptions are in English, like the names in them.
type APIPage struct {
	ui.Chrome
	Intro     []string
	Variables string         // what the samples use, for the shell
	Chapters  []APIChapter   // all of them, in the side list
	Schemas   []APIPart      // all pages of schemas, in the side list
	Chapter   *APIChapter    // shown, nil on other pages
	Shown     []APISchema    // shown, none on other pages
	Errors    []APIAnswer    // what any call may answer, on the first page
	Names     []APIReference // all schemas, on the first page
}

// APIPart is one page of schemas.
type APIPart struct {
	Name, Title string
	Here        bool
}

// APIReference leads to where something is described.
type APIReference struct{ ID, Title, Href string }

// APIPath is the first page of the description.
const APIPath = "/docs/api"

// APIChapter is a part of the API.
type APIChapter struct {
	Name, Title, Description string
	Here                     bool
	Links                    []APIReference // to its calls
	Calls                    []APICall      // on its own page
}

// APICall is one operation.
type APICall struct {
	ID, Method, Path     string
	Summary, About, Role string
	Parameters           []APIField
	Body                 APIType // nil if none
	Optional             bool    // the body may be left out
	Curl                 string  // as a shell command
	Answers              []APIAnswer
	Errors               []string // statuses that mean the same for all calls
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

// schemaPage is how many fields a page of schemas has at most, and schemaParts how its name begins.
const (
	schemaPage  = 380
	schemaParts = "schemas-"
)

// NewAPIPage lays out the page of a description that a name asks for: "" for the first one, a chapter's, or a page of
// schemas. It returns nil if none; base is the address of this server. Pure.
func NewAPIPage(c ui.Chrome, d *openapi.Document, name, base string) *APIPage {
	p, places := &APIPage{Chrome: c, Variables: curlVariables(base)}, schemaPlaces(d)
	w := apiWriter{d: d, places: places}
	for _, tag := range d.Tags {
		chapter := APIChapter{
			Name: tag.Name, Title: c.T("api_chapter_" + tag.Name), Description: tag.Description, Here: tag.Name == name,
		}
		for _, path := range d.Paths {
			for _, m := range *path.Value {
				if !slices.Contains(m.Value.Tags, tag.Name) {
					continue
				}
				chapter.Links = append(chapter.Links, APIReference{m.Value.ID, m.Value.Summary,
					APIPath + "/" + tag.Name + "#" + m.Value.ID})
				if chapter.Here {
					chapter.Calls = append(chapter.Calls, w.call(m.Name, path.Name, m.Value))
				}
			}
		}
		p.Chapters = append(p.Chapters, chapter)
		if chapter.Here {
			p.Chapter = &chapter
		}
	}
	w.schemas(p, name)
	if name == "" {
		w.first(p)
	}
	if name != "" && p.Chapter == nil && p.Shown == nil {
		return nil
	}
	return p
}

// schemaPlaces returns the page of each schema, from 1.
func schemaPlaces(d *openapi.Document) map[string]int {
	out, n, fields := map[string]int{}, 1, 0
	for _, s := range d.Components.Schemas {
		if fields += len(s.Value.Properties) + 1; fields > schemaPage {
			n, fields = n+1, len(s.Value.Properties)+1
		}
		out[s.Name] = n
	}
	return out
}

// apiWriter describes the parts of a document.
type apiWriter struct {
	d      *openapi.Document
	places map[string]int
}

// schemas adds the pages of schemas, and the schemas of the one that is asked for.
func (w *apiWriter) schemas(p *APIPage, name string) {
	first, last := map[int]string{}, map[int]string{}
	for _, s := range w.d.Components.Schemas {
		n := w.places[s.Name]
		if first[n] == "" {
			first[n] = s.Name
		}
		last[n] = s.Name
		if name == schemaParts+strconv.Itoa(n) {
			p.Shown = append(p.Shown, APISchema{s.Name, w.fieldsOf(s.Value)})
		}
	}
	for n := 1; n <= len(first); n++ {
		part := schemaParts + strconv.Itoa(n)
		p.Schemas = append(p.Schemas, APIPart{part, first[n] + " – " + last[n], part == name})
	}
}

// first adds what the first page has: the introduction, errors, and where each schema is.
func (w *apiWriter) first(p *APIPage) {
	p.Intro = strings.Split(w.d.Info.Description, "\n\n")
	for _, s := range w.d.Components.Schemas {
		p.Names = append(p.Names, APIReference{schemaID(s.Name), s.Name, w.schemaHref(s.Name)})
	}
	seen := map[string]bool{}
	for _, path := range w.d.Paths {
		for _, m := range *path.Value {
			for _, r := range m.Value.Responses {
				if r.Value.Ref != "" && !seen[r.Name] {
					seen[r.Name] = true
					p.Errors = append(p.Errors, w.answer(r.Name, r.Value))
				}
			}
		}
	}
	slices.SortFunc(p.Errors, func(a, b APIAnswer) int { return strings.Compare(a.Status, b.Status) })
}

// schemaHref is where a schema is described.
func (w *apiWriter) schemaHref(name string) string {
	return APIPath + "/" + schemaParts + strconv.Itoa(w.places[name]) + "#" + url.PathEscape(schemaID(name))
}

func (w *apiWriter) call(method, path string, o *openapi.Operation) APICall {
	d := w.d
	call := APICall{
		ID: o.ID, Method: strings.ToUpper(method), Path: path, Summary: o.Summary, About: o.Description, Role: o.Role,
		Curl: curlOf(d, method, path, o),
	}
	for _, param := range o.Parameters {
		if name := lastPart(param.Ref); name != "" {
			param = d.Components.Parameters.Get(name)
		}
		call.Parameters = append(call.Parameters, APIField{
			Name: param.Name, In: param.In, Note: note(param.Description, param.Schema),
			Required: param.Required, Type: w.typeOf(param.Schema),
		})
	}
	if o.Body != nil {
		for _, media := range slices.Sorted(maps.Keys(o.Body.Content)) { // one, or JSON first
			body := o.Body.Content[media]
			if call.Body != nil {
				call.Body = append(call.Body, APIType{{Text: " | "}, {Text: media}}...)
				continue
			}
			call.Body, call.Optional = w.bodyType(media, body.Schema), !o.Body.Required
		}
	}
	for _, r := range o.Responses {
		if r.Value.Ref != "" { // the same for all calls
			call.Errors = append(call.Errors, r.Name)
			continue
		}
		call.Answers = append(call.Answers, w.answer(r.Name, r.Value))
	}
	return call
}

func (w *apiWriter) answer(status string, r *openapi.Response) APIAnswer {
	if name := lastPart(r.Ref); name != "" {
		r = w.d.Components.Responses.Get(name)
	}
	a := APIAnswer{Status: status, Words: r.Description}
	for _, h := range r.Headers {
		a.Headers = append(a.Headers, h.Name)
	}
	for media, body := range r.Content { // one
		a.Type = w.bodyType(media, body.Schema)
	}
	return a
}

// bodyType is what a body is: its schema where it is JSON, else its media type.
func (w *apiWriter) bodyType(media string, s *openapi.Schema) APIType {
	if strings.HasSuffix(media, "json") {
		return w.typeOf(s)
	}
	return APIType{{Text: media}}
}

func (w *apiWriter) fieldsOf(s *openapi.Schema) []APIField {
	var out []APIField
	for _, p := range s.Properties {
		out = append(out, APIField{
			Name: p.Name, Note: note("", p.Value), Required: slices.Contains(s.Required, p.Name),
			Type: w.typeOf(p.Value),
		})
	}
	return out
}

// note describes what a value's type does not say.
func note(first string, s *openapi.Schema) string {
	return strings.TrimSpace(first + " " + s.Description)
}

// typeOf describes a value's type.
func (w *apiWriter) typeOf(s *openapi.Schema) APIType {
	switch {
	case s.Ref != "":
		name := lastPart(s.Ref)
		return APIType{{name, w.schemaHref(name)}}
	case len(s.AnyOf) > 0:
		return w.joined(s.AnyOf, " or ")
	case len(s.Enum) > 0:
		return APIType{{Text: choices(s.Enum)}}
	case s.Items != nil:
		return append(APIType{{Text: "list of "}}, w.typeOf(s.Items)...)
	case len(s.Properties) > 0:
		return w.members(s)
	case len(s.Type) == 0:
		return APIType{{Text: "any JSON"}}
	}
	if other, is := s.Additional.(*openapi.Schema); is {
		return append(APIType{{Text: "object of "}}, w.typeOf(other)...)
	}
	return APIType{{Text: strings.Join(s.Type, " or ") + limits(s)}}
}

func (w *apiWriter) joined(list []*openapi.Schema, between string) APIType {
	var out APIType
	for i, s := range list {
		if i > 0 {
			out = append(out, APIPiece{Text: between})
		}
		out = append(out, w.typeOf(s)...)
	}
	return out
}

// members writes an object without a name: {sessions: list of SessionRow, next: string or null}.
func (w *apiWriter) members(s *openapi.Schema) APIType {
	out := APIType{{Text: "{ "}}
	for i, p := range s.Properties {
		if i > 0 {
			out = append(out, APIPiece{Text: ", "})
		}
		out = append(append(out, APIPiece{Text: p.Name + ": "}), w.typeOf(p.Value)...)
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
