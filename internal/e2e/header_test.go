package e2e

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
)

// TestMenusOpenInsideTheWindow checks the header's menus in both languages, also on a telephone.
func TestMenusOpenInsideTheWindow(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	const person = "Khalid Abdulrahman Al Marri · خالد عبدالرحمن المري" // as in the demo, and longer
	for _, lang := range []string{"en", "ar"} {
		for _, width := range []int64{1280, 760, 360, 320} {
			b.width(width)
			b.visit("/sessions?lang=" + lang)
			for i := range eval[int](b, `document.querySelectorAll(".tools details.menu").length`) {
				name := fmt.Sprintf("%s %d menu %d", lang, width, i)
				edges := eval[[]float64](b, fmt.Sprintf(`(() => {
					document.querySelectorAll(".tools details.menu").forEach((m, i) => m.open = i === %d);
					document.querySelector(".who bdi").textContent = %q;
					const r = document.querySelector(".tools details[open] > div").getBoundingClientRect();
					return [r.left, r.right - document.documentElement.clientWidth, r.width];
				})()`, i, person))
				b.picture("menu-" + fmt.Sprintf("%s-%d-%d", lang, width, i))
				require.Positive(t, edges[2], name)
				require.GreaterOrEqual(t, edges[0], 0.0, name)
				require.LessOrEqual(t, edges[1], 0.0, name)
			}
		}
	}
}

// headerFaults names what of the header is cut off, stands over something else, or lies outside the window, and whether
// the name of who is signed in loses its first letter.
const headerFaults = `(() => { const out = [], box = e => e.getBoundingClientRect(), words = e => e.textContent.trim();
	const nav = box(document.querySelector(".top nav ul"));
	const parts = [...document.querySelectorAll(".top nav a, .brand, .top .find, .tools > *")].filter(e => e.checkVisibility() && box(e).width);
	for (const e of parts) {
		const r = box(e);
		if (r.left < -0.5 || r.right > innerWidth + 0.5) out.push(words(e) + " is outside");
		if (e.closest("nav") && (r.left < nav.left - 1 || r.right > nav.right + 1)) out.push(words(e) + " is cut");
		if (!e.closest(".who") && e.scrollWidth > e.clientWidth + 1) out.push(words(e) + " overflows");
		for (const x of parts.slice(parts.indexOf(e) + 1)) {
			const s = box(x);
			if (Math.min(r.right, s.right) - Math.max(r.left, s.left) > 1 && Math.min(r.bottom, s.bottom) - Math.max(r.top, s.top) > 1) out.push(words(e) + " lies over " + words(x));
		}
	}
	const name = document.querySelector(".who bdi"), frame = box(name), text = name.firstChild;
	if (frame.width < 2) return out; // its initials stand there
	const first = document.createRange(); first.setStart(text, 0); first.setEnd(text, 1);
	const c = first.getBoundingClientRect();
	if (c.left < frame.left - 1 || c.right > frame.right + 1) out.push("the name loses its beginning");
	return out; })()`

// TestTheHeaderIsWhole checks that no entry of the header is cut or covered, for every role, in both languages, and
// that a name in two languages is not cut at the beginning of either: the reader's own is shown.
func TestTheHeaderIsWhole(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	for role, name := range map[access.Role]string{
		access.Viewer: "مريم الهاملي", access.Reviewer: "Yousef Al Balushi", access.Approver: "عبدالرحمن بن عبدالعزيز المنصوري الدوسري",
		access.Admin: "Abdulrahman Al Marri Al Mansouri · عبدالرحمن المري المنصوري",
	} {
		m := a.member(t, "x-"+string(role), name, role)
		b := open(t, a)
		b.setCookie(m.cookie)
		for _, lang := range []string{"en", "ar"} {
			b.visit("/sessions?lang=" + lang)
			b.until("document.fonts.status === 'loaded'")
			for _, width := range []int64{1280, 1320, 1366, 1440, 1500, 1920, 1100, 900, 768} {
				b.width(width)
				b.picture(fmt.Sprintf("header-%s-%s-%d", role, lang, width))
				require.Empty(t, eval[[]string](b, headerFaults), "%s %s %d", role, lang, width)
			}
		}
		if role == access.Admin {
			require.Equal(t, "عبدالرحمن المري المنصوري", b.text(".who bdi"))
			require.Contains(t, b.text(".who > div"), name)
		}
	}
}

// TestMenusLeaveThePlacesInOneLine checks that on a telephone the header's links are on one line, which scrolls, with
// the current one visible.
func TestMenusLeaveThePlacesInOneLine(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	const seen = `(e => { const [r, u] = [e, e.closest("ul")].map(x => x.getBoundingClientRect()); return r.left >= u.left - 1 && r.right <= u.right + 1; })`
	for _, lang := range []string{"en", "ar"} {
		for _, width := range []int64{360, 320} {
			b.width(width)
			for _, page := range []string{"/sessions", "/audit", "/admin/users"} {
				name := fmt.Sprintf("%s %d %s", lang, width, page)
				b.visit(page + "?lang=" + lang)
				require.Equal(t, 1,
					eval[int](b, `new Set([...document.querySelectorAll(".top nav a")].filter(e => e.checkVisibility()).map(e => e.offsetTop)).size`),
					name)
				require.True(t, eval[bool](b, seen+`(document.querySelector(".top nav [aria-current]"))`), name)
				b.picture(fmt.Sprintf("places-%s-%d-%s", lang, width, page[len(page)-5:]))
				b.accessible(name)
			}
		}
	}
}

// TestMenusAndTablesOfANarrowWindow checks that the list of sessions fits a window barely wide enough for a table, and
// leaves room for the titles.
func TestMenusAndTablesOfANarrowWindow(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	for _, lang := range []string{"en", "ar"} {
		for _, width := range []int64{761, 804, 900, 1001} {
			name := fmt.Sprintf("sessions-%s-%d", lang, width)
			b.width(width)
			b.visit("/sessions?lang=" + lang)
			b.picture(name)
			require.LessOrEqual(t,
				eval[int](b, `document.documentElement.scrollWidth - document.documentElement.clientWidth`), 0, name)
			require.GreaterOrEqual(t, eval[int](b, `document.querySelector(".sessions tbody th").offsetWidth`), 100,
				name)
			require.Empty(t, eval[[]string](b,
				`[...document.querySelectorAll(".sessions :is(thead th, td)")].filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.className + ": " + e.textContent.trim())`), name)
		}
	}
}
