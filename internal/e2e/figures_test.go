package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// The limits of page 13 of the spec. None of them is a time.
const (
	mostTop       = 200      // px: where the first row of claims begins, at 1280 × 800
	mostTopNarrow = 740      // px: the same on a telephone of 360 × 740: the first screen
	mostKeys      = 3        // key presses from the page's load to the first row
	mostPerClaim  = 1.1      // keys for each confirmed claim
	mostShift     = 0.05     // layout shift on a cold cache, on a bad line too
	mostBytes     = 60 << 10 // compressed, of a ledger with its styles and scripts, without fonts and pdf.js
	otherBytes    = 80 << 10 // the same of the other pages; none of them has a limit in the spec
	mostRequests  = 30
)

// shifts adds up how far the page has moved under the reader since it was opened, as Chromium measures it.
const shifts = `(() => { window.shift = 0; window.moved = []; new PerformanceObserver(l => {
	for (const e of l.getEntries()) if (!e.hadRecentInput) {
		shift += e.value;
		const box = r => [r.x, r.y, r.width, r.height].map(Math.round).join(" ");
		moved.push(e.value.toFixed(3) + " at " + Math.round(e.startTime) + ": " + e.sources.map(s => (s.node?.outerHTML ?? s.node?.data ?? "").slice(0, 50) + " " + box(s.previousRect) + " → " + box(s.currentRect)).join(" | "));
	}
}).observe({type: "layout-shift", buffered: true}); return true; })()`

// shifted fills in what shifts counts, once two more frames were drawn: an observer is told of a frame before the next
// one's task.
func (b *tab) shifted() {
	b.t.Helper()
	eval[bool](b, shifts)
	eval[bool](b, `(requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => { window.drawn = true; }))), true)`)
	b.until("window.drawn")
}

// loaded lists what a page loaded and the bytes of it as they were sent, without headers, fonts and pdf.js.
const loaded = `[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
	.filter(e => !/\.woff2|\/pdf(\.worker)?\.min\.mjs/.test(e.name)).map(e => [e.name, e.encodedBodySize])`

// whole is true once a page has its fonts, and the passages that it asks for by itself.
const whole = `document.readyState === "complete" && document.fonts.status === "loaded" &&
	!document.querySelector(".nearest[hx-get]")`

// The lines that layout shift is measured on. Where the machine is busy, a font comes before or after the first picture
// by chance; so each line says which.
var (
	fontsInTime = network.Conditions{URLPattern: "*://*:*/*.css*", Latency: 300, DownloadThroughput: -1, UploadThroughput: -1}
	slowLine    = network.Conditions{Latency: 150, DownloadThroughput: 100 << 10, UploadThroughput: 50 << 10}
)

// on makes the browser's line one with these conditions.
func (b *tab) on(line network.Conditions) {
	b.t.Helper()
	b.do(func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
			MatchedNetworkConditions: []*network.Conditions{&line},
		})
		return chromedp.Void{}, err
	})
}

// shift is the layout shift of a page on a cold cache, with what moved.
func (a *app) shift(t *testing.T, cookie, path string, width, height int64, line network.Conditions) (float64, []string) {
	t.Helper()
	b := open(t, a) // with an empty cache
	if cookie != "" {
		b.setCookie(cookie)
	}
	b.window(width, height)
	b.on(line)
	b.visit(path)
	b.until(whole)
	b.shifted()
	return eval[float64](b, "shift"), eval[[]string](b, "moved")
}

// TestPagesStandStillOnAColdCache checks that pages move by at most 0.05 while their styles and fonts come in (rule
// WEB-11), on a good line and on a bad one, in both languages, wide and narrow.
func TestPagesStandStillOnAColdCache(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	all := pages(t, a)
	look := func(line network.Conditions, lang string, width int64, names ...string) {
		worst := 0.0
		for _, name := range names {
			moved, what := a.shift(t, "", withQuery(all[name], "lang="+lang), width, 800, line)
			worst = max(worst, moved)
			require.LessOrEqual(t, moved, mostShift, "%s in %s at %d: %s", name, lang, width, what)
		}
		t.Logf("largest layout shift on a cold cache, %s, %d px wide, %.0f bytes a second (-1: any): %.3f", lang, width, line.DownloadThroughput, worst)
	}
	for _, lang := range []string{"en", "ar"} {
		look(fontsInTime, lang, 1280, "home", "dashboard", "sessions", "new", "ledger", "ledger-60", "ledger-ar",
			"claim-bad", "document", "search", "api")
		look(slowLine, lang, 1280, "ledger-ar", "claim-bad")
	}
	look(slowLine, "ar", 360, "ledger-ar", "claim-bad") // Arabic text, and much text in columns
}

// figures is a table of what was measured, printed whole.
type figures struct {
	t    *testing.T
	rows []string
}

// holds adds a row, and fails the test if the figure exceeds its limit.
func (f *figures) holds(what string, got, most float64, unit string) {
	f.t.Helper()
	f.rows = append(f.rows, fmt.Sprintf("| %s | %s%s | %s%s |", what, short(got), unit, short(most), unit))
	if got > most {
		f.t.Errorf("%s: %s%s, at most %s%s", what, short(got), unit, short(most), unit)
	}
}

func short(v float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.3f", v), "0"), ".")
}

// inFocus is true if a row of the list of claims has the focus.
const inFocus = `!!document.activeElement.closest?.("tr.row")`

// TestFigures measures in Chromium what page 13 of the spec sets limits to, and prints one table of it;
// docs/measured.md has the table of one run. None of the figures is a time.
func TestFigures(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	f := &figures{t: t}
	all := pages(t, a)
	sessions := []struct {
		claims int
		path   string
	}{{4, a.session("leave-policy.json")}, {61, a.session("vendor-review.json")}, {5000, a.many(t, 5000)}}
	b := open(t, a)
	for _, s := range sessions {
		b.window(1280, 800)
		b.visit(s.path)
		f.holds(fmt.Sprintf("first row of %d claims, 1280 × 800", s.claims), float64(b.top()), mostTop, " px")
		b.window(360, mostTopNarrow)
		b.visit(s.path)
		bottom := eval[float64](b, `Math.round(document.querySelector("tr.row").getBoundingClientRect().bottom)`)
		f.holds(fmt.Sprintf("end of that row, 360 × %d", mostTopNarrow), bottom, mostTopNarrow, " px")
	}
	b.window(1280, 800)
	f.keys(a, sessions[1].path)
	f.perClaim(open(t, a), a.fifty(t))
	f.clicks(b, sessions[1].path)
	for _, name := range []string{"ledger-60", "home", "sessions", "claim-bad", "document", "dashboard", "search", "new"} {
		f.page(a, name, all[name])
	}
	f.page(a, "ledger of 5,000 claims", sessions[2].path)
	t.Log("\n| what | measured | at most |\n|---|---|---|\n" + strings.Join(f.rows, "\n"))
}

// keys counts key presses from a ledger's load to its first row: by the commands, and without them by Tab and Enter.
func (f *figures) keys(a *app, path string) {
	f.t.Helper()
	for _, way := range []struct {
		name string
		keys []string
	}{{"with the commands (j)", []string{"j"}}, {"with Tab and Enter", []string{kb.Tab, kb.Tab, kb.Enter, kb.Tab, kb.Tab, kb.Tab}}} {
		b := open(f.t, a)
		b.window(1280, 800)
		b.visit(path)
		pressed := 0
		for _, key := range way.keys {
			pressed++
			eval[bool](b, `(window.before = [document.activeElement, location.hash], true)`)
			b.keys(key)
			b.until(`document.activeElement !== before[0] || location.hash !== before[1]`)
			if eval[bool](b, inFocus) {
				break
			}
		}
		require.True(f.t, eval[bool](b, inFocus), way.name)
		f.holds("key presses from the load to the first row, "+way.name, float64(pressed), mostKeys, "")
	}
}

// perClaim counts the keys that confirm fifty claims one by one, to the end.
func (f *figures) perClaim(b *tab, path string) {
	f.t.Helper()
	b.visit(path)
	pressed := 0
	press := func(key string) {
		pressed++
		b.keys(key)
	}
	press("n")
	for i := 1; i <= 50; i++ {
		b.until(fmt.Sprintf(`document.activeElement.closest("tr.row")?.id == "claim-%d" && document.querySelector("#pane .claim-view")?.dataset.n == "%d"`, i, i))
		press("c")
		b.until(fmt.Sprintf(`document.querySelector("#claim-%d .was")?.textContent.includes("Confirmed")`, i))
		b.until(`!document.querySelector(".htmx-request, .htmx-swapping, .htmx-settling")`)
	}
	b.until(`document.querySelector("#progress")?.innerText.includes("50 of 50 claims settled")`)
	f.holds("keys for each of 50 claims confirmed", float64(pressed)/50, mostPerClaim, "")
}

// clicks counts clicks from a claim to its exact words in the source, and from a flag to its claims in view.
func (f *figures) clicks(b *tab, path string) {
	f.t.Helper()
	b.visit(path + "?claim=17")
	seen := eval[bool](b, `(e => { const r = e?.getBoundingClientRect(); return !!r && r.top >= 0 && r.bottom <= innerHeight && e.textContent.trim().length > 20; })(
		document.querySelector("#pane .side-text .core, #pane blockquote .core, #pane blockquote"))`)
	require.True(f.t, seen, "the words of the source stand beside the claim")
	f.holds("clicks from a claim to its exact words", 0, 0, "")
	b.filterBy("f-f", "contradiction")
	b.until(`location.search.includes("flag=contradiction") && document.querySelectorAll("tr.row").length === 11`)
	require.True(f.t, eval[bool](b, `(r => r.top >= 0 && r.bottom <= innerHeight)(document.querySelector("tr.row").getBoundingClientRect())`))
	f.holds("clicks from a flag to its claims in view", 2, 2, "")
}

// page measures what a page loads on a cold cache.
func (f *figures) page(a *app, name, path string) {
	f.t.Helper()
	b := open(f.t, a)
	b.window(1280, 800)
	b.visit(path)
	b.until(whole)
	b.shifted()
	bytes, requests := eval[int](b, loaded+".reduce((n, e) => n + e[1], 0)"), eval[int](b, `performance.getEntriesByType("resource").length + 1`)
	if strings.HasPrefix(name, "ledger") {
		f.t.Log(name, eval[[]string](b, loaded+`.map(e => e[0].replace(location.origin, "").slice(0, 40) + " " + e[1])`))
	}
	most := otherBytes
	if strings.HasPrefix(name, "ledger") {
		most = mostBytes
	}
	f.holds(name+": bytes without fonts and pdf.js", float64(bytes), float64(most), "")
	f.holds(name+": requests", float64(requests), mostRequests, "")
}
