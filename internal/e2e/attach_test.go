package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

const doors = `{"format":"sanad.session/v1","session":{"answer":"Guests carry identification."},
 "documents":[{"id":"hr","filename":"HR.txt","text":"Travel is booked by the office.\n\nEverybody who comes to see us shows a badge at the door."}],
 "claims":[{"claim_text":"A badge opens the archive of the ministry"},{"claim_text":"Guests carry identification"},
  {"claim_text":"Strangers prove who they are"}]}`

// TestPassageIsAttached: a reviewer attaches a passage to a claim that was not found, from its nearest passages, from
// the viewer and from the search of all sessions. Each shows who attached it.
func TestPassageIsAttached(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	bothWays(t, func(t *testing.T, scripts bool) {
		path := a.take(t, doors)
		b := openBoth(t, a, scripts)
		attached := func(claim string) {
			require.Equal(t, path+"/claims/"+claim, b.path())
			require.Contains(t, b.text(".attached"), "Attached by \u2068Noura Al-Harbi\u2069")
			require.Contains(t, b.text("main"), "Everybody who comes to see us shows a badge at the door.")
			b.calm()
		}
		notFound := func(claim string) {
			b.visit(path + "/claims/" + claim)
			require.Contains(t, b.text(".claim-view"), "Not found")
		}

		notFound("1")
		b.submit(`a[href$="/claims/1/passages"]`)
		require.Equal(t, "Nearest passages", b.text("#near-h"))
		require.Contains(t, b.text("#near-h ~ div"), "shows a badge")
		b.inspect("attach-nearest", scripts)
		b.submit(`#near-h ~ div form .btn`)
		attached("1")
		b.inspect("attached", scripts)

		notFound("2")
		b.submit(`a[href$="/claims/2/passages"]`)
		b.submit(`#docs-h + ul a`)
		b.submit(`.chunk:last-child .attach a`)
		require.Equal(t, "2", b.text(`main form input[name=claim]:checked + span .soft`)[len("Claim "):], "the claim is chosen already")
		b.submit(`main form .btn-primary`)
		attached("2")

		notFound("3")
		b.visit("/search?q=badge&kind=passage&lang=en")
		b.visit(eval[string](b, fmt.Sprintf(`[...document.querySelectorAll(".hits li")].find(li => `+
			`li.textContent.includes(%q)).querySelector("a[href*='/attach?']").getAttribute("href")`, t.Name())))
		b.inspect("attach-search", scripts)
		b.submit(`main form .btn-primary`)
		require.Contains(t, b.text("main [role=alert]"), "Choose the claim.")
		b.click(`input[name=claim][value="3"]`)
		b.submit(`main form .btn-primary`)
		attached("3")
		b.visit("/search?q=badge&kind=passage&lang=ar")
		require.Contains(t, b.text(".hits"), "إرفاق بإفادة")
		b.submit(`.hits a[href*="/attach?"]`)
		b.inspect("attach-search-ar", scripts)
	})
}

// TestNearestPassagesBesideTheDecision: in the workbench a claim without evidence is shown with the passages nearest to
// it. Using one stores it as evidence, and claim, row and figures follow without leaving the page.
func TestNearestPassagesBesideTheDecision(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	path := a.take(t, doors)
	b := open(t, a)
	b.window(1280, 800)
	b.visit(path + "?claim=1")
	b.until(`document.querySelector("section.nearest blockquote")`)
	require.Contains(t, b.text("section.nearest blockquote"), "shows a badge at the door")
	require.Contains(t, b.text("section.nearest figcaption"), "HR.txt")
	b.inspect("nearest", true)
	b.click("section.nearest figcaption button")
	b.until(`document.querySelector("#claim-view .attached")`)
	require.Equal(t, path, b.path())
	require.Contains(t, b.text("#toasts"), "evidence for claim 1")
	require.NotContains(t, b.text("#claim-1"), "Not found")
	require.Contains(t, b.text("#claim-1"), "HR.txt")
	require.False(t, eval[bool](b, `!!document.querySelector("#claim-view .nearest")`))

	// what that did is undone by its key: evidence, verdict, row and flag are as before
	b.keys("u")
	b.until(`document.querySelector("#claim-view .nearest") && !document.querySelector("#claim-view .attached")`)
	require.Contains(t, b.text("#toasts"), "no longer evidence for claim 1")
	require.Contains(t, b.text("#claim-1"), "Not found")
	b.until(`document.querySelector("section.nearest figcaption button")`)
	b.click("section.nearest figcaption button")
	b.until(`document.querySelector("#toasts form.undo")`)
	b.click("#toasts form.undo button")
	b.until(`document.querySelector("#claim-view .nearest") && document.querySelector("#claim-1").innerText.includes("Not found")`)
	b.calm()

	b.visit(path + "?claim=3&lang=ar")
	b.until(`document.querySelector("section.nearest input[name=q]")`)
	b.do(chromedp.SendKeys(chromedp.CSS("section.nearest input[name=q]"), "badge\r"))
	b.until(`location.pathname.endsWith("/claims/3/passages") && document.querySelector("#near-h")`)
	require.Contains(t, b.text("main"), "shows a badge at the door")
}

// TestDecisionNeedsNoScrolling: at 1280 × 800 the buttons that decide a claim are in the window whatever its evidence,
// in both languages, and nothing that has the focus lies under them (rule WEB-16).
func TestDecisionNeedsNoScrolling(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	path := a.session("vendor-review.json")
	b := open(t, a)
	for _, lang := range []string{"en", "ar"} {
		for _, size := range [][2]int64{{1280, 800}, {1000, 800}, {1920, 1080}} {
			b.window(size[0], size[1])
			for _, claim := range []string{"1", "3", "12"} {
				b.visit(path + "?claim=" + claim + "&lang=" + lang)
				b.inView("#claim-view .segments", ".bench-case")
				b.inView("#claim-view button.if-confirm", ".bench-case")
			}
		}
	}
	b.window(1280, 800)
	b.visit(path + "?claim=3&lang=en")
	require.Empty(t, eval[[]string](b, `[...document.querySelectorAll("#claim-view :is(a[href], summary)")].filter(e => {
		e.focus();
		const at = e.getBoundingClientRect(), form = document.querySelector("#claim-view .review").getBoundingClientRect();
		return document.activeElement === e && at.top >= form.top && !e.closest(".review") && at.top < form.bottom;
	}).map(e => e.outerHTML.slice(0, 80))`), "under the decision")
}

// TestPointersAreChecked: a person pastes passages and an answer that points to them; pointers to nothing are named,
// and the answer becomes a session.
func TestPointersAreChecked(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	bothWays(t, func(t *testing.T, scripts bool) {
		b := openBoth(t, a, scripts)
		b.visit("/sessions/new")
		eval[bool](b, `(document.querySelector('main a[href="/evidence-maps/answers"]').closest("details").open = true)`)
		b.submit(`main a[href="/evidence-maps/answers"]`)
		b.inspect("pointers", scripts)
		b.do(chromedp.SendKeys(chromedp.ID("pt-a"), "Leave is 15 days [E1]"))
		b.submit(`main form .btn-primary`)
		require.Contains(t, b.text("#pt-p-e"), "Paste the passages")
		require.Equal(t, "Leave is 15 days [E1]", eval[string](b, `document.getElementById("pt-a").value`))
		b.do(chromedp.SetValue(chromedp.ID("pt-p"),
			"All permanent employees receive 15 days of paid annual leave.\n\nVisitors wear a badge in the building."),
			chromedp.SetValue(chromedp.ID("pt-a"), "All permanent employees receive 15 days of paid annual leave [E1]\n"+
				"Visitors wear a badge in the building [E2, E9]\nThe canteen opens at 11:30 on working days"))
		b.submit(`main form .btn-primary`)
		require.Equal(t, "2 claims are not grounded", b.text("#pt-h"))
		require.Contains(t, b.text("main"), "There is no passage \u2068E9\u2069.")
		require.Contains(t, b.text("main"), "It names no passage.")
		b.inspect("pointed", scripts)
		b.submit(`main .btn-primary`)
		require.Equal(t, []string{"claim-1", "claim-2", "claim-3"},
			eval[[]string](b, `[...document.querySelectorAll("tr.row")].map(r => r.id)`))
		require.Contains(t, b.text("#claim-3 .badge"), "Not found")
		b.visit("/evidence-maps/answers?lang=ar")
		b.inspect("pointers-ar", scripts)
	})
}
