package ledger

import (
	"slices"
	"strings"

	"sanad/internal/domain/text"
)

// ReviewState is how far the review of a claim has come.
type ReviewState string

// The review states; the newest review that is not a comment or an edit decides.
const (
	Unreviewed ReviewState = "unreviewed"
	Confirmed  ReviewState = "confirmed"
	Overridden ReviewState = "overridden"
	Wanting    ReviewState = "needs_evidence"
	SetAside   ReviewState = "not_a_claim"
	Replaced   ReviewState = "replaced"
)

// ReviewStates lists the states in display order.
var ReviewStates = []ReviewState{Unreviewed, Confirmed, Overridden, Wanting, SetAside, Replaced}

// Entry is a judged claim as pages and exports show it: the machine's verdict, the effective one after reviews, and the
// evidence.
type Entry struct {
	Claim       *Claim
	Machine     Verdict          // "" when unjudged
	Verdict     Verdict          // the effective one: the newest confirm's or override's, else the machine's
	Confidence  float64          // the machine's
	JudgeSource ConfidenceSource // whose figure Confidence is, "" of a claim that no judge judged
	// JudgeSource is ByModel, and Confidence the lower bound that reviews measured of how often the word is right (J-12)
	Measured bool
	// the calibrated probability that the machine's verdict is right, nil unless its judge is calibrated
	JudgeProbability *float64
	// as JudgeSource and JudgeProbability, but of the effective verdict: a person's has no figure (BySomebody, nil)
	Source      ConfidenceSource
	Probability *float64
	Tier        Tier // of the effective verdict, "" unless it is weak and has a probability
	State       ReviewState
	Override    bool       // the effective verdict is a reviewer's, not the machine's
	Type        ClaimType  // as the newest edit left it
	Importance  Importance // likewise
	Best        *Match     // the match that decided, else the first one, nil without matches
	Chunk       *Chunk     // Best's chunk, nil when not loaded
	Document    *Document  // Best's document, nil when not loaded
	Strength    Strength   // zero without matches
	Score       float64    // the strength as one figure from 0 to 1
	Stale       bool       // the review that decides the state was made of an older judgement
	Uncited     bool       // requires a citation and has no resolved one
	Sealed      bool       // its pending reviews do not count yet, see Session.Sealed
	sealed      SealedBy   // those reviews
	reason      reason     // of the machine's verdict, see Notes
	weighed     []Match    // the claim's matches as the verdict takes them, see Session.weighed
	Settled     bool       // a person's verdict counts; with two reviewers, theirs agree or a third person settled it
	Differs     bool       // two reviewers give different verdicts and nobody has settled it
	FirstWords  [2]Verdict // the first verdicts of two reviewers, "" until both have one
	Threads     int        // open ones, of the reviews that everybody may see
	Flags       []RiskType // the risk flags that list this claim, in RiskTypes order
}

// Unjudged reports whether neither a judge nor a person has given a verdict.
func (e *Entry) Unjudged() bool { return e.Verdict == Unjudged }

// Quote returns how the snippet of the best match was placed in its source.
func (e *Entry) Quote() text.PlacementKind {
	if e.Best == nil {
		return text.NotPlaced
	}
	return e.Best.Quote.Kind
}

// entry returns the entry of one claim with its reviews applied. Flags are left to Assess, which sees the whole
// session.
func (s *Session) entry(c *Claim) Entry {
	e := Entry{Claim: c, weighed: s.weighed(c), Type: c.Type, Importance: c.Importance, State: Unreviewed,
		Uncited: c.RequiresCitation && !c.cited() && !(s.rules().Checks && c.Checks.cites())}
	if c.Unjudged == "" {
		e.decide(s.rules().Decide(e.weighed))
		e.sourced(s)
	}
	if e.Best != nil {
		e.Document, e.Chunk = s.Document(e.Best.Chunk.Document), s.Chunk(e.Best.Chunk)
		e.Strength = s.strength(c, e.Best)
		e.Score = s.rules().Score(e.Strength)
	}
	e.Verdict = e.Machine
	e.Sealed, e.sealed = s.Sealed(c), s.sealedOf(c, nil)
	n := s.open(c)
	open := &Claim{Reviews: c.Reviews[:n], Stale: min(n, c.Stale)}
	e.takeReviews(open)
	e.compare(s, open)
	e.Threads = len(open.OpenThreads())
	e.figure()
	return e
}

// figure says whose figure goes with the effective verdict.
func (e *Entry) figure() {
	e.Source, e.Probability = e.JudgeSource, e.JudgeProbability
	if e.Override {
		e.Source, e.Probability = BySomebody, nil
	}
	e.Tier = TierOf(e.Verdict, e.Probability)
}

// takeOwn applies a person's sealed reviews too, as only this person is shown the entry (rule L-18), but no decision on
// an older judgement: they are asked again. It is settled no sooner for that.
func (e *Entry) takeOwn(s *Session, person string) {
	c := e.Claim
	if !e.Sealed || person == "" || !slices.ContainsFunc(c.Reviews[s.open(c):], func(r Review) bool { return r.By == person }) {
		return
	}
	own := Claim{Reviews: c.Reviews, Stale: c.Stale, Withheld: c.Withheld}
	own.hide(s.open(c), person)
	for i := s.open(c); i < own.Stale; i++ {
		if own.Reviews[i].decides() {
			own.Reviews[i].Action = Comment
		}
	}
	e.Verdict, e.State, e.Override, e.Stale = e.Machine, Unreviewed, false, false
	e.Type, e.Importance = c.Type, c.Importance
	e.takeReviews(&own)
	e.figure()
}

// takeReviews applies the reviews of c that were not undone, in order.
func (e *Entry) takeReviews(c *Claim) {
	gone := c.undone()
	for i := range c.Reviews {
		if gone != nil && gone[i] {
			continue
		}
		e.apply(&c.Reviews[i])
		if c.Reviews[i].decides() {
			e.Stale = i < c.Stale && !e.State.Aside() // what is no claim is none, whatever it was judged
		}
	}
}

// decide takes over the assignment of verdict.v1.
func (e *Entry) decide(a VerdictResult) {
	e.Machine, e.Confidence, e.reason = a.Verdict, a.Confidence, a.reason
	switch {
	case a.Deciding >= 0:
		e.Best = &e.Claim.Matches[a.Deciding]
	case len(e.Claim.Matches) > 0:
		e.Best = &e.Claim.Matches[0]
	}
}

// Notes returns the reason of the machine's verdict in words, with the deciding match's own note and what the checks
// say, or why the claim was not judged.
func (e *Entry) Notes() string {
	if e.Claim.Unjudged != "" {
		return e.Claim.Unjudged
	}
	notes := e.reason.String()
	if e.Best != nil && e.Best.Note != "" {
		notes = WithRemark(notes, e.Best.Note)
	}
	for _, remark := range e.remarks() {
		notes = WithRemark(notes, remark)
	}
	return notes
}

// WithRemark adds a sentence to notes, which may end in a full stop or not.
func WithRemark(notes, remark string) string { return strings.TrimSuffix(notes, ".") + ". " + remark }

// Affected reports whether the deciding evidence is in a document that is out of use.
func (e *Entry) Affected() bool {
	return e.Best != nil && e.Document != nil && !e.Document.Citable()
}

// LookAgain reports whether the n-th review of the claim, from 0, should be looked at again: it decides the claim's
// state, alone or with a second one, and the judgement it was made of has changed. A stale review that was replaced by
// a newer one need not be.
func (e *Entry) LookAgain(n int) bool {
	return e.Stale && n < e.Claim.Stale && e.Claim.Reviews[n].decides() && !e.Claim.Undone(n)
}

// Decision returns the review that sets the claim's state, of those that everybody may see; nil if none does.
func (s *Session) Decision(c *Claim) *Review {
	open := Claim{Reviews: s.Open(c)}
	gone := open.undone()
	for i, r := range slices.Backward(open.Reviews) {
		if r.decides() && (gone == nil || !gone[i]) {
			return &open.Reviews[i]
		}
	}
	return nil
}

// decides reports whether a review sets the state of its claim.
func (r *Review) decides() bool {
	switch r.Action {
	case Confirm, Override, NeedsEvidence, NotAClaim, Replace:
		return true
	}
	return false
}

// apply applies one review to the effective values.
func (e *Entry) apply(r *Review) {
	switch r.Action {
	case Confirm:
		e.Verdict, e.State = r.Verdict, Confirmed
		e.Override = r.Verdict != e.Machine
	case Override:
		e.Verdict, e.State, e.Override = r.Verdict, Overridden, true
	case NeedsEvidence:
		e.State = Wanting
	case NotAClaim:
		e.State = SetAside
	case Replace:
		e.State = Replaced
	case Edit:
		if r.Type != "" {
			e.Type = r.Type
		}
		if r.Importance != "" {
			e.Importance = r.Importance
		}
	case Comment, Undo, Resolve, Reopen:
	}
}

// EntryAt returns the entry of the claim at a position with the flags stored for it; for pages that load a part of a
// session only. Assess returns the same entry if the whole session is loaded.
func (s *Session) EntryAt(position int, flags []RiskType) (Entry, bool) {
	c := s.Claim(position)
	if c == nil {
		return Entry{}, false
	}
	e := s.entry(c)
	e.Flags = flags
	return e, true
}

// EntryFor is EntryAt as a person is shown it: in a blind session their own decision on a sealed claim is in force for
// them, and for nobody else.
func (s *Session) EntryFor(position int, flags []RiskType, person string) (Entry, bool) {
	e, ok := s.EntryAt(position, flags)
	if ok {
		e.takeOwn(s, person)
	}
	return e, ok
}

// Halves returns how many of the two reviews that a claim of a blind session needs are there, of those that are loaded:
// 1 where the reader has decided it and the other one's decision is not there, or hidden. It is 0 where what people
// decided counts, and where nobody has decided. All exports say the same by it (rule L-18).
func (e *Entry) Halves() int {
	if !e.Sealed {
		return 0
	}
	for _, person := range e.Claim.deciders(e.Claim.Stale) {
		if e.Claim.Decision(person) != nil {
			return 1
		}
	}
	return 0
}

// begun reports whether the claim has a review that is not sealed.
func (e *Entry) begun() bool { return len(e.Claim.Reviews) > e.sealed.From("") }
