package handlers_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers"
	"sanad/internal/handlers/web/apidoc"
	"sanad/internal/handlers/webtest"
)

// Every endpoint of the API is described, and nothing else is.
func TestEveryRouteIsDescribed(t *testing.T) {
	var routes, operations []string
	for _, r := range handlers.Routes() {
		if strings.HasPrefix(r.Path, "/api/") {
			path := regexp.MustCompile(`/:([a-z]+)`).ReplaceAllString(r.Path, "/{$1}")
			path = strings.Replace(path, "/*", "/{path}", 1)
			routes = append(routes, r.Method+" "+strings.ReplaceAll(path, `\:`, ":"))
		}
	}
	ids := map[string]bool{}
	for _, o := range webtest.Described().Operations {
		operations = append(operations, o.Method+" "+o.Path)
		require.False(t, ids[o.ID], "two operations are %s", o.ID)
		ids[o.ID] = true
		require.NotEmpty(t, o.Operation["summary"], o.ID)
	}
	require.ElementsMatch(t, routes, operations)
}

// Every endpoint has one handler, Handle or Idempotent, and fields that only Idempotent uses are not set without it.
func TestEveryEndpointHasOneHandler(t *testing.T) {
	for _, r := range handlers.Routes() {
		require.NotEqual(t, r.Plain, r.Idempotent, "%s %s", r.Method, r.Path)
		require.True(t, r.Idempotent || !r.OnlyIdempotent, "%s %s", r.Method, r.Path)
	}
}

// All references of the description resolve, and no component is unused.
func TestReferencesOfTheDescription(t *testing.T) {
	text := string(handlers.OpenAPI())
	named := map[string]bool{}
	for _, m := range regexp.MustCompile(`"\$ref": "#/([^"]+)"`).FindAllStringSubmatch(text, -1) {
		named[m[1]] = true
		require.NotNil(t, webtest.Described().At(webtest.Described().Doc, strings.Split(m[1], "/")...), m[1])
	}
	for kind, members := range webtest.Described().Doc["components"].(map[string]any) {
		for name := range members.(map[string]any) {
			if kind != "securitySchemes" {
				require.True(t, named["components/"+kind+"/"+name], "nothing names %s %s", kind, name)
			}
		}
	}
}

// TestEveryNoteIsOfAField checks that each note describes a field that a schema has.
func TestEveryNoteIsOfAField(t *testing.T) {
	d := webtest.Described()
	for about, note := range apidoc.FieldNotes {
		schema, field, _ := strings.Cut(about, ".")
		fields, _ := d.At(d.Doc, "components", "schemas", schema, "properties").(map[string]any)
		described, _ := fields[field].(map[string]any)
		require.Equal(t, note, described["description"], about)
	}
}

// The description has the same bytes each time, and a matching If-None-Match gets 304.
func TestDescriptionIsServed(t *testing.T) {
	s := webtest.NewServer(t).As("")
	res := s.Do("GET", "/api/v1/openapi.json", "")
	require.Equal(t, 200, res.Code)
	require.Equal(t, string(handlers.OpenAPI()), res.Body.String())
	require.Equal(t, 304, s.Do("GET", "/api/v1/openapi.json", "", "If-None-Match", res.Header().Get("ETag")).Code)
	require.Equal(t, 200, s.Do("GET", "/api/v1/openapi.json", "", "If-None-Match", `"other"`).Code)
}

// mostOfAPage is how many bytes a page of the description may have, before compression.
const mostOfAPage = 150_000

// The pages describe every operation and every schema in both languages, also without a login. All links lead
// somewhere, also those of before, when all was one page; each page is short enough.
func TestPagesOfTheDescription(t *testing.T) {
	s := webtest.NewServer(t).As("")
	for _, lang := range []string{"en", "ar"} {
		pages, ids := map[string]string{}, map[string][]string{}
		for todo := []string{"/docs/api"}; len(todo) > 0; todo = todo[1:] {
			at := todo[0]
			if _, seen := pages[at]; seen {
				continue
			}
			res := s.Do("GET", at+"?lang="+lang, "")
			require.Equal(t, 200, res.Code, at)
			page := res.Body.String()
			t.Logf("%s %s: %d bytes", lang, at, len(page))
			require.Less(t, len(page), mostOfAPage, at)
			require.NotContains(t, page, "`")
			pages[at] = page
			for _, m := range regexp.MustCompile(` id="([^"]+)"`).FindAllStringSubmatch(page, -1) {
				require.NotContains(t, ids[at], m[1], "an id stands twice on %s", at)
				ids[at] = append(ids[at], m[1])
			}
			for _, m := range regexp.MustCompile(`href="(/docs/api[^"#?]*)`).FindAllStringSubmatch(page, -1) {
				todo = append(todo, m[1])
			}
		}
		for at, page := range pages {
			for _, m := range regexp.MustCompile(`href="(/docs/api[^"#?]*)?#([^"]+)"`).FindAllStringSubmatch(page, -1) {
				to := m[1]
				if to == "" {
					to = at
				}
				require.True(t, slices.Contains(ids[to], m[2]), "a link on %s to %s#%s leads nowhere", at, to, m[2])
			}
		}
		for _, o := range webtest.Described().Operations {
			require.Contains(t, ids["/docs/api"], o.ID)
			found := 0
			for at, page := range pages {
				if at != "/docs/api" && slices.Contains(ids[at], o.ID) && strings.Contains(page, o.Path) {
					found++
				}
			}
			require.Equal(t, 1, found, o.ID)
		}
		for name := range webtest.Described().At(webtest.Described().Doc, "components", "schemas").(map[string]any) {
			require.Contains(t, ids["/docs/api"], "schema-"+name)
		}
	}
	require.Equal(t, 404, s.Do("GET", "/docs/api/nothing", "").Code)
	admin := webtest.NewServer(t).Do("GET", "/admin/tokens", "")
	require.Contains(t, admin.Body.String(), `href="/docs/api"`)
}
