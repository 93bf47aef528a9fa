package packs_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	nethtml "golang.org/x/net/html"

	"sanad/internal/db/dbtest"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/webtest"
)

// TestPreviewStoresNothing: a preview shows what was typed, with its faults and words counted, and stores nothing: no
// memo, no revision, no event. The form keeps the revision that it was made from.
func TestPreviewStoresNothing(t *testing.T) {
	s := webtest.NewServer(t)
	p := s.Draft("dec-1", "A2")
	path := "/packs/" + p.PackID
	before, err := s.Store.Pack(context.Background(), s.Tenant.ID, p.PackID)
	require.NoError(t, err)
	typed := memoFields(p, "title_ar", "", "body_en", "**Bold** [E1]\r\n\r\n- one", "executive_summary_en", "Four words are here")
	for name, header := range map[string][]string{"a page": nil, "what follows the typing": {"HX-Request", "true"}} {
		w := s.As("reviewer").Post(path+"/preview", typed, header...)
		require.Equal(t, 200, w.Code, name)
		body := w.Body.String()
		for _, want := range []string{"<b>Bold</b>", `<span class="marker">•</span>`, `href="#e1"`, `href="#f-title_ar"`} {
			require.Contains(t, body, want, name)
		}
		require.Equal(t, header == nil, strings.Contains(body, "**Bold** [E1]"), "%s: the text that was typed", name)
		require.Equal(t, header == nil, strings.Contains(body, "<html"), name)
		require.Equal(t, header == nil, strings.Contains(body, "4 of 120 words"), name)
		require.Equal(t, header == nil, strings.Contains(body, "Nothing is saved yet"), name)
		require.Equal(t, header == nil,
			strings.Contains(body, `name="revision" value="`+webtest.RevisionOf(p)+`"`), "%s: the revision", name)
	}
	after, err := s.Store.Pack(context.Background(), s.Tenant.ID, p.PackID)
	require.NoError(t, err)
	require.Equal(t, before.Content, after.Content)
	require.Equal(t, before.Life, after.Life)
	require.Len(t, after.Events, len(before.Events))

	// somebody saves meanwhile: the preview still shows, and saving is still refused as stale
	require.Equal(t, 303, s.As("admin").Post(path+"/edit", memoFields(p, "title_en", "Theirs")).Code)
	w := s.As("reviewer").Post(path+"/preview", memoFields(p, "title_en", "Mine"))
	require.Equal(t, 200, w.Code)
	require.Contains(t, w.Body.String(), `name="revision" value="`+webtest.RevisionOf(p)+`"`)
	require.Equal(t, 409, s.As("reviewer").Post(path+"/edit", memoFields(p, "title_en", "Mine")).Code)
}

// TestPreviewIsBounded: a field over its limit is refused beside the field, a larger form as a whole, one without its
// revision as broken; a pack that is no draft shows itself.
func TestPreviewIsBounded(t *testing.T) {
	s := webtest.NewServer(t)
	p := s.Draft("dec-1", "A2")
	path := "/packs/" + p.PackID + "/preview"
	large := s.As("reviewer").Post(path, memoFields(p, "body_ar", strings.Repeat("ع", 50<<10)), "HX-Request", "true")
	require.Equal(t, 413, large.Code)
	require.Contains(t, large.Body.String(), "longer than 32 KiB")
	require.Contains(t, large.Body.String(), strings.Repeat("ع", 50<<10), "what was typed stays")
	require.Contains(t, large.Body.String(), `id="f-body_ar-e"`)
	require.Equal(t, 413, s.As("reviewer").Post(path, memoFields(p, "body_ar", strings.Repeat("x", 1<<20))).Code)
	require.Equal(t, 400, s.As("reviewer").Post(path, webtest.Form("title_en", "x")).Code)
	full := memoFields(p, "body_en", strings.Repeat("x ", pack.MaxMemo/2), "body_ar", strings.Repeat("ع", pack.MaxMemo/2))
	require.Equal(t, 200, s.As("reviewer").Post(path, full).Code)

	review := s.InReview("dec-2", "A2")
	w := s.As("reviewer").Post("/packs/"+review.PackID+"/preview", memoFields(review))
	require.Equal(t, 409, w.Code)
	require.NotContains(t, w.Body.String(), "memo-preview")
}

// TestPreviewEscapes: nothing that is typed becomes an element, an attribute or a link of the page.
func TestPreviewEscapes(t *testing.T) {
	s := webtest.NewServer(t)
	p := s.Draft("dec-1", "A2")
	for _, attack := range []string{
		`<script>alert(1)</script>`, `<img src=x onerror=alert(1)>`, `[a](javascript:alert(1))`,
		`[a](java&#115;cript:alert(1))`, `<javascript:alert(1)>`, `![x](x "onload=alert(1))`, `[E1](javascript:alert(1))`,
		"```\n</div><script>alert(1)</script>\n```", `**<svg onload=alert(1)>**`, `"><script>alert(1)</script>`,
		`<a href="javascript:alert(1)">x</a>`, "| a |\n|---|\n| <iframe src=//x> |", `\<script>alert(1)</script>`,
		`&lt;script&gt;alert(1)&lt;/script&gt;`, `[x]: javascript:alert(1)` + "\n\n[x]", `</textarea><script>alert(1)</script>`,
	} {
		for _, field := range []string{"title_en", "executive_summary_ar", "body_en", "body_ar"} {
			for _, header := range [][]string{nil, {"HX-Request", "true"}} {
				w := s.As("reviewer").Post("/packs/"+p.PackID+"/preview", memoFields(p, field, attack), header...)
				require.Equal(t, 200, w.Code)
				safe(t, w.Body.String(), attack)
			}
		}
	}
}

// safe checks that a page has no element or attribute that runs anything, and no link elsewhere.
func safe(t *testing.T, page, attack string) {
	t.Helper()
	root, err := nethtml.Parse(strings.NewReader(page))
	require.NoError(t, err)
	for n := range root.Descendants() {
		require.NotContains(t, []string{"iframe", "img", "object", "embed"}, n.Data, attack)
		source := ""
		for _, a := range n.Attr {
			require.False(t, strings.HasPrefix(a.Key, "on"), "%s: %s", attack, a.Key)
			if a.Key == "href" || a.Key == "action" || a.Key == "formaction" {
				require.Regexp(t, `^(/|#|about:invalid)`, a.Val, attack)
			}
			if a.Key == "src" {
				source = a.Val
			}
		}
		if n.Data == "script" {
			require.Regexp(t, `^/static/`, source, attack)
			require.Nil(t, n.FirstChild, attack)
		}
	}
}

// TestReturnIsPinnedInTheNextVersion: the reasons of the return stand in both forms of the next version, and go with
// the one after it.
func TestReturnIsPinnedInTheNextVersion(t *testing.T) {
	s := webtest.NewServer(t)
	p := s.InReview("dec-1", "A2")
	form := webtest.Form("revision", webtest.RevisionOf(p), "reason", "Not yet.", "note memo.body_ar", "أضف التاريخ.",
		"note sources", "One is missing.")
	require.Equal(t, 303, s.As("approver").Post("/packs/"+p.PackID+"/return", form).Code)
	w := s.As("reviewer").Post("/packs/"+p.PackID+"/versions", "")
	require.Equal(t, 303, w.Code)
	next := strings.TrimSuffix(w.Header().Get("Location"), "/edit")
	for page, wants := range map[string][]string{
		"/edit": {"Not yet.", `id="f-body_ar-r"`, "أضف التاريخ.", "returned the previous version"},
		"":      {"Not yet.", `id="returned"`, "returned the previous version"},
		"/mend": {"Not yet.", `id="sources-r"`, "One is missing.", "/edit#f-body_ar"},
	} {
		status, body := s.Page("reviewer", next+page)
		require.Equal(t, 200, status)
		for _, want := range wants {
			require.Contains(t, body, want, page)
		}
	}
	unchanged := s.As("reviewer").Post(next+"/submit", webtest.Form("revision", "1"))
	require.Equal(t, 422, unchanged.Code)
	require.Contains(t, unchanged.Body.String(), "Nothing has changed since this pack was returned.")
	status, body := s.Page("reviewer", "/packs/"+s.Draft("dec-2", "A2").PackID+"/edit")
	require.Equal(t, 200, status)
	require.NotContains(t, body, `id="returned"`)
}

// TestRefusedPolicyStaysInTheForm: what the sign-off policy asks for is listed before anybody tries to submit.
func TestRefusedPolicyStaysInTheForm(t *testing.T) {
	s := webtest.NewServer(t)
	p := s.Draft("dec-1", "A2")
	dbtest.Ask(t, s.Store, s.Tenant.ID, pack.Must, pack.ClaimsChecked)
	status, body := s.Page("reviewer", "/packs/"+p.PackID+"/edit")
	require.Equal(t, 200, status)
	require.Contains(t, body, "Rules of the sign-off policy")
}
