package ledger

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/handlers/web"
	ledgerviews "sanad/internal/views/ledger"
	"sanad/internal/views/ui"
)

// createReview handles the review form. It answers 303 to the claim; 422 with what was typed if a rule is broken; 409
// with what changed if somebody else was faster.
func (s *server) createReview(c echo.Context) error {
	position, err := claimPosition(c)
	if err != nil {
		return err
	}
	seen, err := strconv.Atoi(c.FormValue("seen"))
	if err != nil {
		return web.WithStatus(http.StatusBadRequest,
			domain.Refuse(domain.Invalid, "seen", "refused_form_lacks_number"))
	}
	in := ledger.ReviewInput{
		Action: ledger.Action(c.FormValue("action")), Verdict: ledger.Verdict(c.FormValue("verdict")),
		Reason: ui.Mentioning(c.FormValue("reason"), c.FormValue("mention")), Undoes: c.FormValue("review"),
		Thread: c.FormValue("review"), Asks: c.FormValue("asks") != "",
		Type: ledger.ClaimType(c.FormValue("claim_type")), Importance: ledger.Importance(c.FormValue("importance")),
	}
	_, err = s.review(c, db.ReviewRequest{
		Decision: ledger.Decision{ReviewInput: in, Claim: position, Seen: &seen},
	})
	switch kind := domain.KindOf(err); {
	case err == nil:
		return s.reviewed(c, position, ledgerviews.ReviewForm{Did: in.Action})
	case kind == domain.Conflict, kind == domain.Invalid, kind == domain.TooLarge:
		return s.refuseReview(c, in, seen, err)
	}
	return err
}

// reviewed answers a stored review, or a passage that was attached or taken back: the claim's current state for htmx,
// else 303 to its page.
func (s *server) reviewed(c echo.Context, position int, form ledgerviews.ReviewForm) error {
	if web.WantsFragment(c) {
		at := s.ledgerAddress(c)
		filter := filterOf(at.Query().Get)
		p, err := s.Store.ClaimPageFor(c.Request().Context(), s.Who(c), c.Param("id"), position, &filter)
		if err != nil {
			return err
		}
		part, chrome := s.ledgerPart(c, p), s.Chrome(c)
		if part.Column, err = s.column(c, p, position, s.besideLedger(c)); err != nil {
			return err
		}
		claim := ledgerviews.NewClaimPage(chrome, part, position, form)
		if part.Bulk == nil || part.Bulk.Count < 0 { // then nobody has counted what matches the filter
			part.Matching = -1
		}
		bulk := bulkState(&part)
		waiting, err := s.waitingElsewhere(c)
		if err != nil {
			return err
		}
		ledger := ledgerviews.NewSessionPage(chrome.At(at), ledgerviews.SessionInput{
			LedgerPart: part, Open: position, Filter: filter, Bulk: bulk, Waiting: waiting,
		})
		return s.Render(c, http.StatusOK, ledgerviews.Reviewed(claim, ledger))
	}
	did := "saved=1"
	if form.Did == ledger.Undo {
		did = "undone=1"
	}
	return web.SeeOther(c, fmt.Sprintf("/sessions/%s/claims/%d?%s", c.Param("id"), position+1, did))
}

// ledgerAddress is the address of the ledger that a review was sent from, with its filter; without one if it was sent
// from elsewhere.
func (s *server) ledgerAddress(c echo.Context) *url.URL {
	own := &url.URL{Path: "/sessions/" + c.Param("id")}
	from, err := url.Parse(c.Request().Header.Get("HX-Current-URL"))
	if err == nil && from.Path == own.Path {
		own.RawQuery = from.RawQuery
	}
	return own
}

// besideLedger is that address for a request that loads a claim beside its list, nil for any other.
func (s *server) besideLedger(c echo.Context) *url.URL {
	from, err := url.Parse(c.Request().Header.Get("HX-Current-URL"))
	if !web.WantsFragment(c) || err != nil || from.Path != "/sessions/"+c.Param("id") {
		return nil
	}
	return s.ledgerAddress(c)
}

// refuseReview shows the claim again with what was typed and what is wrong with it.
func (s *server) refuseReview(c echo.Context, in ledger.ReviewInput, seen int, fault error) error {
	var e *domain.Error
	errors.As(fault, &e)
	page, err := s.claimPage(c, ledgerviews.ReviewForm{Input: in, Fault: e, Seen: seen})
	if err != nil {
		return err
	}
	return s.renderClaim(c, web.StatusOf[e.Kind], page)
}

// review makes a decision of the reader's on claims of the session that the address names.
func (s *server) review(c echo.Context, r db.ReviewRequest) (*ledger.Outcome, error) {
	r.Decision.At, r.Decision.NewID = s.Now().UTC().Truncate(time.Microsecond), s.NewID
	return s.Store.Review(c.Request().Context(), s.Who(c), c.Param("id"), r)
}
