package handlers_test

import (
	"cmp"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"sanad/internal/handlers"
	"sanad/internal/handlers/webtest"
)

// columns are the users of the table; nobody stands for all users without valid credentials.
var columns = []struct {
	column int
	who    []string
}{{0, []string{"", "disabled", "shut.out", "expired"}}, {1, []string{"viewer"}}, {2, []string{"reviewer"}},
	{3, []string{"approver"}}, {4, []string{"admin"}}, {5, []string{"foreign"}}}

// ask sends a route's request to path as a user, with a cookie or a token. Each cookie is a new login, because some
// routes end the login.
func ask(w *webtest.World, r handlers.Route, path, who, by string) *httptest.ResponseRecorder {
	w.T.Helper()
	headers := []string{"Content-Type", "application/x-www-form-urlencoded", "If-Match", "*"}
	if webtest.TakesTokens(r.Path) {
		headers[1] = "application/json"
	}
	if who != "" {
		p := w.Person(who)
		cookie, tenant := p.Cookie, map[string]string{"foreign": w.Other.ID}[who]
		if tenant == "" {
			tenant = w.Tenant.ID
		}
		if by == "cookie" && slices.Contains([]string{"viewer", "reviewer", "approver", "admin", "foreign", "auditor"}, who) {
			cookie = w.NewLogin(p.ID, tenant)
		}
		headers = append(headers, map[string][]string{"cookie": {"Cookie", "sanad=" + cookie},
			"token": {"Authorization", "Bearer " + p.Token}}[by]...)
	}
	return w.As("").Do(r.Method, path, w.Fill(matrix[r.Method+" "+r.Path].body), headers...)
}

// takes reports whether a route accepts a kind of credential.
func takes(r handlers.Route, by string) bool {
	api := webtest.TakesTokens(r.Path)
	return strings.HasPrefix(r.Path, "/downloads/") || api == (by == "token")
}

func TestMatrix(t *testing.T) {
	w := webtest.NewWorld(t)
	var known []string
	for _, r := range handlers.Routes() {
		key := r.Method + " " + r.Path
		known = append(known, key)
		row, ok := matrix[key]
		require.True(t, ok, "%s has no row in the matrix", key)
		want := strings.Fields(row.want)
		require.Len(t, want, 6, key)
		path := row.path
		if path == "" {
			path = r.Path
		}
		for _, c := range columns {
			for _, who := range c.who {
				for _, by := range []string{"cookie", "token"} {
					status := want[c.column]
					if !takes(r, by) {
						status = want[0]
					}
					res := ask(w, r, w.Fill(path), who, by)
					require.Equal(t, status, fmt.Sprint(res.Code), "%s as %q by %s: %s", key, who, by,
						res.Body.String())
					checkRefusal(t, r, res, status, want[0])
				}
			}
		}
	}
	for key := range matrix {
		require.Contains(t, known, key, "a row of the matrix has no route")
	}
}

// auditorsOwn are the beginnings of the paths by which an auditor may change something, all of it their own, or verify;
// each tool of an agent asks for its own action.
var auditorsOwn = []string{"/login", "/logout", "/account", "/api/v1/account", "/confirm", "/notifications", "/mail/off",
	"/join/", "/dev/guide", "/api/v1/deputies", "/audit/verify", "/api/v1/bundles/:id/replay", "/mcp"}

// copies are the paths by which people are given copies: of packs, of files as they were brought in, of the library.
var copies = []string{"/documents/:id/original", "/packs/:id/attachments/:sha256", "/bundles/:id/artifact", "/api/v1/lake/*",
	"/library/:id/versions/:n", "/api/v1/library/:id/versions/:n", "/library/:id/compare.pdf", "/api/v1/pack-exports", "/downloads/packs/:token", "/packs/:id/exports/:export",
	"/packs/:id/exports/:export/file"}

// libraryRead are the paths by which reviewers, and auditors, read the library.
var libraryRead = []string{"/library", "/library/:id", "/library/:id/compare", "/api/v1/library", "/api/v1/library/:id",
	"/api/v1/library/:id/uses"}

// TestAuditorOnlyReads walks every route as an auditor: what a viewer or, of the log, an administrator reads is
// answered alike, the library is as to a reviewer, and nothing else is, but for the auditor's own account.
func TestAuditorOnlyReads(t *testing.T) {
	w := webtest.NewWorld(t)
	read, refused := 0, 0
	for _, r := range handlers.Routes() {
		row := matrix[r.Method+" "+r.Path]
		wants := strings.Fields(row.want)
		own := slices.ContainsFunc(auditorsOwn, func(p string) bool { return strings.HasPrefix(r.Path, p) })
		want := wants[1]
		switch {
		case strings.HasPrefix(r.Path, "/audit"):
			want = wants[4]
		case slices.Contains(libraryRead, r.Path) && r.Method == http.MethodGet:
			want = wants[2]
		case r.Method != http.MethodGet && !own, slices.Contains(copies, r.Path):
			want = "403"
		}
		for _, by := range []string{"cookie", "token"} {
			if !takes(r, by) {
				continue
			}
			res := ask(w, r, w.Fill(cmp.Or(row.path, r.Path)), "auditor", by)
			assert.Equal(t, want, fmt.Sprint(res.Code), "%s %s by %s: %s", r.Method, r.Path, by, res.Body)
			if res.Code == http.StatusForbidden {
				refused++
				assert.Regexp(t, "auditor|only be done by a person|only a person", res.Body.String(), "%s %s by %s", r.Method, r.Path, by)
			} else {
				read++
			}
		}
	}
	require.Greater(t, read, 80)
	require.Greater(t, refused, 150)
}

// An auditor is told that auditors only read, sees the names of people without links to pages that refuse them, and is
// offered no copies.
func TestWhatAnAuditorIsShown(t *testing.T) {
	w := webtest.NewWorld(t)
	s := w.As("auditor")
	for _, path := range []string{"/documents/{document}/original", "/library/{library}/versions/1",
		"/library/{library}/compare.pdf", "/sessions/new"} {
		res := s.Do("GET", w.Fill(path), "")
		require.Equal(t, 403, res.Code, path)
		require.Contains(t, res.Body.String(), "An auditor reads and verifies, changes nothing and takes no copies.", path)
		require.NotContains(t, res.Body.String(), "This needs the role", path)
	}
	require.Contains(t, w.As("admin").Do("GET", "/audit", "").Body.String(), `href="/admin/users/`)
	log := s.Do("GET", "/audit", "").Body.String()
	require.NotContains(t, log, `href="/admin/`)
	require.Contains(t, log, "Notice policy", "things are named")
	for path, copied := range map[string]string{"/documents/{document}": "/original", "/library/{library}": "/versions/1",
		"/library/{library}/compare": "compare.pdf", "/bundles/{bundle}": "/artifact"} {
		require.Contains(t, w.As("approver").Do("GET", w.Fill(path), "").Body.String(), copied, path)
		require.NotContains(t, s.Do("GET", w.Fill(path), "").Body.String(), copied, path)
	}
}

// checkRefusal checks the form of a refusal.
func checkRefusal(t *testing.T, r handlers.Route, res *httptest.ResponseRecorder, status, nobody string) {
	t.Helper()
	switch {
	case res.Code == 401:
		require.Contains(t, res.Header().Get("WWW-Authenticate"), "Bearer")
	case res.Code == 403 && !webtest.TakesTokens(r.Path):
		require.Regexp(t, "This needs the role|Only administrators can do this", res.Body.String())
	case status == "303" && nobody == "303" && res.Header().Get("Set-Cookie") == "" && !r.Public:
		require.NotContains(t, res.Header().Get("Location"), "//")
	}
}

// mustReauth reports whether a route needs a recent password because it changes people and their roles, tokens, keys,
// webhooks, or the second step of the user's own login, or ends other logins.
func mustReauth(r handlers.Route) bool {
	for _, place := range []string{"/admin/users", "/admin/tokens", "/admin/keys", "/admin/webhooks", "/account/totp",
		"/account/devices"} {
		if r.Method == "POST" && strings.HasPrefix(r.Path, place) {
			return true
		}
	}
	return false
}

// A route that requires a recent password redirects a login of six minutes to /confirm, and accepts no token.
func TestReauthRoutes(t *testing.T) {
	w := webtest.NewWorld(t)
	for _, r := range handlers.Routes() {
		if !r.Reauth {
			require.False(t, mustReauth(r), "%s %s does not require the password again", r.Method, r.Path)
			continue
		}
		path := w.Fill(matrix[r.Method+" "+r.Path].path)
		if path == "" {
			path = r.Path
		}
		cookie := w.NewLogin(w.Person("admin").ID, w.Tenant.ID)
		w.Clock.Move(6 * 60e9)
		res := w.As("").Do(r.Method, path, "", "Cookie", "sanad="+cookie)
		require.Equal(t, 303, res.Code, r.Path)
		require.True(t, strings.HasPrefix(res.Header().Get("Location"), "/confirm"), r.Path)
	}
}
