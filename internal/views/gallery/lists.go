package gallery

import (
	"context"
	"io"
	"net/url"

	"github.com/a-h/templ"

	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	accountsviews "sanad/internal/views/accounts"
	ledgerviews "sanad/internal/views/ledger"
	searchviews "sanad/internal/views/search"
	"sanad/internal/views/ui"
	"sanad/internal/words"
)

// galleryLists are lists of sessions and what a run changed, the chart of the start page, and pages that are empty.
func galleryLists(c *ui.Chrome) []Sample {
	viewer := c.At(&url.URL{Path: "/sessions"})
	viewer.May = ui.May{}
	row := func(title string, state ledger.State, settled int) ledger.SessionRow {
		return ledger.SessionRow{
			ID: "s", Title: title, Claims: 50,
			ByVerdict: map[ledger.Verdict]int{ledger.Supported: 30, ledger.Weak: 10, ledger.Contradicted: 4,
				ledger.NotFound: 5},
			Unjudged: 1, Coverage: 0.86, Flags: 3, State: state, Settled: settled, Reviewer: "Noura Al-Harbi",
			CreatedAt: galleryDay,
		}
	}
	rows := []ledger.SessionRow{
		row("Leave policy", ledger.New, 0), row("مراجعة عقود التوريد", ledger.InReview, 20),
		row("Vendor review", ledger.Reviewed, 50),
		row(hugeText, ledger.Closed, 12), row(hugeWord, ledger.InReview, 49),
		{ID: "s", Title: "Empty", State: ledger.Reviewed, CreatedAt: galleryDay},
	}
	sorted := ledgerviews.NewSessionsPage(*c,
		ledgerviews.SessionsInput{Rows: rows,
			SessionQuery: ledger.SessionQuery{Sort: "coverage", Dir: "desc", Text: "leave"}})
	short := ledgerviews.NewSessionsPage(*c, ledgerviews.SessionsInput{Rows: rows[:2]})
	days := func(rates ...float64) *searchviews.Chart {
		var out []ledger.DayCoverage
		for i, r := range rates {
			out = append(out, ledger.DayCoverage{Day: galleryDay.AddDate(0, 0, i-len(rates)), Coverage: r})
		}
		return searchviews.NewChart(c, out)
	}
	invited := accountsviews.NewInvitedPage(*c, []access.Invitation{
		{ID: "i", TenantName: "National Bank", ByName: "Salem Al-Ketbi", Role: access.Approver, At: galleryDay,
			ExpiresAt: galleryDay.Add(access.InvitationFor)},
		{ID: "j", TenantName: hugeText, ByName: "نورة الكعبي", Role: access.Viewer, At: galleryDay,
			ExpiresAt: galleryDay.Add(access.InvitationFor)},
	})
	invited.Confirm = "/confirm"
	byLink := access.Invitation{ID: "k", TenantName: "National Bank", Name: "نورة الكعبي", Email: "noura@example.test",
		ByName: "Salem Al-Ketbi", Role: access.Auditor, At: galleryDay, ExpiresAt: galleryDay.AddDate(0, 0, access.LinkDays)}
	link := func(waits bool) templ.Component {
		return accountsviews.LinkBody(accountsviews.NewLinkPage(*c, &byLink, access.LinkDays,
			"https://sanad.example.test/join/bpjy7qloxxm3jhwvh66xzbw3obmvgqcwnnt2wfnhw36ocyhrok2a", waits))
	}
	join := accountsviews.NewJoinPage(*c, &byLink, accountsviews.JoinForm{First: true, Scope: "bank",
		Fault: &ui.FormFault{Field: "new", Word: "password_short"}})
	first := ledgerviews.NewRunPage(*c,
		ledgerviews.RunInput{RunPage: ledger.RunPage{SessionID: "s", Title: "Leave policy", Runs: 2, Next: -1,
			RunRow: ledger.RunRow{Number: 1, Run: ledger.Run{Judge: "lexical", Version: "3", At: galleryDay}}}})
	return append([]Sample{
		{State: "sessions, sorted, in every state", Body: ui.SessionTable(c, "Sessions", sorted.Rows, sorted.Columns)},
		{State: "sessions, the short list", Body: ui.SessionTable(c, c.T("sessions_caption"), short.Rows, nil)},
		{State: "sessions, loading", Body: busy(ui.SessionTable(c, "Sessions, loading", short.Rows, nil))},
		{State: "no sessions yet", Body: ui.StartHere(c)},
		{State: "no sessions yet, and the reader may not start one", Body: ui.StartHere(&viewer)},
		{State: "coverage over time",
			Body: searchviews.CoverageChart(c, days(0.4, 0.55, 0.5, 0.62, 0.71, 0.7, 0.83, 0.9))},
		{State: "coverage, three days", Body: searchviews.CoverageChart(c, days(0.5, 0.6, 0.7))},
		{State: "twelve weeks", Body: trends(c, 12)},
		{State: "three weeks, the fewest of a chart", Body: trends(c, 3)},
		{State: "an invitation", Body: ui.InvitedNotice(c, 1)}, {State: "invitations", Body: ui.InvitedNotice(c, 11)},
		{State: "invitations to the reader, who gives the password first", Body: accountsviews.InvitedList(invited)},
		{State: "an invitation's link, shown once", Body: link(false)},
		{State: "an invitation's link that waits for a second administrator", Body: link(true)},
		{State: "the form behind an invitation's link, refused", Body: accountsviews.JoinBody(join)},
		{State: "a run that nothing was before", Body: ledgerviews.RunBody(first)},
		{State: "pages", Body: ui.ListPager(c, ui.Pager{FirstHref: "/sessions", NextHref: "/sessions?after=x"})},
	}, galleryDeputies(c)...)
}

// galleryDeputies are who approves for whom, on somebody's own page and on an administrator's.
func galleryDeputies(c *ui.Chrome) []Sample {
	person := func(id, name string, role access.Role) access.Person {
		return access.Person{ID: id, Name: name, Role: role}
	}
	me, huge, mariam := person("n", "Noura Al-Harbi", access.Approver), person("h", hugeWord, access.Admin),
		person("m", "مريم الهاملي", access.Approver)
	deputy := func(of, by access.Person, days int) access.Deputy {
		return access.Deputy{ID: "d", For: of, By: by, Starts: galleryDay.AddDate(0, 0, days), Ends: galleryDay.AddDate(0, 0, days+14),
			SetBy: of.ID, SetName: of.Name, SetAt: galleryDay}
	}
	gone := deputy(me, person("g", rtlText, ""), -1)
	gone.SetBy, gone.SetName = "a", hugeText
	panel := func(state string, in accountsviews.DeputyInput) Sample {
		in.Of = me
		return Sample{State: state, Body: accountsviews.Deputies(accountsviews.NewDeputyPanel(*c, in))}
	}
	all := []access.Person{me, huge, mariam}
	return []Sample{
		panel("deputies, none", accountsviews.DeputyInput{Reader: "n", People: all}),
		panel("deputies, nobody to choose", accountsviews.DeputyInput{Reader: "n", People: all[:1]}),
		panel("deputies, one now, one later, one without effect, whom an administrator named", accountsviews.DeputyInput{
			Reader: "n", People: all, Own: []access.Deputy{deputy(me, mariam, -1), deputy(me, huge, 30), gone}}),
		panel("the reader is somebody's deputy", accountsviews.DeputyInput{Reader: "n", People: all,
			Others: []access.Deputy{deputy(huge, me, -1)}}),
		panel("deputies, refused (422), words kept", accountsviews.DeputyInput{Reader: "n", People: all, By: "m", From: hugeWord,
			Until: "2026-11-01", Fault: &ui.FormFault{Field: "from", Message: words.Msg("refused_deputy_day")}}),
		panel("deputies of somebody else, which a second administrator confirms", accountsviews.DeputyInput{Reader: "a",
			People: all, Second: true, Reason: rtlText}),
	}
}

// trends draws the dashboard's charts of so many weeks, one of them without claims.
func trends(c *ui.Chrome, weeks int) templ.Component {
	in := searchviews.DashboardInput{}
	for i := range weeks {
		n := 10 + i*7%23
		w := ledger.Week{Start: galleryDay.AddDate(0, 0, 7*(i-weeks)), Claims: n, Reviewed: n - i/3, Decided: n - i/3, Changed: (weeks - i) / 3}
		w.ByVerdict = map[ledger.Verdict]int{ledger.Supported: n - 6, ledger.Weak: 3, ledger.Contradicted: 2, ledger.NotFound: 1}
		if i == weeks/2 && weeks > 3 {
			w = ledger.Week{Start: w.Start}
		}
		in.Weeks = append(in.Weeks, w)
	}
	page := searchviews.NewDashboardPage(*c, in)
	return templ.ComponentFunc(func(ctx context.Context, out io.Writer) error {
		for _, t := range page.Trends {
			if err := searchviews.TrendChart(t).Render(ctx, out); err != nil {
				return err
			}
		}
		return nil
	})
}
