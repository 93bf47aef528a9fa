package e2e

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// underline returns the colour of the line under a claim's words in the answer.
func (b *tab) underline(claim string) string {
	b.t.Helper()
	return eval[string](b, `(s => s.textDecorationColor + " " + s.textDecorationStyle)(getComputedStyle(document.querySelector(".answer a.claim[data-n='`+claim+`']")))`)
}

// TestTheAnswerFollowsItsVerdicts checks that the answer's claims are underlined in the colour of their effective
// verdict, a person's before the machine's, and link to their claim.
func TestTheAnswerFollowsItsVerdicts(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, scripts bool) {
		a := startApp(t)
		path := a.session("leave-policy.json")
		b := open(t, a)
		if !scripts {
			b.withoutScripts()
		}
		b.visit(path)
		verdicts := eval[[][]string](b,
			`[...document.querySelectorAll(".answer a.claim")].map(l => [l.className.match(/v-(\w+)/)[1], document.querySelector("#claim-" + l.dataset.n + " .badge").className.match(/badge-(\w+)/)[1], l.querySelector(".vh")?.textContent ?? ""])`)
		require.GreaterOrEqual(t, len(verdicts), 4)
		for _, v := range verdicts {
			require.Equal(t, v[1], v[0], "the underline has another verdict than the claim's row")
		}
		require.Contains(t, verdicts[0][2], "Supported", "the verdict is also there in words")
		weak := b.underline("3")
		require.NotEqual(t, b.underline("1"), weak)

		b.click(`.answer a.claim[data-n="3"]`)
		b.until(`document.querySelector("#claim-view")?.dataset.n == "3"`)
		b.click("input[name=action][value=override]")
		b.do(chromedp.SetValue(chromedp.ID("r-v"), "supported"),
			chromedp.SendKeys(chromedp.ID("r-r"), "The department head agreed."))
		b.click("button.if-override")
		b.until(`document.querySelector(".timeline .said, #claim-3 .by-person")`)
		if scripts {
			require.Equal(t, path, b.path(), "the page stayed")
		} else {
			b.visit(path)
		}
		require.Equal(t, b.underline("1"), b.underline("3"))
		require.Contains(t, b.text(`.answer a.claim[data-n="3"] .vh`), "Supported")
		b.calm()
	})
}

// TestFlagsFilterTheTable checks that risk flags filter the table, and that the filter is in the address.
func TestFlagsFilterTheTable(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, scripts bool) {
		a := startApp(t)
		path := a.session("vendor-review.json")
		b := open(t, a)
		if !scripts {
			b.withoutScripts()
		}
		b.visit(path)
		all := b.text("#count")
		if scripts {
			b.filterBy("f-f", "contradiction")
		} else {
			b.click(".more-filters summary")
			b.do(chromedp.SetValue(chromedp.ID("f-f"), "contradiction"))
			b.click(".more-filters button")
		}
		b.until(`location.search.includes("flag=contradiction") && document.querySelectorAll("tr.row").length === 11`)
		require.NotEqual(t, all, b.text("#count"))
		name := eval[string](b, `document.querySelector("#f-f").selectedOptions[0].textContent.replace(/ \(\d+\)$/, "")`)
		for _, id := range eval[[]string](b,
			`[...document.querySelectorAll("tr.row a.open")].slice(0, 3).map(l => l.getAttribute("hx-get"))`) {
			_, claim := a.get(t, id)
			require.Contains(t, claim, name, "%s has the flag", id)
		}
		b.calm()
	})
}

// TestDashboardLeadsOn checks that the dashboard computes from reviews how often people agree with the machine, and
// that its figures are links.
func TestDashboardLeadsOn(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	me, path := member{a.actor, a.cookie.Value}, a.session("leave-policy.json")
	b := open(t, a)
	b.visit("/dashboard")
	require.Equal(t, 0, eval[int](b, `document.querySelectorAll("#trust table").length`), "nobody has decided anything")
	a.send(t, me, path+"/claims/1/reviews", url.Values{"action": {"confirm"}, "seen": {"0"}})
	a.send(t, me, path+"/claims/3/reviews",
		url.Values{"action": {"override"}, "verdict": {"supported"}, "reason": {"Agreed."}, "seen": {"0"}})
	b.visit("/dashboard")
	require.Equal(t, 2, eval[int](b,
		`[...document.querySelectorAll(".confusion tbody td.num:not(:last-child)")].reduce((n, c) => n + (Number(c.textContent) || 0), 0)`))
	require.Contains(t, b.text("#trust .judges"), "2")
	require.Contains(t, b.text("#trends"), "A chart needs three weeks with claims", "one week is no chart; the table has it")
	require.Equal(t, 12, eval[int](b, `document.querySelectorAll("#trends tbody tr").length`))
	b.submit("#ageing tbody a")
	require.True(t, strings.HasPrefix(b.path(), "/sessions/"))
	b.visit("/dashboard")
	b.submit("#trust .periods a:not([aria-current])")
	require.Equal(t, "/dashboard", b.path())
}

// TestFindInArabic checks that a search in Arabic finds words spelled differently in the document and leads to them,
// also without JavaScript.
func TestFindInArabic(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, scripts bool) {
		a := startApp(t)
		b := open(t, a)
		if !scripts {
			b.withoutScripts()
		}
		b.visit("/search?lang=ar")
		b.typeInto("#f-q", "اعمال الشِّراء\r") // no hamza, with diacritics: the document has أعمال الشراء
		b.until(`document.querySelector("section[aria-labelledby=found-passage] .hits mark")`)
		require.Contains(t, b.text("section[aria-labelledby=found-passage] .hits"), "أعمال الشراء")
		b.submit("section[aria-labelledby=found-passage] .hits a")
		require.Contains(t, b.text(".is-current"), "أعمال الشراء")
		require.True(t, eval[bool](b,
			`(r => r.top < innerHeight && r.bottom > 0)(document.querySelector(".is-current").getBoundingClientRect())`), "in view")
	})
}

// TestFilteredInPlace saves filters set without loading a page, which must equal those in the address, and confirms the
// filtered claims and takes that back.
func TestFilteredInPlace(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	path := a.fifty(t)
	b := open(t, a)
	b.visit(path)
	eval[bool](b, `(f => (f.value = "weak", f.dispatchEvent(new Event("change", {bubbles: true}))))(document.getElementById("f-v"))`)
	b.until(`location.search.includes("verdict=weak") && document.querySelector("#count").textContent.startsWith("16 of 50")`)
	b.click(".saved summary")
	b.typeInto("#view-name", "Weak ones")
	b.submit(".saved form button")
	require.Equal(t, "Weak ones", b.text(".chip[aria-current] bdi"))
	require.Equal(t, path, b.path())
	b.visit(path)
	b.submit(".chip")
	require.Contains(t, b.text("#count"), "16 of 50 claims")

	b.submit(".bulk a")
	require.Contains(t, b.text(".bulk-page"), "16 claims would be confirmed")
	b.submit(".bulk-page .btn-primary")
	require.Contains(t, b.text("#progress"), "16 of 50 claims settled")
	b.keys("u") // as documented in the key sheet
	b.until(`document.querySelector("#progress")?.innerText.includes("0 of 50 claims settled")`)
	require.Contains(t, b.text(".notice"), "16 claims withdrawn")
	b.calm()
}

// answers sets the browser's answer to a page's question ("leave it?"), and returns a counter of the questions.
func (b *tab) answers(yes bool) *int {
	b.t.Helper()
	asked := 0
	require.NoError(b.t, chromedp.Listen(b.ctx, func(ev any) {
		if _, ok := ev.(*page.EventJavascriptDialogOpening); ok {
			asked++
			go func() {
				_ = chromedp.Do(b.ctx, func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
					_, err := chromedp.Call(ctx, page.HandleJavaScriptDialog,
						page.HandleJavaScriptDialogParams{Accept: yes})
					return chromedp.Void{}, err
				})
			}()
		}
	}))
	return &asked
}

// TestUnsentWordsAreAskedAbout checks that opening another claim with unsent text asks first, and that
// answering no stays.
func TestUnsentWordsAreAskedAbout(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	b.visit(a.session("leave-policy.json"))
	b.click("#claim-3 a.open")
	b.until(`document.querySelector("#pane #claim-view[data-n='3']")`)
	b.click("#pane input[value=comment]")
	b.do(chromedp.SendKeys(chromedp.ID("r-r"), "Half a sentence"))
	asked := b.answers(false)
	b.click("#claim-1 a.open")
	b.until(`document.getElementById("r-r")?.value === "Half a sentence"`)
	require.Equal(t, 1, *asked)
	require.Equal(t, "3", eval[string](b, `document.querySelector("#pane #claim-view").dataset.n`))
	b.click("#pane button.if-comment")
	b.until(`document.querySelector("#pane .timeline .said")`)
}
