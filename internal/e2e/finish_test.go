package e2e

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// shifts adds up how far the page has moved under the reader since it was opened, as Chromium measures it.
const shifts = `(() => { window.shift = 0; new PerformanceObserver(l => {
	for (const e of l.getEntries()) if (!e.hadRecentInput) shift += e.value;
}).observe({type: "layout-shift", buffered: true}); return true; })()`

// On a cold cache, pages move by at most 0.05 while their fonts come in (rule WEB-11).
func TestPagesStandStillOnAColdCache(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	worst, all := 0.0, pages(t, a)
	for _, name := range []string{
		"home", "dashboard", "sessions", "new", "ledger", "ledger-60", "ledger-ar", "claim-bad", "document", "search", "api",
	} {
		path := all[name]
		for _, lang := range []string{"en", "ar"} {
			b := open(t, a) // with an empty cache
			b.visit(withQuery(path, "lang="+lang))
			b.until("document.readyState === 'complete' && document.fonts.status === 'loaded'")
			eval[bool](b, shifts)
			b.do(chromedp.Sleep(200 * time.Millisecond))
			moved := eval[float64](b, "shift")
			worst = max(worst, moved)
			require.LessOrEqual(t, moved, 0.05, "%s in %s", name, lang)
		}
	}
	t.Logf("largest layout shift on a cold cache: %.3f", worst)
}

// brokenWords returns the words of an element that stand on more than one line.
const brokenWords = `(root => { const out = [];
	const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
	while (walk.nextNode()) for (const m of walk.currentNode.data.matchAll(/[\p{L}\p{M}]{3,}/gu)) {
		const r = document.createRange();
		r.setStart(walk.currentNode, m.index); r.setEnd(walk.currentNode, m.index + m[0].length);
		const tops = new Set([...r.getClientRects()].filter(b => b.width > 1).map(b => Math.round(b.top)));
		if (tops.size > 1) out.push(m[0]);
	}
	return out; })(document.querySelector("main"))`

// At 360 px, no word of the dashboard is broken, with figures to compare and without.
func TestNoWordOfTheDashboardIsBroken(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	look := func() {
		for _, lang := range []string{"en", "ar"} {
			b.width(360)
			b.visit("/dashboard?lang=" + lang)
			b.until("document.fonts.status === 'loaded'")
			b.picture("dashboard-360-" + lang)
			require.Empty(t, eval[[]string](b, brokenWords), lang)
			require.LessOrEqual(t, eval[int](b, "document.documentElement.scrollWidth"), 360)
		}
	}
	look()
	for _, n := range []string{"1", "2"} {
		b.visit(a.session("leave-policy.json") + "/claims/" + n)
		b.click("input[name=action][value=confirm]")
		b.click("button.if-decide, .review button.btn-primary")
		b.until(`document.querySelector(".timeline li")`)
	}
	look()
	require.Contains(t, b.text("main"), "لا دليل عليها", "the table that compares is there")
}
