package ledger

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/handlers/web"
	ledgerviews "sanad/internal/views/ledger"
	"sanad/internal/views/ui"
)

// claimsPerPage is how many claims a ledger page shows.
const claimsPerPage = 50

// showSession shows the ledger, with a fixed number of queries whatever its size.
func (s *server) showSession(c echo.Context) error {
	if c.QueryParam("layout") != "" {
		return s.setLayout(c)
	}
	return s.sessionPage(c, http.StatusOK, ledgerviews.StepsForm{Done: stepDone(c)})
}

// sessionPage shows the ledger with what was typed into the forms of its review, and what is wrong with it.
func (s *server) sessionPage(c echo.Context, status int, form ledgerviews.StepsForm) error {
	f, left := ledger.ClaimFilters.Read(c.QueryParam)
	in := ledgerviews.SessionInput{Filter: f, Steps: form, Tab: tabParam(c), Layout: s.layout(c)}
	sources := in.Tab == ledgerviews.TabSources || status != http.StatusOK // whose forms may have been refused
	err := s.Load(c, "SessionView", func(c echo.Context) error { return s.loadLedger(c, &in, sources) },
		func(c echo.Context) (err error) {
			if sources {
				in.People, err = s.mayReview(c)
			}
			return err
		}, func(c echo.Context) (err error) {
			in.Waiting, err = s.waitingElsewhere(c)
			return err
		}, func(c echo.Context) (err error) {
			newer, err := s.Store.NewerInLibrary(c.Request().Context(), s.Who(c).Tenant, c.Param("id"))
			if err != nil || len(newer) == 0 { // most sessions: an authorizer elsewhere is not asked
				return err
			}
			if may, err := s.May(c, access.ReadLibrary, access.Object{}); err != nil || !may {
				return err
			}
			in.Newer = newer
			return nil
		})
	if err != nil {
		return err
	}
	s.MarkGuideStep(c, ui.GuideOpen, in.Session.ID)
	chrome := s.ChromeAt(c, "/sessions/"+c.Param("id"))
	if chrome.LeftFilters = left; status == http.StatusOK {
		status = web.ListStatus(&chrome)
	}
	if sources {
		if err := s.dueForm(c, &in.Due, in.Session.Seats); err != nil {
			return err
		}
	}
	return s.Render(c, status, ledgerviews.Session(ledgerviews.NewSessionPage(chrome, in)))
}

// waitingElsewhere is how many other sessions wait for the reader's review, up to one more than are said.
func (s *server) waitingElsewhere(c echo.Context) (int, error) {
	who := s.Who(c)
	if !web.MayOf(who).Review {
		return 0, nil
	}
	return s.Store.Waiting(c.Request().Context(), who.Tenant, who.ID, c.Param("id"), ledgerviews.MaxWaiting+1)
}

// loadLedger reads the claims that the page shows, and what hangs on them; sources says whether it lists the sources.
func (s *server) loadLedger(c echo.Context, in *ledgerviews.SessionInput, sources bool) error {
	f, after, open := in.Filter, afterParam(c), openParam(c)
	if open >= claimsPerPage && after < 0 && !f.Any() {
		after = open - 1 // so that the page begins with the claim to open
	}
	load := func(after int) (*ledger.Page, error) {
		return s.Store.LedgerPageFor(c.Request().Context(), s.Who(c), c.Param("id"),
			db.PageQuery{Filter: f, After: after, Limit: claimsPerPage, Sources: sources})
	}
	p, err := load(after)
	if err != nil {
		return err
	}
	if len(p.Session.Claims) == 0 && after == open-1 { // there is no such claim
		if p, err = load(-1); err != nil {
			return err
		}
		after, open = -1, -1
	}
	if after < 0 && p.Next != nil {
		if p, err = s.withClaimInFocus(c, p, f, open, load); err != nil {
			return err
		}
	}
	in.LedgerPart, in.Sources, in.Due.Date, in.Open = s.ledgerPart(c, p), sessionSources(p), p.Due, open
	in.Bulk, in.Saved = bulkState(&in.LedgerPart), s.SavedPartOf(c, ledger.SavedLedger, p.Saved)
	if in.Trace, err = s.Store.SessionTrace(c.Request().Context(), s.Who(c).Tenant, p.Session.ID, p.Session.TraceID); err != nil {
		return err
	}
	in.Column, err = s.column(c, p, open, nil)
	return err
}

// bulkState returns what a bulk step could do with the claims that match the filter. Where it was counted, it also says
// exactly how many match.
func bulkState(p *ledgerviews.LedgerPart) ledgerviews.BulkState {
	b := p.Bulk
	if b == nil {
		return ledgerviews.BulkState{}
	}
	if b.Count >= 0 {
		p.Matching, p.More = b.Count+b.Unjudged+b.Decided+b.Spared, false
	}
	return ledgerviews.BulkState{All: b.All, Waiting: b.Count}
}

// allSettled reports whether no claim of a page is left for its reader.
func allSettled(p *ledger.Page, reader string) bool {
	for i := range p.Session.Claims {
		position := p.Session.Claims[i].Position
		if e, _ := p.Session.EntryAt(position, p.Flags[position]); p.Session.Left(&e, reader) {
			return false
		}
	}
	return true
}

// withClaimInFocus returns the page of a list that has the claim in focus, where the first page lacks it: the claim
// asked for (open), else, in the whole list, the first one that is not settled. The page begins with that claim.
func (s *server) withClaimInFocus(c echo.Context, first *ledger.Page, f ledger.ClaimFilter, open int,
	load func(after int) (*ledger.Page, error)) (*ledger.Page, error) {
	switch {
	case open > first.Session.Claims[len(first.Session.Claims)-1].Position:
	case open >= 0 || f.Any() || !allSettled(first, s.Who(c).ID):
		return first, nil
	default:
		next, err := s.Store.LedgerPageFor(c.Request().Context(), s.Who(c), c.Param("id"),
			db.PageQuery{Filter: ledger.ClaimFilter{Unsettled: true}, After: -1, Limit: 1})
		if err != nil || len(next.Session.Claims) == 0 {
			return first, err
		}
		open = next.Session.Claims[0].Position
	}
	return load(open - 1)
}

// tabParam reads the tab of the ledger page; an unknown one is that of the claims.
func tabParam(c echo.Context) string {
	if tab := c.QueryParam("tab"); slices.Contains(ledgerviews.Tabs, tab) {
		return tab
	}
	return ledgerviews.TabClaims
}

// showClaim shows one claim: as its own page, or as the fragment that htmx inserts.
func (s *server) showClaim(c echo.Context) error {
	page, err := s.claimPage(c, ledgerviews.ReviewForm{Saved: c.QueryParam("saved") == "1",
		Undone: c.QueryParam("undone") == "1"})
	if err != nil {
		return err
	}
	return s.renderClaim(c, http.StatusOK, page)
}

// claimPage loads one claim for its page; form is what the reader typed, if anything.
func (s *server) claimPage(c echo.Context, form ledgerviews.ReviewForm) (*ledgerviews.ClaimPage, error) {
	position, err := claimPosition(c)
	if err != nil {
		return nil, err
	}
	var part ledgerviews.LedgerPart
	err = s.Load(c, "ClaimView", func(c echo.Context) error {
		p, err := s.Store.ClaimPageFor(c.Request().Context(), s.Who(c), c.Param("id"), position, nil)
		if err != nil {
			return err
		}
		part = s.ledgerPart(c, p)
		part.Column, err = s.column(c, p, position, s.besideLedger(c))
		return err
	})
	if err != nil {
		return nil, err
	}
	s.MarkGuideStep(c, ui.GuideOpen, part.Session.ID)
	return ledgerviews.NewClaimPage(s.Chrome(c), part, position, form), nil
}

func (s *server) renderClaim(c echo.Context, status int, page *ledgerviews.ClaimPage) error {
	if web.WantsFragment(c) {
		return s.Render(c, status, ledgerviews.ClaimPane(page))
	}
	return s.Render(c, status, ledgerviews.Claim(page))
}

// claimPosition returns the position (from 0) of the claim whose number (from 1) is in the path.
func claimPosition(c echo.Context) (int, error) {
	n, err := strconv.Atoi(c.Param("n"))
	if err != nil || n < 1 {
		return 0, web.NotFound()
	}
	return n - 1, nil
}

// afterParam reads the paging key: the position of the last claim on the page before.
func afterParam(c echo.Context) int {
	n, err := strconv.Atoi(c.QueryParam("after"))
	if err != nil || n < 0 {
		return -1
	}
	return n
}

// openParam reads the position of the claim that is open beside the table; -1 if none.
func openParam(c echo.Context) int {
	n, err := strconv.Atoi(c.QueryParam("claim"))
	if err != nil || n < 1 {
		return -1
	}
	return n - 1
}

// sessionsPerPage is how many sessions a list shows.
const sessionsPerPage = 50

// listSessions shows the sessions, filtered, sorted and paged by key.
func (s *server) listSessions(c echo.Context) error {
	q, left := ledger.SessionFilters.Read(c.QueryParam)
	q.Reader, q.After, q.Limit = s.Who(c).ID, c.QueryParam("after"), sessionsPerPage
	in := ledgerviews.SessionsInput{SessionQuery: q}
	err := s.Load(c, "SessionsView", func(c echo.Context) (err error) {
		in.Rows, in.Next, err = s.Store.Sessions(c.Request().Context(), s.Who(c).Tenant, q)
		return err
	}, func(c echo.Context) (err error) {
		in.Jobs, _, err = s.Store.Jobs(c.Request().Context(), s.Who(c).Tenant,
			db.JobQuery{Open: true, Limit: db.MaxOpenJobs})
		return err
	}, func(c echo.Context) (err error) {
		in.Saved, err = s.SavedPart(c, ledger.SavedSessions)
		return err
	}, func(c echo.Context) (err error) {
		in.People, err = s.mayReview(c)
		return err
	})
	if err != nil {
		return err
	}
	chrome := s.Chrome(c)
	chrome.LeftFilters = left
	return s.Render(c, web.ListStatus(&chrome), ledgerviews.Sessions(ledgerviews.NewSessionsPage(chrome, in)))
}
