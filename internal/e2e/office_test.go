package e2e

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/handlers"
	"sanad/internal/keys"
)

// office is an app with several users, for the pages of accounts, administration and the log. Its clock can be moved,
// as a one-time code works only once.
type office struct {
	*app
	tenant db.Tenant
	people map[string]db.User
	later  atomic.Int64
}

const officePassword = "three odd words"

func (o *office) now() time.Time { return today.Add(time.Duration(o.later.Load())) }

func startOffice(t *testing.T) *office {
	t.Helper()
	ctx, o := context.Background(), &office{people: map[string]db.User{}}
	box, err := keys.New(make([]byte, keys.MasterSize))
	newID := ids()
	require.NoError(t, err)
	dir := dbtest.Dir(t)
	store, err := db.Open(ctx, db.Options{Dir: dir, Database: dbtest.Database(dir), Now: o.now, NewID: newID, Keys: box})
	require.NoError(t, err)
	o.app = &app{store: store, newID: newID}
	o.tenant, err = store.AddTenant(ctx, "finance", "Ministry of Finance")
	require.NoError(t, err)
	second, err := store.AddTenant(ctx, "bank", "National Bank")
	require.NoError(t, err)
	hasher := auth.NewHasher(2)
	phc, err := hasher.Hash(ctx, officePassword)
	require.NoError(t, err)
	for _, p := range []struct {
		login, name string
		role        domain.Role
	}{{"amina", "Amina Al Harthy", domain.Admin}, {"huda", "هدى السالم", domain.Reviewer},
		{"omar", "Omar Said", domain.Approver}} {
		o.people[p.login], err = store.AddUser(ctx, domain.AtCommandLine(o.tenant.ID),
			db.User{Login: p.login, Name: p.name, Password: phc}, p.role)
		require.NoError(t, err)
	}
	require.NoError(t, store.AddMember(ctx, domain.AtCommandLine(second.ID), o.people["huda"].ID, domain.Viewer))
	srv := httptest.NewServer(handlers.New(handlers.Options{
		Store: store, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Now: o.now, NewID: newID,
		Keys: box, Hasher: hasher, Authorizer: access.ByRole{},
	}))
	t.Cleanup(func() {
		srv.Close()
		require.NoError(t, store.Close())
	})
	o.url = srv.URL
	return o
}

// device signs a person in on another device and returns its cookie.
func (o *office) device(t *testing.T, login, agent, address string) string {
	t.Helper()
	secret, u := auth.NewSecret(), o.people[login]
	require.NoError(t, o.store.CreateLogin(context.Background(),
		domain.Actor{Tenant: o.tenant.ID, ID: u.ID, Human: true}, access.Login{
			TokenHash: db.HashToken(secret), UserID: u.ID, TenantID: o.tenant.ID, CreatedAt: o.now(), SeenAt: o.now(),
			FreshAt: o.now(), Agent: agent, Address: address,
		}))
	return secret
}

// status returns the status of a page for a cookie or a bearer token, without following redirects.
func (o *office) status(t *testing.T, path, header, value string) int {
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

func TestEndAnotherDevice(t *testing.T) {
	t.Parallel()
	o := startOffice(t)
	b := open(t, o.app)
	b.signIn("omar", officePassword)
	phone := o.device(t, "omar", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1", "192.0.2.7")
	office := o.device(t, "omar", "Mozilla/5.0 (Windows NT 10.0) Firefox/132.0", "192.0.2.8")
	b.visit("/account")
	require.Equal(t, 3, eval[int](b, `document.querySelectorAll("#devices .devices > li").length`))
	require.Contains(t, b.text("#devices .devices"), "Chrome")
	eval[bool](b, `([...document.querySelectorAll("#devices .devices > li")].find(l => l.textContent.includes("iPhone")).querySelector("button").id = "this-one", true)`)
	b.submit("#this-one")
	require.NotContains(t, b.text("#devices .devices"), "iPhone")
	require.Equal(t, 303, o.status(t, "/account", "Cookie", "sanad="+phone))
	require.Equal(t, 200, o.status(t, "/account", "Cookie", "sanad="+office))
	b.submit(`form[action="/account/devices/end"] button`)
	require.Equal(t, 303, o.status(t, "/account", "Cookie", "sanad="+office))
	require.Equal(t, 1, eval[int](b, `document.querySelectorAll("#devices .devices > li").length`))
}

func TestAddSomebodyAndLogInAsThem(t *testing.T) {
	t.Parallel()
	o := startOffice(t)
	b := open(t, o.app)
	b.signIn("amina", officePassword)
	b.visit("/admin/users")
	b.do(chromedp.SendKeys(chromedp.ID("u-name"), "Khalid"), chromedp.SendKeys(chromedp.ID("u-login"), "omar@bank"))
	b.submit(".side-form .btn-primary")
	require.Contains(t, b.text("#u-login-e"), "Before @finance:")
	require.Equal(t, "Khalid", eval[string](b, `document.getElementById("u-name").value`))
	b.do(chromedp.SetValue(chromedp.ID("u-login"), "khalid"), chromedp.SetValue(chromedp.ID("u-role"), "reviewer"))
	b.submit(".side-form .btn-primary")
	secret := b.text("#new-password")
	require.NotContains(t, eval[string](b, "location.href"), secret)

	other := open(t, o.app)
	other.signIn("khalid@finance", secret)
	require.Equal(t, "/", other.path())
	other.visit("/account")
	require.Contains(t, other.text("main"), "Reviewer")
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

// TestAdministrationWithoutJavaScript changes a role, and checks that the last administrator can't be removed.
func TestAdministrationWithoutJavaScript(t *testing.T) {
	t.Parallel()
	o := startOffice(t)
	b := open(t, o.app)
	b.withoutScripts()
	b.do(chromedp.Navigate(o.url+"/login"), chromedp.SendKeys(chromedp.CSS("input[name=login]"), "amina"),
		chromedp.SendKeys(chromedp.CSS("input[name=password]"), officePassword))
	b.click("main form .btn-primary")
	b.do(chromedp.WaitVisible(chromedp.CSS(".who")), chromedp.Navigate(o.url+"/admin/users/"+o.people["amina"].ID),
		chromedp.SetValue(chromedp.ID("m-r"), "viewer"))
	b.click(`form[action$="/role"] button`)
	b.do(chromedp.WaitVisible(chromedp.ID("m-r-e")))
	require.Contains(t, b.text("#m-r-e"), "last administrator")
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
	k, err := o.store.AddToken(context.Background(), domain.AtCommandLine(o.tenant.ID), access.Token{
		Name: "استيراد ليلي", Role: domain.Reviewer, Hash: "x", ExpiresAt: today.AddDate(0, 1, 0),
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
