package ledger

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

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
const bulkListed = 10

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

// confirmBulk confirms the claims of a filter, or those that were chosen, in one step: 303 to the ledger, or 409 with the current page if the
// session has changed since that page was shown. The filter is kept.
func (s *server) confirmBulk(c echo.Context) error {
	seen, err := strconv.Atoi(c.FormValue("revision"))
	if err != nil {
		return web.WithStatus(http.StatusBadRequest,
			domain.Refuse(domain.Invalid, "revision", "refused_form_lacks_revision"))
	}
	asked := bulkOf(c.FormValue, c.Request().Form["pick"])
	unchanged := func(session *ledger.Session) error {
		if session.RevisionFor(s.Who(c).ID) != seen {
			return domain.Refuse(domain.Conflict, "", "refused_ledger_changed_since")
		}
		return nil
	}
	done, err := s.confirmMatching(c, bulkStep{selection: asked.selection(), check: unchanged})
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
	q.Set("confirmed", strconv.Itoa(len(done.plan.Confirm)))
	q.Set("batch", done.batch)
	return web.SeeOther(c, "/sessions/"+c.Param("id")+"?"+q.Encode())
}

// undoBulk undoes a step that confirmed several claims.
func (s *server) undoBulk(c echo.Context) error {
	var skipped ledger.Skipped
	count := func(session *ledger.Session) error {
		skipped = session.UndoSkips(c.FormValue("batch"), s.Who(c).ID)
		return nil
	}
	claims, _, err := s.undoBatch(c, c.FormValue("batch"), "", count, nil)
	if kind := domain.KindOf(err); kind == domain.Invalid || kind == domain.Conflict {
		return s.sessionPage(c, web.StatusOf[kind], ledgerviews.StepsForm{Fault: web.AsError(err)})
	}
	if err != nil {
		return err
	}
	q := filterValues(filterOf(c.FormValue))
	for name, n := range map[string]int{"undone": len(claims), "again": skipped.Again, "withdrawn": skipped.Withdrawn} {
		if n > 0 {
			q.Set(name, strconv.Itoa(n))
		}
	}
	return web.SeeOther(c, "/sessions/"+c.Param("id")+"?"+q.Encode())
}

// bulkDone is the result of confirming several claims.
type bulkDone struct {
	batch string
	plan  ledger.Plan
}

// bulkStep is a step that confirms several claims. key, check and receipt are as for review; planned, if not nil, gets
// what would be done before it is done, and stops it with an error.
type bulkStep struct {
	selection ledger.Selection
	key       string
	check     func(*ledger.Session) error
	planned   func(*ledger.Session, ledger.Plan) error
	receipt   func(*ledger.Ledger, bulkDone) (*db.Receipt, error)
}

// confirmMatching confirms, in one transaction, those claims of a selection that wait for the reader.
func (s *server) confirmMatching(c echo.Context, step bulkStep) (bulkDone, error) {
	ctx, who, at := c.Request().Context(), s.Who(c), s.Now().UTC().Truncate(time.Microsecond)
	done := bulkDone{batch: s.NewID()}
	tenant, err := s.Store.Tenant(ctx, who.Tenant)
	if err != nil {
		return done, err
	}
	policy, err := s.Store.Policy(ctx, who.Tenant)
	if err != nil {
		return done, err
	}
	request := db.ReviewRequest{Selection: &step.selection, Check: step.check, Key: step.key}
	request.Decide = func(session *ledger.Session, claims []int) error {
		var spare map[int]bool
		if !policy.BulkConfirmsAll {
			was := ledger.Assess(session, tenant.FreshnessMonths)
			spare = was.Grave()
		}
		done.plan = session.PlanConfirm(claims, who.ID, spare)
		if step.planned != nil {
			if err := step.planned(session, done.plan); err != nil {
				return err
			}
		}
		return session.ConfirmAll(done.plan, ledger.Seat{ID: who.ID, Name: who.User}, string(who.Role), done.batch,
			s.NewID, at)
	}
	if step.receipt != nil {
		request.Answer = func(l *ledger.Ledger) (*db.Receipt, error) { return step.receipt(l, done) }
	}
	_, err = s.Store.Review(ctx, who, c.Param("id"), request)
	return done, err
}

// undoBatch undoes, in one transaction, what is left of a step. It returns the positions of the claims.
func (s *server) undoBatch(c echo.Context, batch, key string, check func(*ledger.Session) error,
	receipt func(*ledger.Ledger, []int) (*db.Receipt, error)) (claims []int, l *ledger.Ledger, err error) {
	ctx, who, at := c.Request().Context(), s.Who(c), s.Now().UTC().Truncate(time.Microsecond)
	tenant, err := s.Store.Tenant(ctx, who.Tenant)
	if err != nil {
		return nil, nil, err
	}
	event := db.ClaimReviewed(c.Param("id"), 0, ledger.Undo)
	event.ReceiptKey = key
	l, err = s.Store.UpdateSession(ctx, who, c.Param("id"), event,
		func(session *ledger.Session) (*ledger.Ledger, *db.Receipt, error) {
			if check != nil {
				if err := check(session); err != nil {
					return nil, nil, err
				}
			}
			if claims, err = session.UndoAll(batch, ledger.Seat{ID: who.ID, Name: who.User}, string(who.Role), s.NewID,
				at); err != nil {
				return nil, nil, err
			}
			l := ledger.Assess(session, tenant.FreshnessMonths)
			if receipt == nil {
				return &l, nil, nil
			}
			rc, err := receipt(&l, claims)
			return &l, rc, err
		})
	return claims, l, err
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
