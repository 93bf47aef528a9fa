package e2e

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"sanad/cmd/web/demo"
)

// shown is the text of a ledger page about the whole session, with the place of each claim in the answer, but without
// what concerns one review (the toast, the open claim).
const shown = `JSON.stringify([...["#summary", "#progress", "#flag-filter", "table.ledger"].map(s => { const e = document.querySelector(s).cloneNode(true);
	e.querySelectorAll("tr.detail, form").forEach(x => x.remove()); return s + " " + e.textContent.replace(/\s+/g, " ") + [...e.querySelectorAll("rect")].map(r => r.outerHTML).join(""); }),
	...[...document.querySelectorAll(".answer a.claim")].map(a => a.className + " " + a.textContent)])`

// judgeAgain judges the session of the page again, as it was judged before.
func (b *tab) judgeAgain() {
	b.t.Helper()
	b.click(".more-menu summary")
	b.submit(`.more-menu a[href$="/judge"]`)
	b.submit("#start form button")
}

// TestReviewInPlaceRenewsThePage checks that after a review in place the page equals a reloaded one: summary,
// progress, flags, the row, and the claim's mark in the answer.
func TestReviewInPlaceRenewsThePage(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	path := a.session(demo.Guide)
	same := func(what string) {
		t.Helper()
		b.until(`!document.querySelector(".htmx-request, .htmx-swapping, .htmx-settling")`)
		now := eval[string](b, shown)
		b.visit(eval[string](b, `location.pathname + "?claim=" + document.querySelector("#pane .claim-view").dataset.n`))
		require.Equal(t, strings.ReplaceAll(eval[string](b, shown), `","`, "\"\n\""),
			strings.ReplaceAll(now, `","`, "\"\n\""), what)
	}
	settled := func(n int) {
		t.Helper()
		b.until(fmt.Sprintf(`document.querySelector("#progress").innerText.includes("%d of 4 claims settled")`, n))
	}
	b.visit(path + "?lang=en&claim=3")
	before := eval[string](b, shown)
	eval[bool](b, `(document.querySelector("#pane input[name=action][value=override]").click(), document.getElementById("r-v").value = "contradicted", true)`)
	b.do(chromedp.SendKeys(chromedp.ID("r-r"), "Only where the head of department agrees."))
	b.click("#pane .if-override.btn")
	settled(1)
	b.until(`document.querySelector('.answer a.claim[data-n="3"]').className === "claim v-contradicted"`)
	require.Contains(t, b.text(`.answer a.claim[data-n="3"] .vh`), "Contradicted")
	b.shows(4) // it goes on to what waits
	same("overridden")

	b.click("#claim-3 a.open")
	b.shows(3)
	b.keys("u")
	settled(0)
	b.until(`document.querySelector('.answer a.claim[data-n="3"]').className === "claim v-weak"`)
	same("withdrawn")
	was, now := strings.Split(before, `","`), strings.Split(eval[string](b, shown), `","`)
	require.Equal(t, was[0], now[0], "the summary is as it was")

	eval[bool](b, `(document.querySelector("#claim-1 a.open").click(), true)`)
	b.until(`document.querySelector("#pane .claim-view")?.dataset.n === "1"`)
	b.click("#pane .if-confirm.btn")
	settled(1)
	b.shows(2)
	same("confirmed")

	// judging again takes the review into account; claim 2 is open
	b.until(`document.querySelector("#pane .claim-view")?.dataset.n === "2" && document.querySelector("form.review[data-htmx-powered]")`)
	b.click("#pane .if-confirm.btn")
	settled(2)
	b.judgeAgain()
	b.until(`location.pathname.includes("/runs/")`)
	b.calm()
}

// TestStaleReviewsInTheList checks the list of sessions with stale reviews in both languages and themes, wide and
// narrow, and that it links to their claims.
func TestStaleReviewsInTheList(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	path := a.session("vendor-review.json")
	for _, n := range []string{"2", "4", "5"} {
		res, _ := a.do(t, http.MethodPost, path+"/claims/"+n+"/reviews",
			url.Values{"action": {"override"}, "verdict": {"not_found"}, "reason": {"No."}, "seen": {"0"}}.Encode())
		require.Equal(t, http.StatusOK, res.StatusCode)
	}
	b := open(t, a)
	b.visit(path + "?lang=en")
	b.judgeAgain()
	b.until(`location.pathname.includes("/runs/")`)
	for _, l := range looks(t) {
		b.look("/sessions", l)
		require.True(t, eval[bool](b, `!!document.querySelector("table.sessions a.stale")`))
		b.picture(l.name("stale-list"))
		b.accessible(l.name("stale list"))
		b.look("/", l)
		b.picture(l.name("stale-home"))
		b.accessible(l.name("stale home"))
	}
	b.visit("/sessions?lang=en")
	stale := strings.Fields(b.text("a.stale"))[0]
	b.click("a.stale")
	b.until(`new URLSearchParams(location.search).get("stale") === "1" && document.querySelectorAll("tr.row").length === ` + stale)
}
