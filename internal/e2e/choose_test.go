package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// chosen are the numbers of the claims whose boxes are checked, as the bar counts them.
func (b *tab) chosen(want ...string) {
	b.t.Helper()
	b.until(fmt.Sprintf(`document.querySelector("[data-chosen]").textContent === "%d"`, len(want)))
	got := eval[[]string](b, `[...document.querySelectorAll("input[name=pick]:checked")].map(box => box.value)`)
	if len(want) == 0 {
		require.Empty(b.t, got)
		return
	}
	require.Equal(b.t, want, got)
}

// shift presses a key with Shift.
func (b *tab) shift(key string) {
	b.t.Helper()
	b.loaded()
	b.do(chromedp.KeyEvent(key, chromedp.KeyModifiers(chromedp.ModifierShift)))
}

// TestChooseClaims chooses claims by mouse and keyboard, confirms them, and takes that back as one (rule P-26).
func TestChooseClaims(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	path := a.fifty(t)
	b := open(t, a)
	b.window(1280, 800)
	b.visit(path)
	require.False(t, eval[bool](b, `document.querySelector("#bulk button").checkVisibility()`), "nothing is chosen")

	b.click(`input[name=pick][value="2"]`)
	b.chosen("2")
	eval[bool](b, `(document.querySelector('input[name=pick][value="5"]').dispatchEvent(new MouseEvent("click",
		{bubbles: true, cancelable: true, shiftKey: true})), true)`)
	b.chosen("2", "3", "4", "5")
	b.click("[data-select-all]")
	b.until(`document.querySelectorAll("input[name=pick]:checked").length === 50`)
	b.click("[data-select-all]")
	b.chosen()

	b.keys("j")
	b.until(`document.activeElement.id === "open-1"`)
	b.keys("x")
	b.chosen("1")
	b.shift(kb.ArrowDown)
	b.shift(kb.ArrowDown)
	b.chosen("1", "2", "3")
	b.until(`document.activeElement.id === "open-3"`)
	b.shift(kb.ArrowUp)
	b.chosen("1", "2")
	b.keys("x") // the row in focus
	b.chosen("1")
	b.keys("j")
	b.keys("x")
	b.chosen("1", "3")
	b.accessible("two claims chosen")
	b.submit("#bulk button")
	require.Contains(t, b.text(".bulk-page"), "2 claims would be confirmed")
	b.accessible("bulk page")
	b.submit(".bulk-page .btn-primary")
	require.Contains(t, b.text("#progress"), "2 of 50 claims settled")
	b.submit(".notice button")
	require.Contains(t, b.text("#progress"), "0 of 50 claims settled")
	b.calm()
}

// TestReviewBesideTheListCounts checks that a review beside the list refreshes what can be confirmed, the count of the
// filter, the figures and the progress.
func TestReviewBesideTheListCounts(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	path := a.fifty(t)
	b := open(t, a)
	b.window(1280, 800)
	b.visit(path + "?verdict=weak&unsettled=1")
	require.Contains(t, b.text(".bulk > a"), "Confirm all 16 matching claims")
	b.keys("j")
	b.until(`document.activeElement.id === "open-3" && document.querySelector("#pane .claim-view")?.dataset.n === "3"`)
	b.keys("c")
	b.until(`document.querySelector(".bulk > a").textContent.includes("Confirm all 15 matching claims")`)
	b.until(`document.getElementById("count").textContent === "15 of 50 claims"`)
	b.until(`document.querySelector("#progress").innerText.includes("1 of 50 claims settled")`)
	require.False(t, eval[bool](b, `!!document.querySelector("#claim-3 input")`), "it is confirmed")
	b.calm()
}

// columns are the widths of the answer, the list and the evidence, 0 for a hidden one.
func (b *tab) columns() []int {
	b.t.Helper()
	return eval[[]int](b, `[".bench-answer", ".bench-list", ".bench-case"].map(s =>
		Math.round(document.querySelector(".bench-cols > " + s).getBoundingClientRect().width))`)
}

// TestColumnsAreResizedAndHidden checks separators by mouse and keyboard in both directions, the menu of the columns,
// and that a reload keeps all of it; then that the column of evidence, hidden, opens with a claim (rule WEB-16).
func TestColumnsAreResizedAndHidden(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	path := a.session("vendor-review.json")
	b := open(t, a)
	b.window(1280, 800)
	for lang, wider := range map[string]string{"en": kb.ArrowRight, "ar": kb.ArrowLeft} {
		b.visit(path + "?lang=" + lang)
		before := b.columns()
		eval[bool](b, `(document.querySelector('.split[data-split="a"]').focus(), true)`)
		b.keys(wider)
		b.keys(wider)
		after := b.columns()
		require.InDelta(t, before[0]+52, after[0], 14, "%s: %v %v", lang, before, after)
		require.Equal(t, "30", eval[string](b, `document.activeElement.ariaValueNow`))
		b.until(`performance.getEntriesByType("resource").filter(e => e.name.includes("layout=widths")).length === 2`)
		b.visit(path)
		require.Equal(t, after, b.columns(), "a reload keeps the widths")
		b.visit(path + "?layout=reset")
		require.Equal(t, before, b.columns())
	}
	b.visit(path + "?lang=en")
	at := eval[[]float64](b, `(r => [r.left + r.width / 2, r.top + 60])(
		document.querySelector('.split[data-split="l"]').getBoundingClientRect())`)
	mouse := func(kind input.DispatchMouseEventType, x float64) {
		b.do(chromedp.MouseEvent(kind, x, at[1], chromedp.ButtonLeft))
	}
	before := b.columns()
	mouse(chromedp.MousePressed, at[0])
	mouse(chromedp.MouseMoved, at[0]+60)
	mouse(chromedp.MouseReleased, at[0]+60)
	after := b.columns()
	require.InDelta(t, before[1]+60, after[1], 26, "%v %v", before, after)
	require.Equal(t, before[0], after[0])

	hide := func(part string) {
		b.click(".layout-menu summary")
		b.click(`#layout [value="` + part + `"]`)
		b.until(fmt.Sprintf(`document.getElementById("bench").classList.contains("no-%s")`, part))
		b.keys(kb.Escape)
	}
	hide("answer")
	require.Zero(t, b.columns()[0])
	require.True(t, eval[bool](b, `document.querySelector(".tab-answer").checkVisibility()`), "it is a tab then")
	hide("case")
	require.Zero(t, b.columns()[2])
	b.until(`performance.getEntriesByType("resource").filter(e => e.name.includes("layout=set")).length === 2`)
	b.visit(path)
	require.Equal(t, []int{0, 0}, []int{b.columns()[0], b.columns()[2]}, "a reload keeps what is hidden")
	b.click("#claim-5 a.open")
	b.until(`document.querySelector("#pane .claim-view")?.dataset.n === "5"`)
	b.until(`document.querySelector(".bench-case").checkVisibility()`)
	require.Positive(t, b.columns()[2], "it opens with a claim")
	b.accessible("columns hidden")
	b.click("[data-sheet-close]")
	b.until(`!document.querySelector(".bench-case").checkVisibility()`)
	b.visit(path + "?layout=reset")
	require.NotContains(t, b.columns(), 0)
	b.calm()
}

// TestLayoutWithoutScripts hides a column and makes rows compact by the form alone.
func TestLayoutWithoutScripts(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	b.withoutScripts()
	b.window(1280, 800)
	b.visit(a.session("vendor-review.json") + "?verdict=weak")
	height := `document.querySelector("tr.row").getBoundingClientRect().height`
	before := eval[float64](b, height)
	b.click(".layout-menu summary")
	b.click(`#layout [value="answer"]`)
	b.click(`#layout [value="compact"]`)
	b.submit(`#layout [value="set"]`)
	require.Zero(t, b.columns()[0])
	require.Less(t, eval[float64](b, height), before)
	require.Equal(t, "?verdict=weak", eval[string](b, "location.search"), "the filter stays")
	require.Equal(t, 0, eval[int](b, `document.querySelectorAll(".split").length`), "nothing to drag in vain")
	b.click(".layout-menu summary")
	b.submit(`#layout [value="reset"]`)
	require.Positive(t, b.columns()[0])
}
