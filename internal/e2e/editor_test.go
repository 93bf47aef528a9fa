package e2e

import (
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// value returns what a field holds.
func (b *tab) value(id string) string {
	b.t.Helper()
	return eval[string](b, "document.getElementById("+strconv.Quote(id)+").value")
}

// set puts text into a field, and the caret at a place of it, as if typed.
func (b *tab) set(id, text string, caret int) {
	b.t.Helper()
	eval[bool](b, `(() => { const f = document.getElementById(`+strconv.Quote(id)+`); f.focus(); f.select();
		document.execCommand("insertText", false, `+strconv.Quote(text)+`); f.setSelectionRange(`+strconv.Itoa(caret)+`, `+
		strconv.Itoa(caret)+`); return true; })()`)
}

// previews is true once the preview of a part has words in a language.
func previews(part, lang, words string) string {
	return `document.querySelector("#pv-` + part + ` [data-lang=` + lang + `]").textContent.includes(` + strconv.Quote(words) + `)`
}

// TestEditorPreviewsBothLanguages: what is typed in either language is shown beside the other in its own direction,
// paragraphs level; the caret, the place on the page and undo stay; faults and the list of rules follow.
func TestEditorPreviewsBothLanguages(t *testing.T) {
	t.Parallel()
	o := startBureau(t)
	draft := o.broken(t)
	b := open(t, o.app)
	b.as(o, "yousef")
	for _, lang := range []string{"en", "ar"} {
		b.visit("/packs/" + draft + "/edit?lang=" + lang)
		b.set("f-body_en", "First **bold** words.\n\nSecond paragraph that is much longer than its neighbour, so that it takes several lines of its column and the other one waits for it.\n\nThird [E1]", 5)
		b.until(previews("body", "en", "Third E1"))
		b.set("f-body_ar", "الفقرة الأولى.\n\nالثانية.\n\nالثالثة مع Leave_Policy.pdf [E1]", 3)
		b.until(previews("body", "ar", "الثالثة"))
		require.Equal(t, "bold", b.text("#pv-body [data-lang=en] b"))
		require.Equal(t, []string{"ltr", "rtl"}, eval[[]string](b,
			`["en", "ar"].map(l => getComputedStyle(document.querySelector("#pv-body [data-lang=" + l + "]")).direction)`))
		tops := eval[[][]float64](b, `["en", "ar"].map(l => [...document.querySelectorAll("#pv-body [data-lang=" + l + "] .memo-block")].map(x => Math.round(x.getBoundingClientRect().top)))`)
		require.Len(t, tops[0], 3)
		require.Equal(t, tops[0], tops[1], "paragraphs stand level")
		require.Equal(t, "f-body_ar", eval[string](b, "document.activeElement.id"))
		require.Equal(t, 3, eval[int](b, "document.activeElement.selectionStart"), "the caret stays")
		at := eval[float64](b, "scrollY")
		b.keys("x")
		b.until(previews("body", "ar", "الفx"))
		require.InDelta(t, at, eval[float64](b, "scrollY"), 1, "the page stays where it is")

		b.set("f-executive_summary_ar", "ملخص the quick brown fox jumps over the lazy dog and runs away from it", 4)
		b.until(`document.querySelector("#f-executive_summary_ar-e .worth-a-look")`)
		b.set("f-title_ar", "", 0)
		b.until(`document.querySelector('#faults a[href="#f-title_ar"]') && document.getElementById("f-title_ar").ariaInvalid === "true"`)
		b.picture("editor-" + lang)
		b.set("f-title_ar", "العطاء", 6)
		b.until(`!document.querySelector('#faults a[href="#f-title_ar"]') && document.getElementById("f-title_ar").ariaInvalid === null`)
		b.accessible("editor " + lang)
		b.width(360)
		b.accessible("editor, narrow, " + lang)
		b.width(1280)
		b.calm()
		require.Empty(t, eval[[]string](b, `[...document.querySelectorAll("script:not([src])")].map(x => x.outerHTML)`))
		eval[bool](b, `(document.querySelectorAll("textarea, form#memo input").forEach(f => f.value = f.defaultValue), true)`)
	}
}

// TestEditorChips: a reference goes in at the caret of either language, by mouse and by keyboard, with a space where it
// needs one; undo takes it back.
func TestEditorChips(t *testing.T) {
	t.Parallel()
	o := startBureau(t)
	draft := o.broken(t)
	b := open(t, o.app)
	b.as(o, "yousef")
	for _, lang := range []string{"en", "ar"} {
		b.visit("/packs/" + draft + "/edit?lang=" + lang)
		b.set("f-body_en", "See here now", 8)
		b.click(`[aria-controls="f-body_en"] [data-insert="[E1]"]`)
		require.Equal(t, "See here [E1] now", b.value("f-body_en"))
		require.Equal(t, 13, eval[int](b, "document.activeElement.selectionStart"), "the caret is after it")
		eval[bool](b, `document.execCommand("undo")`)
		require.Equal(t, "See here now", b.value("f-body_en"), "Ctrl+Z takes it back")
		b.set("f-body_ar", "انظر", 4)
		eval[bool](b, `(document.querySelector('[aria-controls="f-body_ar"] [tabindex="0"], [aria-controls="f-body_ar"] button').focus(), true)`)
		require.Equal(t, 1, eval[int](b, `[...document.querySelectorAll('[aria-controls="f-body_ar"] button')].filter(x => x.tabIndex === 0).length`),
			"a row of chips is one stop of Tab")
		first := eval[string](b, "document.activeElement.dataset.insert")
		ahead := map[string]string{"en": kb.ArrowRight, "ar": kb.ArrowLeft}[lang]
		b.keys(ahead)
		next := eval[string](b, "document.activeElement.dataset.insert")
		require.NotEqual(t, first, next)
		require.NotEmpty(t, eval[string](b, "document.activeElement.title"), "it says what it stands for")
		b.keys(" ")
		b.until(`document.activeElement.id === "f-body_ar"`)
		require.Equal(t, "انظر "+next, b.value("f-body_ar"))
		b.until(previews("body", "ar", strings.Trim(next, "[]")))
		// the list of the evidence inserts where the caret was last
		b.click(`.evidence-key [data-insert="[E2]"]`)
		require.Equal(t, "انظر "+next+" [E2]", b.value("f-body_ar"))
		b.calm()
		eval[bool](b, `(document.querySelectorAll("textarea").forEach(f => f.value = f.defaultValue), true)`)
	}
}

// TestEditorOutOfReach: where the server is gone, refuses or has signed the reader out, the preview says that it is
// old, and the text stays; once it is back, it is shown.
func TestEditorOutOfReach(t *testing.T) {
	t.Parallel()
	o := startBureau(t)
	draft := o.broken(t)
	b := open(t, o.app)
	b.as(o, "yousef")
	b.visit("/packs/" + draft + "/edit?lang=en")
	eval[bool](b, `(window.real = fetch, window.fetch = () => Promise.reject(new TypeError("offline")), true)`)
	b.set("f-executive_summary_en", "Words without a server", 5)
	b.until(`document.querySelector("#pv-executive_summary.is-old")`)
	require.Contains(t, b.text("#toasts"), "cannot be reached")
	require.Equal(t, 1, eval[int](b, `document.querySelectorAll("#toasts .toast").length`))
	require.Equal(t, "Words without a server", b.value("f-executive_summary_en"))
	b.picture("editor-offline")
	b.accessible("editor offline")
	eval[bool](b, `(window.fetch = window.real, true)`)
	b.keys("x")
	b.until(previews("executive_summary", "en", "Wordsx without") + ` && !document.querySelector(".is-old")`)
	b.set("f-body_en", strings.Repeat("long ", 7000), 3)
	b.until(`document.querySelector("#pv-body.is-old")`)
	require.Contains(t, b.text("#toasts"), "longer than 32 KiB")
	require.Len(t, b.value("f-body_en"), 35000)
	b.accessible("editor too long")
	eval[bool](b, `(document.querySelectorAll("textarea").forEach(f => f.value = f.defaultValue), true)`)
}

// TestEditorWithoutScripts: a button shows the previews and keeps what was typed; nothing is stored; the list of the
// evidence is there to copy from, and the links lead to fields of both forms.
func TestEditorWithoutScripts(t *testing.T) {
	t.Parallel()
	o := startBureau(t)
	draft := o.broken(t)
	b := open(t, o.app)
	b.as(o, "yousef")
	b.withoutScripts()
	for _, lang := range []string{"en", "ar"} {
		b.width(360)
		b.visit("/packs/" + draft + "/edit?lang=" + lang)
		b.do(chromedp.SetValue(chromedp.ID("f-body_ar"), "**نص** جديد [E1]"), chromedp.SetValue(chromedp.ID("f-body_en"), "New **words** [E1]"))
		b.submit(`button[formaction*="/preview"]`)
		require.Equal(t, "/packs/"+draft+"/preview", b.path())
		require.Equal(t, "New **words** [E1]", b.value("f-body_en"))
		require.Equal(t, "words", b.text("#pv-body [data-lang=en] b"))
		require.Equal(t, "نص", b.text("#pv-body [data-lang=ar] b"))
		require.Equal(t, 0, eval[int](b, `[...document.querySelectorAll("[data-insert]")].filter(x => x.offsetWidth).length`))
		require.Contains(t, b.text(".evidence-key"), "[E1]")
		order := eval[[]float64](b, `["#f-body_en", "#pv-body [data-lang=en]", "#f-body_ar", "#pv-body [data-lang=ar]"].map(x => document.querySelector(x).getBoundingClientRect().top)`)
		if lang == "ar" {
			order = []float64{order[2], order[3], order[0], order[1]}
		}
		require.IsIncreasing(t, order, "on a telephone each preview follows its field")
		require.LessOrEqual(t, eval[int](b, "document.documentElement.scrollWidth"), 360)
		b.picture("editor-360-" + lang)
		b.visit("/packs/" + draft + "/edit")
		require.NotContains(t, b.value("f-body_en"), "New **words**", "nothing was stored")
	}
}

// TestTakeMeThere: the link of a broken rule puts the caret into its field, on this page and on another.
func TestTakeMeThere(t *testing.T) {
	t.Parallel()
	o := startBureau(t)
	draft := o.broken(t)
	b := open(t, o.app)
	b.as(o, "yousef")
	for _, lang := range []string{"en", "ar"} {
		b.visit("/packs/" + draft + "/edit?lang=" + lang)
		b.click(`#faults a[href="#f-title_ar"]`)
		b.until(`document.activeElement.id === "f-title_ar"`)
		far := eval[string](b, `document.querySelector('#faults a[href*="/mend#"]')?.getAttribute("href") ?? ""`)
		require.NotEmpty(t, far)
		b.click(`#faults a[href="` + far + `"]`)
		b.until(`location.pathname.endsWith("/mend") && document.activeElement.id === ` + strconv.Quote(far[strings.Index(far, "#")+1:]))
		top := eval[float64](b, "document.activeElement.getBoundingClientRect().top")
		require.GreaterOrEqual(t, top, 0.0)
		require.Less(t, top, 900.0, "it is in sight")
		b.accessible("mend, taken there " + lang)
	}
}
