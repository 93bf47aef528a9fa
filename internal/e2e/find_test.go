package e2e

import (
	"net/http"
	"net/url"
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// TestFindByKeyboard checks that a key opens the search from any page, and that a result leads to its words.
func TestFindByKeyboard(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	b.visit("/")
	b.keys("/")
	b.until(`document.activeElement.id == "palette-q"`)
	// the harness types a key's character even if the page has handled the key
	eval[bool](b, `(document.activeElement.value = "", true)`)
	b.keys("annual leave")
	// the list is of all that was typed, not of its first letters
	b.until(`document.querySelector("#palette-all + [role=option]")?.search.includes("annual+leave")`)
	b.keys(kb.ArrowUp + "\r")
	b.until(`location.pathname == "/search" && document.querySelector(".hits mark")`)
	require.Equal(t, "annual leave", eval[string](b, `document.getElementById("f-q").value`))
	for _, kind := range []string{"claim", "answer", "passage"} {
		b.until(`document.getElementById("found-` + kind + `")`)
	}
	// filtered in place, and the address contains the search
	eval[bool](b, `(document.getElementById("f-k").value = "passage", document.getElementById("f-k").dispatchEvent(new Event("change", {bubbles: true})))`)
	b.until(`location.search.includes("kind=passage") && !document.getElementById("found-claim") && document.getElementById("found-passage")`)
	b.click("section[aria-labelledby=found-passage] .hits a")
	b.until(`location.pathname.startsWith("/documents/") && document.querySelector(".is-current")`)
	require.Contains(t, b.text(".is-current"), "annual leave")
	b.calm()
}

// TestSavedViewsWithoutJavaScript saves, opens, renames and deletes views.
func TestSavedViewsWithoutJavaScript(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	b.withoutScripts()
	b.do(chromedp.Navigate(a.url + "/sessions?verdict=contradicted&sort=title&dir=asc"))
	b.click(".saved summary")
	b.typeInto("#view-name", "متناقضة")
	b.click(".saved form button")
	b.do(chromedp.WaitVisible(chromedp.CSS(".chip[aria-current]")))
	require.Equal(t, "متناقضة", b.text(".chip[aria-current]"))
	require.Empty(t, eval[string](b, `document.querySelector(".saved form")?.outerHTML ?? ""`), "it is kept already")

	b.do(chromedp.Navigate(a.url + "/sessions"))
	b.click(".chip")
	b.do(chromedp.WaitVisible(chromedp.CSS(".chip[aria-current]")))
	require.Equal(t, "?dir=asc&sort=title&verdict=contradicted", eval[string](b, "location.search"))
	b.do(chromedp.Navigate(a.url + "/views"))
	require.Contains(t, b.text(".hits"), "Contradicted")
	b.click(".hits details summary")
	b.typeInto(".hits input[name=name]", " 2")
	b.click(".hits form .btn")
	b.do(chromedp.WaitVisible(chromedp.CSS(".alert[role=status]")))
	require.Contains(t, b.text(".hits"), "متناقضة 2")
	b.click(".hits details summary")
	b.click(".hits .btn-danger")
	b.do(chromedp.WaitVisible(chromedp.CSS(".empty")))
	require.Contains(t, b.text("main"), "View deleted.")
}

// TestSavedViewsAreAccessible checks pages with saved views, and with an error from saving one, in both
// languages and themes.
func TestSavedViewsAreAccessible(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	for i, v := range []url.Values{
		{"page": {"sessions"}, "query": {"verdict=weak"}, "name": {"Weak ones"}, "shared": {"1"}},
		{"page": {"sessions"}, "query": {"state=open&q=leave"}, "name": {"إجازات تنتظر المراجعة منذ مدة طويلة"}},
		{"page": {"ledger"}, "query": {"flagged=1&unsettled=1"}, "name": {"Flagged and not settled"}},
		{"page": {"search"}, "query": {"q=leave&kind=claim"}, "name": {"Claims about leave"}},
	} {
		res, _ := a.do(t, http.MethodPost, "/views", v.Encode())
		require.Equal(t, http.StatusOK, res.StatusCode, strconv.Itoa(i)) // the page that it redirects to
	}
	b := open(t, a)
	for name, path := range map[string]string{
		"views": "/views?done=changed", "sessions-views": "/sessions?verdict=weak",
		"sessions-save": "/sessions?verdict=contradicted", "search-views": "/search?q=leave&kind=claim",
		"ledger-views": a.session("leave-policy.json") + "?verdict=weak",
	} {
		for _, l := range looks(t) {
			b.look(path, l)
			eval[bool](b, `(document.querySelectorAll("main details").forEach(d => d.open = true), true)`)
			b.picture(l.name(name))
			b.accessible(l.name(name))
		}
	}
}

// typeInto appends text to a field.
func (b *tab) typeInto(selector, text string) {
	b.t.Helper()
	eval[bool](b, `((f) => (f.focus(), f.setSelectionRange(f.value.length, f.value.length), true))(document.querySelector(`+strconv.Quote(selector)+`))`)
	b.keys(text)
}
