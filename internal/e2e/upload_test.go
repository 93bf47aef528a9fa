package e2e

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// halfway is a request body that is read up to a point, and further only when released.
type halfway struct {
	io.ReadCloser
	left int
	on   chan struct{}
}

func (h *halfway) Read(p []byte) (int, error) {
	if h.left <= 0 {
		<-h.on
		return h.ReadCloser.Read(p)
	}
	n, err := h.ReadCloser.Read(p[:min(len(p), h.left)])
	h.left -= n
	return n, err
}

// slowServer makes the app read so many bytes of an upload, and the rest when on is called.
func (a *app) slowServer(t *testing.T, after int) (on func()) {
	t.Helper()
	to, err := url.Parse(a.url)
	require.NoError(t, err)
	gate := make(chan struct{})
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to); r.Out.Host = r.In.Host }}
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/") {
			r.Body = &halfway{r.Body, after, gate}
		}
		proxy.ServeHTTP(w, r)
	}))
	srv.Config.ConnState = func(c net.Conn, state http.ConnState) {
		if state == http.StateNew { // data waiting to be read would count as sent
			_ = c.(*net.TCPConn).SetReadBuffer(64 << 10)
		}
	}
	srv.Start()
	let := func() {
		select {
		case <-gate:
		default:
			close(gate)
		}
	}
	t.Cleanup(func() { let(); srv.Close() })
	a.url = srv.URL
	return let
}

// bigText writes a text file of so many bytes and returns its path.
func bigText(t *testing.T, name string, bytes int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	line := "Employees receive fifteen days of paid leave a year.\n"
	require.NoError(t, os.WriteFile(path, []byte(strings.Repeat(line, bytes/len(line)+1)), 0o600))
	return path
}

func (b *tab) choose(selector string, paths ...string) {
	b.t.Helper()
	b.do(chromedp.SetUploadFiles(chromedp.CSS(selector), paths))
}

// uploading waits until a form's progress bar is between nothing and all.
func (b *tab) uploading(form string) {
	b.t.Helper()
	b.until(fmt.Sprintf(`(f => { const n = f.querySelector("progress").value; return !f.querySelector("[data-upload]").hidden && n > 0 && n < 100; })(document.querySelector(%q))`, form))
}

// unfold opens the part of a page that has an element.
func (b *tab) unfold(selector string) {
	b.t.Helper()
	b.click(fmt.Sprintf("details:has(%s) > summary", selector))
	b.until(fmt.Sprintf("document.querySelector(%q).checkVisibility()", selector))
}

// TestUploadProgress checks that a bar shows the progress of large uploads in the reader's digits, and that the
// server's answer is the next page. An invalid form comes back with its input.
func TestUploadProgress(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	on := a.slowServer(t, 24<<20)
	b := open(t, a)
	const form = `form:has(#n-i)`
	b.visit("/sessions/new?lang=ar&digits=arab")
	require.True(t, eval[bool](b, `[...document.querySelectorAll("[data-upload]")].every(e => e.hidden)`))
	b.unfold("#n-i")
	b.choose("#n-i", bigText(t, "broken.json", 40<<20))
	b.click(form + ` button.btn:not([data-upload-stop])`)
	b.uploading(form)
	require.Regexp(t, `^جارٍ الرفع: [٠-٩]+٪$`, b.text(form+" [data-upload-at]"))
	require.Regexp(t, `^جارٍ الرفع: [٠-٩]*[٠]٪$`, b.text(form+" [data-upload-said]"), "a screen reader hears of every tenth")
	require.True(t, eval[bool](b, `document.querySelector("form:has(#n-i) .actions .btn").disabled`))
	b.accessible("uploading")
	b.picture("upload-ar")
	on()
	b.until(`/^.jobs.[0-9a-f-]{36}$/.test(location.pathname)`)

	// the form of answer and documents: it comes back with the error, and is uploaded again
	b.visit("/sessions/new?lang=en&digits=latn")
	b.unfold("#n-t")
	b.do(chromedp.SendKeys(chromedp.ID("n-t"), "Leave"))
	b.choose("#n-d", bigText(t, "leave.txt", 9<<20))
	b.click(`form:has(#n-d) .btn-primary`)
	b.until(`document.querySelector("#n-a[aria-invalid=true]")`)
	require.Equal(t, "n-a", eval[string](b, `document.activeElement.id`))
	require.Equal(t, "/sessions/new", eval[string](b, `location.pathname`))
	require.Equal(t, "Leave", eval[string](b, `document.getElementById("n-t").value`))
	require.True(t, eval[bool](b, `document.querySelector("form:has(#n-d) [data-upload]").hidden`))
	b.accessible("refused")
	b.do(chromedp.SendKeys(chromedp.ID("n-a"), "Employees receive fifteen days of leave."))
	require.True(t, eval[bool](b, leavingAsks))
	b.choose("#n-d", bigText(t, "leave.txt", 2<<20))
	b.click(`form:has(#n-d) .btn-primary`)
	b.until(`/^.(sessions|jobs).[0-9a-f-]{36}$/.test(location.pathname)`)
	b.calm()
}

// leavingAsks is true if the browser asks before leaving the page, because text would be lost.
const leavingAsks = `(() => { const e = new Event("beforeunload", {cancelable: true}); return !dispatchEvent(e); })()`

// TestUploadAnswers checks that an answer replaces the form only if it returns the form with its input, and that a lost
// answer is distinguished from a lost upload.
func TestUploadAnswers(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	var answer func(w http.ResponseWriter, r *http.Request)
	to, err := url.Parse(a.url)
	require.NoError(t, err)
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to); r.Out.Host = r.In.Host }}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/") {
			_, _ = io.Copy(io.Discard, r.Body)
			answer(w, r)
			return
		}
		if r.URL.Path == "/login" { // the app would redirect a signed-in user
			_, _ = io.WriteString(w, "<title>x</title><main>Sign in</main>")
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(srv.Close)
	a.url = srv.URL
	page := func(status int, main string) func(http.ResponseWriter, *http.Request) {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.WriteHeader(status)
			_, _ = io.WriteString(w, "<title>x</title><main>"+main+"</main>")
		}
	}
	b := open(t, a)
	b.visit("/sessions/new?lang=en")
	b.do(chromedp.SendKeys(chromedp.ID("n-a"), "Employees receive fifteen days of leave."))
	b.choose("#n-d", bigText(t, "leave.txt", 2<<20))
	for _, c := range []struct {
		answer func(http.ResponseWriter, *http.Request)
		says   string
	}{
		{func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
			"its response was lost. Check the list of sessions"},
		{page(500, `<h1>Something went wrong here</h1><p>See below.</p><p><a href="/sessions">Go</a></p>`),
			"Something went wrong here"},
		{page(403, `<h1>Not allowed</h1><p dir="auto">This needs the role reviewer.</p>`),
			"Not allowed: This needs the role reviewer."},
		{page(413, `<div role="alert"><p>Refused</p><p dir="auto">Send less.</p></div><form action="/sessions"><textarea name="answer"></textarea></form>`), "Refused: Send less."},
		{func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "Too many.", http.StatusTooManyRequests) },
			"That did not work."},
		{func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/login?next=%2Fsessions", http.StatusSeeOther)
		}, "You are signed out, so nothing was stored."},
	} {
		answer = c.answer
		b.click(`form:has(#n-d) .btn-primary`)
		b.until(fmt.Sprintf(`document.querySelector("#toasts").innerText.includes(%q)`, c.says))
		require.Equal(t, "Employees receive fifteen days of leave.",
			eval[string](b, `document.getElementById("n-a").value`))
		require.Equal(t, 1, eval[int](b, `document.getElementById("n-d").files.length`))
		require.True(t, eval[bool](b,
			`document.querySelector("form:has(#n-d) [data-upload]").hidden && !document.querySelector("form:has(#n-d) .btn-primary").disabled`))
		require.True(t, eval[bool](b, leavingAsks), c.says)
	}
	answer = page(413, `<h1>New</h1><form action="/sessions"><textarea name="answer" aria-invalid="true">Employees receive</textarea></form>`)
	b.click(`form:has(#n-d) .btn-primary`)
	b.until(`document.activeElement.value === "Employees receive"`)
	answer = page(200, `<h1>Taken</h1>`)
	b.visit("/sessions/new?lang=en")
	b.do(chromedp.SendKeys(chromedp.ID("n-a"), "Employees receive fifteen days of leave."))
	b.choose("#n-d", bigText(t, "leave.txt", 2<<20))
	b.click(`form:has(#n-d) .btn-primary`)
	b.until(`document.querySelector("main").innerText === "Taken"`)
	b.calm()
}

// TestUploadStopped checks that an upload that is stopped or interrupted leaves the form unchanged.
func TestUploadStopped(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	a.slowServer(t, 24<<20)
	b := open(t, a)
	b.visit("/sessions/new?lang=en")
	b.do(chromedp.SendKeys(chromedp.ID("n-a"), "Employees receive fifteen days of leave."))
	b.choose("#n-d", bigText(t, "leave.txt", 40<<20))
	b.click(`form:has(#n-d) .btn-primary`)
	b.uploading("form:has(#n-d)")
	b.picture("upload-en")
	b.click(`form:has(#n-d) [data-upload-stop]`)
	b.until(`document.querySelector("#toasts").innerText.includes("was stopped; nothing was stored")`)
	require.Equal(t, "Employees receive fifteen days of leave.",
		eval[string](b, `document.getElementById("n-a").value`))
	require.Equal(t, 1, eval[int](b, `document.getElementById("n-d").files.length`))
	require.True(t, eval[bool](b, `document.querySelector("form:has(#n-d) [data-upload]").hidden && !document.querySelector("form:has(#n-d) .btn-primary").disabled`))
	require.True(t, eval[bool](b, leavingAsks))
	b.calm()
}

// TestUploadOfANewVersion uploads a new version of a document in the same way.
func TestUploadOfANewVersion(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	path := pages(t, a)["document"]
	on := a.slowServer(t, 1<<20)
	b := open(t, a)
	b.width(360)
	b.visit(path + "&lang=en")
	b.click(`details:has(#v-f) summary`)
	b.choose("#v-f", bigText(t, "HR_Policy.txt", 9<<20))
	b.do(chromedp.SendKeys(chromedp.ID("v-r"), "The policy of 2027."))
	b.click(`form:has(#v-f) button.btn:not([data-upload-stop])`)
	b.uploading("form:has(#v-f)")
	b.picture("upload-version")
	on()
	b.until(`!location.search.includes("chunk")`)
	b.calm()
}

// TestUploadWithoutJavaScript checks that the form is sent normally, without a bar.
func TestUploadWithoutJavaScript(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	b.withoutScripts()
	b.do(chromedp.Navigate(a.url + "/sessions/new?lang=en"))
	require.Zero(t, eval[int](b, `[...document.querySelectorAll("[data-upload]")].filter(e => e.getClientRects().length).length`))
	b.do(chromedp.SendKeys(chromedp.ID("n-a"), "Employees receive fifteen days of leave."))
	b.choose("#n-d", bigText(t, "leave.txt", 2<<20))
	b.click(`form:has(#n-d) .btn-primary`)
	b.until(`/^.(sessions|jobs).[0-9a-f-]{36}$/.test(location.pathname)`)
}
