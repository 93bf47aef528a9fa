package ledger

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/handlers/web"
	ledgerviews "sanad/internal/views/ledger"
	"sanad/internal/words"
)

// showBulk lists exactly the claims that would be confirmed, before the reader confirms them.
func (s *server) showBulk(c echo.Context) error {
	return s.bulkPage(c, http.StatusOK, bulkOf(c.QueryParam, c.QueryParams()["pick"]), nil)
}

// bulkListed is how many of the claims the page shows, and for each reason of those that are left out.
const bulkListed = 50

// bulkAsked is what a bulk step is asked for on a page: the filter of the list that it comes from, and the claims that
// were chosen there by number; nil for all that match.
type bulkAsked struct {
	filter ledger.ClaimFilter
	picks  []int
}

// bulkOf reads a filter and the numbers of chosen claims. Chosen claims are taken even if they have left the filter
// since.
func bulkOf(get func(string) string, picks []string) bulkAsked {
	asked := bulkAsked{filter: filterOf(get)}
	for _, p := range picks {
		if n, err := strconv.Atoi(p); err == nil && n > 0 && len(asked.picks) < ledger.MaxBulk {
			asked.picks = append(asked.picks, n)
		}
	}
	return asked
}

// selection returns the claims that are meant.
func (a bulkAsked) selection() ledger.Selection {
	if a.picks == nil {
		return ledger.Selection{Filter: a.filter}
	}
	return ledger.Selection{Claims: positionsOf(a.picks)}
}

// positionsOf converts numbers of claims, from 1, to positions.
func positionsOf(numbers []int) []int {
	out := make([]int, len(numbers))
	for i, n := range numbers {
		out[i] = n - 1
	}
	return out
}

// bulkPage shows what confirming the claims would do now; fault is why it was not done.
func (s *server) bulkPage(c echo.Context, status int, asked bulkAsked, fault error) error {
	plan, err := s.Store.Confirmable(c.Request().Context(), s.Who(c), c.Param("id"), asked.selection(), bulkListed)
	if err != nil {
		return err
	}
	if fault == nil && plan.Count > 0 && db.MaySeeSealed(plan.Session, s.Who(c)) { // the page says so first
		fault = &domain.Error{Kind: domain.Invalid, Path: "action", Err: ledger.ErrReadsAll,
			Message: words.Msg("refused_reads_all")}
	}
	chrome := s.ChromeAt(c, "/sessions/"+plan.Session.ID+"/confirm")
	return s.Render(c, status, ledgerviews.Bulk(ledgerviews.NewBulkPage(chrome, ledgerviews.BulkInput{
		Confirmable: *plan,
		Query:       filterValues(asked.filter), Picks: asked.picks, Fault: web.AsError(fault),
	})))
}

// confirmBulk confirms the claims of a filter, or those that were chosen, in one step: 303 to the ledger, or 409 with
// the current page if the session has changed since that page was shown. The filter is kept.
func (s *server) confirmBulk(c echo.Context) error {
	seen, err := strconv.Atoi(c.FormValue("revision"))
	if err != nil {
		return web.WithStatus(http.StatusBadRequest,
			domain.Refuse(domain.Invalid, "revision", "refused_form_lacks_revision"))
	}
	asked := bulkOf(c.FormValue, c.Request().Form["pick"])
	if c.FormValue("choosing") != "" && asked.picks == nil { // each was left out: that is not all that match
		return s.bulkPage(c, http.StatusUnprocessableEntity, asked,
			domain.Refuse(domain.Invalid, "pick", "refused_bulk_none_chosen"))
	}
	selection, batch := asked.selection(), s.NewID()
	done, err := s.review(c, db.ReviewRequest{Decision: ledger.Decision{
		ReviewInput: ledger.ReviewInput{Action: ledger.Confirm, Batch: batch}, Selection: &selection, Seen: &seen,
	}})
	switch domain.KindOf(err) {
	case domain.Conflict:
		return s.bulkPage(c, http.StatusConflict, asked, err)
	case domain.Invalid, domain.TooLarge:
		return s.bulkPage(c, http.StatusUnprocessableEntity, asked, err)
	}
	if err != nil {
		return err
	}
	q := filterValues(asked.filter)
	q.Set("confirmed", strconv.Itoa(len(done.Claims)))
	q.Set("batch", batch)
	return web.SeeOther(c, "/sessions/"+c.Param("id")+"?"+q.Encode())
}

// undoBulk undoes a step that confirmed several claims.
func (s *server) undoBulk(c echo.Context) error {
	done, err := s.review(c, db.ReviewRequest{Decision: ledger.Decision{
		ReviewInput: ledger.ReviewInput{Action: ledger.Undo, Batch: c.FormValue("batch")},
		Selection:   &ledger.Selection{},
	}})
	if kind := domain.KindOf(err); kind == domain.Invalid || kind == domain.Conflict {
		return s.sessionPage(c, web.StatusOf[kind], ledgerviews.StepsForm{Fault: web.AsError(err)})
	}
	if err != nil {
		return err
	}
	q := filterValues(filterOf(c.FormValue))
	for name, n := range map[string]int{
		"undone": len(done.Claims), "again": done.Skipped.Again, "withdrawn": done.Skipped.Withdrawn,
	} {
		if n > 0 {
			q.Set(name, strconv.Itoa(n))
		}
	}
	return web.SeeOther(c, "/sessions/"+c.Param("id")+"?"+q.Encode())
}

// filterValues writes a filter as the query of a ledger's address.
func filterValues(f ledger.ClaimFilter) url.Values {
	q := url.Values{}
	for name, v := range ledger.ClaimFilters.On(&f) {
		q.Set(name, v)
	}
	return q
}

// filterOf reads a filter by its names through get, from a query or a form.
func filterOf(get func(string) string) ledger.ClaimFilter {
	f, _ := ledger.ClaimFilters.Read(get)
	return f
}

// stepDone reads from the address what the preceding request did to the session.
func stepDone(c echo.Context) ledgerviews.StepDone {
	var d ledgerviews.StepDone
	if n, err := strconv.Atoi(c.QueryParam("confirmed")); err == nil && n > 0 &&
		uuid.Validate(c.QueryParam("batch")) == nil {
		d.Confirmed, d.Batch = n, c.QueryParam("batch")
	}
	for name, n := range map[string]*int{
		"undone": &d.Undone, "again": &d.Skipped.Again, "withdrawn": &d.Skipped.Withdrawn,
	} {
		if v, err := strconv.Atoi(c.QueryParam(name)); err == nil && v > 0 {
			*n = v
		}
	}
	return d
}
