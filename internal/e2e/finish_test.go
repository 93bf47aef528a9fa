package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"
)

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

// The numbers of lists are in the reader's digits.
func TestNumbersOfListsAreInTheReadersDigits(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	b.visit("/dashboard?lang=ar&digits=arab")
	require.Equal(t, "arabic-indic", eval[string](b, `(() => {
		document.querySelector("main").insertAdjacentHTML("beforeend", "<ol class=zz><li>x</li></ol>");
		return getComputedStyle(document.querySelector(".zz li")).listStyleType; })()`))
}
