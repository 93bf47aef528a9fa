package interop

import (
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
)

// Visitor is a person's browser without JavaScript: it keeps cookies and submits forms. It does not follow
// redirects by itself.
type Visitor struct{ *http.Client }

// NewVisitor returns a visitor without cookies.
func NewVisitor(t testing.TB) *Visitor {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Visitor{&http.Client{Jar: jar, Timeout: 30 * time.Second, CheckRedirect: stay}}
}

// SignIn goes from the address to which the app sends people (auth.OIDC.Start) through the provider's login and consent
// forms as login, and returns the address to which the provider redirects, not yet visited. A provider that knows this
// visitor may show no forms; asked has the kinds of those shown.
func (v *Visitor) SignIn(t testing.TB, address, login string) (back *url.URL, asked []string) {
	t.Helper()
	form := url.Values(nil)
	for range 20 {
		next, page := v.step(t, address, form)
		form = nil
		switch {
		case next != nil && strings.HasSuffix(next.Path, OIDCCallback):
			return next, asked
		case next != nil:
			address = next.String()
		default:
			var prompt string
			address, prompt = readForm(t, address, page)
			asked = append(asked, prompt)
			form = url.Values{"prompt": {prompt}, "login": {login}, "password": {"any"}}
		}
	}
	t.Fatal("the provider leads in a circle")
	return nil, nil
}

// step requests an address, or posts a form to it, and returns the target of the redirect, or else the page.
func (v *Visitor) step(t testing.TB, address string, form url.Values) (*url.URL, string) {
	t.Helper()
	var (
		res *http.Response
		err error
	)
	if form == nil {
		res, err = v.Get(address)
	} else {
		res, err = v.PostForm(address, form)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close() //nolint:errcheck // only read
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	if next, err := res.Location(); err == nil {
		return next, ""
	}
	if res.StatusCode != http.StatusOK {
		t.Fatalf("%s answered %s\n%s", address, res.Status, body)
	}
	return nil, string(body)
}

var (
	formAction = regexp.MustCompile(`<form[^>]* action="([^"]+)"`)
	formPrompt = regexp.MustCompile(`name="prompt" value="([a-z]+)"`)
)

// readForm returns the target of the provider's form, and whether it asks for "login" or "consent".
func readForm(t testing.TB, address, page string) (action, prompt string) {
	t.Helper()
	to, what := formAction.FindStringSubmatch(page), formPrompt.FindStringSubmatch(page)
	if to == nil || what == nil {
		t.Fatalf("no form at %s:\n%s", address, page)
	}
	base, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	u, err := base.Parse(html.UnescapeString(to[1]))
	if err != nil {
		t.Fatal(err)
	}
	return u.String(), what[1]
}
