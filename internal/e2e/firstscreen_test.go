package e2e

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/cmd/web/demo"
)

// eightWidths are the widths at which nothing of a row may be cut.
var eightWidths = []int64{360, 768, 900, 1024, 1180, 1280, 1440, 1920}

// cutInRows names what is cut in the rows of a list, by its own box, by one around it or at the edge of the list: verdicts,
// figures, names of files and all marks. Of the marks, what a verdict or a check says already and what passed may be read
// out alone where the list is narrow, and a reason ends in dots. The dots of a claim that is cut are seen: Chromium writes
// them behind the line, which in the page's other direction ends at the edge that all claims have in common.
const cutInRows = `(() => { const out = [], box = e => e.getBoundingClientRect(), list = box(document.querySelector("#results"));
	for (const row of document.querySelectorAll("tr.row")) {
		const said = (e, what) => out.push(row.id + ": " + e.textContent.trim().replace(/\s+/g, " ") + " " + what);
		const whole = e => {
			const style = getComputedStyle(e);
			if (e.scrollWidth > e.clientWidth + 1 && style.display !== "inline" && style.textOverflow !== "ellipsis") said(e, "is cut by its own box");
			for (const r of e.getClientRects()) {
				if (r.left < list.left - 1 || r.right > list.right + 1) said(e, "is cut by the list");
				for (let a = e.parentElement; a !== row.parentElement; a = a.parentElement) {
					const s = box(a), cuts = a === row || getComputedStyle(a).overflow !== "visible";
					if (cuts && s.width && (r.left < s.left - 1 || r.right > s.right + 1 || r.bottom > s.bottom + 2 || r.top < s.top - 2)) said(e, "is cut by " + a.className);
				}
			}
		};
		for (const e of row.querySelectorAll(".badge, .pct, .src > bdi, .src > .partial, .c-type")) if (e.textContent.trim() && e.checkVisibility()) whole(e);
		if (!row.querySelector(".badge").checkVisibility()) said(row, "has no badge");
		for (const e of row.querySelectorAll(".c-marks > *, .was:has(.mark-who) > *")) {
			if (list.width < 640 && e.matches(".mark-flag.known, .mark-check.quiet")) continue;
			if (box(e).width <= 2 || box(e).height <= 2) said(e, "is not seen");
			if (!e.title && !e.matches(".was, .was > *, .mark-who")) said(e, "has no name as title");
			whole(e);
		}
		const claim = row.querySelector("a.open"), style = getComputedStyle(claim);
		if (claim.scrollHeight > claim.clientHeight + 1 && claim.dir !== document.documentElement.dir && style.overflowX !== "visible") said(claim, "is cut without dots");
	}
	return out; })()`

// lostInHead names the tabs of a ledger, and the verdicts above its list, that are not seen whole, each with its word.
const lostInHead = `(() => { const out = [], figures = document.querySelector(".bench-line .figures").getBoundingClientRect();
	for (const e of document.querySelectorAll(".bench .tabs:not(.view-tabs) a, .bench-line .figures [class*='v-'] :is(a, .word)")) {
		const r = e.getBoundingClientRect(), box = e.closest(".figures") ? figures : {left: 0, right: innerWidth, bottom: innerHeight};
		if (e.checkVisibility() && (r.width <= 2 || r.left < box.left - 1 || r.right > box.right + 1 || r.bottom > box.bottom + 1)) out.push(e.textContent.trim());
		if (e.matches("a") && e.scrollWidth > e.closest("nav, ul").clientWidth + 1) out.push(e.textContent.trim() + " is wider than its line");
	}
	return out; })()`

// TestNothingOfARowIsCut checks four reviews of the demo, one of them with a source that was withdrawn, at eight widths in
// both languages: no verdict with its figure, no source, no type and no mark is cut or left out in any row of any of their
// pages; and each tab and each verdict's count is seen with its word.
func TestNothingOfARowIsCut(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	withdrawn := a.importAs(t, a.actor, "", strings.ReplaceAll(mixedSession(t), `"Mixed"`, `"Withdrawn"`))
	paths := []string{a.session("leave-policy.json"), a.session("vendor-review.json"), a.session("procurement-ar.json"), withdrawn}
	b := open(t, a)
	b.window(1280, 800)
	b.visit(withdrawn + "?tab=sources")
	document := eval[string](b, `document.querySelector("#sources a[href*='/documents/']").pathname`)
	_, page := a.get(t, document)
	a.send(t, member{a.actor, a.cookie.Value}, document+"/withdraw", url.Values{"reason": {"Superseded."},
		"revision": {regexp.MustCompile(`name="revision" value="(\d+)"`).FindStringSubmatch(page)[1]}})
	for _, path := range paths {
		for _, lang := range []string{"en", "ar"} {
			for at := path + "?lang=" + lang; at != ""; at = eval[string](b, `document.querySelector("a[rel=next]")?.getAttribute("href") ?? ""`) {
				b.visit(at)
				b.until("document.fonts.status === 'loaded'")
				for _, width := range eightWidths {
					b.window(width, 800)
					require.Empty(t, eval[[]string](b, cutInRows), "%s %s %d", at, lang, width)
					require.Empty(t, eval[[]string](b, lostInHead), "%s %s %d", at, lang, width)
					require.LessOrEqual(t, eval[int](b, "document.documentElement.scrollWidth - innerWidth"), 0, "%s %s %d", at, lang, width)
				}
			}
			require.True(t, eval[bool](b, `document.querySelector("td.c-type").checkVisibility()`), "the type at 1,920 px")
			b.window(1280, 800)
			require.False(t, eval[bool](b, `document.querySelector("td.c-type").checkVisibility()`), "no type at 1,280 px")
		}
	}
	b.visit(paths[0] + "?lang=en&layout=set&typecol=shown&show=answer&show=list&show=case&show=flags&show=checks&show=comments&show=who&show=source")
	require.True(t, eval[bool](b, `document.querySelector("td.c-type").checkVisibility()`), "the type, chosen")
	require.Contains(t, b.text("#claim-1 .c-source"), "HR_Policy.pdf, p. 12")
	require.Contains(t, b.text("#claim-3 .c-source"), "(partial match)")
}

// wordsSeen counts the words of the page that are seen in the window without scrolling: those of which a part larger than
// two pixels lies within the window and within every box around them that cuts or scrolls what it holds.
const wordsSeen = `(() => { let n = 0; const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let t; t = walk.nextNode();) {
		if (!t.parentElement.checkVisibility({visibilityProperty: true})) continue;
		let [left, top, right, bottom] = [0, 0, innerWidth, innerHeight];
		for (let e = t.parentElement; e; e = e.parentElement) if (getComputedStyle(e).overflow !== "visible") {
			const s = e.getBoundingClientRect();
			[left, top, right, bottom] = [Math.max(left, s.left), Math.max(top, s.top), Math.min(right, s.right), Math.min(bottom, s.bottom)];
		}
		for (const m of t.data.matchAll(/\S+/g)) {
			const r = document.createRange();
			r.setStart(t, m.index);
			r.setEnd(t, m.index + m[0].length);
			const q = r.getBoundingClientRect();
			if (Math.min(q.right, right) - Math.max(q.left, left) > 2 && Math.min(q.bottom, bottom) - Math.max(q.top, top) > 2) n++;
		}
	}
	return n; })()`

// TestFirstScreensSayLittle counts the words on the first screen of 1280 × 800: of the ledger that the demo leads to and
// of a new review; and of the head of the largest ledger, whose columns are full of the text that is reviewed.
func TestFirstScreensSayLittle(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	b.window(1280, 800)
	for _, c := range []struct {
		name, path string
		most       int
	}{
		{"ledger", a.session("leave-policy.json"), 380}, {"new", "/sessions/new", 100},
		{"large ledger", a.session("vendor-review.json"), 470},
	} {
		for _, lang := range []string{"en", "ar"} {
			b.visit(c.path + "?lang=" + lang)
			b.whole()
			n := eval[int](b, wordsSeen)
			t.Logf("%s %s: %d words", c.name, lang, n)
			require.LessOrEqual(t, n, c.most, "%s %s", c.name, lang)
		}
	}
	b.visit(a.session("vendor-review.json") + "?lang=en")
	require.LessOrEqual(t, eval[float64](b, `document.querySelector(".bench .title").getBoundingClientRect().height`), 48.5)
	require.Equal(t, b.text(".bench h1"), eval[string](b, `document.querySelector(".bench h1").title`))
}

// TestTheHeaderIsOneRow checks the header from 768 px on, in both languages.
func TestTheHeaderIsOneRow(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	for _, lang := range []string{"en", "ar"} {
		b.visit("/sessions?lang=" + lang)
		b.until("document.fonts.status === 'loaded'")
		for _, width := range []int64{768, 800, 860, 900, 1000, 1024, 1180, 1280, 1440, 1920} {
			b.width(width)
			name := fmt.Sprintf("%s %d", lang, width)
			require.LessOrEqual(t, eval[float64](b, `document.querySelector(".top").getBoundingClientRect().height`), 62.0, name)
			require.Empty(t, eval[[]string](b, headerFaults), name)
		}
		b.width(768)
		b.click(".more-places summary")
		require.Equal(t, 5, eval[int](b, `[...document.querySelectorAll(".more-places a")].filter(e => e.checkVisibility()).length`))
		b.accessible("places in a menu " + lang)
	}
}

// TestKeysSetVerdictsAndGoOn: 1 to 4 choose a verdict and lead to the reason, with the claim and its source in view; the
// button goes on to the next claim as the key does; at the end stand what is left, the next session and the step that
// closes this one.
func TestKeysSetVerdictsAndGoOn(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	b.window(1280, 800)
	path := a.session("leave-policy.json")
	b.visit(path + "?lang=en&claim=1")
	b.shows(1)
	inSight := func(what string) {
		t.Helper()
		require.True(t, eval[bool](b, `(form => [...document.querySelectorAll("#pane .claim-text, #pane blockquote .core")].length > 1 &&
			[...document.querySelectorAll("#pane .claim-text, #pane blockquote .core")].every(e => (r => r.top >= 0 && r.bottom <= form.top + 1)(e.getBoundingClientRect())))(
			document.querySelector("form.review").getBoundingClientRect())`), what)
	}
	b.keys("o")
	b.until(`document.activeElement.id === "r-v"`)
	inSight("claim and source stand beside the form")
	b.visit(path + "?lang=en&claim=1")
	b.shows(1)
	for key, verdict := range map[string]string{"1": "supported", "2": "weak", "3": "contradicted", "4": "not_found"} {
		eval[bool](b, `(document.activeElement.blur(), true)`)
		b.keys(key)
		b.until(`document.getElementById("r-v").value === "` + verdict + `" && document.activeElement.id === "r-r"`)
	}
	inSight("beside the reason")
	eval[bool](b, `(document.activeElement.blur(), true)`)
	b.keys("3")
	b.typeInto("#r-r", "The policy says otherwise.")
	b.click("#pane button.if-override")
	b.shows(2)
	require.Contains(t, b.text("#claim-1 .badge"), "Contradicted")
	for _, next := range []int{3, 4} {
		b.loaded()
		b.until(`document.querySelector("form.review[data-htmx-powered]")`)
		b.click("#pane button.if-confirm")
		b.shows(next)
	}
	b.until(`document.querySelector("form.review[data-htmx-powered]")`)
	b.keys("c")
	b.until(`document.querySelector("#progress").textContent.includes("4 of 4 claims settled")`)
	b.until(`document.activeElement.closest("#list-end")`)
	require.Contains(t, b.text("#list-end"), "Every claim is settled.")
	require.Contains(t, b.text("#list-end"), "Close the session")
	b.accessible("the end of the list")
	b.submit(`#list-end a[href^="/next"]`)
	require.Regexp(t, `^/sessions/`, b.path())
	require.NotEqual(t, path, b.path())
}

// blocks are paragraphs of an answer that mix languages, each with the direction that it is read in.
var blocks = []struct{ markdown, dir string }{
	{"The policy grants thirty days of leave.", "ltr"},
	{"تمنح السياسة ثلاثين يومًا من الإجازة.", "rtl"},
	{"The policy says «يستحق كل موظف ثلاثين يومًا من الإجازة السنوية المدفوعة الأجر».", "ltr"},
	{"The clause reads: “تُدفع المبالغ خلال ثلاثين يومًا من تاريخ استلام الفاتورة المعتمدة”.", "ltr"},
	{"It means \"لا يجوز التنازل عن العقد دون موافقة خطية مسبقة من الطرف الأول\".", "ltr"},
	{"نصت السياسة على أن “every employee is entitled to thirty days of paid annual leave”.", "rtl"},
	{"ورد في البند «payment is due within thirty days of receipt of the approved invoice».", "rtl"},
	{"«يستحق كل موظف ثلاثين يومًا من الإجازة السنوية» is what the policy says.", "ltr"},
	{"“Every employee is entitled to leave” هذا ما نصت عليه السياسة.", "rtl"},
	{"SAP هو نظام الدفع المعتمد في الشركة.", "rtl"},
	{"Oracle وSAP نظامان معتمدان.", "rtl"},
	{"نظام العمل is the labour law of the Kingdom.", "ltr"},
	{"نظام العمل (Labour Law of the Kingdom of Saudi Arabia) يحكم هذه العلاقة.", "rtl"},
	{"The labour law (نظام العمل في المملكة العربية السعودية) governs this.", "ltr"},
	{"30 days of leave are granted.", "ltr"},
	{"30 يومًا من الإجازة تُمنح.", "rtl"},
	{"٣٠ يومًا من الإجازة.", "rtl"},
	{"12,500 SAR are due in 2026.", "ltr"},
	{"12,500 ريال مستحقة في 2026.", "rtl"},
	{"(1) يجب على المورد التسليم.", "rtl"},
	{"(1) The supplier must deliver.", "ltr"},
	{"– يلتزم المورد بالتسليم.", "rtl"},
	{"The supplier's duty is المورد ملزم بالتسليم, as agreed between both of them.", "ltr"},
	{"Payment within 14 days; تأخير السداد ممنوع here, in short.", "ltr"},
	{"# Annual leave", "ltr"},
	{"# الإجازة السنوية", "rtl"},
	{"## HR Policy: الإجازات", "ltr"},
	{"## سياسة HR", "rtl"},
	{"- The first point names نظام العمل.", "ltr"},
	{"- النقطة الأولى عن SAP S/4HANA.", "rtl"},
	{"- SAP S/4HANA هو نظام الدفع.", "rtl"},
	{"1. Delivery within thirty days.", "ltr"},
	{"1. التسليم خلال ثلاثين يومًا.", "rtl"},
	{"> Employees receive thirty days.", "ltr"},
	{"> يستحق الموظف ثلاثين يومًا.", "rtl"},
	{"> SWIFT MT103 أُرسل قبل الموافقة على الصرف.", "rtl"},
	{"```\nrelease(draft=true) # المورد\n```", "ltr"},
	{"استُدعيت الأداة `payments.release(draft=true, amount=12500, currency=SAR)` مرتين.", "rtl"},
	{"The tool `صرف_المبلغ المعتمد للمورد` was called twice.", "ltr"},
	{"**Rule** يلتزم الطرف الثاني بالسرية التامة.", "rtl"},
}

// TestEachBlockHasItsOwnDirection shows an answer of forty blocks, within an English and an Arabic page: each is read in
// the direction of its own words, and begins at that side.
func TestEachBlockHasItsOwnDirection(t *testing.T) {
	t.Parallel()
	require.Len(t, blocks, 40)
	a := startApp(t)
	b := open(t, a)
	all := make([]string, len(blocks))
	for i, x := range blocks {
		all[i] = x.markdown
	}
	session, err := json.Marshal(map[string]any{"format": "sanad.session/v1",
		"session":   map[string]any{"title": "Forty", "query": "When?", "lang": "en", "answer": strings.Join(all, "\n\n")},
		"documents": []any{map[string]any{"id": "d", "filename": "d.md", "text": "Employees receive thirty days of leave.\n\nيستحق الموظف ثلاثين يومًا من الإجازة.\n\nThe manual says «يستحق كل موظف إجازة سنوية مدفوعة»."}}})
	require.NoError(t, err)
	path := a.importAs(t, a.actor, "", string(session))
	for _, lang := range []string{"en", "ar"} {
		b.visit(path + "?tab=answer&lang=" + lang)
		shown := eval[[][]string](b, `[...document.querySelectorAll(".answer > *")].map(e => [getComputedStyle(e).direction, e.textContent.trim().replace(/\s+/g, " "), e.closest("[dir]").dir])`)
		require.Len(t, shown, len(blocks))
		for i, x := range blocks {
			require.Equal(t, x.dir, shown[i][0], "%s: %s (%s)", lang, x.markdown, shown[i][1])
		}
		quoting := b.ends(".answer > p", "The policy says")
		require.InDelta(t, quoting.Box.Left, quoting.Text.Left, near, "English that quotes Arabic begins at the left")
		quoted := b.ends(".answer > p", "نصت السياسة على")
		require.InDelta(t, quoted.Box.Right, quoted.Text.Right, near, "Arabic that quotes English begins at the right")
	}
	b.visit(path + "?lang=en")
	for _, c := range []struct{ words, dir string }{{"thirty days of leave", "ltr"}, {"تمنح السياسة", "rtl"}, {"The clause reads", "ltr"}} {
		require.Equal(t, c.dir, eval[string](b, fmt.Sprintf(`(e => e ? getComputedStyle(e).direction : "no claim")([...document.querySelectorAll("a.open")].find(e => e.textContent.includes(%q)))`, c.words)), c.words)
	}
	document := eval[string](b, `document.querySelector("a[href*='/documents/']").getAttribute("href")`)
	b.visit(document)
	require.Equal(t, []string{"ltr", "rtl", "ltr"}, eval[[]string](b, `[...document.querySelectorAll(".sheet p[data-at]")].map(e => getComputedStyle(e).direction)`))
}

// TestOneFigureAClaim reads the demo's reviews on their pages in Chromium, in the Markdown and in the PDF: each claim shows one
// figure, the same in all three, or none in all three (rule L-28).
func TestOneFigureAClaim(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	inMarkdown := regexp.MustCompile(`(?m)^- \*\*Verdict:\*\* (.*)$`)
	share := regexp.MustCompile(`\(Confidence: (\d+)%\)`)
	whose := regexp.MustCompile(`(?m)^- #(\d+): .*?(?:probability|says) (\d+)%`)
	inPDF := regexp.MustCompile(`(?:Probability|Similarity) (\d+)%`)
	shown := 0
	for _, name := range demo.Files {
		path := a.session(name)
		page := map[int]string{}
		for at := path; at != ""; at = eval[string](b, `document.querySelector("a[rel=next]")?.getAttribute("href") ?? ""`) {
			b.visit(at)
			for n, figure := range eval[map[int]string](b, `Object.fromEntries([...document.querySelectorAll("tr.row")].map(r =>
				[r.querySelector(".n").textContent, [...r.querySelectorAll(".pct")].map(e => e.textContent.replace(/[^0-9]/g, "")).join(" and ")]))`) {
				page[n] = figure
			}
		}
		_, md := a.get(t, path+"/export/markdown")
		verdicts := inMarkdown.FindAllStringSubmatch(md, -1)
		require.Len(t, verdicts, len(page), name)
		said := map[int]string{}
		for _, m := range whose.FindAllStringSubmatch(md, -1) {
			n, err := strconv.Atoi(m[1])
			require.NoError(t, err)
			said[n] = m[2]
		}
		_, pdf := a.get(t, path+"/export/pdf?language=en")
		var printed, expected []string
		for _, m := range inPDF.FindAllStringSubmatch(strings.Join(pdfPages(t, []byte(pdf), "figures"), " "), -1) {
			printed = append(printed, m[1])
		}
		for i, m := range verdicts {
			figure := strings.Join(append(share.FindStringSubmatch(m[1]), "", "")[1:2], "")
			require.Equal(t, page[i+1], figure, "%s, claim %d: page, Markdown", name, i+1)
			require.Equal(t, figure, said[i+1], "%s, claim %d: whose figure it is", name, i+1)
			if figure != "" {
				expected = append(expected, figure)
			}
		}
		slices.Sort(printed)
		slices.Sort(expected)
		require.Equal(t, expected, printed, "%s: Markdown, PDF", name)
		shown += len(expected)
	}
	require.Greater(t, shown, 50)
}
