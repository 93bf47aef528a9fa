package handlers

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers/web"
)

var update = flag.Bool("update", false, "write the golden file again")

// The golden file has a line for each endpoint, so that a change of its permissions shows in a diff.
func TestEndpoints(t *testing.T) {
	const golden = "testdata/endpoints.golden"
	all := Endpoints(&web.Server{}, Options{})
	slices.SortFunc(all, func(a, b web.Endpoint) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Method, b.Method))
	})
	var lines []string
	for _, e := range all {
		line := fmt.Sprintf("%-6s %-48s %s", e.Method, e.Path, e.Action)
		if e.Object != "" {
			line += " of:" + e.Object
		}
		if e.Reauth {
			line += " reauth"
		}
		lines = append(lines, line)
	}
	got := strings.Join(lines, "\n") + "\n"
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), got, "go test ./internal/handlers -run TestEndpoints -update writes the list again")
}

// notInTheModel are the beginnings of addresses that name something which OpenFGA's model has no type for, so that the
// question is about the tenant.
var notInTheModel = []string{
	"/account/", "/admin/changes/", "/admin/erasures/", "/admin/invitations/", "/admin/keys/", "/admin/models/",
	"/admin/tokens/", "/api/v1/models/",
	"/admin/users/", "/admin/webhooks/", "/api/v1/account/", "/api/v1/bundles/", "/api/v1/changes/", "/api/v1/citations/",
	"/api/v1/decisions/", "/api/v1/deputies/", "/api/v1/erasures/", "/api/v1/invitations/", "/api/v1/jobs/", "/api/v1/lake/",
	"/api/v1/webhooks/", "/api/v1/library/", "/bundles/", "/library/",
	"/docs/api/", "/fonts/", "/jobs/", "/join/", "/notifications/", "/static/", "/views/",
}

// TestEveryObjectIsAskedFor checks that an endpoint whose address names a session, a document or a pack, or a request
// or link about one, asks the Authorizer about that object.
func TestEveryObjectIsAskedFor(t *testing.T) {
	kinds := map[string]string{"/sessions/": "session", "/documents/": "document", "/packs/": web.EvidencePack}
	used := map[string]bool{}
	for _, e := range Endpoints(&web.Server{}, Options{}) {
		if !strings.ContainsAny(e.Path, ":*") || strings.Contains(e.Path, `\:`) && !strings.Contains(e.Path, "/:") {
			continue
		}
		path := strings.TrimPrefix(e.Path, "/api/v1")
		at := slices.IndexFunc(notInTheModel, func(p string) bool { return strings.HasPrefix(e.Path, p) })
		if at >= 0 {
			used[notInTheModel[at]] = true
			require.Empty(t, e.Object, "%s %s", e.Method, e.Path)
			continue
		}
		require.NotEmpty(t, e.Object, "%s %s: name the Object, or the tenant is asked", e.Method, e.Path)
		for prefix, kind := range kinds {
			if strings.HasPrefix(path, prefix+":id") {
				require.Equal(t, kind, e.Object, "%s %s", e.Method, e.Path)
				require.Nil(t, e.Names, "%s %s", e.Method, e.Path)
			}
		}
		require.True(t, e.Names != nil || strings.Contains(e.Path, ":id"), "%s %s", e.Method, e.Path)
	}
	require.Len(t, used, len(notInTheModel), "%v", used)
}
