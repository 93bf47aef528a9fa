package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"sanad/cmd/web/demo"
	"sanad/internal/domain/access"
	"sanad/internal/handlers"
)

// startFirstRun returns the app as the demo serves it, with the guide for new users.
func startFirstRun(t *testing.T) *app {
	t.Helper()
	a := startApp(t)
	a.signIn(t, a.actor.Tenant, access.Reviewer) // the tour is not an administrator's
	a.serve(t, handlers.Options{Guide: a.sessions[demo.Guide]})
	return a
}

// step waits until the guide's n-th step is the current one.
func (b *tab) step(n int) {
	b.t.Helper()
	b.until(fmt.Sprintf(`document.querySelector("#guide .soft")?.textContent === "Step %d of 5"
		&& [...document.querySelectorAll("#guide li")].findIndex(li => li.getAttribute("aria-current") === "step") === %d`, n, n-1))
}

// TestFirstRun goes through the guide's five steps, each of which is completed by doing it. Nothing below the guide
// moves when a step is completed.
func TestFirstRun(t *testing.T) {
	t.Parallel()
	for _, width := range []int64{1280, 360} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			a := startFirstRun(t)
			b := open(t, a)
			b.width(width)
			b.visit("/?lang=en")
			b.step(1)
			b.click("#guide a")
			b.until(`location.pathname === "` + a.session(demo.Guide) + `"`)
			b.step(2)
			b.click("#guide a")
			b.until(`document.querySelector("#pane .claim-view")?.dataset.n === "1"`)
			b.click(`#pane a[href*="/documents/"]`)
			b.until(`document.querySelector(".cited.is-current mark")?.getBoundingClientRect().top < innerHeight`)
			b.step(3)
			b.click("#guide a")
			b.until(`document.querySelector("#pane .claim-view")?.dataset.n === "1" && document.querySelector("form.review")`)
			eval[bool](b, `(scrollTo(0, 0), window.top0 = document.querySelector("h1").getBoundingClientRect().top + scrollY, true)`)
			b.keys("c")
			b.step(4)
			require.Equal(t, 0.0, eval[float64](b,
				`document.querySelector("h1").getBoundingClientRect().top + scrollY - top0`),
				"the page stays where it is")
			require.Equal(t, []string{"(done)", "(done)", "(done)"},
				eval[[]string](b, `[...document.querySelectorAll("#guide li .vh")].map(e => e.textContent)`))
			b.click("#guide a")
			b.until(`document.querySelector("#pane .claim-view")?.dataset.n === "3"`)
			eval[bool](b, `(document.querySelector("#pane input[name=action][value=override]").click(), true)`)
			eval[bool](b, `(document.getElementById("r-v").value = "supported", true)`)
			b.do(chromedp.SendKeys(chromedp.ID("r-r"), "The policy says so on page 14."))
			b.click("#pane .if-override.btn")
			b.step(5)
			require.True(t, eval[bool](b, `document.querySelector("#guide a").pathname === "/packs"`))
			status, err := chromedp.Run(b.ctx,
				chromedp.Evaluate[int](`fetch(location.pathname + "/export/markdown").then(r => r.status)`,
					chromedp.EvalAwaitPromise))
			require.NoError(t, err)
			require.Equal(t, 200, status)
			b.visit("/")
			require.Contains(t, b.text("#guide"), "5 of 5 done")
			require.Zero(t, eval[int](b, `document.querySelectorAll("#guide [aria-current]").length`))
			b.click(`#guide button[value=hide]`)
			b.until(`!document.getElementById("guide") && location.pathname === "/"`)
			b.calm()
		})
	}
}

// TestFirstRunWithoutJavaScript does the same with links and forms; it also skips a step, closes the guide, and reopens
// it from the menu.
func TestFirstRunWithoutJavaScript(t *testing.T) {
	t.Parallel()
	a := startFirstRun(t)
	b := open(t, a)
	b.withoutScripts()
	at := func(text string) {
		t.Helper()
		b.until(fmt.Sprintf(`document.querySelector("#guide .soft")?.textContent === %q`, text))
	}
	b.do(chromedp.Navigate(a.url + "/sessions?state=open&lang=en"))
	at("Step 1 of 5")
	b.click("#guide button[value=skip]")
	at("Step 2 of 5")
	require.Equal(t, "/sessions?lang=en&state=open", eval[string](b, `location.pathname + location.search`),
		"back on the same page")
	b.click("#guide a")
	b.do(chromedp.WaitVisible(chromedp.CSS("#pane .claim-view")))
	require.True(t, eval[bool](b, `document.getElementById("pane").getBoundingClientRect().top < innerHeight`),
		"the claim is in sight")
	eval[bool](b, `(document.querySelector('#pane a[href*="/documents/"]').scrollIntoView({ block: "center" }), true)`)
	b.click(`#pane a[href*="/documents/"]`)
	at("Step 3 of 5")
	b.click("#guide a")
	b.do(chromedp.WaitVisible(chromedp.CSS("#pane button.if-confirm")))
	b.click("#pane button.if-confirm")
	at("Step 4 of 5")
	b.click("#guide button[value=hide]")
	b.until(`!document.getElementById("guide")`)
	b.do(chromedp.Navigate(a.url + "/packs"))
	require.False(t, eval[bool](b, `!!document.getElementById("guide")`), "it stays away")
	b.click(".tools details.menu:not(.who) summary")
	b.click(`form[action="/dev/guide"] button`)
	at("Step 1 of 5")
	require.Equal(t, "/packs", eval[string](b, `location.pathname`))
	require.Equal(t, []string{"(done)"},
		eval[[]string](b, `[...document.querySelectorAll("#guide li .vh")].map(e => e.textContent)`),
		"what was reviewed is done")
}

// TestFirstRunIsAccessible checks the guide in both languages and themes, wide and narrow.
func TestFirstRunIsAccessible(t *testing.T) {
	t.Parallel()
	a := startFirstRun(t)
	b := open(t, a)
	look := func(path, name string) {
		for _, l := range looks(t) {
			b.look(path, l)
			require.NotEmpty(t, eval[string](b, `document.querySelector("aside#guide").ariaLabel`))
			b.picture(l.name(name))
			b.accessible(l.name(name))
		}
	}
	look("/", "guide-home")
	look(a.session(demo.Guide)+"?claim=1", "guide-ledger")
	b.visit("/?lang=en")
	for n := 2; n <= 5; n++ {
		b.step(n)
		b.click("#guide button[value=skip]")
	}
	b.until(`document.querySelector("#guide .soft")?.textContent === "1 of 5 done"`)
	look("/packs", "guide-over")
}
