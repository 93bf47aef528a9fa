package e2e

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
)

// palette opens the command palette by its keys and waits for its list.
func (b *tab) palette(key, code string) {
	b.t.Helper()
	b.loaded()
	b.until(`window.sanad?.palette`)
	eval[bool](b, fmt.Sprintf(
		`(document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: %q, code: %q, ctrlKey: true, bubbles: true, cancelable: true})), true)`,
		key, code))
	b.until(`document.querySelector("#palette[open] [role=option]")`)
}

// chosen is the text of the option that Enter takes.
const chosen = `(document.getElementById(document.getElementById("palette-q").getAttribute("aria-activedescendant"))?.innerText ?? "")`

// TestPalette goes to a session, a claim and a page with nothing but keys, in both languages and with an Arabic
// keyboard.
func TestPalette(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	b.visit("/sessions?lang=en")
	b.palette("k", "KeyK")
	require.Equal(t, "palette-q", eval[string](b, "document.activeElement.id"))
	b.keys("vendor")
	// the list answers the whole word, and no other is to come
	b.until(chosen + `.includes("endor") && document.querySelector("#palette-sessions") &&
		document.querySelector("#palette [role=listbox]").innerText.includes("\u2068vendor\u2069")`)
	first := eval[string](b, chosen)
	b.keys(kb.ArrowDown + kb.ArrowUp)
	require.Equal(t, first, eval[string](b, chosen))
	b.keys(kb.Enter)
	b.until(`location.pathname.startsWith("/sessions/")`)

	// typed and sent faster than the server answers: what was typed last decides
	path := eval[string](b, "location.pathname")
	b.palette("ن", "KeyK")
	b.keys("7")
	b.keys(kb.Enter)
	b.until(fmt.Sprintf(`location.pathname === %q && location.search.includes("claim=7")`, path))

	// the page's name in the other language; Escape brings the focus back
	b.palette("K", "KeyK")
	b.keys("الرئيسية")
	b.until(chosen + ` === "Home"`)
	b.keys(kb.Escape)
	b.until(`!document.querySelector("#palette[open]")`)
	b.visit("/sessions?lang=ar")
	b.palette("ن", "KeyK")
	b.keys("dashboard")
	b.until(chosen + ` === "لوحة المتابعة"`)
	b.keys(kb.Enter)
	b.until(`location.pathname === "/dashboard"`)

	// what was opened last comes first; one wrong letter is forgiven, and said
	b.palette("k", "KeyK")
	require.Equal(t, path, eval[string](b, `document.querySelector("#palette [role=option]").getAttribute("href")`))
	b.keys("vendro")
	b.until(`document.querySelector(".palette-note") && document.querySelector("#palette-sessions")`)
	b.keys("zzzzzz")
	b.until(`document.querySelectorAll("#palette [role=option]").length === 1`)
	b.keys(kb.Enter)
	b.until(`location.pathname === "/search" && location.search.includes("vendrozzzzzz")`)
	b.calm()
}

// TestPaletteDoes checks that commands act on the page that is open: its language, theme, next claim and links.
func TestPaletteDoes(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	path := a.session("leave-policy.json")
	b.visit(path + "?lang=en&claim=4")
	do := func(words string) {
		b.palette("k", "KeyK")
		b.keys(words)
		b.until(fmt.Sprintf(`document.querySelector("#palette-q").value === %q`, words))
		b.keys(kb.Enter)
	}
	do("next claim")
	b.until(`document.activeElement.closest?.("tr.row")?.id === "claim-1"`)
	do("language arabic")
	b.until(`document.documentElement.lang === "ar" && location.search.includes("claim=")`)
	require.Equal(t, path, eval[string](b, "location.pathname"))
	do("الداكن")
	b.until(`document.documentElement.dataset.theme === "dark"`)
	do("keyboard")
	b.until(`document.querySelector("#help[open]")`)
	b.visit(path + "?lang=en")
	do("export pdf")
	require.Eventually(t, func() bool { // the server has answered the download
		events, _, err := a.store.Log(t.Context(), a.actor.Tenant, audit.Query{Action: "session.exported", Limit: 1})
		return err == nil && len(events) == 1
	}, patience, 20*time.Millisecond)
	require.Equal(t, path, eval[string](b, "location.pathname"), "a download leaves the page")
	do("sign out")
	b.until(`location.pathname === "/login"`)
	b.until(`!localStorage.getItem("sanad-opened")`) // what was opened is forgotten, once the page's script has run
}

// TestPaletteByRole checks that a viewer is offered nothing that their role may not do.
func TestPaletteByRole(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	offered := func() []string {
		b.visit(a.session("leave-policy.json") + "?lang=en")
		b.palette("k", "KeyK")
		return eval[[]string](b, `[...document.querySelectorAll("#palette [role=option]")].map(e => e.innerText)`)
	}
	restricted := []string{"New session", "New pack (draft an evidence pack)", "Audit log", "People\nAccess",
		"Export this session as PDF", "Add documents to this session"}
	require.Subset(t, offered(), restricted)
	b.setCookie(a.member(t, "reads", "Maryam", access.Viewer).cookie)
	for _, o := range offered() {
		require.NotContains(t, restricted, o)
	}
}

// TestPaletteIsAccessible checks the palette open, empty, with results and with none, and the way in, which leads to
// the search where there is no JavaScript.
func TestPaletteIsAccessible(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	for _, l := range looks(t) {
		for _, query := range []string{"", "الموظف", "leave", "nothingfitsthis"} {
			name := l.name("palette-" + query)
			b.look(a.session("leave-policy.json"), l)
			b.click("a.find")
			b.until(`document.querySelector("#palette[open] [role=option]")`)
			if query != "" {
				b.keys(query)
				b.until(`document.querySelector("#palette-all")`)
			}
			b.picture(name)
			b.accessible(name)
			require.True(t, eval[bool](b, `(r => r.left >= 0 && r.right <= innerWidth && r.bottom <= innerHeight)(document.getElementById("palette").getBoundingClientRect())`), name)
		}
	}
	plain := open(t, a)
	plain.withoutScripts()
	plain.width(360)
	plain.do(chromedp.Navigate(a.url + "/packs"))
	plain.click("a.find")
	plain.do(chromedp.WaitVisible(chromedp.ID("f-q")))
}

// TestScriptsComeWhenFirstUsed checks that a ledger loads the scripts of the palette and of mentions only when they are
// used, and that what is typed until they are there is neither lost nor a command of the page.
func TestScriptsComeWhenFirstUsed(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	const fetched = `performance.getEntriesByType("resource").filter(e => /palette\.js|mention\.js/.test(e.name)).length`
	b.visit(a.session("leave-policy.json") + "?lang=en")
	b.until(`document.readyState === "complete" && window.sanad?.palette`)
	require.Zero(t, eval[int](b, fetched))
	// opened, typed and sent in one go, before the script can be there
	eval[bool](b, `(() => {
		document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "k", code: "KeyK", ctrlKey: true, bubbles: true, cancelable: true}));
		const field = document.activeElement;
		field.dispatchEvent(new KeyboardEvent("keydown", {key: "c", bubbles: true, cancelable: true}));
		field.value = "dashboard";
		field.form.requestSubmit();
		return field.id === "palette-q" && !document.querySelector(".htmx-request");
	})()`)
	b.until(`location.pathname === "/dashboard"`)

	b.visit(a.session("leave-policy.json") + "?lang=en")
	b.until(`document.querySelector("form.review textarea[data-mentions]") && !` + fetched)
	eval[bool](b, `(() => {
		const field = document.querySelector("form.review textarea[data-mentions]");
		const people = field.form.querySelector("select[data-people]");
		people.add(new Option("Maryam"));
		field.focus();
		field.value = "@mar";
		return true;
	})()`)
	b.until(fetched + ` === 1 && document.querySelector(".mention-list [role=option]")?.textContent === "Maryam"`)

	// a palette whose script cannot come says so
	b.visit("/packs")
	b.until(`window.sanad?.palette`)
	eval[bool](b, `(document.getElementById("palette").dataset.src = "/static/none.js", sanad.palette(), true)`)
	b.until(`!document.querySelector("#palette[open]") && document.querySelector("#toasts .is-wrong")`)
}
