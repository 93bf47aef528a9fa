package web

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/openapi"
	"sanad/internal/views"
)

// described is the API's description as it is served, and the document it was made from.
type described struct {
	document *openapi.Document
	json     []byte
	tag      string // ETag
}

// newDescribed describes the endpoints that have a Doc.
func newDescribed(endpoints []Endpoint) *described {
	d := &described{document: newDescription(endpoints)}
	data, err := d.document.Indented()
	if err != nil {
		panic(err) // the values are all constants of these packages
	}
	sum := sha256.Sum256(data)
	d.json, d.tag = data, `"`+hex.EncodeToString(sum[:16])+`"`
	return d
}

// Describe returns the description of endpoints, as GET /api/v1/openapi.json answers it.
func Describe(endpoints []Endpoint) []byte { return newDescribed(endpoints).json }

// apiShowOpenAPI serves the description to everybody: it says what the API takes, and reveals no data.
func (s *Server) apiShowOpenAPI(c echo.Context) error {
	d := s.described()
	if NotModified(c, d.tag) {
		return c.NoContent(http.StatusNotModified)
	}
	return c.Blob(http.StatusOK, "application/json", d.json)
}

// showAPI serves the description as pages: one for each chapter, and those of schemas.
func (s *Server) showAPI(c echo.Context) error {
	page := views.NewAPIPage(s.Chrome(c), s.described().document, c.Param("chapter"), s.Base(c.Request()))
	if page == nil {
		return NotFound()
	}
	return s.Render(c, http.StatusOK, views.API(page))
}

// newDescription describes the endpoints of the API: those that have a Doc.
func newDescription(endpoints []Endpoint) *openapi.Document {
	schemas := newSchemas()
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
	problem := schemas.Sent(problemDetails{})
	for _, status := range problemStatuses {
		d.Components.Responses.Set(status.component(), &openapi.Response{
			Description: status.words, Headers: status.headers,
			Content: map[string]openapi.Media{problemType: {Schema: problem}},
		})
	}
	for _, e := range endpoints {
		if e.Doc == nil {
			continue
		}
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
		return domain.PDF.MediaType
	}
	if _, is := body.(AnyBytes); is {
		return "application/octet-stream"
	}
	return "application/json"
}

// describe returns the endpoint's operation.
func (e *Endpoint) describe(schemas *openapi.Schemas) *openapi.Operation {
	doc := e.Doc
	out := &openapi.Operation{
		ID: doc.ID, Tags: []string{doc.Tag}, Summary: doc.Summary, Description: doc.Description,
		Parameters: e.parameters(), Body: doc.body(schemas),
	}
	if e.Action == access.Public {
		out.Security = []map[string][]string{{}}
	} else {
		out.Role = string(access.Least(e.Action))
	}
	for _, a := range doc.Answers {
		out.Responses.Set(a.Status, a.describe(schemas, e.Idempotent != nil))
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
		for _, t := range linesTypes {
			out.Content[t] = openapi.Media{Schema: openapi.String("JSON values, one after the other.")}
		}
	}
	if d.Form != nil {
		out.Content[formType] = openapi.Media{Schema: formSchema(d.Form)}
	}
	return out
}

// parameters returns those of the path, then of the query, then the headers.
func (e *Endpoint) parameters() []*openapi.Parameter {
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
		{e.Idempotent != nil, "IdempotencyKey"}, {e.IfMatch.required, "IfMatch"},
		{e.IfMatch.taken() && !e.IfMatch.required, "IfMatchOptional"}, {e.Doc.IfNoneMatch, "IfNoneMatch"},
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
