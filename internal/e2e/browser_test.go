package e2e

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"sanad/internal/thorough"
)

// tab is one page of the browser.
type tab struct {
	t   *testing.T
	ctx context.Context
	app *app
}

// chromium returns the path of the browser, which make test installs.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("no Chromium found: run make test, which installs it, or install the package chromium")
	return ""
}

// problems records what went wrong in the page: violations of the content security policy and script errors.
const problems = `window.problems = [];
addEventListener("securitypolicyviolation", e => problems.push("CSP " + e.violatedDirective + " " + e.blockedURI));
addEventListener("error", e => problems.push("error " + (e.message || (e.target && (e.target.src || e.target.href)))), true);
addEventListener("unhandledrejection", e => problems.push("rejected " + e.reason));`

// browser is the Chromium that all tests share, as starting one takes a second or two.
var browser struct {
	sync.Once
	ctx  context.Context
	stop func()
}

// TestMain closes the browser after the tests.
func TestMain(m *testing.M) {
	code := m.Run()
	if browser.stop != nil {
		browser.stop()
	}
	os.Exit(code)
}

// start starts the browser; its folder is deleted when it is closed.
func start(t *testing.T) {
	t.Helper()
	dir, err := os.MkdirTemp("", "sanad-chromium-")
	require.NoError(t, err)
	opts := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(chromium(t)), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.WindowSize(1280, 900),
		chromedp.UserDataDir(dir), chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		// else Chromium drops keys and clicks that come before a page's first frame, which a busy machine draws late
		chromedp.Flag("allow-pre-commit-input", true),
	)
	alloc, stop := chromedp.NewExecAllocator(context.Background(), opts...)
	ctx, cancel := chromedp.NewContext(alloc)
	browser.ctx, browser.stop = ctx, func() {
		cancel()
		stop()
		_ = os.RemoveAll(dir)
	}
	require.NoError(t, chromedp.Do(ctx))
}

// open opens a tab with its own cookies and storage.
func open(t *testing.T, a *app) *tab {
	t.Helper()
	browser.Do(func() { start(t) })
	ctx, cancel := chromedp.NewContext(browser.ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	ctx, end := context.WithTimeout(ctx, 20*time.Minute)
	t.Cleanup(end)
	b := &tab{t: t, ctx: ctx, app: a}
	b.do(func(ctx context.Context, tg *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument,
			page.AddScriptToEvaluateOnNewDocumentParams{Source: problems})
		return chromedp.Void{}, err
	})
	// several tabs run at a time, so each must appear focused
	b.do(func(ctx context.Context, tg *chromedp.Target) (chromedp.Void, error) {
		p := emulation.SetFocusEmulationEnabledParams{Enabled: true}
		_, err := chromedp.Call(ctx, emulation.SetFocusEmulationEnabled, p)
		return chromedp.Void{}, err
	})
	b.width(1280) // a new context's window has another height
	if a.cookie != nil {
		b.setCookie(a.cookie.Value)
	}
	return b
}

// setCookie signs the browser in with a cookie; "" signs it out.
func (b *tab) setCookie(value string) {
	b.t.Helper()
	b.do(func(ctx context.Context, tg *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, network.SetCookie,
			network.SetCookieParams{Name: "sanad", Value: value, URL: b.app.url})
		return chromedp.Void{}, err
	})
}

func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	require.NoError(b.t, chromedp.Do(b.ctx, actions...))
}

// visit opens a path of the app and checks that the page reported no problems.
func (b *tab) visit(path string) {
	b.t.Helper()
	b.do(chromedp.Navigate(b.app.url + path))
	b.calm()
}

// calm checks that there were no violations of the content security policy and no script errors.
func (b *tab) calm() {
	b.t.Helper()
	require.Empty(b.t, eval[[]string](b, "window.problems ?? []"))
}

// width sets the width of the view.
func (b *tab) width(w int64) {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(w, 900))
}

// withoutScripts switches JavaScript off for the pages opened from now on.
func (b *tab) withoutScripts() {
	b.t.Helper()
	b.do(func(ctx context.Context, tg *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled,
			emulation.SetScriptExecutionDisabledParams{Value: true})
		return chromedp.Void{}, err
	})
}

// eval runs an expression in the page.
func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	require.NoError(b.t, err, expression)
	return v
}

// until waits for an expression to become true, and fails if that takes longer than a slow machine needs. An expression
// that throws, for example while the page is being replaced, counts as not true yet.
func (b *tab) until(expression string) {
	b.t.Helper()
	var err error
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		var yes bool
		if yes, err = chromedp.Run(b.ctx, chromedp.Evaluate[bool]("!!("+expression+")")); yes && err == nil {
			return
		}
		require.NoError(b.t, b.ctx.Err(), expression)
	}
	b.t.Fatalf("never true: %s (%v)\n%s\n%s", expression, err, eval[string](b, whereabouts),
		eval[string](b, "document.body.innerText"))
}

// whereabouts is what a failure says of the page: its address, where the focus is, what is typed there and which
// dialogs are open.
const whereabouts = `[location.href, document.activeElement.outerHTML.slice(0, 200), document.activeElement.value,
	...[...document.querySelectorAll("dialog[open]")].map(e => "open: " + e.id)].join("\n")`

// whole waits for what a page asks the server for after it has loaded, such as the passages nearest to a claim. The
// gallery shows parts of pages that wait; nothing comes there.
func (b *tab) whole() {
	b.t.Helper()
	b.until(`location.pathname === "/dev/gallery" || !document.querySelector(".nearest[hx-get], [aria-busy=true]")`)
}

// patience is how long a test waits for something to click or read. It is shorter than a tab's timeout, so that the
// failure is reported at the missing thing.
const patience = 40 * time.Second

// loaded waits until the scripts of the page have run and it has been drawn. Before the first a key is nobody's, and a
// link is followed without them; before the second Chromium may drop keys and clicks.
func (b *tab) loaded() {
	b.t.Helper()
	b.until(`document.readyState === "complete" && performance.getEntriesByName("first-contentful-paint").length`)
}

// click clicks the first element that a selector finds, once it is visible and the page has loaded.
func (b *tab) click(selector string) {
	b.t.Helper()
	b.loaded()
	ctx, end := context.WithTimeout(b.ctx, patience)
	defer end()
	require.NoError(b.t, chromedp.Do(ctx, chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible)), selector)
}

// keys presses keys once the page has loaded.
func (b *tab) keys(keys string) {
	b.t.Helper()
	b.loaded()
	b.do(chromedp.KeyEvent(keys))
}

// text returns the text of an element, its spaces joined. Where the page is replaced between finding the element and
// reading it, the browser has lost the element, and it is looked for again.
func (b *tab) text(selector string) string {
	b.t.Helper()
	ctx, end := context.WithTimeout(b.ctx, patience)
	defer end()
	for {
		s, err := chromedp.Run(ctx, chromedp.TextContent(chromedp.CSS(selector)))
		if lost := (*cdproto.Error)(nil); errors.As(err, &lost) && lost.Code == gone {
			continue
		}
		require.NoError(b.t, err, selector)
		return strings.Join(strings.Fields(s), " ")
	}
}

// gone is the error code with which the DevTools protocol answers that a node or a page no longer exists.
const gone = -32000

// picture saves a screenshot for a person to look at, if SANAD_PICTURES is set.
func (b *tab) picture(name string) {
	b.t.Helper()
	dir := os.Getenv("SANAD_PICTURES")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	require.NoError(b.t, err)
	require.NoError(b.t, os.MkdirAll(dir, 0o755))
	require.NoError(b.t, os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644))
}

//go:embed testdata/axe.min.js
var axe string

// axeRules are the axe-core options that skip the colour rules, by far the slowest, in half of the looks: make test
// checks colours in the light theme at the wide width and in the dark one at the narrow one, make thorough everywhere.
const axeRules = `const light = getComputedStyle(document.documentElement).colorScheme !== "dark", wide = innerWidth > 720,
	rules = %t || light === wide ? {} : {"color-contrast": {enabled: false}, "link-in-text-block": {enabled: false}};`

// accessible checks that axe-core finds nothing on the present page, and that it does not scroll sideways.
func (b *tab) accessible(name string) {
	b.t.Helper()
	b.whole()
	// wait for elements that are fading in: while they are pale, their contrast is too low
	b.until(`document.getAnimations().every(a => a.playState !== "running" || a.effect.getTiming().iterations === Infinity)`)
	eval[string](b, axe+`; axe.version`)
	found, err := chromedp.Run(b.ctx, chromedp.Evaluate[[]string](
		`(() => {`+fmt.Sprintf(axeRules, thorough.On())+
			`return axe.run({rules, resultTypes: ["violations"]}).then(r => r.violations.map(v => v.id + ": " + v.help + " " + v.nodes.slice(0, 3).map(n => n.html.slice(0, 200) + " [" + (n.any[0]?.message ?? "") + "]").join(" | ")))})()`,
		chromedp.EvalAwaitPromise))
	require.NoError(b.t, err)
	require.Empty(b.t, found, name)
	wide := eval[int](b, "document.documentElement.scrollWidth - document.documentElement.clientWidth")
	require.LessOrEqual(b.t, wide, 0, "%s scrolls sideways", name)
}
