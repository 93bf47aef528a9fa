package ledger

import (
	"errors"
	"strconv"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/views/ui"
)

// StepsForm is what was typed into the forms of a session's review, and what is wrong with it; the zero value is fresh
// forms.
type StepsForm struct {
	Done   StepDone
	Reason string        // of closing
	Chosen *Chosen       // in the reviewers' form, nil if another was sent
	Fault  *domain.Error // nil if none

	Due      string        // the day as it was typed
	DueFault *domain.Error // of that form, nil if none
}

// isRefusedInPeople reports whether closing the session or choosing its reviewers was refused.
func (f *StepsForm) isRefusedInPeople() bool {
	return f.Fault != nil && (f.Chosen != nil || f.Fault.Path == "reason")
}

// Chosen is who is to review a session, by id ("" for nobody), and how, as it was chosen in the form.
type Chosen struct {
	First, Second string
	Mode          ledger.SecondReview
}

// StepDone is what the preceding request did, in claims.
type StepDone struct {
	Confirmed int
	Batch     string // by which that is taken back
	Undone    int
	Skipped   ledger.Skipped // of those that were to be undone
}

// ReviewPanel is the progress of a session's review, and its reviewers.
type ReviewPanel struct {
	Path              string
	Key, State        string
	Bar               ui.Bar
	Settled           string // "12 of 50 claims settled"
	Own               string // in a session with two reviewers, how many the reader has decided; "" else
	Left, LeftHref    string // how many are left, for a reviewer of a blind session of their own; "" if none is
	OwnDone           bool   // the reader has decided all of a blind session, and the other reviewer has not
	Threads           string // how many threads are open, "" if none
	Differing         string // where two reviewers differ, "" if nowhere
	First, Second     string // names, "" for nobody
	Mode              string // "" if one reviews
	Blind             bool
	Agreement, Kappa  string
	Closed, Reason    string // who closed it and when, and why
	Take, TakeSecond  bool   // what the reader may do
	Leave             bool
	MayClose          bool
	NeedsReason       bool // to close it: something is not settled
	Assign            bool
	Firsts, Seconds   []ui.Option
	Modes             []ui.Option
	ReasonTyped       string
	Fault             string
	FaultAt           string // id of the field it is about, "" for the whole
	Assigning         bool   // the reviewers' form was sent, and stands open again
	Confirmed, Undone string // what was just done
	Batch             string
}

// stepPath is where a form of the session's review is sent; the answer shows the tab that it is on.
func (p *SessionPage) stepPath(step string) string {
	if p.Tab == TabClaims {
		return p.Path + "/" + step
	}
	return p.Path + "/" + step + "?tab=" + p.Tab
}

// panel lays out the state of a session's review.
func (p *SessionPage) panel(in SessionInput) {
	s, sum := in.Session, &in.Overview.Summary
	p.Review = ReviewPanel{
		Path: p.Path, Key: string(in.State), State: p.T("state_" + string(in.State)),
		Blind:   s.Second == ledger.SecondBlind,
		Bar:     p.ProgressBar(sum.Settled, sum.Differing, sum.Stale, sum.Unjudged, sum.Total),
		Settled: p.T("settled_of", "N", p.Num(sum.Settled), "Claims", p.N("of_claims", sum.Total)),
		First:   s.Seats[0].Name, Second: s.Seats[1].Name, ReasonTyped: in.Steps.Reason,
		NeedsReason: sum.Settled < sum.Total,
	}
	r := &p.Review
	left := sum.Total - sum.Settled
	if r.Blind && in.reviews() { // what they have decided is done for them
		left = in.OwnLeft
		r.OwnDone = left == 0 && sum.Settled < sum.Total
		r.Bar = p.ProgressBar(sum.Total-left, sum.Differing, sum.Stale, sum.Unjudged, sum.Total)
	}
	if left > 0 {
		r.Left = p.N("n_left", left)
		p.leftAfter(0)
	}
	if sum.Threads > 0 {
		r.Threads = p.N("n_threads_open", sum.Threads)
	}
	if sum.Differing > 0 {
		r.Differing = p.N("n_differing", sum.Differing)
	}
	if s.Second != ledger.OneReviewer {
		p.twoReviewers(in)
	}
	if in.State == ledger.Closed {
		r.Closed = p.T("closed_by", "Who", p.Named(in.Closing.By), "When", p.Time(in.Closing.At))
		r.Reason = in.Closing.Reason
	}
	r.MayClose = p.May.Review
	p.seats(in)
	p.stepsDone(in.Steps)
	p.due(in)
}

// leftAfter leads to the next claim that is left, from a claim on, by its number; 0 for the first.
func (p *SessionPage) leftAfter(n int) {
	at := ""
	if n > 0 {
		at = "&claim=" + strconv.Itoa(n)
	}
	p.Review.LeftHref = p.Path + "?unsettled=1" + at + "#ledger"
}

// reviews reports whether the reader is one of two reviewers, or has decided claims as one.
func (in *SessionInput) reviews() bool { return in.Session.Seats.Holds(in.Reader) || in.Own > 0 }

// twoReviewers says how the reviews of two reviewers compare.
func (p *SessionPage) twoReviewers(in SessionInput) {
	r, s := &p.Review, in.Session
	r.Mode = p.T("second_" + string(s.Second))
	a := in.Overview.Summary.Agreement()
	if a.Both > 0 {
		r.Agreement = p.T("agreement", "Same", p.Num(a.Same), "Both", p.N("n_claims", a.Both))
	}
	switch {
	case a.Kappa != nil:
		r.Kappa = p.T("kappa", "Value", p.Decimal(*a.Kappa))
	case a.Both > 0 && a.Both < ledger.MinKappa:
		r.Kappa = p.N("kappa_later", ledger.MinKappa)
	}
	if in.reviews() {
		r.Own = p.T("own_decided", "N", p.Num(in.Own), "Claims", p.N("n_claims", in.Overview.Summary.Total))
	}
}

// seats lays out which seats the reader may take, and the choices for users who may assign.
func (p *SessionPage) seats(in SessionInput) {
	r, s := &p.Review, in.Session
	r.Leave = p.May.Review && s.Seats.Holds(in.Reader)
	// there is nothing left to take
	if p.May.Review && !r.Leave && in.State != ledger.Closed && in.State != ledger.Reviewed {
		r.Take = s.Seats[0].ID == ""
		r.TakeSecond = !r.Take && s.Seats[1].ID == "" && s.Second != ledger.OneReviewer
	}
	if r.Assign = p.May.Assign; !r.Assign {
		return
	}
	chosen := Chosen{s.Seats[0].ID, s.Seats[1].ID, s.Second}
	if in.Steps.Chosen != nil {
		chosen, r.Assigning = *in.Steps.Chosen, true
	}
	r.Firsts, r.Seconds = p.people(in.People, s.Seats[0], chosen.First), p.people(in.People, s.Seats[1], chosen.Second)
	for _, m := range ledger.SecondReviews {
		r.Modes = append(r.Modes, ui.Option{Value: string(m), Label: p.SecondReview(m),
			Selected: m == chosen.Mode})
	}
}

// people returns the choices of a seat; its current holder is always among them.
func (p *SessionPage) people(all []access.Named, seat ledger.Seat, chosen string) []ui.Option {
	out := []ui.Option{{Value: "", Label: p.T("nobody"), Selected: chosen == ""}}
	known := seat.ID == ""
	for _, x := range all {
		known = known || x.ID == seat.ID
		out = append(out, ui.Option{Value: x.ID, Label: x.Name, Selected: x.ID == chosen})
	}
	if !known {
		out = append(out, ui.Option{Value: seat.ID, Label: seat.Name, Selected: seat.ID == chosen})
	}
	return out
}

// due lays out the due date with its form.
func (p *SessionPage) due(in SessionInput) {
	d := in.Due
	d.Action, d.Typed = p.Path+"/due?tab="+TabSources, in.Steps.Due
	if in.Steps.DueFault != nil {
		d.Fault = ui.FaultOf(in.Steps.DueFault)
	}
	p.Due = p.DueView(&d)
}

// stepsDone says what was just done, or why it was not.
func (p *SessionPage) stepsDone(f StepsForm) {
	r := &p.Review
	if f.Done.Confirmed > 0 {
		r.Confirmed, r.Batch = p.N("n_confirmed", f.Done.Confirmed), f.Done.Batch
	}
	if f.Done.Undone > 0 {
		r.Undone = p.N("n_undone", f.Done.Undone)
		for _, left := range []struct {
			message string
			n       int
		}{{"undo_left_again", f.Done.Skipped.Again}, {"undo_left_withdrawn", f.Done.Skipped.Withdrawn}} {
			if left.n > 0 {
				r.Undone += " " + p.N(left.message, left.n)
			}
		}
	}
	if f.Fault == nil {
		return
	}
	r.Fault = stepFault(&p.Chrome, f.Fault)
	switch {
	case r.Assigning:
		r.FaultAt = map[string]string{
			"first_reviewer": "as-1", "second_reviewer": "as-2", "second_review": "as-m",
		}[f.Fault.Path]
	case f.Fault.Path == "reason":
		r.FaultAt = "close-r"
	}
}

// fault is what is wrong with the field of this id, "" for nothing.
func (r *ReviewPanel) fault(field string) string {
	if r.FaultAt != field {
		return ""
	}
	return r.Fault
}

// stepFault says in the reader's language why a step was refused.
func stepFault(c *ui.Chrome, e *domain.Error) string {
	if errors.Is(e, ledger.ErrReadsAll) {
		return c.T("fault_reads_all")
	}
	id := "fault_step_" + strings.ReplaceAll(e.Path, ".", "_")
	if e.Path == "" {
		id = "fault_step_changed"
	}
	if e.Kind == domain.TooLarge {
		id += "_long"
	}
	if s := c.T(id); s != id {
		return s
	}
	return c.Said(e.Message)
}

// ownNote says under a claim how the reader decided while that is not visible elsewhere, and whether two reviewers
// differ.
func ownNote(c *ui.Chrome, e *ledger.Entry, s *ledger.Session, reader string) string {
	if s.Second == ledger.OneReviewer {
		return ""
	}
	own := e.Claim.Decision(reader)
	switch {
	case e.Differs:
		return c.T("row_differs")
	case own == nil || e.Settled:
		return ""
	}
	return ownVerdict(c, e, own)
}

// ownVerdict says how the reader decided a claim.
func ownVerdict(c *ui.Chrome, e *ledger.Entry, own *ledger.Review) string {
	if e.Sealed {
		return c.T("row_own_sealed", "Verdict", c.Verdict(own.Verdict))
	}
	return c.T("row_own", "Verdict", c.Verdict(own.Verdict))
}

// UndoForm undoes the reader's newest review of a claim.
type UndoForm struct {
	Action string
	Seen   int
	Label  string
	About  string // which claim, for screen readers
	Of     string // id of the comment that it withdraws, "" for the reader's newest review
	ByKey  bool   // the undo key does it: it takes back a decision, and opens no closed session again
}

// undoOf is the form that undoes the reader's newest review of a claim, nil if none. In a closed session it says
// that it opens the session again.
func undoOf(c *ui.Chrome, e *ledger.Entry, reader, href string, closed bool) *UndoForm {
	if !c.May.Review || e.Claim.Latest(reader) < 0 {
		return nil
	}
	out := &UndoForm{
		Action: href + "/reviews", Seen: len(e.Claim.Reviews), Label: c.T("undo"),
		About: c.T("undo_claim", "N", c.Num(e.Claim.Number())), ByKey: !closed,
	}
	if closed {
		out.Label, out.About = c.T("undo_reopen"), c.T("undo_claim_reopen", "N", c.Num(e.Claim.Number()))
	}
	return out
}

func seen(n int) string { return strconv.Itoa(n) }
