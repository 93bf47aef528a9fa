package e2e

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain/access"
)

const officePassword = "three odd words"

// startOffice is for the pages of accounts, administration and the log. huda is in a second tenant too.
func startOffice(t *testing.T) *bureau {
	t.Helper()
	o := startPeople(t, []person{{"amina", "Amina Al Harthy", access.Admin}, {"huda", "هدى السالم", access.Reviewer},
		{"omar", "Omar Said", access.Approver}}, false, [2]string{"finance", "Ministry of Finance"}, [2]string{"bank", "National Bank"})
	second, err := o.store.TenantBySlug(context.Background(), "bank")
	require.NoError(t, err)
	require.NoError(t, o.store.AddMember(context.Background(), access.AtCommandLine(second.ID), o.people["huda"].ID, access.Viewer))
	return o
}

// status returns the status of a page for a cookie or a bearer token, without following redirects.
func (o *bureau) status(t *testing.T, path, header, value string) int {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, o.url+path, nil)
	require.NoError(t, err)
	r.Header.Set(header, value)
	res, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	return res.StatusCode
}

// signIn signs in on the login page.
func (b *tab) signIn(login, password string) {
	b.t.Helper()
	b.visit("/login")
	b.do(chromedp.SendKeys(chromedp.CSS("input[name=login]"), login),
		chromedp.SendKeys(chromedp.CSS("input[name=password]"), password))
	b.submit("main form .btn-primary")
}

// submit clicks and waits for the page that answers, which has a new request id.
func (b *tab) submit(selector string) {
	b.t.Helper()
	was := eval[string](b, `document.querySelector(".foot .end").textContent`)
	b.click(selector)
	b.until(fmt.Sprintf(`document.readyState == "complete" && document.querySelector(".foot .end") && document.querySelector(".foot .end").textContent != %q`, was))
	b.calm()
}

func (b *tab) path() string {
	b.t.Helper()
	return eval[string](b, "location.pathname")
}

func TestEnrolTwoStepLogin(t *testing.T) {
	t.Parallel()
	o := startOffice(t)
	b := open(t, o.app)
	b.signIn("huda", officePassword)
	b.visit("/account")
	b.submit(`form[action="/account/totp/new"] button`)
	secret := strings.ReplaceAll(b.text("#t-secret"), " ", "")
	b.do(chromedp.SendKeys(chromedp.ID("t-code"), "12345"))
	b.submit(".code-form .btn-primary")
	require.Contains(t, b.text("#t-code-e"), "is wrong")
	require.Equal(t, secret, strings.ReplaceAll(b.text("#t-secret"), " ", ""))
	code, err := totp.GenerateCode(secret, o.now())
	require.NoError(t, err)
	b.do(chromedp.SendKeys(chromedp.ID("t-code"), code))
	b.submit(".code-form .btn-primary")
	codes := eval[[]string](b, `[...document.querySelectorAll("#codes code")].map(c => c.textContent)`)
	require.Len(t, codes, 10)

	o.later.Add(int64(time.Minute))
	for _, step := range []string{"code of the app", codes[3]} {
		other := open(t, o.app)
		other.signIn("huda", officePassword)
		require.Equal(t, "/login/code", other.path())
		if step != codes[3] {
			step, err = totp.GenerateCode(secret, o.now())
			require.NoError(t, err)
		}
		other.do(chromedp.SendKeys(chromedp.CSS("input[name=code]"), step))
		other.submit("main form .btn-primary")
		require.Equal(t, "/", other.path())
	}
}

func TestTokenIsShownOnce(t *testing.T) {
	t.Parallel()
	o := startOffice(t)
	b := open(t, o.app)
	b.signIn("amina", officePassword)
	b.visit("/admin/tokens")
	b.do(chromedp.SendKeys(chromedp.ID("k-name"), "Nightly import"))
	b.submit(".side-form .btn-primary")
	secret := b.text("#token")
	require.Regexp(t, "^sanad_", secret)
	require.Equal(t, 200, o.status(t, "/api/v1/sessions", "Authorization", "Bearer "+secret))
	b.click(`button[data-copy="token"]`)
	b.until(`document.querySelector("#toasts .toast")`)
	b.visit("/admin/tokens")
	require.NotContains(t, eval[string](b, "document.documentElement.outerHTML"), secret)
	b.submit(".cards .c-do a")
	b.submit("main form .btn-danger")
	require.Contains(t, b.text(".cards"), "Revoked")
	require.Equal(t, 401, o.status(t, "/api/v1/sessions", "Authorization", "Bearer "+secret))
}

func TestVerifyTheLog(t *testing.T) {
	t.Parallel()
	o := startOffice(t)
	b := open(t, o.app)
	b.signIn("amina", officePassword)
	b.visit("/audit")
	require.Contains(t, b.text(".seal"), "Never")
	b.submit(`form[action="/audit/verify"] button`)
	require.Contains(t, b.text("#report"), "The log is intact")
	b.visit("/audit")
	require.NotContains(t, b.text(".seal"), "Never")
	// filters work without a new page, and are in the address
	b.do(chromedp.SetValue(chromedp.ID("f-a"), "log"))
	eval[bool](b, `document.getElementById("f-a").dispatchEvent(new Event("change", {bubbles: true}))`)
	b.until(`document.querySelectorAll(".trail > li").length == 1 && location.search.includes("action=log")`)
	b.calm()
}

// link makes an invitation by link in the name of amina, and returns its page.
func (o *bureau) link(t *testing.T) string {
	t.Helper()
	_, err := o.store.InviteByLink(context.Background(), o.people["amina"], access.Link{Hash: db.HashToken("one"), Role: access.Reviewer, Name: "نورة الكعبي", Email: "noura@example.test",
		Days: access.LinkDays})
	require.NoError(t, err)
	return "/join/one"
}

// TestJoinByLinkInTheBrowser makes a link, uses it in another browser without scripts, signs in there, and finds that
// the link is used up. Another one is over after its days.
func TestJoinByLinkInTheBrowser(t *testing.T) {
	t.Parallel()
	o := startOffice(t)
	b := open(t, o.app)
	b.signIn("amina", officePassword)
	makes := func() string {
		b.visit("/admin/invitations")
		b.submit(`form[aria-labelledby="l-add"] .btn-primary`)
		return strings.TrimPrefix(b.text("#link"), o.url)
	}
	used, over := makes(), makes()
	require.NotContains(t, eval[string](b, "document.documentElement.outerHTML"), used, "shown once")
	b.click(`button[data-copy="link"]`)
	b.until(`document.querySelector("#toasts .toast")`)

	guest := open(t, o.app)
	guest.withoutScripts()
	guest.visit(used)
	for id, typed := range map[string]string{"j-name": "Noura Al Kaabi", "j-login": "noura", "j-new": officePassword,
		"j-again": officePassword} {
		guest.do(chromedp.SendKeys(chromedp.ID(id), typed))
	}
	guest.submit("main form .btn-primary")
	login := guest.text("#login")
	require.Equal(t, "noura@finance", login)
	guest.signIn(login, officePassword)
	require.Equal(t, "/", guest.path())
	guest.visit(over)
	require.Contains(t, guest.text("main"), "You are signed in")

	other := open(t, o.app)
	other.visit(used)
	require.Contains(t, other.text("main"), "This link cannot be used")
	other.visit(over)
	require.Contains(t, other.text("h1"), "Create your account")
	o.later.Add(int64(access.LinkDays * 24 * time.Hour))
	other.visit(over)
	require.Contains(t, other.text("main"), "This link cannot be used")
}

// TestOfficePagesAreAccessible checks these pages in both languages and themes, wide and narrow: axe-core finds
// nothing, nothing scrolls sideways.
func TestOfficePagesAreAccessible(t *testing.T) {
	t.Parallel()
	for _, l := range looks(t) {
		if l.width == 1280 { // walkOffice checks each page at both widths: in make test one language
			t.Run(l.lang+"-"+l.theme, func(t *testing.T) { walkOffice(t, l.lang, l.theme) })
		}
	}
}

func walkOffice(t *testing.T, lang, theme string) {
	o := startOffice(t)
	o.device(t, "huda", "Mozilla/5.0 (Windows NT 10.0) Firefox/132.0", "192.0.2.8")
	o.device(t, "huda", "", "2001:db8::7")
	k, err := o.store.AddToken(context.Background(), access.AtCommandLine(o.tenant.ID), access.Token{
		Name: "استيراد ليلي", Role: access.Reviewer, Hash: "x", ExpiresAt: today.AddDate(0, 1, 0),
	})
	require.NoError(t, err)
	hook, stopped := o.webhooks(t)
	b := open(t, o.app)
	look := func(name string) {
		for _, width := range []int64{1280, 360} {
			id := fmt.Sprintf("%s-%s-%s-%d", name, lang, theme, width)
			b.width(width)
			b.picture(id)
			b.accessible(id)
		}
		b.width(1280)
	}
	b.visit("/login?lang=" + lang + "&theme=" + theme)
	b.visit(o.link(t))
	look("join")
	b.do(chromedp.SendKeys(chromedp.ID("j-login"), "noura"), chromedp.SendKeys(chromedp.ID("j-new"), "short"))
	b.submit("main form .btn-primary")
	look("join-refused")
	b.signIn("huda", officePassword)
	b.visit("/account")
	look("account")
	b.do(chromedp.SendKeys(chromedp.ID("p-current"), "x"), chromedp.SendKeys(chromedp.ID("p-new"), "short"),
		chromedp.SendKeys(chromedp.ID("p-again"), "short"))
	b.submit(`form[action="/account/password"] .btn-primary`)
	look("account-refused")
	b.submit(`form[action="/account/totp/new"] button`)
	look("totp")
	code, err := totp.GenerateCode(strings.ReplaceAll(b.text("#t-secret"), " ", ""), o.now())
	require.NoError(t, err)
	b.do(chromedp.SendKeys(chromedp.ID("t-code"), code))
	b.submit(".code-form .btn-primary")
	look("recovery")

	b = open(t, o.app)
	b.visit("/login?lang=" + lang + "&theme=" + theme)
	b.signIn("amina", officePassword)
	for name, path := range map[string]string{
		"invitations": "/admin/invitations", "invited": "/account/invitations",
		"users": "/admin/users", "user": "/admin/users/" + o.people["omar"].ID,
		"user-shared": "/admin/users/" + o.people["huda"].ID,
		"tokens":      "/admin/tokens", "revoke": "/admin/tokens/" + k.ID + "/revoke", "keys": "/admin/keys",
		"rotate":   "/admin/keys/log/rotate",
		"webhooks": "/admin/webhooks", "webhook": "/admin/webhooks/" + hook + "?done=tested",
		"webhook-off": "/admin/webhooks/" + stopped, "traces": "/admin/traces",
		"tenant": "/admin/tenant?done=saved", "audit": "/audit", "audit-none": "/audit?object=nothing",
	} {
		b.visit(path)
		look(name)
	}
	b.visit("/admin/users/" + o.people["amina"].ID)
	b.submit(`form[action$="/disable"] button`)
	look("user-last-admin")
	b.visit("/admin/users")
	b.do(chromedp.SendKeys(chromedp.ID("u-name"), "Khalid"), chromedp.SendKeys(chromedp.ID("u-login"), "khalid"))
	b.submit(".side-form .btn-primary")
	look("user-added")
	b.visit("/admin/tokens")
	b.do(chromedp.SendKeys(chromedp.ID("k-name"), "Nightly"))
	b.submit(".side-form .btn-primary")
	look("token-made")
	b.visit("/admin/webhooks")
	b.submit(".side-form .btn-primary")
	look("webhook-refused")
	b.do(chromedp.SendKeys(chromedp.ID("w-url"), "https://hooks.example/new"))
	b.click(`input[value="pack.signed_off"]`)
	b.submit(".side-form .btn-primary")
	look("webhook-made")
	b.visit("/audit")
	b.submit(`form[action="/audit/verify"] button`)
	eval[bool](b, `(document.querySelector(".trail-details").open = true)`)
	look("verified")
	o.later.Add(int64(6 * time.Minute))
	b.visit("/admin/users")
	look("users-confirm-first")
}
