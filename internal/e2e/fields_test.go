package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
)

// firstDay is the name of the day that the open calendar's weeks begin with.
const firstDay = `document.querySelector(".calendar th").abbr`

// Date fields speak the page's language, whatever the browser's: they take what people type, and their calendar is used
// by keyboard and by mouse.
func TestDateFields(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	for _, lang := range []string{"ar", "en"} {
		for _, width := range []int64{1280, 360} {
			b.width(width)
			b.visit("/audit?digits=arab&lang=" + lang)
			b.accessible("date fields " + lang)
			b.click("[data-date-open]")
			b.until(`document.activeElement.dataset.day === "2026-11-21"`)
			require.Equal(t, map[string]string{"ar": "الاثنين", "en": "Monday"}[lang], eval[string](b, firstDay), "by default")
			b.accessible("calendar " + lang)
			b.picture("calendar-" + lang)
			inside := eval[bool](b, `(r => r.left >= 0 && r.right <= innerWidth)(document.querySelector(".calendar").getBoundingClientRect())`)
			require.True(t, inside, "%s %d", lang, width)
			b.keys(kb.Escape)
			b.until(`!document.querySelector(".calendar") && document.activeElement.matches("[data-date-open]")`)
			b.click("#f-d2 ~ [data-date-open]")
			b.until(`document.querySelector(".calendar")`)
			inside = eval[bool](b, `(r => r.left >= 0 && r.right <= innerWidth)(document.querySelector(".calendar").getBoundingClientRect())`)
			require.True(t, inside, "%s %d", lang, width)
			b.keys(kb.Escape)
		}
	}

	require.NoError(t, a.store.SetWeekStart(t.Context(), a.actor, access.Sunday))
	b.width(1280)
	b.visit("/audit?digits=arab&lang=ar")
	require.Equal(t, "من تاريخ (سنة-شهر-يوم)", b.text("label[for=f-d1]"))
	b.click("[data-date-open]")
	require.Equal(t, "الأحد", eval[string](b, firstDay), "the organisation's weeks begin on Sunday")
	require.Equal(t, "نوفمبر ٢٠٢٦", b.text(".calendar-bar p"))
	// right to left, the arrow to the left goes to the next day
	b.keys(kb.ArrowLeft + kb.ArrowDown)
	b.until(`document.activeElement.dataset.day === "2026-11-29"`)
	b.keys(kb.PageDown + kb.ArrowRight)
	b.until(`document.activeElement.dataset.day === "2026-12-28"`)
	require.Equal(t, "الاثنين، ٢٨ ديسمبر ٢٠٢٦", eval[string](b, `document.activeElement.getAttribute("aria-label")`))
	b.keys(kb.Home)
	b.until(`document.activeElement.dataset.day === "2026-12-27"`)
	b.keys(kb.Enter)
	b.until(`document.getElementById("f-d1").value === "٢٠٢٦-١٢-٢٧" && location.search.includes("from=") && document.querySelector("#results .empty")`)

	b.visit("/audit?digits=latn&lang=en")
	b.click("[data-date-open]")
	require.Equal(t, "Sunday", eval[string](b, firstDay))
	b.click(`[data-turn="-1"]`)
	b.until(`document.querySelector(".calendar-bar p").textContent === "Oct 2026" && document.activeElement.dataset.turn === "-1"`)
	b.click(`[data-day="2026-10-31"]`)
	b.until(`document.getElementById("f-d1").value === "2026-10-31" && location.search.includes("from=2026-10-31")`)

	// what is no day is marked where it stands, and the list says so in words
	b.typeOver("f-d2", "soon"+kb.Tab)
	b.until(`document.querySelector("#f-d2[aria-invalid=true]") && document.getElementById("unused-filters")`)
	require.Contains(t, b.text("#unused-filters"), "soon")
	b.accessible("refused")
	b.typeOver("f-d2", "٢٠٢٦/١١/٢١"+kb.Tab)
	b.until(`!document.querySelector("#f-d2[aria-invalid]") && !document.getElementById("unused-filters") && document.querySelector("#results li[id^=e]")`)
	b.calm()

	plain := open(t, a)
	plain.withoutScripts()
	plain.visit("/search?lang=ar&q=leave&from=2020-01-01")
	_, page := a.get(t, "/search?lang=ar&q=leave&from=2020-01-01")
	require.Contains(t, page, `id="f-from" class="ymd" name="from" type="text"`)
}

// typeOver types into a field in place of what it has.
func (b *tab) typeOver(id, keys string) {
	b.t.Helper()
	eval[bool](b, `document.getElementById("`+id+`").select() ?? true`)
	b.do(chromedp.SendKeys(chromedp.ID(id), keys))
}

// File fields speak the page's language: the browser's own button is covered, what was chosen is listed and said.
// Without scripts the browser's field is there.
func TestFileFields(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	const field = `.drop:has(#n-d)`
	file := filepath.Join(t.TempDir(), "سياسة الإجازات.txt")
	other := bigText(t, "leave.txt", 1000)
	data, err := os.ReadFile(other)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, data, 0o600))
	for _, lang := range []string{"ar", "en"} {
		words := map[string][3]string{
			"ar": {"اختيار ملفات", "لم يُختر ملف بعد", "اختير: سياسة الإجازات.txt، leave.txt"},
			"en": {"Choose files", "No file chosen", "Chosen: سياسة الإجازات.txt, leave.txt"},
		}[lang]
		b.visit("/sessions/new?lang=" + lang)
		require.Equal(t, words[0], b.text(field+" .file-face .btn"))
		require.Equal(t, words[1], b.text(field+" [data-file-none]"))
		require.Equal(t, words[0], eval[string](b, `document.getElementById("n-d").title`))
		require.Equal(t, "0", eval[string](b, `getComputedStyle(document.getElementById("n-d")).opacity`))
		// the field itself takes the click and the focus
		require.True(t, eval[bool](b, `(() => { const e = document.querySelector(".drop:has(#n-d) .file-face .btn"); e.scrollIntoView(); const r = e.getBoundingClientRect();
			return document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2)?.id === "n-d"; })()`))
		b.choose("#n-d", file, other)
		b.until(`document.querySelectorAll(".drop:has(#n-d) [data-files] li bdi").length === 2`)
		require.Equal(t, words[2], b.text(field+" [role=status]"))
		require.True(t, eval[bool](b, `document.querySelector(".drop:has(#n-d) [data-file-none]").hidden`))
		b.accessible("files " + lang)
		b.picture("files-" + lang)
	}
	// dropped files too
	b.visit("/sessions/new?lang=en")
	eval[bool](b, `(() => { const d = new DataTransfer(); d.items.add(new File(["words"], "dropped.txt"));
		document.querySelector(".drop:has(#n-d)").dispatchEvent(new DragEvent("drop", {dataTransfer: d, bubbles: true, cancelable: true})); return true; })()`)
	b.until(`document.getElementById("n-d").files.length === 1 && document.querySelector(".drop:has(#n-d) [role=status]").textContent === "Chosen: dropped.txt"`)
	// the focus is seen on the button of ours
	eval[bool](b, `document.getElementById("n-d").focus({focusVisible: true}) ?? true`)
	require.NotEqual(t, "none", eval[string](b, `getComputedStyle(document.querySelector(".drop:has(#n-d) .btn")).outlineStyle`))
	b.calm()

	plain := open(t, a)
	plain.withoutScripts()
	plain.visit("/sessions/new?lang=ar")
	plain.picture("files-without-scripts")
}
