package e2e

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
)

// fifty imports a session of fifty claims.
func (a *app) fifty(t *testing.T) string {
	t.Helper()
	return a.many(t, 50)
}

// many imports a session of n claims, all judged, every third of them weak.
func (a *app) many(t *testing.T, n int) string {
	t.Helper()
	dbtest.BulkConfirmsAll(t, a.store, a.actor.Tenant)
	var text strings.Builder
	claims := make([]string, n)
	for i := range claims {
		sentence := fmt.Sprintf("Rule %d gives employees %d days of leave.", i+1, i+2)
		text.WriteString(sentence + " ")
		support, similarity := "full", 0.95
		if i%3 == 2 {
			support, similarity = "partial", 0.7
		}
		claims[i] = fmt.Sprintf(`{"claim_id":"c%d","claim_text":%q,"claim_type":"policy","importance":"material","matches":[{"chunk":"k","similarity":%g,"support_level":%q,"contradicts":false,"snippet":"Employees get leave"}]}`,
			i+1, sentence, similarity, support)
	}
	body := fmt.Sprintf(`{"format":"sanad.session/v1","session":{"external_id":"many-%d","title":"Fifty claims","query":"Which leave?","answer":%q},
		"documents":[{"id":"d","filename":"Leave.pdf","chunks":[{"id":"k","text":"Employees get leave by these rules.","page_number":1}]}],"claims":[%s]}`,
		n, text.String(), strings.Join(claims, ","))
	return a.importAs(t, a.actor, "", body)
}

// TestFiftyClaimsByKeyboard confirms fifty claims with the keyboard only, with at most two keys per claim.
func TestFiftyClaimsByKeyboard(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	path := a.fifty(t)
	b := open(t, a)
	b.visit(path)
	pressed := 0
	press := func(key string) {
		pressed++
		b.keys(key)
	}
	press("n")
	for i := 1; i <= 50; i++ {
		here := fmt.Sprintf(`document.activeElement.closest("tr.row")?.id == "claim-%d" && document.querySelector("#pane .claim-view")?.dataset.n == "%d"`, i, i)
		b.until(here) // the claim's evidence is shown before it is confirmed
		press("c")
		b.until(fmt.Sprintf(`document.querySelector("#claim-%d .was")?.textContent.includes("Confirmed")`, i))
		b.until(`!document.querySelector(".htmx-request, .htmx-swapping, .htmx-settling")`)
	}
	b.until(`document.querySelector("#progress")?.innerText.includes("50 of 50 claims settled")`)
	t.Logf("50 claims confirmed with %d keys: %.2f a claim", pressed, float64(pressed)/50)
	require.LessOrEqual(t, pressed, 2*50)

	// a key takes the last one back, which makes it the next waiting one
	b.keys("u")
	b.until(`document.querySelector("#progress")?.innerText.includes("49 of 50 claims settled") && document.querySelector("#claim-50[data-awaits]")`)
	b.until(`document.activeElement.closest("tr.row")?.id == "claim-50"`)
	require.Contains(t, b.text("#toasts"), "withdrawn")
	b.calm()
}

// TestKeySheet checks that the key sheet lists every key that does something.
func TestKeySheet(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	b.visit(a.session("leave-policy.json"))
	b.keys("?")
	b.until(`document.getElementById("help").open`)
	require.ElementsMatch(t, []string{"j", "k", "Enter", "Esc", "c", "m", "o", "1", "2", "3", "4", "n", "x", "Shift ↓", "Shift ↑", "u", "f", "/", "g", "s", "g", "n", "?"},
		eval[[]string](b, `[...document.querySelectorAll("#help dt:not(:has([data-mod])) kbd")].map(k => k.textContent)`))
	eval[bool](b, `(document.getElementById("help").close(), true)`)
	b.keys("g")
	b.keys("s")
	b.until(`location.pathname == "/sessions"`)
}

// TestBulkConfirmWithoutJavaScript confirms several claims and takes that back; a page lists them first.
func TestBulkConfirmWithoutJavaScript(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	path := a.fifty(t)
	b := open(t, a)
	b.withoutScripts()
	b.do(chromedp.Navigate(a.url + path + "?verdict=weak"))
	b.click(".bulk a")
	b.do(chromedp.WaitVisible(chromedp.CSS(".bulk-page")))
	require.Contains(t, b.text(".bulk-page"), "16 claims would be confirmed")
	require.Contains(t, b.text(".bulk-page .figures"), "16 Weak")
	b.click(".bulk-page .btn-primary")
	b.do(chromedp.WaitVisible(chromedp.CSS(".notice form")))
	require.Contains(t, b.text(".notice"), "16 claims confirmed")
	require.Contains(t, b.text("#progress"), "16 of 50 claims settled")
	require.Contains(t, b.text("#claim-3 .was"), "Confirmed")
	b.click(".notice button")
	b.do(chromedp.WaitVisible(chromedp.CSS(".notice:not(:has(form))")))
	require.Contains(t, b.text(".notice"), "16 claims withdrawn")
	require.Contains(t, b.text("#progress"), "0 of 50 claims settled")

	// a single review, from the timeline of its claim
	b.do(chromedp.Navigate(a.url + path + "/claims/1"))
	b.click("button.if-confirm")
	b.do(chromedp.WaitVisible(chromedp.CSS(".timeline form.undo")))
	b.click(".timeline form.undo button")
	b.do(chromedp.WaitVisible(chromedp.CSS(".timeline .is-undone")))
	require.Contains(t, b.text(".claim-page [role=status]"), "withdrawn")
}

// TestStepsOfASession takes, closes and reopens a session with the page's forms.
func TestStepsOfASession(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	path := a.fifty(t)
	b := open(t, a)
	b.visit(path)
	b.click(`#progress button`)
	b.until(`!document.querySelector("#progress button")`)
	b.visit(path + "?tab=sources")
	b.until(`document.querySelector("#people .facts bdi")?.textContent == "Noura Al-Harbi"`)
	b.visit("/")
	require.Contains(t, b.text("#mine-h"), "Assigned to you")
	b.visit(path + "?tab=sources")
	b.click(`#people form[action*="/close"] button`)
	b.until(`document.querySelector("#close-r[aria-invalid=true]")`)
	b.accessible("close refused")
	b.do(chromedp.SendKeys(chromedp.ID("close-r"), "Out of scope."))
	b.click(`#people form[action*="/close"] button`)
	b.until(`document.querySelector("#people .alert")?.innerText.includes("Out of scope.")`)
	b.accessible("closed")
	b.click(`#people form[action*="/reopen"] button`)
	b.until(`document.querySelector("#close-r")`)
	b.calm()
}

// TestClosedSessionStaysClosed closes a settled session by one button of its head. The undo key does not open it again,
// and says so; the button in the claim does, and says so.
func TestClosedSessionStaysClosed(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	path, me := a.session("leave-policy.json"), member{a.actor, a.cookie.Value}
	for _, n := range []string{"1", "2", "3", "4"} {
		a.send(t, me, path+"/claims/"+n+"/reviews", url.Values{"action": {"confirm"}, "seen": {"0"}})
	}
	b := open(t, a)
	b.visit(path + "?lang=en&claim=2")
	b.submit(`#progress form[action$="/close"] button`)
	require.Equal(t, "Closed", b.text("#progress .state-word"))
	b.visit(path + "?claim=2")
	require.Contains(t, b.text("#pane"), "This session is closed.")
	b.keys("u")
	b.until(`document.querySelector("#toasts")?.innerText.includes("reopens it")`)
	b.visit(path + "?claim=2")
	require.Equal(t, "Closed", b.text("#progress .state-word"))
	b.click(`#pane form.undo button`)
	b.until(`document.querySelector("#progress .state-word").textContent !== "Closed"`)
	require.Contains(t, b.text("#toasts"), "Review of claim 2 withdrawn.")
	b.visit(path + "?tab=sources")
	b.do(chromedp.SendKeys(chromedp.ID("close-r"), "Enough."))
	b.submit(`#people form[action*="/close"] button`)
	b.visit(path)
	b.submit(`#progress form[action$="/reopen"] button`)
	require.NotEqual(t, "Closed", b.text("#progress .state-word"))
	b.calm()
}

// TestDecidePagesAreAccessible checks these pages in both languages and themes, wide and narrow.
func TestDecidePagesAreAccessible(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	path := a.fifty(t)
	res, _ := a.do(t, http.MethodPost, path+"/reviewers",
		url.Values{"first": {a.actor.ID}, "second_review": {"open"}}.Encode())
	require.Equal(t, http.StatusOK, res.StatusCode)
	res, _ = a.do(t, http.MethodPost, path+"/claims/1/reviews",
		url.Values{"action": {"confirm"}, "seen": {"0"}}.Encode())
	require.Equal(t, http.StatusOK, res.StatusCode)
	b := open(t, a)
	for name, page := range map[string]string{"session": path, "claim": path + "/claims/1", "bulk": path + "/confirm",
		"list": "/sessions?assigned=me", "home": "/"} {
		for _, l := range looks(t) {
			b.look(page, l)
			b.accessible(l.name(name))
			b.picture(l.name("decide-" + name))
		}
	}
}

// TestConfirmingIsNeverBlind: a second press of c before the next claim is shown confirms nothing; c on a claim that
// one has confirmed already says so and stays; Ctrl and Enter send the review from its text.
func TestConfirmingIsNeverBlind(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	path := a.fifty(t)
	b := open(t, a)
	b.window(1280, 800)
	b.visit(path + "?claim=1")
	b.shows(1)
	// three presses before any answer
	eval[bool](b, `(["c", "c", "c"].forEach(key => document.body.dispatchEvent(
		new KeyboardEvent("keydown", {key, code: "KeyC", bubbles: true}))), true)`)
	b.shows(2)
	b.until(`!document.querySelector(".htmx-request")`)
	require.Equal(t, 49, eval[int](b, `document.querySelectorAll("tr.row[data-awaits]").length`), "one press, one claim")

	// a press while the answer is being shown
	eval[bool](b, `(document.addEventListener("htmx:after:settle", () => document.body.dispatchEvent(
		new KeyboardEvent("keydown", {key: "c", code: "KeyC", bubbles: true})), {once: true}), true)`)
	b.keys("c")
	b.shows(3)
	b.until(`!document.querySelector(".htmx-request")`)
	require.Equal(t, 48, eval[int](b, `document.querySelectorAll("tr.row[data-awaits]").length`), "one press, one claim")

	b.click("#claim-1 a.open")
	b.shows(1)
	b.keys("c")
	b.until(`document.querySelector("#r-a .err")`)
	require.Contains(t, b.text("#r-a"), "You have already confirmed this verdict")
	b.shows(1)

	b.click("#claim-4 a.open")
	b.shows(4)
	b.click("#claim-view input[name=action][value=comment]")
	b.do(chromedp.SendKeys(chromedp.ID("r-r"), "Which rules?"))
	b.loaded()
	b.do(chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	b.until(`document.querySelector("#toasts")?.textContent.includes("Comment on claim 4 saved")`)
}

// TestClaimsAreSetAsideAndReworded marks a text as no claim, and splits, merges and takes back, by mouse and by keys,
// with scripts and without.
func TestClaimsAreSetAsideAndReworded(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, scripts bool) {
		a := startApp(t)
		path := a.session("leave-policy.json")
		b := open(t, a)
		if !scripts {
			b.withoutScripts()
		}
		b.visit(path + "?claim=1&lang=en")
		require.False(t, eval[bool](b, `document.querySelector("input[value=not_a_claim]").checkVisibility()`), "it is quiet")
		if scripts {
			b.click("input[value=comment]") // from there by keys alone
			b.keys(kb.Tab)
			b.until(`document.activeElement.matches(".more-actions > summary")`)
			eval[bool](b, `(document.activeElement.click(), true)`) // Enter, which the protocol sends with a letter of its own
			b.until(`document.activeElement.value === "edit"`)
			b.keys(kb.ArrowRight + kb.ArrowRight)
			b.until(`document.querySelector("input[value=not_a_claim]").checked`)
		} else {
			b.click(".more-actions > summary")
			b.click("input[value=not_a_claim]")
		}
		b.do(chromedp.SendKeys(chromedp.ID("r-r"), "It only leads in."))
		b.click(".review button.if-aside")
		if scripts {
			b.until(`document.querySelector("#claim-1 .badge-aside") && document.querySelector("#claim-1.is-aside")`)
			require.Contains(t, b.text("#claim-1 .c-marks"), "It only leads in.")
			b.until(`/1 not a claim/.test(document.querySelector("#summary").textContent)`)
		} else {
			b.until(`document.querySelector(".claim-view .badge-aside")`)
		}
		require.Contains(t, b.text(".claim-view .alert"), "It only leads in.")
		if scripts { // axe is one
			for _, l := range looks(t) {
				b.look(path+"/claims/1", l)
				b.accessible(l.name("claim set aside"))
				b.picture(l.name("aside-claim"))
				b.look(path+"?aside=not_a_claim", l)
				b.accessible(l.name("rows set aside"))
				b.picture(l.name("aside-rows"))
				b.look(path+"/claims/2/words", l)
				b.accessible(l.name("words of a claim"))
				b.picture(l.name("words"))
			}
		}
		b.width(1280)
		b.visit(path + "/claims/1?lang=en")
		b.click(".claim-view .alert button")
		b.until(`!document.querySelector(".claim-view .badge-aside")`)

		b.visit(path + "/claims/2")
		b.click(".more-actions > summary")
		b.picture("more-actions")
		b.click(".more-actions > a")
		b.until(`document.querySelector("#w-t")`)
		b.submit("form[method=post] .btn-primary")
		require.Contains(t, b.text(".alert"), "already has these words")
		b.do(chromedp.SetValue(chromedp.ID("w-t"), "Leave is fifteen days.\nIt is paid."))
		b.submit("form[method=post] .btn-primary")
		b.click(".claim-view form[action$='/words/undo'] button")
		b.until(`location.pathname.endsWith("/claims/2") && !document.querySelector(".badge-aside")`)

		b.visit(path + "/claims/2/words")
		b.click("input[name=with]")
		b.submit("form[method=get].after .btn-small")
		require.Contains(t, b.text(".facts"), "Claim 2")
		require.Len(t, eval[[]string](b, `[...document.querySelectorAll("main form[method=post] input[type=hidden][name=with]")].map(e => e.value)`), 1)
		b.submit("form[method=post] .btn-primary")
		require.Contains(t, b.text(".claim-view .alert"), "Replaces")
	})
}
