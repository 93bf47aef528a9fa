package ledger

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/exporters"
	"sanad/internal/handlers/web"
	"sanad/internal/words"
)

// apiBulkInput is the body of POST …/reviews:bulk.
type apiBulkInput struct {
	Action string             `json:"action"`
	Filter ledger.ClaimFilter `json:"filter"`
	Claims []int              `json:"claims"` // numbers, from 1; missing or null for all that match
	DryRun bool               `json:"dry_run"`
	Batch  string             `json:"batch_id"`
}

// apiBulkAnswer answers POST …/reviews:bulk. Claims are given by number, from 1.
type apiBulkAnswer struct {
	Action   string         `json:"action"`
	Batch    string         `json:"batch_id"` // of this step, for undoing it
	Claims   []int          `json:"claims"`
	Skipped  apiBulkSkipped `json:"skipped"`
	Revision int            `json:"revision"`
	DryRun   bool           `json:"dry_run,omitempty"` // nothing was changed
}

type apiBulkSkipped struct {
	Unjudged []int `json:"unjudged"`
	Decided  []int `json:"decided"`
	Spared   []int `json:"spared"` // critical or flagged
}

// apiBulkReview confirms those claims of a filter that wait for the caller, or undoes such a step.
func (s *server) apiBulkReview(c echo.Context, in apiBulkInput) (web.Reply, error) {
	sel, err := in.selection()
	if err != nil {
		return web.Reply{}, err
	}
	d := ledger.Decision{
		ReviewInput: ledger.ReviewInput{Action: ledger.Action(in.Action), Batch: in.Batch}, Selection: &sel,
		Strict: true, DryRun: in.DryRun,
	}
	switch {
	case in.DryRun:
		d.Batch = ""
	case d.Action == ledger.Confirm:
		d.Batch = s.NewID()
	}
	return s.apiReview(c, d, func(o *ledger.Outcome) web.Reply {
		return web.Reply{Status: http.StatusOK, Headers: web.LedgerTag(c, o.Session), Body: apiBulkAnswer{
			Action: in.Action, Batch: d.Batch, Claims: numbers(o.Claims), Skipped: skippedOf(o.Plan),
			Revision: o.Session.RevisionFor(s.Who(c).ID), DryRun: d.DryRun,
		}}
	})
}

// apiReview makes a decision, if the session is the one that If-Match names, and stores the answer with it.
func (s *server) apiReview(c echo.Context, d ledger.Decision, answer func(*ledger.Outcome) web.Reply,
) (web.Reply, error) {
	o, err := s.review(c, db.ReviewRequest{
		Decision: d, Check: web.SessionMatches(c), Key: web.ReceiptKey(c),
		Answer: func(o *ledger.Outcome) (*db.Receipt, error) { return answer(o).Receipt(c) },
	})
	if err != nil {
		return web.Reply{}, err
	}
	return answer(o), nil
}

// selection checks the filter strictly.
func (in *apiBulkInput) selection() (ledger.Selection, error) {
	if left := ledger.ClaimFilters.Check(&in.Filter); len(left) > 0 {
		return ledger.Selection{}, domain.Refuse(domain.Invalid, "filter."+left[0].Member, "refused_dec_one_of", "All",
			words.ListOf(left[0].Values))
	}
	if in.Claims == nil {
		return ledger.Selection{Filter: in.Filter}, nil
	}
	return ledger.Selection{Filter: in.Filter, Claims: positionsOf(in.Claims)}, nil
}

func skippedOf(p ledger.Plan) apiBulkSkipped {
	return apiBulkSkipped{numbers(p.Unjudged), numbers(p.Decided), numbers(p.Spared)}
}

// numbers converts positions of claims, from 0, to the numbers that people see, from 1.
func numbers(positions []int) []int {
	out := make([]int, len(positions))
	for i, p := range positions {
		out[i] = p + 1
	}
	return out
}

// apiSessionReview is the review of a session as a whole.
type apiSessionReview struct {
	ID           string        `json:"id"`
	Title        string        `json:"title"`
	State        ledger.State  `json:"state"`
	Progress     apiProgress   `json:"progress"`
	SecondReview string        `json:"second_review"`
	First        *apiReviewer  `json:"first_reviewer"`
	Second       *apiReviewer  `json:"second_reviewer"`
	Agreement    *apiAgreement `json:"agreement"` // null unless the session has two reviewers
	Closed       *apiClosed    `json:"closed"`
	Revision     int           `json:"revision"`
}

type apiProgress struct {
	Total     int `json:"total_claims"`
	Settled   int `json:"settled"`
	Unjudged  int `json:"unjudged"`
	Differing int `json:"differing"`
	Threads   int `json:"open_threads"`
	Stale     int `json:"stale"`
}

type apiReviewer struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type apiAgreement struct {
	Both  int      `json:"both"`
	Same  int      `json:"same"`
	Kappa *float64 `json:"kappa"`
}

type apiClosed struct {
	At     string `json:"at"`
	By     string `json:"by"`
	Reason string `json:"reason"`
}

func newAPIReviewer(seat ledger.Seat) *apiReviewer {
	if seat.ID == "" {
		return nil
	}
	return &apiReviewer{seat.ID, seat.Name}
}

func newAPISessionReview(r *db.SessionShown) apiSessionReview {
	out := apiSessionReview{
		ID: r.ID, Title: r.Title, State: r.State, SecondReview: r.Second.Name(),
		First: newAPIReviewer(r.Seats[0]), Second: newAPIReviewer(r.Seats[1]),
		Progress: apiProgress{
			Total: r.Summary.Total, Settled: r.Summary.Settled, Unjudged: r.Summary.Unjudged,
			Differing: r.Summary.Differing, Threads: r.Summary.Threads, Stale: r.Summary.Stale,
		}, Revision: r.Revision,
	}
	if r.Second != ledger.OneReviewer {
		a := r.Summary.Agreement()
		out.Agreement = &apiAgreement{a.Both, a.Same, a.Kappa}
	}
	if r.State == ledger.Closed {
		out.Closed = &apiClosed{web.FormatTime(r.Closing.At), r.Closing.By, r.Closing.Reason}
	}
	return out
}

// secondWords maps the API's names of a second review.
var secondWords = map[string]ledger.SecondReview{
	"none": ledger.OneReviewer, "open": ledger.SecondOpen, "blind": ledger.SecondBlind,
}

// apiShowSession returns the progress of a session's review.
func (s *server) apiShowSession(c echo.Context) error {
	r, err := s.Store.ShowSession(c.Request().Context(), s.Who(c), c.Param("id"))
	if err != nil {
		return err
	}
	return web.SendJSON(c, http.StatusOK, newAPISessionReview(r))
}

// apiStep makes a step of a session's review and answers with the resulting state.
func (s *server) apiStep(c echo.Context, step func() error) (web.Reply, error) {
	if err := step(); err != nil {
		return web.Reply{}, err
	}
	r, err := s.Store.ShowSession(c.Request().Context(), s.Who(c), c.Param("id"))
	if err != nil {
		return web.Reply{}, err
	}
	return web.Reply{Status: http.StatusOK, Body: newAPISessionReview(r)}, nil
}

// apiCloseInput is the body of POST …/close.
type apiCloseInput struct {
	Reason string `json:"reason"`
}

// apiCloseSession closes a session. A reason is required if claims are not settled.
func (s *server) apiCloseSession(c echo.Context) (web.Reply, error) {
	var in apiCloseInput
	if err := web.DecodeIfAny(c, &in); err != nil {
		return web.Reply{}, err
	}
	return s.apiStep(c, func() error {
		return s.Store.CloseSession(c.Request().Context(), s.Who(c), c.Param("id"), in.Reason)
	})
}

// apiReopenSession reopens a closed session.
func (s *server) apiReopenSession(c echo.Context) (web.Reply, error) {
	return s.apiStep(c, func() error { return s.Store.ReopenSession(c.Request().Context(), s.Who(c), c.Param("id")) })
}

// apiReviewersInput is the body of POST …/reviewers: null or a missing member leaves a value unchanged, "" means
// nobody.
type apiReviewersInput struct {
	First  *string `json:"first_reviewer"`
	Second *string `json:"second_reviewer"`
	Mode   string  `json:"second_review"`
}

// apiSetReviewers sets who reviews a session, and whether two people do.
func (s *server) apiSetReviewers(c echo.Context, in apiReviewersInput) (web.Reply, error) {
	change := reviewersInput{First: in.First, Second: in.Second}
	if in.Mode != "" {
		mode, known := secondWords[in.Mode]
		if !known {
			return web.Reply{}, domain.Refuse(domain.Invalid, "second_review", "refused_choose_open_blind")
		}
		change.Mode = &mode
	}
	return s.apiStep(c, func() error { return s.reassign(c, c.Param("id"), change) })
}

// apiAssignInput is the body of POST /sessions:assign.
type apiAssignInput struct {
	Whose  string         `json:"whose"` // "" for those that nobody is to review first
	How    ledger.Sharing `json:"how"`
	To     []apiTaker     `json:"to" limit:"200"`
	DryRun bool           `json:"dry_run"`

	Most     int      `json:"most,omitempty"`     // at most so many of them; 0 for all
	Sessions []string `json:"sessions,omitempty"` // only some of these; none for all
}

// apiTaker is somebody who is to get sessions.
type apiTaker struct {
	ID    string `json:"id"`
	Share int    `json:"share"` // by shares: a whole number from 1, 1 if it is missing
}

// apiAssigned answers it.
type apiAssigned struct {
	Assigned int           `json:"assigned"` // to somebody else, or to nobody
	People   []apiAssignee `json:"people"`   // in the order of the request
	LeftOut  apiUnassigned `json:"left_out"`
	DryRun   bool          `json:"dry_run,omitempty"` // nothing was changed
}

type apiAssignee struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Sessions int    `json:"sessions"` // that they got
}

// apiUnassigned counts the sessions that match and were not assigned, by why.
type apiUnassigned struct {
	Finished int `json:"finished"` // reviewed or closed
	Others   int `json:"others"`   // somebody else's
	Kept     int `json:"kept"`     // they stay with who has them
	Unfit    int `json:"unfit"`    // none of the people may review them
	Barred   int `json:"barred"`   // the caller may not assign them
	Beyond   int `json:"beyond"`   // more than are assigned at once
	Rest     int `json:"rest"`     // more than most
}

// apiAssign assigns the sessions of a list to several people.
func (s *server) apiAssign(c echo.Context, in apiAssignInput) (web.Reply, error) {
	q, err := web.ReadQuery(c, ledger.SessionFilters)
	if err != nil {
		return web.Reply{}, err
	}
	asked := assignAsked{query: q, whose: in.Whose, how: in.How, only: in.Sessions}
	if in.Most != 0 {
		asked.most = strconv.Itoa(in.Most)
	}
	for _, t := range in.To {
		share := ""
		if t.Share != 0 {
			share = strconv.Itoa(t.Share)
		}
		asked.to = append(asked.to, taking{t.ID, share})
	}
	many, err := s.assignment(c, &asked)
	if err != nil {
		return web.Reply{}, err
	}
	var done ledger.Shares
	if in.DryRun {
		done, err = s.Store.PlanAssignment(c.Request().Context(), s.Who(c).Tenant, many)
	} else {
		done, err = s.assignNow(c, many)
	}
	if err != nil {
		return web.Reply{}, err
	}
	out := apiAssigned{Assigned: done.Moved, People: []apiAssignee{}, DryRun: in.DryRun, LeftOut: apiUnassigned{
		Finished: done.Finished, Others: done.Others, Kept: done.Kept, Unfit: done.Unfit, Barred: done.Barred,
		Beyond: done.Beyond, Rest: done.Rest,
	}}
	for i := range many.To {
		out.People = append(out.People, apiAssignee{many.To[i].ID, many.To[i].Name, done.Each[i]})
	}
	return web.Reply{Status: http.StatusOK, Body: out}, nil
}

// apiReviewInput is the body of POST …/reviews (rule F-4).
type apiReviewInput struct {
	Action     ledger.Action     `json:"action"`
	Verdict    ledger.Verdict    `json:"verdict"`
	Reason     string            `json:"reason"`
	ClaimType  ledger.ClaimType  `json:"claim_type"`
	Importance ledger.Importance `json:"importance"`
	ReviewID   string            `json:"review_id"` // undo: the comment to withdraw; else a comment of the thread
	Asks       bool              `json:"asks"`      // comment: its thread is open until somebody resolves it
}

// apiCreateReview appends a review: 201 with the review and the entry as it is now, under the new ETag.
func (s *server) apiCreateReview(c echo.Context, in apiReviewInput) (web.Reply, error) {
	position, err := claimPosition(c)
	if err != nil {
		return web.Reply{}, err
	}
	input := ledger.ReviewInput{
		Action: in.Action, Verdict: in.Verdict, Reason: in.Reason, Type: in.ClaimType, Importance: in.Importance,
		Undoes: in.ReviewID, Thread: in.ReviewID, Asks: in.Asks,
	}
	d := ledger.Decision{ReviewInput: input, Claim: position}
	return s.apiReview(c, d, func(o *ledger.Outcome) web.Reply {
		return web.Reply{
			Status: http.StatusCreated, Body: exporters.APIReview(o.Ledger, position, s.Who(c).ID),
			Headers: web.LedgerTag(c, o.Session),
		}
	})
}
