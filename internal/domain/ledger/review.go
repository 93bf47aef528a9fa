package ledger

import (
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/words"
)

// The longest reason and the longest comment, on a claim or a pack, in code points.
const (
	MaxReason  = 8000
	MaxComment = 4000
)

// Review is what a person said about a claim; reviews are appended, never rewritten.
type Review struct {
	ID         string
	Actor      string // shown name of who reviewed
	Role       string
	At         time.Time
	Action     Action
	Verdict    Verdict // confirm: the verdict it fixes; override: the new one
	Reason     string
	Type       ClaimType  // edit only, "" when unchanged
	Importance Importance // edit only, "" when unchanged

	By          string // id of the person or machine, "" if it came with an import
	Into        []int  // replace only: positions of the claims that came in the claim's place
	Undoes      int    // undo only: the number, from 1, of the claim's review that it takes back
	Adjudicates bool   // confirm and override: it settles that two reviewers differ
	Batch       string // id of the step that confirmed several claims, "" for one alone
	Asks        bool   // comment only: its thread is open until somebody resolves it
	Thread      int    // reply, resolve and reopen: the number, from 1, of the comment that begins the thread
}

// ReviewInput is a requested review, not yet checked.
type ReviewInput struct {
	Action     Action
	Verdict    Verdict
	Reason     string
	Type       ClaimType
	Importance Importance
	By         string // id of the reviewer, "" if none
	Batch      string // id of the bulk step that it belongs to, "" if none
	Undoes     string // undo only: the id of the comment that it takes back, "" for the reviewer's newest review
	Asks       bool   // comment only, and no reply
	Thread     string // id of a comment of the thread: what a comment answers, "" for one of its own; resolve and reopen
}

// AddReview checks in against the claim at position and appends it, with the given id, actor, role and time; every
// review is made here. It refuses (domain.Invalid, Path the field) what rules L-15 and L-16 do not allow, and a verdict
// on a sealed claim by a person who can read the others' reviews (cause ErrReadsAll). The caller has already compared
// revisions.
func (s *Session) AddReview(position int, in ReviewInput, id, actor, role string, at time.Time) (Review, error) {
	c := s.Claim(position)
	if c == nil {
		return Review{}, domain.Refuse(domain.NotFound, "", "refused_session_claim", "N", position+1)
	}
	e := s.entry(c)
	if in.Batch == "" { // a bulk step lists the verdicts that everybody sees
		e.takeOwn(s, in.By)
	}
	if err := s.mayReview(&e, in.Action); err != nil {
		return Review{}, err
	}
	r := Review{ID: id, Actor: actor, Role: role, At: at, Action: in.Action, Reason: strings.TrimSpace(in.Reason),
		By: in.By, Batch: in.Batch}
	if err := r.fits(); err != nil {
		return Review{}, err
	}
	seen := *c
	seen.Reviews, _ = s.Visible(c, in.By)
	if err := r.take(in, &e, &seen); err != nil {
		return Review{}, err
	}
	if e.Sealed && r.verdictGiven() && readsAll(role) {
		return Review{}, &domain.Error{Kind: domain.Invalid, Path: "action", Err: ErrReadsAll,
			Message: words.Msg("refused_administrators_read_audit")}
	}
	s.settle(&r, &e)
	sealed := s.sealedOf(c, nil)
	c.Reviews = append(c.Reviews, r)
	s.Revision++
	s.SealedBy = s.SealedBy.plus(s.sealedOf(c, nil), 1).plus(sealed, -1)
	if s.open(c) == len(c.Reviews) {
		s.UpdatedAt = at
	}
	return r, nil
}

// mayReview refuses what no reviewer may do to a claim as it stands: a claim that others replaced takes comments only;
// in a blind session nobody sets a claim aside, which would tell the other reviewer; neither is done to a closed one.
func (s *Session) mayReview(e *Entry, action Action) error {
	switch {
	case e.State == Replaced && !action.Talks():
		return domain.Refuse(domain.Invalid, "action", "refused_claim_replaced")
	case action == NotAClaim && e.State == SetAside:
		return domain.Refuse(domain.Invalid, "action", "refused_aside_already")
	case action == NotAClaim:
		return s.mayChangeClaims("action")
	}
	return nil
}

// mayChangeClaims refuses that claims of the session are set aside or replaced where that is not allowed; path is the
// field at fault.
func (s *Session) mayChangeClaims(path string) error {
	switch {
	case s.Second == SecondBlind:
		return domain.Refuse(domain.Invalid, path, "refused_claims_blind")
	case s.Closed():
		return domain.Refuse(domain.Conflict, "", "refused_claims_closed")
	}
	return nil
}

// ErrReadsAll is the cause of a refused verdict on a sealed claim by somebody who can read the others' reviews of it.
var ErrReadsAll = errors.New("somebody who can read sealed reviews may not give a verdict on a sealed claim")

// readsAll reports whether a role can read every review at once, even a sealed one: those that may read the audit log.
func readsAll(role string) bool { return access.Role(role).May(access.ReadAudit) }

// fits refuses a text that is too long.
func (r *Review) fits() error {
	n := utf8.RuneCountInString(r.Reason)
	switch {
	case r.Action == Comment && n > MaxComment:
		return domain.Refuse(domain.TooLarge, "reason", "fault_comment_long", "N", MaxComment)
	case n > MaxReason:
		return domain.Refuse(domain.TooLarge, "reason", "refused_text_longer_characters", "N", MaxReason)
	}
	return nil
}

// take fills in what the action needs, or returns an error if something is missing. visible is the claim with the
// reviews that the reviewer may see.
func (r *Review) take(in ReviewInput, e *Entry, visible *Claim) error {
	if e.Unjudged() && in.Action == Confirm {
		return domain.Refuse(domain.Invalid, "action", "refused_claim_verdict_confirm")
	}
	switch in.Action {
	case Confirm:
		if e.confirmedBy(r.person(), r.Reason != "") {
			return domain.Refuse(domain.Invalid, "action", "refused_confirmed_verdict")
		}
		r.Verdict = e.Verdict
	case Override:
		return r.takeOverride(in, e)
	case Edit:
		return r.takeEdit(in, e)
	case Comment:
		if r.Reason == "" {
			return domain.Refuse(domain.Invalid, "reason", "refused_comment_missing")
		}
		r.Asks = in.Asks && in.Thread == ""
		return r.takeThread(in.Thread, visible, e.Claim)
	case Resolve, Reopen:
		return r.takeThread(in.Thread, visible, e.Claim)
	case NotAClaim:
		if r.Reason == "" {
			return domain.Refuse(domain.Invalid, "reason", "refused_reason_not_a_claim")
		}
	case NeedsEvidence:
	case Undo:
		return r.takeUndo(in.Undoes, e)
	default:
		return domain.Refuse(domain.Invalid, "action", "refused_choose_confirm_override")
	}
	return nil
}

// takeUndo says which review is taken back: a comment by its id, else the newest one.
func (r *Review) takeUndo(id string, e *Entry) error {
	n := e.Claim.Latest(r.By)
	if id != "" {
		n = e.Claim.OwnComment(r.By, id)
	}
	if n < 0 && id != "" {
		return domain.Refuse(domain.Invalid, "review_id", "refused_comment_yours_id")
	}
	if n < 0 {
		return domain.Refuse(domain.Invalid, "action", "refused_review_yours_take")
	}
	if e.Claim.Reviews[n].Action == Replace {
		return domain.Refuse(domain.Invalid, "action", "refused_undo_replacement")
	}
	r.Undoes = n + 1
	return nil
}

// confirmedBy reports whether the newest deciding review is this person's confirmation of the current verdict, and not
// stale: a stale one may be confirmed again, and one without a reason, with one. Of a sealed claim only the person's own
// reviews count.
func (e *Entry) confirmedBy(person string, reasoned bool) bool {
	gone := e.Claim.undone()
	for i := len(e.Claim.Reviews) - 1; i >= e.Claim.Stale; i-- {
		r := &e.Claim.Reviews[i]
		if gone != nil && gone[i] || !r.decides() || e.Sealed && r.person() != person {
			continue
		}
		return r.Action == Confirm && r.person() == person && r.Verdict == e.Verdict && (!reasoned || r.Reason != "")
	}
	return false
}

// settle marks a third person's verdict on a claim about which two differ.
func (s *Session) settle(r *Review, e *Entry) {
	if !e.Differs || !r.verdictGiven() {
		return
	}
	r.Adjudicates = s.MaySettle(e.Claim, r.person())
}

// MaySettle reports whether a person is neither of the two who decided a claim.
func (s *Session) MaySettle(c *Claim, person string) bool {
	two, ok := s.pair(c, c.Stale)
	return ok && person != "" && person != two[0] && person != two[1]
}

// takeOverride takes a new verdict. One that is in force already changes nothing: with its reason it is a confirmation.
func (r *Review) takeOverride(in ReviewInput, e *Entry) error {
	if !in.Verdict.Valid() {
		return domain.Refuse(domain.Invalid, "verdict", "refused_choose_supported_weak")
	}
	if r.Reason == "" {
		return domain.Refuse(domain.Invalid, "reason", "refused_reason_overriding_verdict")
	}
	r.Verdict = in.Verdict
	if r.Verdict == e.Verdict {
		r.Action = Confirm
	}
	return nil
}

func (r *Review) takeEdit(in ReviewInput, e *Entry) error {
	if in.Type != "" && !in.Type.Valid() {
		return domain.Refuse(domain.Invalid, "claim_type", "refused_choose_fact_policy")
	}
	if in.Importance != "" && !in.Importance.Valid() {
		return domain.Refuse(domain.Invalid, "importance", "refused_choose_critical_material")
	}
	if in.Type != e.Type {
		r.Type = in.Type
	}
	if in.Importance != e.Importance {
		r.Importance = in.Importance
	}
	if r.Type == "" && r.Importance == "" {
		return domain.Refuse(domain.Invalid, "claim_type", "refused_change_type_importance")
	}
	return nil
}

// MaxReplies is how many replies a thread takes, on a claim or a pack.
const MaxReplies = 100

// Thread is a comment on a claim and what belongs to it. Places are those of the claim's reviews, from 0.
type Thread struct {
	First    int   // the comment that begins it
	Replies  []int // in order, withdrawn ones too
	Open     bool  // it is to be resolved: it asks for an answer or somebody replied, and nobody has resolved it
	Resolved int   // the review that resolved it, -1 while nobody has

	ThreadState
}

// Threads returns the threads of a claim, in order: each comment that answers none begins one (rule N-6).
func (c *Claim) Threads() (out []Thread) {
	if !slices.ContainsFunc(c.Reviews, func(r Review) bool { return r.Action == Comment }) {
		return nil
	}
	gone := c.undone()
	at := map[int]int{} // places in out, by the number of the first comment
	for i := range c.Reviews {
		r := &c.Reviews[i]
		withdrawn := gone != nil && gone[i]
		n, follows := at[r.Thread]
		switch {
		case r.Action == Comment && !follows:
			at[i+1] = len(out)
			out = append(out, Thread{First: i, Resolved: -1,
				ThreadState: ThreadState{Stands: !withdrawn, Wants: r.Asks && !withdrawn}})
		case !follows:
		case r.Action == Comment:
			x := &out[n]
			x.Replies = append(x.Replies, i)
			x.Count++
			x.Stands, x.Wants = x.Stands || !withdrawn, x.Wants || !withdrawn
		case r.Action == Resolve && !withdrawn:
			out[n].Resolved = i
		case r.Action == Reopen && !withdrawn:
			out[n].Resolved = -1
		}
	}
	for i := range out {
		x := &out[i]
		x.Closed = x.Resolved >= 0
		x.Open = x.Wants && !x.Closed
	}
	return out
}

// ThreadOf returns the thread in which a comment stands, by the comment's id; nil if the claim has no such comment.
func (c *Claim) ThreadOf(id string) *Thread {
	if id == "" {
		return nil
	}
	all := c.Threads()
	for i := range all {
		if all[i].Has(c, id) {
			return &all[i]
		}
	}
	return nil
}

// Has reports whether one of the thread's comments has an id; c is the thread's claim.
func (x *Thread) Has(c *Claim, id string) bool {
	is := func(n int) bool { return c.Reviews[n].ID == id }
	return id != "" && (is(x.First) || slices.ContainsFunc(x.Replies, is))
}

// OpenThreads returns the claim's threads that are to be resolved.
func (c *Claim) OpenThreads() []Thread {
	return slices.DeleteFunc(c.Threads(), func(x Thread) bool { return !x.Open })
}

// takeThread says which thread a reply, a resolution or a reopening belongs to, by the id of one of its comments; "" is
// none, for a comment of its own. visible is the claim as the reviewer sees it, whole as it is.
func (r *Review) takeThread(id string, visible, whole *Claim) error {
	if id == "" && r.Action == Comment {
		return nil
	}
	x := visible.ThreadOf(id)
	if x == nil {
		return domain.Refuse(domain.Invalid, "review_id", "refused_thread_none")
	}
	if err := x.May(r.Action); err != nil {
		return err
	}
	first := visible.Reviews[x.First].ID
	r.Thread = 1 + slices.IndexFunc(whole.Reviews, func(y Review) bool { return y.ID == first })
	return nil
}

// Did is what a review did, as messages name it: a comment that answers one is a reply.
func (r *Review) Did() string {
	switch {
	case r.Action == Comment && r.Thread > 0:
		return "reply"
	case r.Action == Comment && r.Asks:
		return "ask"
	}
	return string(r.Action)
}

// ThreadsAt returns whether the claim's comments begin an open thread, by their place, from 0; only those that have
// begun one that was to be resolved are in it.
func (c *Claim) ThreadsAt() map[int]bool {
	var out map[int]bool
	for _, x := range c.Threads() {
		if x.Open || x.Resolved >= 0 {
			if out == nil {
				out = map[int]bool{}
			}
			out[x.First] = x.Open
		}
	}
	return out
}

// ThreadState is what decides what may be done to a thread, on a claim or a pack.
type ThreadState struct {
	Stands bool // one of its comments is not withdrawn
	Wants  bool // it asks for an answer, or a reply stands
	Closed bool // somebody has resolved it
	Count  int  // replies, withdrawn ones too
}

// May refuses, as a conflict, what cannot be done to the thread as it is: comment is a reply.
func (x ThreadState) May(action Action) error {
	switch {
	case action != Resolve && !x.Stands:
		return domain.Refuse(domain.Conflict, "", "fault_reply_withdrawn")
	case action == Comment && x.Count >= MaxReplies:
		return domain.Refuse(domain.Conflict, "", "fault_replies_full", "N", MaxReplies)
	case action == Resolve && x.Closed:
		return domain.Refuse(domain.Conflict, "", "fault_thread_resolved")
	case action == Resolve && !x.Wants:
		return domain.Refuse(domain.Conflict, "", "fault_thread_asks_nothing")
	case action == Reopen && !x.Closed:
		return domain.Refuse(domain.Conflict, "", "fault_thread_open")
	}
	return nil
}

// Reasons are the approval classes whose packs are not signed before the review of a claim has a reason, by what is
// wrong with the claim (rule P-21). Both are empty where the tenant's policy demands none.
type Reasons struct {
	Adverse  []string // it is contradicted, not found or miscited
	Invented []string // it has words that are in no source
}

// Classes returns the classes that demand a reason for the claim of an entry, in their order.
func (r *Reasons) Classes(e *Entry) (out []string) {
	if e.State.Aside() {
		return nil
	}
	if adverse(e.Machine) || adverse(e.Verdict) || e.Claim.Checks.CitationMask()&Elsewhere.Bit() != 0 {
		out = append(out, r.Adverse...)
	}
	if e.Claim.Checks.Invented() {
		out = append(out, r.Invented...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Reasoned reports whether a review that gave the claim a verdict, and still counts, has a reason.
func (e *Entry) Reasoned() bool {
	c := e.Claim
	for i := c.Stale; i < len(c.Reviews); i++ {
		if r := &c.Reviews[i]; r.verdictGiven() && r.By != "" && !c.Undone(i) && strings.TrimSpace(r.Reason) != "" {
			return true
		}
	}
	return false
}

func adverse(v Verdict) bool { return v == Contradicted || v == NotFound }
