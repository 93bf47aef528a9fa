package e2e

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// media emulates a medium, such as print, and media features, such as reduced motion.
func (b *tab) media(kind string, features ...*emulation.MediaFeature) {
	b.t.Helper()
	b.do(func(ctx context.Context, tg *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia,
			emulation.SetEmulatedMediaParams{Media: kind, Features: features})
		return chromedp.Void{}, err
	})
}

// TestAReviewWithoutServer submits a review while the server is down: the page says so in a live region and keeps the
// input, and the same button works when the server is up again.
func TestAReviewWithoutServer(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	b.visit(a.session("leave-policy.json") + "?claim=3&lang=ar")
	eval[bool](b, `document.querySelector("input[name=action][value=comment]").click(), true`)
	b.do(chromedp.SendKeys(chromedp.ID("r-r"), "سطر كتبته دون شبكة"))
	a.down.Store(true)
	b.click(".review button.if-comment")
	b.until(`document.querySelector("#toasts[role=status]").innerText.includes("تعذّر الوصول إلى الخادم")`)
	require.Equal(t, "سطر كتبته دون شبكة", eval[string](b, `document.getElementById("r-r").value`))
	a.down.Store(false)
	b.click(".review button.if-comment")
	b.until(`document.querySelector("#pane .timeline .said")?.innerText === "سطر كتبته دون شبكة"`)
}

// TestAFormWithoutServer does the same with a form that loads a new page: the old page stays.
func TestAFormWithoutServer(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	path := a.session("leave-policy.json")
	b.visit(path + "?tab=sources&lang=en")
	b.do(chromedp.SendKeys(chromedp.ID("close-r"), "Out of scope."))
	a.down.Store(true)
	b.click(`#people form[action*="/close"] button`)
	b.until(`document.querySelector("#toasts[role=status]").innerText.includes("The server cannot be reached")`)
	require.Equal(t, path, eval[string](b, `location.pathname`))
	require.Equal(t, "Out of scope.", eval[string](b, `document.getElementById("close-r").value`))
	a.down.Store(false)
	b.click(`#people form[action*="/close"] button`)
	b.until(`document.querySelector("#people .alert")?.innerText.includes("Out of scope.")`)
}

// TestPrintedPages checks that printed pages have no controls, no folded parts and no colours of the dark theme.
func TestPrintedPages(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	b.media("print")
	for _, lang := range []string{"en", "ar"} {
		for _, path := range []string{a.session("leave-policy.json") + "?claim=3",
			a.session("leave-policy.json") + "/claims/3"} {
			b.look(path, look{lang, "dark", 720})
			shown := eval[[]string](b,
				`[...document.querySelectorAll("header.top, footer.foot, .filters, .review, button, .btn, .pager, #toasts, dialog")].filter(e => e.getClientRects().length).map(e => e.outerHTML.slice(0, 80))`)
			require.Empty(t, shown, path)
			require.True(t, eval[bool](b, `document.querySelector("blockquote").getClientRects().length > 0`),
				"the evidence is not printed")
			require.Equal(t, 0, eval[int](b,
				`[...document.querySelectorAll("details.fold table.features")].filter(e => !e.checkVisibility({contentVisibilityAuto: true})).length`), "a fold is closed on paper")
			light := eval[[]int](b,
				`getComputedStyle(document.querySelector("h1, h2")).color.match(/\d+/g).slice(0, 3).map(Number)`)
			require.Less(t, light[0]+light[1]+light[2], 300, "the text is not dark on paper")
			require.LessOrEqual(t,
				eval[int](b, "document.documentElement.scrollWidth - document.documentElement.clientWidth"), 0)
		}
	}
}

// TestReducedMotion checks that nothing moves if the user prefers reduced motion.
func TestReducedMotion(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	const moving = `[...document.querySelectorAll("*")].filter(e => ["", "::before", "::after"].some(p => { const s = getComputedStyle(e, p || null);
		const t = (s.transitionDuration + "," + s.animationDuration).split(",").map(parseFloat); return Math.max(...t) > 0; })).map(e => e.outerHTML.slice(0, 80))`
	for _, part := range []string{"ledger", "messages", "jobs"} {
		b.visit("/dev/gallery?part=" + part)
		if part == "messages" {
			require.NotEmpty(t, eval[[]string](b, moving), "toasts move")
		}
	}
	b.media("", &emulation.MediaFeature{Name: "prefers-reduced-motion", Value: "reduce"})
	for _, part := range []string{"ledger", "messages", "jobs"} {
		b.visit("/dev/gallery?part=" + part)
		require.Empty(t, eval[[]string](b, moving), part)
	}
}

// TestDigitsByChoice checks that numbers use the chosen digits on every later page, and that ids do not change.
func TestDigitsByChoice(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	b.visit("/sessions?lang=ar")
	b.click(".tools details.menu:not(.who) summary")
	b.click(`button[name=digits][value=arab]`)
	b.until(`document.querySelector("button[name=digits][value=arab]").getAttribute("aria-pressed") === "true"`)
	b.visit(a.session("leave-policy.json") + "?tab=report")
	require.Regexp(t, `[٠-٩]+٪`, b.text("#outlook"))
	require.Regexp(t, `[٠-٩]`, b.text("#summary"))
	require.NotRegexp(t, `[0-9]`, b.text("#summary"))
	b.visit(a.session("leave-policy.json") + "?digits=latn")
	require.NotRegexp(t, `[٠-٩]`, b.text("#summary"))
}

// TestGalleryIsAccessible checks the gallery, each part and the whole, in both languages and themes, wide and narrow,
// and without JavaScript.
func TestGalleryIsAccessible(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	for _, s := range gallerySamples() {
		for _, l := range looks(t) {
			t.Run(l.name(s.name), func(t *testing.T) {
				b.t = t
				b.look(s.path, l)
				b.picture(l.name(s.name))
				b.accessible(l.name(s.name))
			})
			b.t = t
		}
	}
	plain := open(t, a)
	plain.withoutScripts()
	plain.do(chromedp.Navigate(a.url + "/dev/gallery"))
	require.Equal(t, len(gallerySamples()), eval[int](plain, `document.querySelectorAll("main > .stack").length`))
}
