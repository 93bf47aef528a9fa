package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// TestTabsShareNothing checks that tabs of the shared Chromium are independent: each has its own cookies, storage,
// sizes and settings, and a tab in the background keeps drawing and running timers.
func TestTabsShareNothing(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	first := open(t, a)
	first.visit("/sessions")
	eval[bool](first, `(localStorage.setItem("mine", "1"), sessionStorage.setItem("mine", "1"), true)`)
	second := open(t, a)
	second.setCookie("")
	second.visit("/verify.html")
	for name, b := range map[string]*tab{"first": first, "second": second} {
		require.Equal(t, []int{1280, 900}, eval[[]int](b, `[innerWidth, innerHeight]`), name)
		require.Equal(t, "visible", eval[string](b, `document.visibilityState`), name)
	}
	require.True(t, eval[bool](second,
		`localStorage.getItem("mine") === null && sessionStorage.getItem("mine") === null`))
	first.visit("/sessions") // still signed in
	require.Contains(t, first.text("h1"), "Sessions")

	second.width(360)
	second.media("print")
	second.withoutScripts()
	second.visit("/verify.html")
	require.Equal(t, 1280, eval[int](first, `innerWidth`))
	require.True(t, eval[bool](first, `matchMedia("screen").matches`))
	require.Equal(t, 360, eval[int](second, `innerWidth`))

	// the first tab is in the background: it still draws frames and its clock runs
	_, err := chromedp.Run(first.ctx, chromedp.Evaluate[bool](`new Promise(done => {
		let frames = 0, ticks = 0;
		const draw = () => { frames++ < 20 ? requestAnimationFrame(draw) : tick() };
		const tick = () => { ticks++ < 20 ? setTimeout(tick, 5) : done(true) };
		draw();
	})`, chromedp.EvalAwaitPromise))
	require.NoError(t, err)
	require.True(t, eval[bool](first, `document.hasFocus()`), "keys go to the tab that they are pressed in")
}
