package e2e

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

func TestImportByForm(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	doc := filepath.Join(t.TempDir(), "Travel_Policy.md")
	require.NoError(t, os.WriteFile(doc,
		[]byte("# 3 Travel\n\nEmployees may claim up to SAR 400 per night for hotels.\n\nReceipts must be submitted within 14 days of return.\n"), 0o600))

	b.visit("/sessions/new")
	b.unfold("#n-t")
	b.do(chromedp.SendKeys(chromedp.ID("n-t"), "Travel costs"),
		chromedp.SendKeys(chromedp.ID("n-q"), "What may I claim?"),
		chromedp.SendKeys(chromedp.ID("n-a"),
			"Employees may claim up to SAR 400 per night for hotels. Receipts must be submitted within 30 days of return."),
		chromedp.SetUploadFiles(chromedp.ID("n-d"), []string{doc}))
	require.Equal(t, "Travel_Policy.md", b.text(".doc-list[data-files] bdi"))
	b.click("form.form .btn-primary")
	b.until(`location.pathname.startsWith("/sessions/") && document.querySelectorAll("tr.row").length == 2`)
	require.Equal(t, "Travel costs", b.text("h1"))
	require.Contains(t, b.text("#claim-1 .badge"), "Supported")
	require.Contains(t, b.text("#claim-2 .badge"), "Contradicted")
	require.Contains(t, b.text("#claim-1 .c-source"), "Travel_Policy.md")
	b.calm()
}

func TestRefusedFormKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	b := open(t, startApp(t))
	b.visit("/sessions/new")
	b.unfold("#n-t")
	b.do(chromedp.SendKeys(chromedp.ID("n-t"), "Nothing pasted"))
	b.click("form.form .btn-primary")
	b.until(`document.querySelector("#n-a[aria-invalid=true]")`)
	require.NotEmpty(t, b.text("#n-a-e"))
	require.Equal(t, "Nothing pasted", eval[string](b, `document.getElementById("n-t").value`))
}

func TestOpenAndOverrideInPlace(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	b.visit(a.session("leave-policy.json"))
	b.click("#claim-3 a.open")
	b.until(`document.querySelector("#pane #claim-view[data-n='3']")`)
	require.Equal(t, a.session("leave-policy.json"), eval[string](b, "location.pathname"), "the page stayed")
	require.Contains(t, b.text("#pane .lights"), "Exact")

	b.click("#pane input[value=override]")
	b.click("#pane button.if-override")
	b.until(`document.querySelector("#pane #r-v[aria-invalid=true]")`)
	b.do(chromedp.SetValue(chromedp.ID("r-v"), "supported"),
		chromedp.SendKeys(chromedp.ID("r-r"), "The department head has agreed."))
	b.click("#pane button.if-override")
	b.until(`document.querySelector("#claim-3 .by-person")`)
	require.Contains(t, b.text("#claim-3 .was"), "Overridden")
	require.Contains(t, eval[string](b, `document.querySelector("#claim-3 .was").title`), "was Weak")
	require.Contains(t, b.text("#summary"), "1 overridden")
	require.Contains(t, b.text("#toasts"), "saved")
	b.shows(4) // it goes on to what waits
	b.click("#claim-3 a.open")
	b.shows(3)
	require.Contains(t, b.text("#pane .timeline"), "The department head has agreed.")
	b.calm()
}

// TestASheetOverTheListWhenNarrow opens a claim on a telephone and goes back to its row, by the button and by Back.
func TestASheetOverTheListWhenNarrow(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	b.width(360)
	b.visit(a.session("leave-policy.json"))
	b.click("#claim-2 a.open")
	b.until(`document.querySelector("#pane #claim-view[data-n='2']") && !document.querySelector("tr.row").checkVisibility()`)
	require.Contains(t, eval[string](b, `location.search`), "claim=2")
	b.accessible("sheet")
	b.click("[data-sheet-close]")
	b.until(`document.activeElement.closest("tr.row")?.id === "claim-2" && !document.querySelector("#pane").checkVisibility()`)
	require.NotContains(t, eval[string](b, `location.search`), "claim=")
	eval[bool](b, `(history.back(), true)`)
	b.until(`document.querySelector("#pane #claim-view[data-n='2']")?.checkVisibility()`)
	eval[bool](b, `(history.back(), true)`)
	b.until(`document.querySelector("tr.row")?.checkVisibility() && !document.querySelector("#pane").checkVisibility()`)
	b.calm()
}

func TestWithoutJavaScript(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	b.withoutScripts()
	b.do(chromedp.Navigate(a.url + a.session("leave-policy.json")))
	b.click("#claim-3 a.open")
	b.do(chromedp.WaitVisible(chromedp.CSS("#pane #claim-view[data-n='3']")))
	b.click("input[value=comment]")
	b.do(chromedp.SendKeys(chromedp.ID("r-r"), "Ask HR."))
	b.click("button.if-comment")
	b.do(chromedp.WaitVisible(chromedp.CSS(".claim-page [role=status]")))
	require.Contains(t, b.text(".timeline"), "Ask HR.")
	// an ordinary form filters
	b.do(chromedp.Navigate(a.url+a.session("leave-policy.json")), chromedp.SetValue(chromedp.ID("f-v"), "not_found"))
	b.click(".filters summary")
	b.click(".filters button.no-js")
	b.until(`location.search.includes("verdict=not_found") && document.querySelector("#count")`)
	require.Contains(t, b.text("#count"), "1 of 4 claims")
}

func TestStaleFormShowsWhatChangedAndKeepsTheWords(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	claim := a.session("leave-policy.json") + "/claims/3"
	b.visit(a.session("leave-policy.json"))
	b.click("#claim-3 a.open")
	b.until(`document.querySelector("#pane form.review")`)
	b.click("#pane input[value=override]")
	b.do(chromedp.SetValue(chromedp.ID("r-v"), "contradicted"),
		chromedp.SendKeys(chromedp.ID("r-r"), "It is not a right."))

	// another user reviews the same claim meanwhile
	res, _ := a.do(t, http.MethodPost, claim+"/reviews",
		url.Values{"action": {"comment"}, "reason": {"I was faster."}, "seen": {"0"}}.Encode())
	require.Equal(t, http.StatusOK, res.StatusCode)

	b.click("#pane button.if-override")
	b.until(`document.querySelector("#pane .alert-warn[role=alert]")`)
	require.Contains(t, b.text("#pane .alert-warn"), "I was faster.")
	require.True(t, eval[bool](b, `document.activeElement.matches("#pane .alert-warn")`), "what was refused does not go on to the next claim")
	require.True(t, eval[bool](b, `sanad.unsaved(document.getElementById("pane"))`), "its words are still to be stored")
	require.Equal(t, "It is not a right.", eval[string](b, `document.getElementById("r-r").value`))
	require.Equal(t, "contradicted", eval[string](b, `document.getElementById("r-v").value`))
	b.picture("stale-en")
	b.click("#pane button.if-override")
	b.until(`document.querySelector("#claim-3 .badge-contradicted.by-person")`)
}

func TestExportsDownload(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	b.visit(a.session("procurement-ar.json") + "?lang=ar")
	hrefs := eval[[]string](b, `[...document.querySelectorAll("a[download]")].map(a => a.getAttribute("href"))`)
	require.Len(t, hrefs, 7)
	for _, href := range hrefs {
		res, body := a.get(t, href)
		require.Equal(t, http.StatusOK, res.StatusCode)
		require.Contains(t, res.Header.Get("Content-Disposition"), "filename*=")
		require.NotEmpty(t, body)
		if strings.HasSuffix(href, "pdf") {
			require.True(t, strings.HasPrefix(body, "%PDF-"), body[:8])
		}
		if strings.HasSuffix(href, "csv?language=ar") {
			require.True(t, strings.HasPrefix(body, "\uFEFFالرقم,الإفادة,"), body[:60])
		}
		if strings.HasSuffix(href, "xlsx?language=ar") {
			require.True(t, strings.HasPrefix(body, "PK\x03\x04"), body[:4])
		}
		if strings.HasSuffix(href, "markdown") {
			require.True(t, strings.HasPrefix(body, "## Evidence Ledger\n"), body[:60])
		}
	}
}

// TestExportMenu checks the menu of downloads, open, in both languages, wide and narrow: axe-core finds nothing, and
// every download is within the window.
func TestExportMenu(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	for _, lang := range []string{"en", "ar"} {
		for _, width := range []int64{1280, 360} {
			id := fmt.Sprintf("exports-%s-%d", lang, width)
			b.width(width)
			b.visit(a.session("procurement-ar.json") + "?theme=light&lang=" + lang)
			b.until(`(document.querySelector("a[download]").closest("details").open = true)`)
			b.picture(id)
			b.accessible(id)
			require.Empty(t, eval[[]string](b, `[...document.querySelectorAll("a[download]")].filter(a => {
				const r = a.getBoundingClientRect();
				return r.width < 24 || r.left < 0 || r.right > innerWidth; }).map(a => a.textContent)`), id)
		}
	}
}

func TestKeyboard(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	b.visit(a.session("leave-policy.json"))
	b.keys("j")
	b.until(`document.activeElement.closest("tr.row")?.id == "claim-1"`)
	b.keys("j")
	b.until(`document.activeElement.closest("tr.row")?.id == "claim-2"`)
	b.until(`document.querySelector("#pane #claim-view[data-n='2']")`) // the pane shows the focused claim
	b.keys("k")
	b.until(`document.activeElement.closest("tr.row")?.id == "claim-1"`)
	b.keys("\r")
	b.until(`document.querySelector("#pane #claim-view[data-n='1']") && document.activeElement.id == "claim-h"`)
	b.keys("c")
	b.until(`document.querySelector("#claim-1 .was")?.textContent.includes("Confirmed")`)
	// layout changes have finished
	b.until(`!document.querySelector(".htmx-request, .htmx-swapping, .htmx-settling")`)
	b.keys("o")
	b.until(`document.querySelector("#pane input[value=override]").checked && document.activeElement.id == "r-v"`)
	eval[bool](b, `(document.activeElement.blur(), true)`)
	b.keys("/")
	b.until(`document.activeElement.id == "f-q"`)
	eval[bool](b, `(document.activeElement.blur(), true)`)
	b.keys("?")
	b.until(`document.getElementById("help").open`)
	b.calm()
}

func TestFiltersFollowAsYouType(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	b.visit(a.session("vendor-review.json"))
	all := eval[int](b, `document.querySelectorAll("tr.row").length`)
	require.Equal(t, 50, all, "a page holds fifty claims")
	b.do(chromedp.SetValue(chromedp.ID("f-v"), "contradicted"))
	eval[bool](b, `document.getElementById("f-v").dispatchEvent(new Event("change", {bubbles: true}))`)
	b.until(`document.querySelectorAll("tr.row").length > 3 && document.querySelectorAll("tr.row .badge:not(.badge-contradicted)").length == 0`)
	require.Contains(t, eval[string](b, "location.search"), "verdict=contradicted")
	b.filterBy("f-f", "contradiction")
	b.until(`location.search.includes("flag=contradiction")`)
	b.calm()
}
