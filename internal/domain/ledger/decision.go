package ledger

import (
	"slices"
	"strconv"
	"time"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

// Decision is what a reviewer decides on claims of a session in one step: a review of one claim or, with a Selection,
// that several are confirmed or that such a step is taken back. Decide is told who decides.
type Decision struct {
	ReviewInput            // By is set by Decide; Batch is the id of a step over several claims
	Claim       int        // position of the one claim, if Selection is nil
	Selection   *Selection // Confirm takes those of it that wait for the reviewer, Undo what is left of Batch
	Strict      bool       // refuses positions that the session does not have; otherwise they are ignored

	// Seen is what the reviewer had seen: of one claim the number of its reviews, of several the session's revision;
	// nil allows any state.
	Seen   *int
	DryRun bool // of several claims: only plans what would be confirmed

	At    time.Time     // of the reviews
	NewID func() string // makes their ids
}

// Check refuses a decision that no ledger allows.
func (d *Decision) Check() error {
	switch {
	case d.Selection == nil:
		return nil // AddReview knows the actions
	case len(d.Selection.Claims) > MaxBulk:
		return domain.Refuse(domain.TooLarge, "claims", "refused_more_claims", "N", MaxBulk)
	case d.DryRun && d.Action != Confirm:
		return domain.Refuse(domain.Invalid, "dry_run", "refused_only_confirm_dry")
	case d.Action != Confirm && d.Action != Undo:
		return domain.Refuse(domain.Invalid, "action", "refused_choose_confirm_undo")
	}
	return nil
}

// Outcome is a ledger after a decision, and what the decision did.
type Outcome struct {
	*Ledger
	Claims  []int   // positions of the claims that it reviewed, or would in a dry run, in order
	Plan    Plan    // of several claims that are confirmed
	Skipped Skipped // of a step that is taken back

	changes []change
}

// change is the entry of a reviewed claim before and after.
type change struct {
	was Entry
	now *Entry
}

// Decide makes a decision, which Check allows, on a ledger: it appends the reviews to the session and renews the
// entries of their claims. Overview and flags are left to Outcome.Amend. confirmsAll says whether the tenant's policy
// lets one step confirm claims that are critical or flagged too.
//
// Preconditions: the ledger's entries are those of the claims that the decision is about, in order, with their flags;
// the overview is the whole session's. Other claims need not be loaded.
//
// Errors, after which the ledger must not be used: Conflict if the reviewer had seen another state; Invalid if a Strict
// decision names a claim that does not exist, or if nothing is left to confirm or to take back; TooLarge if that is
// more than MaxBulk claims; and those of AddReview.
func (l *Ledger) Decide(d *Decision, who access.Actor, confirmsAll bool) (*Outcome, error) {
	if err := l.unchanged(d, who.ID); err != nil {
		return nil, err
	}
	if err := l.listed(d); err != nil {
		return nil, err
	}
	out := &Outcome{Ledger: l}
	if err := out.choose(d, who.ID, confirmsAll); err != nil || d.DryRun {
		return out, err
	}
	revision := l.Session.Revision
	for _, at := range out.Claims {
		if _, err := l.Session.AddReview(at, d.input(who.ID), d.NewID(), who.User, string(who.Role), d.At); err != nil {
			return nil, err
		}
	}
	if d.Selection != nil {
		l.Session.oneStep(revision)
	}
	out.renew()
	return out, nil
}

// input returns what each claim is reviewed with. A batch is that of a step's confirmations.
func (d *Decision) input(person string) ReviewInput {
	in := d.ReviewInput
	in.By = person
	if d.Selection == nil || d.Action != Confirm {
		in.Batch = ""
	}
	return in
}

// unchanged refuses a decision on another state than the person had seen.
func (l *Ledger) unchanged(d *Decision, person string) error {
	switch {
	case d.Seen == nil:
		return nil
	case d.Selection == nil:
		return l.Session.CheckUnchanged(d.Claim, *d.Seen, person)
	case l.Session.RevisionFor(person) != *d.Seen:
		return domain.Refuse(domain.Conflict, "", "refused_ledger_changed_since")
	}
	return nil
}

// listed refuses a strict decision on claims that the session does not have.
func (l *Ledger) listed(d *Decision) error {
	if d.Selection == nil || !d.Strict {
		return nil
	}
	for i, at := range d.Selection.Claims {
		if at < 0 || at >= l.Summary.All() {
			return domain.Refuse(domain.Invalid, "claims["+strconv.Itoa(i)+"]", "refused_listed_claim", "N", at+1)
		}
	}
	return nil
}

// choose sets which claims are to be reviewed.
func (o *Outcome) choose(d *Decision, person string, confirmsAll bool) error {
	switch {
	case d.Selection == nil:
		o.Claims = []int{d.Claim}
		return nil
	case d.Action == Undo:
		if o.Claims, o.Skipped = o.Session.leftOf(d.Batch, person); len(o.Claims) == 0 {
			return domain.Refuse(domain.Invalid, "batch_id", "refused_nothing_left_take")
		}
		return nil
	}
	o.Plan = o.plan(person, confirmsAll)
	o.Claims = o.Plan.Confirm
	switch {
	case d.DryRun:
		return nil
	case len(o.Claims) == 0:
		return domain.Refuse(domain.Invalid, "filter", "refused_nothing_confirm_among")
	case len(o.Claims) > MaxBulk:
		return domain.Refuse(domain.TooLarge, "filter", "refused_filter_claims", "N", MaxBulk)
	}
	return nil
}

// plan plans the confirmation of the entries' claims.
func (l *Ledger) plan(person string, confirmsAll bool) Plan {
	positions, spare := make([]int, len(l.Entries)), map[int]bool(nil)
	for i := range l.Entries {
		positions[i] = l.Entries[i].Claim.Position
	}
	if !confirmsAll {
		spare = l.Grave()
	}
	return l.Session.PlanConfirm(positions, person, spare)
}

// renew computes the entries of the reviewed claims again.
func (o *Outcome) renew() {
	for _, at := range o.Claims {
		i, _ := slices.BinarySearchFunc(o.Entries, at, func(e Entry, at int) int { return e.Claim.Position - at })
		now := &o.Entries[i]
		o.changes = append(o.changes, change{was: *now, now: now})
		*now = o.Session.entry(now.Claim)
	}
}

// Asks returns what Amend needs to know of the claims that were not reviewed.
func (o *Outcome) Asks() AmendAsks {
	if len(o.changes) != 1 {
		return AmendAsks{}
	}
	return o.Overview.AmendAsks(&o.changes[0].was, o.changes[0].now)
}

// Amend sets the overview and the flags of the reviewed claims to those after the decision; others is what Asks asks
// for. It returns false if other claims may have changed too, or if several were reviewed and the flags of one may have
// changed: then the caller has to make the decision on the whole session and to assess that.
func (o *Outcome) Amend(others OtherClaims) bool {
	overview := o.Overview
	for i := range o.changes {
		c := &o.changes[i]
		if len(o.changes) > 1 && !c.was.flaggedLike(c.now) {
			return false
		}
		var ok bool
		if overview, ok = overview.Amend(&c.was, c.now, others); !ok {
			return false
		}
	}
	o.Overview = overview
	return true
}

// Sum returns OtherClaims.Sum after the decision, for the next one.
func (o *Outcome) Sum(before float64) float64 {
	for i := range o.changes {
		before = amendConfidence(before, &o.changes[i].was, o.changes[i].now)
	}
	return before
}

// MaxBulk is the most claims that one step confirms or undoes.
const MaxBulk = 5000

// Plan is the effect of confirming several claims in one step. Each of the claims is in exactly one of its lists.
type Plan struct {
	Confirm  []int // positions, in the order they were given
	Unjudged []int // there is no verdict to confirm
	// already reviewed, and the review is not stale; with two reviewers: reviewed by this person or by two others
	Decided []int
	Spared  []int // critical or flagged: a person looks at each alone, unless the tenant's policy says otherwise
}

// Grave returns the positions of the claims that are critical or flagged.
func (l *Ledger) Grave() map[int]bool {
	out := map[int]bool{}
	for i := range l.Entries {
		if e := &l.Entries[i]; e.Importance == Critical || len(e.Flags) > 0 {
			out[e.Claim.Position] = true
		}
	}
	return out
}

// PlanConfirm returns what a person would confirm of the claims at positions, without those to spare. It changes
// nothing.
func (s *Session) PlanConfirm(positions []int, person string, spare map[int]bool) Plan {
	var p Plan
	for _, at := range positions {
		c := s.Claim(at)
		if c == nil {
			continue
		}
		e := s.entry(c)
		switch {
		case e.Unjudged():
			p.Unjudged = append(p.Unjudged, at)
		case !s.Awaits(&e, person):
			p.Decided = append(p.Decided, at)
		case spare[at]:
			p.Spared = append(p.Spared, at)
		default:
			p.Confirm = append(p.Confirm, at)
		}
	}
	return p
}

// Awaits reports whether the claim of an entry waits for a person's decision: the n key goes to these claims, and bulk
// confirm takes them.
func (s *Session) Awaits(e *Entry, person string) bool {
	if e.State.Aside() {
		return false
	}
	if s.Second == OneReviewer {
		return e.State == Unreviewed || e.Stale
	}
	return e.Claim.Decision(person) == nil && !e.Settled && e.State != Wanting && !s.bothDecided(e.Claim)
}

// Left reports whether the claim of an entry is left to be settled, or in a blind session to be decided by a person: the
// filter for unsettled claims takes these.
func (s *Session) Left(e *Entry, person string) bool {
	return !e.Settled && (s.Second != SecondBlind || e.Claim.Decision(person) == nil)
}

// bothDecided reports whether two people have a decision on a claim that still counts.
func (s *Session) bothDecided(c *Claim) bool {
	two, ok := s.pair(c, c.Stale)
	if !ok || s.Sealed(c) {
		return false
	}
	_, both := c.differ(two)
	return both
}

// Skipped counts the claims of a step that stay as they are when it is taken back.
type Skipped struct {
	Again     int // the person has reviewed them again since
	Withdrawn int // the review of the step is withdrawn already
}

// leftOf returns the positions of the claims where a person's review of a batch is still their newest, and counts the
// others.
func (s *Session) leftOf(batch, person string) (claims []int, skipped Skipped) {
	for i := range s.Claims {
		c := &s.Claims[i]
		n := slices.IndexFunc(c.Reviews, func(r Review) bool { return batch != "" && r.Batch == batch && r.By == person })
		if n < 0 {
			continue
		}
		switch newest := c.Latest(person); {
		case newest >= 0 && c.Reviews[newest].Batch == batch:
			claims = append(claims, c.Position)
		case c.Undone(n):
			skipped.Withdrawn++
		default:
			skipped.Again++
		}
	}
	return claims, skipped
}

// oneStep makes the reviews of a bulk step one change. In a blind session each counts, as each may be hidden.
func (s *Session) oneStep(before int) {
	if s.Second != SecondBlind {
		s.Revision = before + 1
	}
}
