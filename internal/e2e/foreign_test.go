package e2e

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// watched records the addresses that the browser requests.
type watched struct {
	mu   sync.Mutex
	urls []string
}

func watch(t *testing.T, b *tab) *watched {
	t.Helper()
	w := &watched{}
	require.NoError(t, chromedp.Listen(b.ctx, func(ev any) {
		if e, ok := ev.(*network.EventRequestWillBeSent); ok && e.Request != nil {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.urls = append(w.urls, e.Request.URL)
		}
	}))
	return w
}

// foreign returns the addresses outside the app. A data: address, which the browser's own date field uses,
// sends no request.
func (w *watched) foreign(app string) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(w.urls), func(u string) bool {
		return strings.HasPrefix(u, app+"/") || strings.HasPrefix(u, "data:")
	})
}

func (w *watched) saw(part string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.ContainsFunc(w.urls, func(u string) bool { return strings.Contains(u, part) })
}

// TestNoPageAsksAnotherHost checks that no page sends a request to another host or violates the
// content security policy.
func TestNoPageAsksAnotherHost(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	w := watch(t, b)
	all := pages(t, a)
	for _, path := range []string{
		"/login", "/confirm?next=%2Faccount", "/account", "/account/invitations", "/admin/users",
		"/admin/invitations", "/admin/tokens", "/admin/keys",
		"/admin/keys/sign/rotate", "/admin/tenant", "/admin/webhooks", "/admin/traces",
		"/admin/users/" + a.actor.ID, "/audit", "/docs/api", "/nowhere", "/notifications",
	} {
		all[path] = path
	}
	maps.Copy(all, mailPages(a))
	for name, path := range all {
		b.visit(path)
		require.Empty(t, w.foreign(a.url), name)
	}
	for _, part := range []string{"/static/", "/fonts/", "/audit"} {
		require.True(t, w.saw(part), "the watcher missed the requests for %s", part)
	}

	// a violation is detected, so this test can fail
	eval[bool](b, `(fetch("http://192.0.2.1/").catch(() => 0), true)`)
	b.until(`window.problems.some(p => p.startsWith("CSP connect-src"))`)
}
