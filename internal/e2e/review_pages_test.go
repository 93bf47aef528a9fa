package e2e

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
)

// revisionField matches the form field with the revision that the form was made from.
var revisionField = regexp.MustCompile(`name="revision" value="(\d+)"`)

// revision returns the revision in the forms of a page.
func (a *app) revision(t *testing.T, path string) string {
	t.Helper()
	_, body := a.get(t, path)
	found := revisionField.FindStringSubmatch(body)
	require.NotNil(t, found, path)
	return found[1]
}

// replace replaces a document by a newer version, and returns the newer one's path.
func (a *app) replace(t *testing.T, document, filename, text string) string {
	t.Helper()
	to, _ := a.postFile(t, a.cookie.Value, document+"/replace", "file", filename, text,
		url.Values{"revision": {a.revision(t, document)}, "reason": {"نسخة 2026"}})
	require.NotEmpty(t, to)
	return to
}

// reviewShots returns the pages of sessions after reviews by two people, a replaced document, a new run and saved
// views, each as seen by the person concerned.
func reviewShots(t *testing.T) (*app, []shot) {
	t.Helper()
	o := startTeam(t)
	admin := o.admin()
	seats := func(mode string) url.Values {
		return url.Values{"first": {o.huda.ID}, "second": {o.omar.ID}, "second_review": {mode}}
	}
	confirm := func(seen string) url.Values { return url.Values{"action": {"confirm"}, "seen": {seen}} }
	override := func(seen, reason string) url.Values {
		return url.Values{"action": {"override"}, "verdict": {"contradicted"}, "reason": {reason}, "seen": {seen}}
	}
	blind, open, closed := o.session("leave-policy.json"), o.session("vendor-review.json"), o.session("procurement-ar.json")
	o.send(t, admin, blind+"/reviewers", seats("blind"))
	o.send(t, o.huda, blind+"/claims/1/reviews", override("0", "Page 12 says otherwise."))
	o.send(t, admin, open+"/reviewers", seats("open"))
	for _, claim := range []string{"/claims/1", "/claims/2"} {
		o.send(t, o.huda, open+claim+"/reviews", confirm("0"))
	}
	o.send(t, o.omar, open+"/claims/1/reviews", override("1", "البند يقول خلاف ذلك."))
	o.send(t, o.omar, open+"/claims/2/reviews", confirm("1"))
	o.send(t, admin, closed+"/close", url.Values{"reason": {"خارج النطاق."}})

	changed := o.travel(t)
	document, _, _ := strings.Cut(documentOf(t, o.app, changed+"/claims/1"), "?")
	newer := o.replace(t, document, "Travel_Policy_2026.md", travelNew)
	o.send(t, admin, changed+"/judge", url.Values{"revision": {o.revision(t, changed+"/judge")}})
	o.send(t, admin, "/views", url.Values{
		"page": {"sessions"}, "query": {"verdict=weak"}, "name": {"Weak ones"}, "shared": {"1"},
	})
	o.send(t, admin, "/views", url.Values{
		"page": {"search"}, "query": {"q=leave"}, "name": {"إجازات تنتظر المراجعة"},
	})

	const unfold = `document.querySelectorAll("main details.fold").forEach(d => d.open = true)`
	return o.app, []shot{
		{
			name: "ledger-sealed", cookie: o.huda.cookie, path: blind,
		}, {name: "claim-sealed", cookie: o.omar.cookie, path: blind + "/claims/1"},
		{
			name: "ledger-differs", cookie: o.omar.cookie, path: open + "?differs=1",
		}, {name: "claim-differs", cookie: admin.cookie, path: open + "/claims/1"},
		{
			name: "ledger-assign", cookie: admin.cookie, path: open + "?tab=sources",
			act: `document.querySelectorAll("#people details").forEach(d => d.open = true)`,
		},
		{
			name: "ledger-closed", cookie: admin.cookie, path: closed,
		}, {
			name: "home-assigned", cookie: o.huda.cookie, path: "/",
		}, {name: "dashboard-trust", cookie: admin.cookie, path: "/dashboard"},
		{
			name: "ledger-stale", cookie: admin.cookie, path: changed + "?claim=1",
		}, {
			name: "run", cookie: admin.cookie, path: changed + "/runs/2",
		}, {name: "run-first", cookie: admin.cookie, path: changed + "/runs/1"},
		{
			name: "document-replaced", cookie: admin.cookie, path: document,
		}, {name: "document-newer", cookie: admin.cookie, path: newer, act: unfold},
		{
			name: "views", cookie: admin.cookie, path: "/views",
		}, {name: "sessions-views", cookie: admin.cookie, path: "/sessions?verdict=weak"},
	}
}

// TestReviewPagesAreAccessible checks those pages in both languages and themes, wide and narrow: axe-core finds
// nothing, nothing scrolls sideways.
func TestReviewPagesAreAccessible(t *testing.T) {
	t.Parallel()
	a, shots := reviewShots(t)
	b := open(t, a)
	for _, s := range shots {
		for _, l := range looks(t) {
			b.shot(s, l)
			b.picture(l.name(s.name))
			b.accessible(l.name(s.name))
		}
	}
}

// TestEveryPageIsAccessibleToEveryRole checks every page as seen by each role. Roles differ in parts of the pages only,
// so content that was checked for one role is skipped for the others.
func TestEveryPageIsAccessibleToEveryRole(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	all, seen := pages(t, a), map[string]bool{}
	ways := looks(t)
	for _, path := range all { // TestEveryPageIsAccessible checks the administrator's own pages
		for _, l := range ways {
			seen[a.content(t, member{a.actor, a.cookie.Value}, path, l)] = true
		}
	}
	for _, role := range []access.Role{access.Approver, access.Reviewer, access.Viewer} {
		m := a.member(t, "x-"+string(role), "Noura Al-Harbi", role)
		b := open(t, a)
		b.setCookie(m.cookie)
		checked := 0
		for name, path := range all {
			for _, l := range ways {
				content := a.content(t, m, path, l)
				if seen[content] && name != "home" { // home is always checked, for the role's header
					continue
				}
				seen[content] = true
				checked++
				b.look(path, l)
				b.accessible(string(role) + " " + l.name(name))
			}
		}
		t.Logf("%s: %d of %d pages differ from those of the roles above", role, checked, len(all)*len(ways))
	}
	require.Greater(t, len(seen), len(all)*len(ways), "all roles see the same pages")
}

// content returns the text that a person sees on a page between header and footer.
func (a *app) content(t *testing.T, who member, path string, l look) string {
	t.Helper()
	theirs := &app{url: a.url, cookie: &http.Cookie{Name: "sanad", Value: who.cookie}}
	_, body := theirs.get(t, withQuery(path, l.query()))
	_, body, found := strings.Cut(body, "<main")
	require.True(t, found, path)
	body, _, found = strings.Cut(body, "</main>")
	require.True(t, found, path)
	return l.name("") + body
}
