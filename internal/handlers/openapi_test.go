package handlers_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers"
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

// The description has the same bytes each time, and a matching If-None-Match gets 304.
func TestDescriptionIsServed(t *testing.T) {
	s := webtest.NewServer(t).As("")
	res := s.Do("GET", "/api/v1/openapi.json", "")
	require.Equal(t, 200, res.Code)
	require.Equal(t, string(handlers.OpenAPI()), res.Body.String())
	require.Equal(t, 304, s.Do("GET", "/api/v1/openapi.json", "", "If-None-Match", res.Header().Get("ETag")).Code)
	require.Equal(t, 200, s.Do("GET", "/api/v1/openapi.json", "", "If-None-Match", `"other"`).Code)
}

// The page lists every operation and every schema in both languages, also without a login.
func TestPageOfTheDescription(t *testing.T) {
	s := webtest.NewServer(t).As("")
	for _, lang := range []string{"en", "ar"} {
		res := s.Do("GET", "/docs/api?lang="+lang, "")
		require.Equal(t, 200, res.Code)
		page := res.Body.String()
		ids := regexp.MustCompile(` id="([^"]+)"`).FindAllStringSubmatch(page, -1)
		var seen []string
		for _, m := range ids {
			require.NotContains(t, seen, m[1], "an id stands twice")
			seen = append(seen, m[1])
		}
		for _, o := range webtest.Described().Operations {
			require.Contains(t, seen, o.ID)
			require.Contains(t, page, o.Path)
		}
		for name := range webtest.Described().At(webtest.Described().Doc, "components", "schemas").(map[string]any) {
			require.Contains(t, seen, "schema-"+name)
		}
		for _, m := range regexp.MustCompile(`href="#([^"]+)"`).FindAllStringSubmatch(page, -1) {
			require.True(t, slices.Contains(seen, m[1]), "a link to #%s leads nowhere", m[1])
		}
		require.NotContains(t, page, "`")
	}
	admin := webtest.NewServer(t).Do("GET", "/admin/tokens", "")
	require.Contains(t, admin.Body.String(), `href="/docs/api"`)
}
