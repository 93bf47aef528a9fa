package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// The pages before the login, in both languages and themes, wide and narrow.
func TestLoginPagesAreAccessible(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	for _, l := range looks(t) {
		b.setCookie("")
		b.look("/login?out=1&next=%2Fsessions", l)
		b.picture(l.name("login"))
		b.accessible(l.name("login"))
		b.setCookie(a.cookie.Value)
		b.look("/confirm", l)
		b.picture(l.name("confirm"))
		b.accessible(l.name("confirm"))
	}
}

// TestSignInAndOut signs in with a wrong and the right password, and out again, without JavaScript.
func TestSignInAndOut(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	b.setCookie("")
	b.withoutScripts()
	b.do(chromedp.Navigate(a.url+"/sessions?state=open"), chromedp.WaitVisible(chromedp.ID("l-n")))
	b.do(chromedp.SendKeys(chromedp.ID("l-n"), "Admin"), chromedp.SendKeys(chromedp.ID("l-p"), "wrong"))
	b.click(".login .btn-primary")
	b.do(chromedp.WaitVisible(chromedp.CSS(".login [role=alert]")))
	b.picture("login-wrong")
	require.Contains(t, b.text("#l-e"), "did not match")
	b.do(chromedp.SendKeys(chromedp.ID("l-p"), password)) // the name is kept
	b.click(".login .btn-primary")
	b.do(chromedp.WaitVisible(chromedp.CSS("details.who")))
	require.Contains(t, b.text("details.who summary"), "Noura Al-Harbi")
	require.Contains(t, b.text("h1"), "Sessions")
	b.click("details.who summary")
	b.click("details.who form button")
	b.do(chromedp.WaitVisible(chromedp.CSS(".login [role=status]")))
	require.Contains(t, b.text(".login [role=status]"), "signed out")
}

// TestEndedLoginInPlace checks that if the login ends while a page is open, the next partial update leads to the login
// page and back.
func TestEndedLoginInPlace(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	b.visit(a.session("leave-policy.json"))
	b.setCookie("")
	b.click("#claim-3 a.open")
	b.until(`location.pathname == "/login" && new URLSearchParams(location.search).get("next") == "` +
		a.session("leave-policy.json") + `?claim=1"`) // the claim in focus
}

// TestOpenPagesAreEmptied checks that a page that stays open loses its text when its login has ended elsewhere: as soon
// as it is looked at, and as soon as another tab of the browser comes to the login page. Before, asking changes
// nothing.
func TestOpenPagesAreEmptied(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	const ask, at = `document.dispatchEvent(new Event("visibilitychange"))`, `location.pathname == "/login"`
	b.visit(a.session("leave-policy.json"))
	b.until(`(` + ask + `, performance.getEntriesByType("resource").some((r) => r.name.endsWith("/login")))`)
	b.until(`location.pathname == "` + a.session("leave-policy.json") + `" && document.querySelector("#claim-3")`)
	b.setCookie("")
	b.until(`(` + ask + `, ` + at + `) && new URLSearchParams(location.search).get("next") == "` +
		a.session("leave-policy.json") + `?claim=1"`)

	b.setCookie(a.cookie.Value)
	b.visit(a.session("leave-policy.json"))
	b.setCookie("")
	b.until(`(dispatchEvent(new StorageEvent("storage", {key: "sanad-ended"})), ` + at + `)`)
}
