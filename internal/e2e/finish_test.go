package e2e

import (
	"strconv"
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

// A file name that is too long is cut at its own end, in a page of either direction, and stands at the page's start;
// the numbers of lists are in the reader's digits.
func TestNamesAreCutAtTheirEnd(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	for _, page := range []string{"/dashboard?lang=en&digits=latn", "/dashboard?lang=ar&digits=arab"} {
		b.visit(page)
		for _, name := range []string{"سياسة الإجازات والمشتريات لعام 2026 النسخة النهائية المعتمدة.pdf", "Leave and procurement policy 2026, final and approved version.pdf"} {
			got := eval[[]bool](b, `(name => {
				document.querySelector("main").insertAdjacentHTML("beforeend", "<span class=src><bdi></bdi></span>");
				const box = document.querySelector("main > .src:last-child"), text = box.firstChild;
				text.textContent = name;
				box.style.cssText = "display: block; inline-size: 9rem; overflow: hidden; white-space: nowrap";
				const at = i => { const r = document.createRange(); r.setStart(text.firstChild, i); r.setEnd(text.firstChild, i + 1); return r.getBoundingClientRect(); };
				const frame = box.getBoundingClientRect(), inside = r => r.left >= frame.left - 1 && r.right <= frame.right + 1;
				return [inside(at(0)), text.scrollWidth > text.clientWidth];
			})(`+strconv.Quote(name)+`)`)
			require.Equal(t, []bool{true, true}, got, "%s: the first letter of %s is seen, and it is cut", page, name)
		}
		b.calm()
	}
	require.Equal(t, "arabic-indic", eval[string](b, `(() => {
		document.querySelector("main").insertAdjacentHTML("beforeend", "<ol class=zz><li>x</li></ol>");
		return getComputedStyle(document.querySelector(".zz li")).listStyleType; })()`))
}
