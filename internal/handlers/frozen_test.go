package handlers_test

import (
	"bytes"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
	"sanad/internal/handlers"
	"sanad/internal/handlers/webtest"
	"sanad/internal/thorough"
)

// overrides returns the ways in which a client may try to override the method of a request.
func overrides(method string) [][]string {
	return [][]string{{"If-Match", "*"}, {"If-Match", "*", "X-HTTP-Method-Override", method},
		{"If-Match", "*", "X-Method-Override", method}, {"If-Match", "*", "X-HTTP-Method", method}}
}

// bodies are requests that might change a pack.
var bodies = []string{
	`{"memo":{"title_en":"Changed"}}`, `{"reason":"because"}`, webtest.Approval, `{"format":"zip"}`, `{}`, "",
	`{"pack_id":"{pack}","title":"Changed","digest":"","status":"draft","sources":[]}`,
}

// No route changes the stored bytes of a signed pack. Every route is tried as every user who may do anything, in make
// thorough with every method, override and body, otherwise with some that are drawn; a route that takes the id of a
// pack gets that of the signed one.
func TestNoRouteChangesASignedPack(t *testing.T) {
	w := webtest.NewWorld(t)
	p := w.Signed("dec_frozen")
	before := w.Files(p.PackID)
	require.NotEmpty(t, before["pack.json"])
	require.NotEmpty(t, before["pack.dsse.json"])
	w.Clock.Move(8 * 365 * 24 * 60 * 60e9) // its retention has ended; even then nobody can delete it alone
	renew(w)
	random, tried := thorough.Random(t), 0
	for _, r := range handlers.Routes() {
		if !strings.Contains(r.Path, "packs") && !strings.Contains(r.Path, "pack-") {
			continue
		}
		path := strings.NewReplacer(":id", p.PackID, ":kind", "excerpt", ":part", "E1", ":eid", "x", ":token", "x",
			":other", p.PackID).Replace(r.Path)
		var changes []func()
		for _, method := range []string{r.Method, "PUT", "DELETE", "PATCH"} {
			for _, body := range bodies {
				for i, headers := range overrides(method) {
					sent := method
					if i > 0 {
						sent = "POST"
					}
					changes = append(changes, func() {
						change(w, sent, path, strings.ReplaceAll(body, "{pack}", p.PackID), headers)
					})
				}
			}
		}
		for _, try := range thorough.Sample(random, changes, 6) {
			tried++
			try()
		}
	}
	require.Greater(t, tried, 300)
	after := w.Files(p.PackID)
	require.Len(t, after, len(before))
	for name, data := range before {
		require.True(t, bytes.Equal(data, after[name]), name)
	}
	require.Equal(t, p.Digest, w.API("viewer2", "GET", "/packs/"+p.PackID, "")(200).Digest)
}

// renew replaces the people of the world, because the logins and tokens of the old ones have expired.
func renew(w *webtest.World) {
	for _, role := range []string{"viewer", "reviewer", "approver", "admin"} {
		w.AddPerson(role+"2", w.Tenant.ID, access.Role(role))
	}
}

// change sends one request as every user, with a token to the API and with a cookie to pages.
func change(w *webtest.World, method, path, body string, headers []string) {
	w.T.Helper()
	for _, who := range []string{"reviewer2", "approver2", "admin2"} {
		if !strings.HasPrefix(path, "/api/") {
			form := url.Values{"_method": {method}, "password": {webtest.Password}, "reason": {"x"},
				"title_en": {"Changed"}, "body_en": {"Changed"}, "format": {"zip"}}
			res := w.As(who).Do(method, path, form.Encode(),
				append([]string{"Content-Type", "application/x-www-form-urlencoded"}, headers...)...)
			require.Less(w.T, res.Code, 500, "%s %s: %s", method, path, res.Body.String())
			continue
		}
		res := w.As(who).Do(method, path, body, headers...)
		require.Less(w.T, res.Code, 500, "%s %s %s: %s", method, path, body, res.Body.String())
	}
}
