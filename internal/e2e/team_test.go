package e2e

import (
	"fmt"
	"net/url"
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
)

// team is an app with its own user as administrator, and two reviewers.
type team struct {
	*app
	huda, omar member
}

func startTeam(t *testing.T) team {
	t.Helper()
	a := startApp(t)
	return team{a, a.member(t, "huda", "هدى السالم", access.Reviewer),
		a.member(t, "omar", "Omar Said", access.Approver)}
}

// admin returns the app's own user.
func (o team) admin() member { return member{o.actor, o.cookie.Value} }

// openAs opens a browser as a person.
func (o team) openAs(t *testing.T, who member, scripts bool) *tab {
	t.Helper()
	b := open(t, o.app)
	b.setCookie(who.cookie)
	if !scripts {
		b.withoutScripts()
	}
	return b
}

// bothWays runs a test in a browser with JavaScript and in one without.
func bothWays(t *testing.T, test func(t *testing.T, scripts bool)) {
	t.Helper()
	for _, scripts := range []bool{true, false} {
		t.Run(map[bool]string{true: "with", false: "without"}[scripts]+" scripts",
			func(t *testing.T) { test(t, scripts) })
	}
}

// decide reviews a claim on its own page, and waits until its timeline shows the review.
func (b *tab) decide(claim, action, verdict, reason string) {
	b.t.Helper()
	b.visit(claim)
	b.click("input[name=action][value=" + action + "]")
	if verdict != "" {
		b.do(chromedp.SetValue(chromedp.ID("r-v"), verdict))
	}
	if reason != "" {
		b.do(chromedp.SendKeys(chromedp.ID("r-r"), reason))
	}
	was := eval[int](b, `document.querySelectorAll(".timeline > li").length`)
	b.click(".review button.if-" + action)
	b.until(`document.querySelectorAll(".timeline > li").length > ` + strconv.Itoa(was))
	b.calm()
}

// state returns the progress of the review of the session shown.
func (b *tab) state() string { b.t.Helper(); return b.text("#progress .state-word") }

// confirmAll confirms the remaining claims of a session together.
func (b *tab) confirmAll(path string) {
	b.t.Helper()
	b.visit(path + "?unsettled=1")
	b.submit(".bulk a")
	b.submit(".bulk-page .btn-primary")
}

// TestTwoReviewers has two people review a session in two browsers, and a third person assign it and settle their
// differences. The second review is blind: until both have decided a claim, neither sees the other's review. The
// session's state goes from new to closed, and a later review reopens it.
func TestTwoReviewers(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, scripts bool) {
		o := startTeam(t)
		dbtest.BulkConfirmsAll(t, o.store, o.actor.Tenant)
		path := o.session("leave-policy.json")
		admin, huda, omar := o.openAs(t, o.admin(), scripts), o.openAs(t, o.huda, scripts), o.openAs(t, o.omar, scripts)

		admin.visit(path)
		require.Equal(t, "New", admin.state())
		admin.visit(path + "?tab=sources")
		admin.click(`#people details:has(#as-1) summary`)
		admin.do(chromedp.SetValue(chromedp.ID("as-1"), o.huda.ID), chromedp.SetValue(chromedp.ID("as-m"), "blind"),
			chromedp.SetValue(chromedp.ID("as-2"), o.actor.ID))
		admin.submit(`form:has(#as-1) button`)
		require.Contains(t, admin.text(`#people [id^="as-"][id$="-e"]`), "in a blind review, an administrator")
		admin.do(chromedp.SetValue(chromedp.ID("as-1"), o.huda.ID), chromedp.SetValue(chromedp.ID("as-m"), "blind"),
			chromedp.SetValue(chromedp.ID("as-2"), o.omar.ID))
		admin.submit(`form:has(#as-1) button`)
		require.Equal(t, []string{o.huda.User, o.omar.User},
			eval[[]string](admin, `[...document.querySelectorAll("#people .facts bdi")].map(n => n.textContent)`))
		require.Contains(t, admin.text("#people .facts"), "Blind: sealed until both have decided")
		require.Contains(t, admin.text("#people .facts"), "No claim has been decided by both yet")

		huda.visit("/")
		require.Contains(t, huda.text(`section[aria-labelledby="mine-h"]`), "Leave Policy Q&A")
		const words = "Page 12 says otherwise."
		huda.decide(path+"/claims/1", "override", "contradicted", words)
		require.Contains(t, huda.text(".timeline"), words)
		huda.visit(path)
		require.Equal(t, "In review", huda.state())
		require.Contains(t, huda.text("#progress"), "You have decided 1 of 4 claims.")
		require.Contains(t, huda.text("#claim-1"), "Overridden")
		require.Contains(t, huda.text("#claim-1 .badge"), "Contradicted", "her own decision, for her alone")
		require.Contains(t, eval[string](huda, `document.querySelector("#claim-1").innerHTML`), "You: Contradicted, sealed")

		for _, other := range []*tab{omar, admin} {
			for _, page := range []string{path, path + "/claims/1", path + "?verdict=contradicted",
				"/search?q=otherwise"} {
				other.visit(page)
				require.NotContains(t, other.text("main"), words, page)
				require.NotContains(t, other.text("main"), "You: Contradicted", page)
			}
		}
		omar.visit(path)
		require.Contains(t, omar.text("#claim-1 .badge"), "Supported", "hers counts for nothing yet")
		omar.visit(path + "/claims/1")
		require.Contains(t, omar.text(".claim-view [role=note]"), "This is a blind review.")
		require.Contains(t, omar.text(".lights"), "Supported")
		omar.decide(path+"/claims/1", "confirm", "", "It is 15 days.")
		require.Contains(t, omar.text(".timeline"), words, "both have decided")

		// they differ: neither of the two can settle that, somebody else can
		huda.visit(path + "/claims/1")
		require.Contains(t, huda.text(".timeline"), "It is 15 days.")
		require.Contains(t, huda.text(".claim-view .alert-warn"), "Somebody other than these two must settle it.")
		huda.visit(path + "?tab=sources")
		require.Contains(t, huda.text("#people"), "the same verdict on 0 of 1 claim")
		admin.visit(path)
		admin.submit(`#progress a[href*="differs=1"]`)
		require.Equal(t, []string{"claim-1"},
			eval[[]string](admin, `[...document.querySelectorAll("tr.row")].map(r => r.id)`))
		admin.visit(path + "/claims/1")
		require.Contains(t, admin.text(".claim-view .alert-warn"), "Confirm or override to settle it")
		admin.decide(path+"/claims/1", "override", "supported", "The page says 15.")
		require.Contains(t, admin.text(".timeline"), "settles the difference")

		huda.confirmAll(path)
		require.Contains(t, huda.text(".notice"), "3 claims confirmed")
		require.Equal(t, "In review", huda.state())
		omar.confirmAll(path)
		require.Equal(t, "Reviewed", omar.state())
		require.Contains(t, omar.text("#progress"), "4 of 4 claims settled")
		omar.submit(`.tab-sources a`)
		require.Contains(t, omar.text("#people"), "the same verdict on 3 of 4 claims")

		omar.submit(`#people form[action*="/close"] button`)
		require.Equal(t, "Closed", omar.state())
		require.Contains(t, omar.text("#people .alert"), "Omar Said")
		huda.decide(path+"/claims/2", "comment", "", "Asked HR once more.")
		huda.visit(path)
		require.Equal(t, "Reviewed", huda.state(), "a comment reopens the session")
		huda.decide(path+"/claims/3", "override", "contradicted", "It cannot.")
		huda.visit(path)
		require.Equal(t, "In review", huda.state())
		require.Contains(t, huda.text("#progress"), "1 where reviewers differ")
	})
}

// TestTakingASecondSeat checks that anybody can take a free reviewer's place and give back their own, also in an open
// double review, in which they see the other's reviews at once.
func TestTakingASecondSeat(t *testing.T) {
	t.Parallel()
	o := startTeam(t)
	path := o.session("leave-policy.json")
	o.send(t, o.admin(), path+"/reviewers", url.Values{"first": {o.huda.ID}, "second_review": {"open"}, "second": {""}})
	o.send(t, o.huda, path+"/claims/1/reviews", url.Values{"action": {"confirm"}, "seen": {"0"}, "reason": {"Read."}})
	b := o.openAs(t, o.omar, true)
	b.visit(path)
	require.Contains(t, b.text("#claim-1"), "Confirmed")
	b.submit(`form:has([name=take][value=second]) button`)
	b.visit(path + "?tab=sources")
	require.Contains(t, b.text("#people .facts"), "Omar Said")
	b.decide(path+"/claims/1", "confirm", "", "")
	require.Contains(t, b.text(".timeline"), "Read.")
	b.visit(path + "?tab=sources")
	require.Contains(t, b.text("#people"), "the same verdict on 1 of 1 claim")
	b.submit(`form:has([name=take][value=none]) button`)
	require.NotContains(t, b.text("#people .facts"), "Omar Said")
	require.Equal(t, 1, eval[int](b, fmt.Sprintf(`document.querySelectorAll(%q).length`, `[name=take][value=second]`)))
}
