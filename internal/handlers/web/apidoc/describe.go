package apidoc

import (
	"reflect"
	"slices"
	"strings"

	"sanad/internal/domain/filetype"
	"sanad/internal/openapi"
)

// Types are the types of the package that answers the calls, which the description cannot name.
type Types struct {
	Problem any                       // an empty value of what an error is answered with
	Words   map[reflect.Type][]string // the string types that have a fixed set of values
}

// problemType is the media type of an error (RFC 9457).
const problemType = "application/problem+json"

// Describe describes the calls of the API.
func Describe(calls []Call, types Types) *openapi.Document {
	schemas := newSchemas(types.Words)
	d := &openapi.Document{
		OpenAPI: openapi.Version, Info: apiInfo, Servers: []openapi.Server{{URL: "/"}}, Tags: apiTags,
		Security: []map[string][]string{{"token": {}}},
		Components: openapi.Components{
			Parameters: sharedParameters, Headers: sharedHeaders,
			Security: map[string]openapi.Security{"token": {
				Type: "http", Scheme: "bearer",
				Description: "`sanad token add`, or the pages of administration. A token has one tenant and one role.",
			}},
		},
	}
	problem := schemas.Sent(types.Problem)
	for _, status := range problemStatuses {
		d.Components.Responses.Set(status.component(), &openapi.Response{
			Description: status.words, Headers: status.headers,
			Content: map[string]openapi.Media{problemType: {Schema: problem}},
		})
	}
	for _, e := range calls {
		address := addressOf(e.Path)
		path := d.Paths.Get(address)
		if path == nil {
			path = &openapi.Path{}
			d.Paths.Set(address, path)
		}
		path.Set(strings.ToLower(e.Method), e.describe(schemas))
	}
	d.Components.Schemas = schemas.Named()
	return d
}

// addressOf writes an endpoint's path as OpenAPI does: :id as {id}, and an escaped colon as a plain one.
func addressOf(path string) string {
	parts := strings.Split(strings.ReplaceAll(path, `\:`, "\x00"), "/")
	for i, p := range parts {
		if name, is := strings.CutPrefix(p, ":"); is {
			parts[i] = "{" + name + "}"
		} else if p == "*" {
			parts[i] = "{path}"
		}
	}
	return strings.ReplaceAll(strings.Join(parts, "/"), "\x00", ":")
}

// AnyBytes is a body of any type.
type AnyBytes struct{}

// PDFBytes is a body that is a PDF.
type PDFBytes struct{}

// mediaType returns the media type of a body: JSON, except for AnyBytes and PDFBytes.
func mediaType(body any) string {
	if _, is := body.(PDFBytes); is {
		return filetype.PDF.MediaType
	}
	if _, is := body.(AnyBytes); is {
		return "application/octet-stream"
	}
	return "application/json"
}

// describe returns the endpoint's operation.
func (e *Call) describe(schemas *openapi.Schemas) *openapi.Operation {
	doc := e.Doc
	out := &openapi.Operation{
		ID: doc.ID, Tags: []string{doc.Tag}, Summary: doc.Summary, Description: doc.Description,
		Parameters: e.parameters(), Body: doc.body(schemas),
	}
	if out.Role = e.Role; e.Role == "" {
		out.Security = []map[string][]string{{}}
	}
	for _, a := range doc.Answers {
		out.Responses.Set(a.Status, a.describe(schemas, e.Idempotent))
	}
	for _, status := range problemStatuses {
		if status.holds(e) {
			out.Responses.Set(status.code, &openapi.Response{Ref: "#/components/responses/" + status.component()})
		}
	}
	return out
}

// body describes the request body, nil if none.
func (d *Doc) body(schemas *openapi.Schemas) *openapi.Body {
	if d.Reads == nil {
		return nil
	}
	media := openapi.Media{Schema: schemaOf(d.Reads, schemas, schemas.Read), Example: d.Example}
	out := &openapi.Body{
		Required: !d.BodyOptional, Content: map[string]openapi.Media{mediaType(d.Reads): media},
	}
	if d.JSONLines {
		for _, t := range FileTypes {
			out.Content[t.Media] = openapi.Media{Schema: openapi.String(t.What)}
		}
	}
	if d.Form != nil {
		out.Content[FormType] = openapi.Media{Schema: formSchema(d.Form)}
	}
	return out
}

// parameters returns those of the path, then of the query, then the headers.
func (e *Call) parameters() []*openapi.Parameter {
	var out []*openapi.Parameter
	for part := range strings.SplitSeq(e.Path, "/") {
		name, is := strings.CutPrefix(part, ":")
		if part == "*" {
			name, is = "path", true
		}
		if is {
			p := &openapi.Parameter{Name: name, In: "path", Required: true, Schema: openapi.String("")}
			if schema := e.Doc.Path[name]; schema != nil {
				p.Schema = schema
			}
			out = append(out, p)
		}
	}
	out = append(out, e.Doc.Query...)
	for _, h := range []struct {
		taken bool
		name  string
	}{
		{e.Idempotent, "IdempotencyKey"}, {e.MatchRequired, "IfMatch"},
		{e.IfMatch && !e.MatchRequired, "IfMatchOptional"}, {e.Doc.IfNoneMatch, "IfNoneMatch"},
	} {
		if h.taken {
			out = append(out, &openapi.Parameter{Ref: "#/components/parameters/" + h.name})
		}
	}
	return out
}

func (a *Answer) describe(schemas *openapi.Schemas, idempotent bool) *openapi.Response {
	out := &openapi.Response{Description: a.Description}
	headers := slices.Clone(a.Headers)
	if idempotent {
		headers = append(headers, "Idempotent-Replayed")
	}
	for _, h := range headers {
		out.Headers.Set(h, &openapi.Header{Ref: "#/components/headers/" + h})
	}
	if a.Body == nil {
		return out
	}
	schema := schemaOf(a.Body, schemas, schemas.Sent)
	out.Content = map[string]openapi.Media{mediaType(a.Body): {Schema: schema}}
	return out
}

// schemaOf returns the schema of an empty value's type, or the one that a SchemaFunc makes.
func schemaOf(v any, schemas *openapi.Schemas, of func(any) *openapi.Schema) *openapi.Schema {
	switch v := v.(type) {
	case SchemaFunc:
		return v(schemas)
	case AnyBytes, PDFBytes:
		return &openapi.Schema{}
	}
	return of(v)
}

// formSchema describes a form. Parts that are either a text or a file are described as texts: in a form both are
// strings.
func formSchema(parts []Part) *openapi.Schema {
	out := &openapi.Schema{Type: openapi.Types{"object"}, Additional: false}
	for _, p := range parts {
		part := openapi.String(p.Description)
		if p.File {
			part.Format = "binary"
		}
		if p.Many {
			part = openapi.List(&openapi.Schema{Type: part.Type, Format: part.Format})
			part.Description = p.Description
		}
		out.Properties.Set(p.Name, part)
	}
	return out
}
