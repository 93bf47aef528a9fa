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
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/handlers/web"
	ledgerviews "sanad/internal/views/ledger"
)

// showBulk lists exactly the claims that would be confirmed, before the reader confirms them.
func (s *server) showBulk(c echo.Context) error {
	return s.bulkPage(c, http.StatusOK, claimFilter(c), nil)
}

// bulkListed is how many of the claims the page shows.
const bulkListed = 10

// bulkPage shows what confirming the claims of a filter would do now; fault is why it was not done.
func (s *server) bulkPage(c echo.Context, status int, f ledger.ClaimFilter, fault error) error {
	plan, err := s.Store.Confirmable(c.Request().Context(), s.Who(c), c.Param("id"), f, bulkListed)
	if err != nil {
		return err
	}
	if fault == nil && plan.Count > 0 && plan.Session.Second == ledger.SecondBlind &&
		s.Who(c).Role.AtLeast(access.Least(access.ReadAudit)) {
		// reviews in a blind session are sealed, so users who may read the audit log cannot confirm; the page says so
		// first
		fault = &domain.Error{Kind: domain.Invalid, Path: "action", Err: ledger.ErrReadsAll,
			Msg: ledger.ErrReadsAll.Error()}
	}
	chrome := s.ChromeAt(c, "/sessions/"+plan.Session.ID+"/confirm")
	return s.Render(c, status, ledgerviews.Bulk(ledgerviews.NewBulkPage(chrome, ledgerviews.BulkInput{
		Confirmable: *plan,
		Filter:      f, Query: filterValues(f), Fault: web.AsError(fault),
	})))
}

// confirmBulk confirms the claims of a filter in one step: 303 to the ledger, or 409 with the current page if the
// session has changed since that page was shown. The filter is kept.
func (s *server) confirmBulk(c echo.Context) error {
	if err := web.SmallForm(c); err != nil {
		return err
	}
	seen, err := strconv.Atoi(c.FormValue("revision"))
	if err != nil {
		return web.WithStatus(http.StatusBadRequest,
			domain.Invalidf("revision", "The form lacks the revision it was made from; load the page again."))
	}
	f := filterOf(c.FormValue)
	done, err := s.confirmMatching(c, f, "", func(session *ledger.Session) error {
		if session.RevisionFor(s.Who(c).ID) != seen {
			return domain.Conflictf("The ledger has changed since you opened this page.")
		}
		return nil
	}, nil)
	switch domain.KindOf(err) {
	case domain.Conflict:
		return s.bulkPage(c, http.StatusConflict, f, err)
	case domain.Invalid, domain.TooLarge:
		return s.bulkPage(c, http.StatusUnprocessableEntity, f, err)
	}
	if err != nil {
		return err
	}
	q := filterValues(f)
	q.Set("confirmed", strconv.Itoa(len(done.plan.Confirm)))
	q.Set("batch", done.batch)
	return web.SeeOther(c, "/sessions/"+c.Param("id")+"?"+q.Encode())
}

// undoBulk undoes a step that confirmed several claims.
func (s *server) undoBulk(c echo.Context) error {
	if err := web.SmallForm(c); err != nil {
		return err
	}
	claims, _, err := s.undoBatch(c, c.FormValue("batch"), "", nil, nil)
	if kind := domain.KindOf(err); kind == domain.Invalid || kind == domain.Conflict {
		return s.sessionPage(c, web.StatusOf[kind], ledgerviews.StepsForm{Fault: web.AsError(err)})
	}
	if err != nil {
		return err
	}
	q := filterValues(filterOf(c.FormValue))
	q.Set("undone", strconv.Itoa(len(claims)))
	return web.SeeOther(c, "/sessions/"+c.Param("id")+"?"+q.Encode())
}

// bulkDone is the result of confirming several claims.
type bulkDone struct {
	batch string
	plan  ledger.Plan
}

// confirmMatching confirms, in one transaction, those claims of a filter that wait for the reader. check and receipt
// are as for review.
func (s *server) confirmMatching(c echo.Context, f ledger.ClaimFilter, key string, check func(*ledger.Session) error,
	receipt func(*ledger.Ledger, bulkDone) (*db.Receipt, error)) (bulkDone, error) {
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
	_, err = s.Store.ReviewMatching(ctx, who, c.Param("id"), f, key,
		func(session *ledger.Session, positions []int) (*ledger.Ledger, *db.Receipt, error) {
			if err := check(session); err != nil {
				return nil, nil, err
			}
			var spare map[int]bool
			if !policy.BulkConfirmsAll {
				was := ledger.Assess(session, tenant.FreshnessMonths)
				spare = was.Grave()
			}
			done.plan = session.PlanConfirm(positions, who.ID, spare)
			if err := session.ConfirmAll(done.plan, ledger.Seat{ID: who.ID, Name: who.User}, string(who.Role),
				done.batch,
				s.NewID, at); err != nil {
				return nil, nil, err
			}
			l := ledger.Assess(session, tenant.FreshnessMonths)
			if receipt == nil {
				return &l, nil, nil
			}
			rc, err := receipt(&l, done)
			return &l, rc, err
		})
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

// filterValues writes a filter as the query that claimFilter reads.
func filterValues(f ledger.ClaimFilter) url.Values {
	q := url.Values{}
	set := func(name, value string) {
		if value != "" {
			q.Set(name, value)
		}
	}
	flag := func(name string, on bool) {
		if on {
			q.Set(name, "1")
		}
	}
	set("verdict", string(f.Verdict))
	if f.Unjudged {
		q.Set("verdict", "unjudged")
	}
	set("type", string(f.Type))
	set("importance", string(f.Importance))
	set("flag", string(f.Flag))
	set("citation", string(f.Citation))
	set("quotation", string(f.Quotation))
	set("q", f.Text)
	flag("flagged", f.Flagged)
	flag("unreviewed", f.Unreviewed)
	flag("unsettled", f.Unsettled)
	flag("differs", f.Differs)
	flag("uncited", f.Uncited)
	flag("stale", f.Stale)
	return q
}

// stepDone reads from the address what the preceding request did to the session.
func stepDone(c echo.Context) ledgerviews.StepDone {
	var d ledgerviews.StepDone
	if n, err := strconv.Atoi(c.QueryParam("confirmed")); err == nil && n > 0 &&
		uuid.Validate(c.QueryParam("batch")) == nil {
		d.Confirmed, d.Batch = n, c.QueryParam("batch")
	}
	if n, err := strconv.Atoi(c.QueryParam("undone")); err == nil && n > 0 {
		d.Undone = n
	}
	return d
}
