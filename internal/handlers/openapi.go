package handlers

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain/access"
	"sanad/internal/openapi"
	"sanad/internal/views"
)

// described is the API's description as it is served, and its document.
type described struct {
	document *openapi.Document
	json     []byte
	tag      string // ETag
}

// describe makes the description of the routes that the API has (spec page 5 "API").
func (s *Server) describe() *described {
	d := &described{document: newDescription(s.routes())}
	data, err := d.document.Indented()
	if err != nil {
		panic(err) // of values that are all in this package
	}
	sum := sha256.Sum256(data)
	d.json, d.tag = data, `"`+hex.EncodeToString(sum[:16])+`"`
	return d
}

// OpenAPI is the description of the API, as GET /api/v1/openapi.json gives it.
func OpenAPI() []byte { return (&Server{}).describe().json }

// apiShowOpenAPI gives the description to everybody: it says what the API takes, and nothing of what is in it.
func (s *Server) apiShowOpenAPI(c echo.Context) error {
	d := s.described()
	c.Response().Header().Set("ETag", d.tag)
	if matches(c.Request().Header.Get("If-None-Match"), d.tag) {
		return c.NoContent(http.StatusNotModified)
	}
	return c.Blob(http.StatusOK, "application/json", d.json)
}

// showAPI is the description as a page.
func (s *Server) showAPI(c echo.Context) error {
	return s.render(c, http.StatusOK, views.API(views.NewAPIPage(s.chrome(c), s.described().document)))
}

// newDescription describes the routes of the API. A route without an operation, or an operation without a route, has none:
// TestEveryRouteIsDescribed fails then.
func newDescription(routes []route) *openapi.Document {
	schemas := newSchemas()
	d := &openapi.Document{
		OpenAPI: openapi.Version, Info: apiInfo, Servers: []openapi.Server{{URL: "/"}}, Tags: apiTags,
		Security: []map[string][]string{{"token": {}}},
		Components: openapi.Components{
			Parameters: sharedParameters, Headers: sharedHeaders,
			Security: map[string]openapi.Security{"token": {Type: "http", Scheme: "bearer",
				Description: "`web token add`, or the pages of administration. A token has one tenant and one role."}},
		},
	}
	problem := schemas.Sent(problemDetails{})
	for _, status := range problemStatuses {
		d.Components.Responses.Set(status.component(), &openapi.Response{Description: status.words, Headers: status.headers,
			Content: map[string]openapi.Media{problemType: {Schema: problem}}})
	}
	for _, r := range routes {
		o, known := operations[r.method+" "+r.path]
		if !known {
			continue
		}
		address := addressOf(r.path)
		path := d.Paths.Get(address)
		if path == nil {
			path = &openapi.Path{}
			d.Paths.Set(address, path)
		}
		path.Set(strings.ToLower(r.method), o.describe(r, schemas))
	}
	d.Components.Schemas = schemas.Named()
	return d
}

// addressOf writes a route's path as OpenAPI does: :id as {id}, and a colon of the address itself as one.
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

// operation is what is said of a route; what follows from the route is added by describe.
type operation struct {
	id, tag, summary, about string

	query    []*openapi.Parameter
	path     map[string]*openapi.Schema // what is to be said of a part of the path
	read     any                        // an empty value of what it reads, or made; nil for no body
	bodyless bool                       // the body may be left out
	lines    bool                       // the body may also be JSON Lines
	example  any
	ifMatch  asked
	keyed    bool // takes Idempotency-Key
	none     bool // takes If-None-Match
	states   bool // may be refused because of the state that things are in: 409
	sends    []answers
}

// asked says whether a header is taken.
type asked int

const (
	notTaken asked = iota
	optional
	required
)

// answers is what an operation sends where it does what was asked.
type answers struct {
	status  string
	words   string
	sent    any // an empty value of what is sent, or made; nil for no body
	headers []string
}

// anyBytes is a body of any type.
type anyBytes struct{}

// mediaType is that of a body: JSON, but for anyBytes.
func mediaType(body any) string {
	if _, is := body.(anyBytes); is {
		return "application/octet-stream"
	}
	return "application/json"
}

func (o *operation) describe(r route, schemas *openapi.Schemas) *openapi.Operation {
	out := &openapi.Operation{ID: o.id, Tags: []string{o.tag}, Summary: o.summary, Description: o.about}
	if r.action == access.Public {
		out.Security = []map[string][]string{{}}
	} else {
		out.Role = string(access.Least(r.action))
	}
	out.Parameters = o.parameters(r)
	if o.read != nil {
		out.Body = &openapi.Body{Required: !o.bodyless, Content: map[string]openapi.Media{mediaType(o.read): {Schema: schemaOf(o.read, schemas, schemas.Read), Example: o.example}}}
		if o.lines {
			for _, t := range linesTypes {
				out.Body.Content[t] = openapi.Media{Schema: openapi.String("JSON values, one after the other.")}
			}
		}
	}
	for _, a := range o.sends {
		out.Responses.Set(a.status, a.describe(schemas, o.keyed))
	}
	for _, status := range problemStatuses {
		if status.holds(o, r) {
			out.Responses.Set(status.code, &openapi.Response{Ref: "#/components/responses/" + status.component()})
		}
	}
	return out
}

// parameters are those of the path, then the query's, then the headers.
func (o *operation) parameters(r route) []*openapi.Parameter {
	var out []*openapi.Parameter
	for part := range strings.SplitSeq(r.path, "/") {
		name, is := strings.CutPrefix(part, ":")
		if part == "*" {
			name, is = "path", true
		}
		if is {
			p := &openapi.Parameter{Name: name, In: "path", Required: true, Schema: openapi.String("")}
			if schema := o.path[name]; schema != nil {
				p.Schema = schema
			}
			out = append(out, p)
		}
	}
	out = append(out, o.query...)
	for _, h := range []struct {
		taken bool
		name  string
	}{{o.keyed, "IdempotencyKey"}, {o.ifMatch == required, "IfMatch"}, {o.ifMatch == optional, "IfMatchOptional"}, {o.none, "IfNoneMatch"}} {
		if h.taken {
			out = append(out, &openapi.Parameter{Ref: "#/components/parameters/" + h.name})
		}
	}
	return out
}

func (a *answers) describe(schemas *openapi.Schemas, keyed bool) *openapi.Response {
	out := &openapi.Response{Description: a.words}
	headers := a.headers
	if keyed {
		headers = append(headers[:len(headers):len(headers)], "Idempotent-Replayed")
	}
	for _, h := range headers {
		out.Headers.Set(h, &openapi.Header{Ref: "#/components/headers/" + h})
	}
	if a.sent == nil {
		return out
	}
	out.Content = map[string]openapi.Media{mediaType(a.sent): {Schema: schemaOf(a.sent, schemas, schemas.Sent)}}
	return out
}

// schemaOf is the schema of an empty value, or one that is made otherwise.
func schemaOf(v any, schemas *openapi.Schemas, of func(any) *openapi.Schema) *openapi.Schema {
	switch v := v.(type) {
	case made:
		return v(schemas)
	case anyBytes:
		return &openapi.Schema{}
	}
	return of(v)
}
