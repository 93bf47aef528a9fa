package e2e

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// window sets the size of the view.
func (b *tab) window(width, height int64) {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(width, height))
}

// screen saves what the window shows, if SANAD_PICTURES is set.
func (b *tab) screen(name string) {
	b.t.Helper()
	dir := os.Getenv("SANAD_PICTURES")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(b.ctx, func(ctx context.Context, tg *chromedp.Target) ([]byte, error) {
		r, err := chromedp.Call(ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{
			Format: page.CaptureScreenshotFormatPng,
		})
		if err != nil {
			return nil, err
		}
		return r.Data, nil
	})
	require.NoError(b.t, err)
	require.NoError(b.t, os.MkdirAll(dir, 0o755))
	require.NoError(b.t, os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644))
}

// filterBy chooses a value in one of the selects of the filters, as the keyboard does.
func (b *tab) filterBy(id, value string) {
	b.t.Helper()
	b.loaded()
	eval[bool](b, fmt.Sprintf(`(f => (f.value = %q, f.dispatchEvent(new Event("change", {bubbles: true}))))(document.getElementById(%q))`, value, id))
}

// top is the place of the first row of claims in the window.
func (b *tab) top() int {
	b.t.Helper()
	return eval[int](b, `Math.round(document.querySelector("tr.row").getBoundingClientRect().top)`)
}

// TestClaimsAreOnTheFirstScreen measures where the list of claims begins (rule WEB-16): within the first 200 px of a
// window of 1280 × 800, and the first 300 of a telephone; for 4 claims, 50 and 61, in both directions.
func TestClaimsAreOnTheFirstScreen(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	for _, c := range []struct{ name, path string }{
		{"4", a.session("leave-policy.json")}, {"50", a.fifty(t)}, {"61", a.session("vendor-review.json")},
		{"ar", a.session("procurement-ar.json")},
	} {
		for _, lang := range []string{"en", "ar"} {
			for _, w := range []struct{ width, height, most int64 }{
				{1280, 800, 200}, {1920, 1080, 200}, {900, 800, 200}, {360, 740, 300},
			} {
				b.window(w.width, w.height)
				theme := map[string]string{"en": "light", "ar": "dark"}[lang]
				b.visit(c.path + "?lang=" + lang + "&theme=" + theme)
				top := b.top()
				name := fmt.Sprintf("bench-%s-%s-%d", c.name, lang, w.width)
				t.Logf("%s: first row at %d px", name, top)
				b.screen(name)
				require.LessOrEqual(t, top, int(w.most), name)
				require.LessOrEqual(t, eval[int](b, "document.documentElement.scrollWidth - innerWidth"), 0, name)
			}
		}
	}
}

// TestRowsAreDense checks rows and evidence at 1280 × 800 (rule WEB-16): a row is at most 56 px high for a claim of one
// line and 80 px otherwise, with 24 px for each further line of marks and source; five are in view at least; the quotation
// of an ordinary claim and its decision are in view together.
func TestRowsAreDense(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	b.window(1280, 800)
	for _, c := range []struct {
		path   string
		claims []int
	}{
		{a.session("leave-policy.json"), []int{1, 2}}, {a.session("vendor-review.json"), []int{2, 3, 5, 7, 9, 10, 17}},
		{a.session("procurement-ar.json"), []int{1, 2, 3, 5, 6}},
	} {
		for _, lang := range []string{"en", "ar"} {
			b.visit(c.path + "?lang=" + lang)
			b.until("document.fonts.status === 'loaded'")
			rows := eval[[][]float64](b, `(box => [...document.querySelectorAll("tr.row")].map(r => {
				const a = r.querySelector("a.open"), at = r.getBoundingClientRect();
				return [at.height, a.getBoundingClientRect().height / parseFloat(getComputedStyle(a).lineHeight), at.bottom <= box.bottom ? 1 : 0,
					Math.round((Math.max(...[...r.querySelectorAll(".badge, .c-marks > *, .src")].map(e => e.getBoundingClientRect().bottom)) -
						r.querySelector(".badge").getBoundingClientRect().bottom) / 22)];
			}))(document.getElementById("results").getBoundingClientRect())`)
			seen := 0.0
			for i, r := range rows {
				most := 58.0 // words of another language stand in their own font
				if r[1] > 1.5 {
					most = 82
				}
				most += 24 * r[3] // marks and source have further lines
				require.LessOrEqual(t, r[0], most, "row %d of %s in %s", i+1, c.path, lang)
				seen += r[2]
			}
			require.GreaterOrEqual(t, seen, min(5, float64(len(rows))), "%s in %s", c.path, lang)
			for _, n := range c.claims {
				b.visit(fmt.Sprintf("%s?lang=%s&claim=%d", c.path, lang, n))
				b.until("document.fonts.status === 'loaded'")
				require.LessOrEqual(t, eval[float64](b, `Math.round([...document.querySelectorAll("#pane blockquote .core")].at(-1).getBoundingClientRect().bottom
					- document.querySelector("form.review").getBoundingClientRect().top)`), 0.0, "the passage of claim %d in %s", n, lang)
				require.LessOrEqual(t, eval[float64](b, `document.querySelector("form.review .if-confirm").getBoundingClientRect().bottom`), 800.0)
			}
		}
	}
}

// TestWordsThatDecideAreInView: where the window is low and the passage long, the column of evidence stands where the words
// that decide are seen above the decision, for an address and for a claim that is chosen.
func TestWordsThatDecideAreInView(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	b.window(1280, 600)
	const inView = `(at => at.top >= document.querySelector(".bench-case").getBoundingClientRect().top && at.bottom <= document.querySelector("form.review").getBoundingClientRect().top)(
		(document.querySelector("#pane blockquote .core :is(.d-conflict, .d-differs)") ?? document.querySelector("#pane blockquote .core .d") ?? document.querySelector("#pane blockquote .core")).getClientRects()[0])`
	path, scrolled := a.session("vendor-review.json"), 0
	for _, n := range []int{3, 12, 13, 16} {
		b.visit(fmt.Sprintf("%s?lang=en&claim=%d", path, n))
		b.shows(n)
		b.until(inView)
		if eval[float64](b, `document.querySelector(".bench-case").scrollTop`) > 0 {
			scrolled++
		}
	}
	require.Positive(t, scrolled, "one of them is too long for the column")
	b.visit(path + "?lang=en&claim=12")
	b.shows(12)
	b.click("#open-13")
	b.shows(13)
	b.until(inView)
}

// shows waits until a claim is in focus in the answer, the list, the evidence and the address.
func (b *tab) shows(n int) {
	b.t.Helper()
	b.until(fmt.Sprintf(`document.querySelector("#pane .claim-view")?.dataset.n === "%[1]d" &&
		document.querySelector("a.open[aria-current]")?.closest("tr").id === "claim-%[1]d" &&
		[...document.querySelectorAll(".answer a.claim[aria-current]")].every(a => a.dataset.n === "%[1]d") &&
		new URLSearchParams(location.search).get("claim") === "%[1]d"`, n))
}

// inView checks that an element is within the window and within the column that scrolls it.
func (b *tab) inView(selector, column string) {
	b.t.Helper()
	b.until(fmt.Sprintf(`((e, c) => e.top >= Math.max(0, c.top) - 1 &&
		e.bottom <= Math.min(innerHeight, c.bottom) + 1)(
		document.querySelector(%q).getBoundingClientRect(), document.querySelector(%q).getBoundingClientRect())`,
		selector, column))
}

// TestColumnsFollowOneAnother checks the workbench of 1280 × 800 (rules WEB-16 and WEB-17): the columns fill the
// window and scroll by themselves; the first claim that is not settled is in focus; a sentence, a row and the
// keyboard choose a claim in all three; the claim is in the address; Back and Forward go through what was chosen.
func TestColumnsFollowOneAnother(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	path := a.session("vendor-review.json")
	me := member{a.actor, a.cookie.Value}
	for _, n := range []string{"1", "2"} {
		a.send(t, me, path+"/claims/"+n+"/reviews", url.Values{"action": {"confirm"}, "seen": {"0"}})
	}
	b := open(t, a)
	b.window(1280, 800)
	b.visit(path)
	b.shows(3)
	require.Equal(t, 0, eval[int](b, "document.documentElement.scrollHeight - innerHeight"), "the page does not scroll")
	require.True(t, eval[bool](b, `["#results", ".bench-answer", ".bench-case"].every(s =>
		(e => e.scrollHeight > e.clientHeight && getComputedStyle(e).overflowY === "auto")(document.querySelector(s)))`))
	require.Empty(t, eval[[]string](b, `[...document.querySelectorAll(
		".ledger :is(a.open, .badge, .pct, .was, .src, .mark-flag)")]
		.filter(e => parseFloat(getComputedStyle(e).fontSize) < 14).map(e => e.outerHTML.slice(0, 80))`), "14 px at least")

	b.click(`.answer a.claim[data-n="5"]`)
	b.shows(5)
	b.inView("#claim-5", "#results")
	b.click("#claim-6 a.open")
	b.shows(6)
	b.inView(`.answer a.claim[data-n="6"]`, ".bench-answer")
	b.keys("j")
	b.until(`document.activeElement.closest("tr.row")?.id === "claim-7"`)
	b.shows(7) // followed, not chosen: no step of its own
	eval[bool](b, `(document.querySelector("#claim-40 a.open").focus(), true)`)
	b.shows(40)
	b.inView(`.answer a.claim[data-n="40"]`, ".bench-answer")
	eval[bool](b, "(history.back(), true)")
	b.shows(5)
	eval[bool](b, "(history.forward(), true)")
	b.shows(40)
	b.inView("#claim-40", "#results")

	// to the document and back: claim, filter and columns are as they were
	b.filterBy("f-f", "contradiction")
	// until htmx has taken over the rows that came, a click on one leaves the page
	b.until(`location.search.includes("flag=contradiction") && document.querySelectorAll("tr.row").length === 11 &&
		[...document.querySelectorAll("a.open")].every(a => a.dataset.htmxPowered)`)
	eval[bool](b, `([...document.querySelectorAll("a.open")].at(-1).click(), true)`)
	last := eval[int](b, `Number([...document.querySelectorAll("tr.row")].at(-1).id.slice("claim-".length))`)
	b.shows(last)
	at := eval[float64](b, `document.getElementById("results").scrollTop`)
	require.Positive(t, at)
	b.submit(`#pane a[href*="/documents/"]`)
	require.Contains(t, eval[string](b, `document.querySelector("a[data-to-claim]").search`), "flag=contradiction")
	eval[bool](b, "(history.back(), true)")
	b.until(`location.pathname.startsWith("/sessions/") && document.readyState === "complete"`)
	b.shows(last)
	require.Equal(t, 11, eval[int](b, `document.querySelectorAll("tr.row").length`))
	b.until(fmt.Sprintf(`Math.abs(document.getElementById("results").scrollTop - %v) < 2`, at))

	// back before the filter
	eval[bool](b, "(history.go(-2), true)")
	b.until(`!location.search.includes("flag=") && document.querySelectorAll("tr.row").length === 50`)
	b.shows(40)
	b.calm()
}

// TestWorkbenchWithoutScripts chooses claims, filters and tabs by links alone.
func TestWorkbenchWithoutScripts(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	path := a.session("vendor-review.json")
	b := open(t, a)
	b.withoutScripts()
	b.window(1280, 800)
	b.visit(path)
	require.Equal(t, "1", eval[string](b, `document.querySelector("#claim-view").dataset.n`))
	b.click(".more-filters summary")
	b.do(chromedp.SetValue(chromedp.ID("f-f"), "contradiction"))
	b.submit(".more-filters button")
	require.Equal(t, 11, eval[int](b, `document.querySelectorAll("tr.row").length`))
	b.submit(`tr.row:nth-child(2) a.open`)
	require.Equal(t, 11, eval[int](b, `document.querySelectorAll("tr.row").length`), "the filter stays")
	require.True(t, eval[bool](b, `document.querySelector("tr.row:nth-child(2)").id ===
		"claim-" + document.querySelector("#claim-view").dataset.n`))
	b.submit(`.figures .v-not_found a`)
	require.Contains(t, eval[string](b, "location.search"), "flag=contradiction", "filters add up")
	b.click(".more-filters summary")
	b.do(chromedp.SetValue(chromedp.ID("f-f"), ""))
	b.submit(".more-filters button")
	require.NotContains(t, eval[string](b, "location.search"), "flag=")
	require.Equal(t, 6, eval[int](b, `document.querySelectorAll("tr.row").length`))
	for _, c := range [][2]string{{"report", "#spread"}, {"sources", "#sources"}, {"claims", "tr.row"}} {
		b.submit(".tab-" + c[0] + " a")
		require.Equal(t, 1, min(1, eval[int](b, fmt.Sprintf(`document.querySelectorAll(%q).length`, c[1]))), c[0])
		require.Contains(t, eval[string](b, "location.search"), "verdict=not_found", "a tab keeps the filter")
	}
	b.window(360, 740)
	b.submit(`tr.row:nth-child(3) a.open`)
	require.False(t, eval[bool](b, `document.querySelector("tr.row").checkVisibility()`), "a sheet over the list")
	b.submit("[data-sheet-close]")
	require.True(t, eval[bool](b, `document.querySelector("tr.row").checkVisibility()`))
	b.submit(".tab-answer a")
	b.submit(`.answer a.claim[data-n="4"]`)
	require.Equal(t, "4", eval[string](b, `document.querySelector("#claim-view").dataset.n`))
}
