package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain/pack"
)

// ends is where the first and the last visible letter of an element stand, and the element's box.
type ends struct {
	First, Last, Box rect
	Text             rect // around all its letters
}

type rect struct{ Left, Right, Top, Bottom float64 }

// measure is the script that fills ends for element e; hidden words are passed over.
const measure = `(e => {
	const letters = [], walk = document.createTreeWalker(e, NodeFilter.SHOW_TEXT);
	for (let n; n = walk.nextNode();) {
		if (n.parentElement.closest(".vh")) continue;
		for (const m of n.data.matchAll(/[\p{L}\p{N}]/gu)) letters.push([n, m.index, m.index + m[0].length]);
	}
	const at = ([n, from, to]) => {
		const r = document.createRange();
		r.setStart(n, from);
		r.setEnd(n, to);
		return r.getBoundingClientRect();
	};
	const out = r => ({Left: r.left, Right: r.right, Top: r.top, Bottom: r.bottom});
	const all = letters.map(at);
	return {First: out(all[0]), Last: out(all.at(-1)), Box: out(e.getBoundingClientRect()), Text: {
		Left: Math.min(...all.map(r => r.left)), Right: Math.max(...all.map(r => r.right)),
		Top: Math.min(...all.map(r => r.top)), Bottom: Math.max(...all.map(r => r.bottom))}};
})`

// ends measures the first element of a selector whose text has some words.
func (b *tab) ends(selector, words string) ends {
	b.t.Helper()
	find := fmt.Sprintf("[...document.querySelectorAll(%q)].find(e => e.textContent.includes(%q))", selector, words)
	b.until(find)
	return eval[ends](b, measure+"("+find+")")
}

// phrase measures words within an element of a selector: where they stand, whatever elements they are split into.
func (b *tab) phrase(selector, words string) ends {
	b.t.Helper()
	return eval[ends](b, fmt.Sprintf(`(() => {
		const e = [...document.querySelectorAll(%q)].find(e => e.textContent.includes(%q));
		const nodes = [], walk = document.createTreeWalker(e, NodeFilter.SHOW_TEXT);
		for (let n; n = walk.nextNode();) nodes.push(n);
		let at = e.textContent.indexOf(%q);
		const rects = [];
		for (const n of nodes) {
			for (let i = 0; i < n.length; i++, at--) {
				if (at > 0 || at <= -%d) continue;
				const r = document.createRange();
				r.setStart(n, i);
				r.setEnd(n, i + 1);
				rects.push(r.getBoundingClientRect());
			}
		}
		const out = r => ({Left: r.left, Right: r.right, Top: r.top, Bottom: r.bottom});
		return {First: out(rects[0]), Last: out(rects.at(-1)), Box: out(e.getBoundingClientRect()), Text: {
			Left: Math.min(...rects.map(r => r.left)), Right: Math.max(...rects.map(r => r.right)), Top: 0, Bottom: 0}};
	})()`, selector, words, words, len([]rune(words))))
}

// near is how far, in pixels, two edges that are level may be apart: side bearings of letters.
const near = 4.0

// mixedMemo is an Arabic memo that names tools, systems and amounts.
const mixedMemo = `استُدعيت الأداة payments.release(draft=true) بمبلغ 12,500.00 درهم في 2026-11-20.

1. SAP S/4HANA هو نظام الدفع.
2. ثم أُبلغ المورد.

> SWIFT MT103 أُرسل قبل الموافقة.`

// mixedDraft creates a draft with a mixed memo and returns its page.
func (o *bureau) mixedDraft(t *testing.T) string {
	t.Helper()
	ctx, who := context.Background(), o.people["yousef"]
	id := o.broken(t)
	v, err := o.store.Pack(ctx, o.tenant.ID, id)
	require.NoError(t, err)
	_, err = o.store.UpdatePack(ctx, who, id, v.Life.Revision, db.Answering{}, func(k *pack.Content) error {
		m := k.Memo
		m.TitleAR, m.BodyEN, m.BodyAR = "مذكرة", "The law «نظام العمل» (2024) applies.\n\n1. نظام العمل applies.", mixedMemo
		return k.SetMemo(m)
	})
	require.NoError(t, err)
	return "/packs/" + id
}

// mixedSession is a session in English whose sources and claims are partly in Arabic.
func mixedSession(t *testing.T) string {
	t.Helper()
	name := "تقرير-" + strings.Repeat("المراجعة-السنوية-", 8) + "النهائي.pdf"
	data, err := json.Marshal(map[string]any{
		"format": "sanad.session/v1",
		"session": map[string]any{"title": "Mixed", "query": "When?", "lang": "en",
			"answer": "Refunds are paid within two weeks. تُصرف المكافأة السنوية خلال ثلاثين يومًا من نهاية السنة. " +
				"SAP هو نظام الدفع المعتمد. " +
				"The prevailing Arabic text provides that «تُحفظ بيانات العميل وتُعالَج داخل المملكة العربية السعودية ولا تُنقل»."},
		"documents": []any{map[string]any{"id": "d", "filename": name, "lang": "ar",
			"text": "لا تُصرف المكافأة السنوية خلال ثلاثين يومًا من نهاية السنة. SAP هو نظام الدفع المعتمد."}},
	})
	require.NoError(t, err)
	return string(data)
}

// TestMixedDirection measures where the first and last letters of mixed text stand (rule WEB-14).
func TestMixedDirection(t *testing.T) {
	t.Parallel()
	o := startBureau(t)
	b := open(t, o.app)
	b.as(o, "yousef")
	draft := o.mixedDraft(t)
	for _, lang := range []string{"en", "ar"} {
		t.Run("memo-"+lang, func(t *testing.T) { memoDirections(t, b, draft+"?lang="+lang) })
	}
	session := o.importAs(t, o.people["yousef"], "mixed.json", mixedSession(t))
	for _, lang := range []string{"en", "ar"} {
		t.Run("ledger-"+lang, func(t *testing.T) { ledgerDirections(t, b, session, lang) })
	}
}

// memoDirections holds the Arabic column of a memo to the right-hand edge and each foreign run to its own order.
func memoDirections(t *testing.T, b *tab, path string) {
	t.Helper()
	b.t = t
	b.visit(path)
	const item, para, quote = `[data-lang="ar"] .answer-li`, `[data-lang="ar"] .memo-block > p`, `[data-lang="ar"] .answer-quote`
	li := b.ends(item, "SAP S/4HANA")
	words := b.ends(item+" > span:last-child", "SAP S/4HANA")
	require.Less(t, words.Last.Right, words.First.Left, "the item reads from the right, though its first word is Latin")
	require.InDelta(t, words.Box.Right, words.Text.Right, near, "the item begins at the right")
	require.Less(t, words.Box.Right, li.Box.Right, "its number stands to the right of it")
	marker := b.ends(item+" > .marker", "")
	require.GreaterOrEqual(t, marker.Text.Left, words.Text.Right)

	tool, amount := b.phrase(para, "payments.release(draft=true)"), b.phrase(para, "12,500.00")
	require.Less(t, tool.First.Left, tool.Last.Left, "a tool's name reads from the left")
	require.Less(t, amount.Text.Right, tool.Text.Left, "the amount comes after the name: to its left")
	require.Less(t, amount.First.Left, amount.Last.Left)
	day := b.phrase(para, "2026-11-20")
	require.Less(t, day.First.Left, day.Last.Left)
	whole := b.ends(para, "payments.release")
	require.InDelta(t, whole.Box.Right, whole.First.Right, near, "the paragraph begins at the right")

	q := b.ends(quote, "SWIFT")
	require.Less(t, q.Last.Right, q.First.Left)
	require.Greater(t, q.Box.Right-q.Text.Right, q.Text.Left-q.Text.Left+near, "room for the bar at the right")
	require.Equal(t, []string{"0px", "3px"}, eval[[]string](b, `(s => [s.borderLeftWidth, s.borderRightWidth])
		(getComputedStyle(document.querySelector('[data-lang="ar"] .answer-quote')))`))

	en := b.ends(`[data-lang="en"] .answer-li > span:last-child`, "applies")
	require.Less(t, en.First.Right, en.Last.Left+near, "an English item that begins in Arabic reads from the left")
	require.InDelta(t, en.Box.Left, en.Text.Left, near)
	law, year := b.phrase(`[data-lang="en"] .memo-block > p`, "نظام العمل"), b.phrase(`[data-lang="en"] .memo-block > p`, "2024")
	require.Less(t, law.Text.Right, year.Text.Left+near, "the year follows the name of the law")
}

// ledgerDirections holds rows, quotations and file names of a ledger to their columns.
func ledgerDirections(t *testing.T, b *tab, session, lang string) {
	t.Helper()
	b.t = t
	b.visit(session + "?claim=2&lang=" + lang)
	const row = ".ledger a.open"
	latin, arabic, mixed := b.ends(row, "two weeks"), b.ends(row, "المكافأة"), b.ends(row, "SAP")
	require.Less(t, latin.First.Left, latin.Last.Left)
	require.Greater(t, arabic.First.Left, arabic.Last.Left)
	require.Greater(t, mixed.First.Left, mixed.Last.Left, "an Arabic claim that begins with a Latin word")
	for _, e := range []ends{latin, arabic, mixed} {
		if lang == "en" {
			require.InDelta(t, e.Box.Left, e.Text.Left, near, "at the start of its column")
		} else {
			require.InDelta(t, e.Box.Right, e.Text.Right, near, "at the start of its column")
		}
	}
	quotationDirection(t, b)
	fileNameDirection(t, b, lang)
	b.window(360, 740)
	cut := eval[[]string](b, `[...document.querySelectorAll("`+row+`")].filter(e => e.textContent.includes("prevailing"))`+
		`.map(e => e.scrollHeight > e.clientHeight + 1 ? "cut" : "whole")`)
	require.Equal(t, []string{"whole"}, cut, "the dots would stand at the beginning of the Arabic words that are cut")
	b.window(1280, 800)
}

// quotationDirection holds an Arabic quotation that begins with a conflicting word to the right, with its bar there.
func quotationDirection(t *testing.T, b *tab) {
	t.Helper()
	q := b.ends("blockquote", "المكافأة")
	require.InDelta(t, q.Box.Right, q.First.Right, 40, "the quotation begins at the right")
	require.Greater(t, q.First.Left, q.Last.Right)
	const first = `[...document.querySelectorAll("blockquote")].find(e => e.textContent.includes("المكافأة"))`
	require.True(t, eval[bool](b, first+`.querySelector(".d-conflict") != null && `+
		first+`.textContent.trimStart().startsWith(`+first+`.querySelector(".d-conflict").textContent)`),
		"this case is a quotation whose first word conflicts")
	bars := eval[[]float64](b, `(() => { for (let e = `+first+`; e; e = e.parentElement) {
		const s = getComputedStyle(e), l = parseFloat(s.borderLeftWidth), r = parseFloat(s.borderRightWidth);
		if (l !== r) return [l, r];
	} return [] })()`)
	require.Len(t, bars, 2)
	require.Greater(t, bars[1], bars[0], "the bar stands at the quotation's own start, the right")
}

// fileNameDirection holds a long Arabic file name to its column's start, with no part of it cut.
func fileNameDirection(t *testing.T, b *tab, lang string) {
	t.Helper()
	name := b.ends(".ledger .src bdi", "المراجعة")
	require.LessOrEqual(t, name.First.Right, name.Box.Right+1, "its beginning is seen")
	require.GreaterOrEqual(t, name.Last.Left, name.Box.Left-1, "its end is seen")
	cell := b.ends(".ledger tr:has(.src) .src", "المراجعة").Box
	require.InDelta(t, cell.Right, name.Box.Right, near, lang)
}

// guessed finds what goes by its first letter: hidden words in an element with dir="auto", which decide for the seen
// ones, and any running text with dir="auto".
const guessed = `[...document.querySelectorAll('[dir="auto"]')].flatMap(e => {
	if (e.matches("input, textarea")) return [];
	const hidden = [...e.querySelectorAll("*")].filter(x => /\p{L}/u.test(x.textContent) &&
		(x.matches(".vh, [hidden]") || getComputedStyle(x).display === "none"));
	return hidden.map(x => "hidden words in " + e.outerHTML.slice(0, 200));
})`

// TestNothingHiddenDecidesADirection walks every page: no hidden words stand in an element with dir="auto".
func TestNothingHiddenDecidesADirection(t *testing.T) {
	t.Parallel()
	o := startBureau(t)
	a := startApp(t)
	b, mine := open(t, o.app), open(t, a)
	found := map[string]string{}
	check := func(b *tab, page, path string) {
		for _, lang := range []string{"en", "ar"} {
			b.visit(withQuery(path, "lang="+lang))
			for _, what := range eval[[]string](b, guessed) {
				found[what] = page + " " + lang
			}
		}
	}
	for _, p := range o.packPages(t) {
		b.as(o, p.who)
		check(b, p.name, p.path)
	}
	b.as(o, "khalid")
	for _, path := range []string{"/audit", "/admin/users", "/admin/tokens", "/admin/keys", "/admin/erasures", "/admin/webhooks", "/admin/traces",
		"/admin/policy", "/account", "/admin"} {
		check(b, path, path)
	}
	for name, path := range pages(t, a) {
		path, _, _ = strings.Cut(path, "#")
		check(mine, name, path)
	}
	check(mine, "gallery", "/dev/gallery")
	lines := make([]string, 0, len(found))
	for what, page := range found {
		lines = append(lines, page+": "+what)
	}
	sort.Strings(lines)
	require.Empty(t, lines)
}
