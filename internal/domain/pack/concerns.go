package pack

import (
	"slices"
	"strconv"
	"time"

	"sanad/internal/domain/ledger"
	"sanad/internal/words"
)

// Concern is an item of the alarm line: something that a reader of a pack must know before anything else. It counts
// what Alarm names one by one, and what became known after submission.
type Concern struct {
	Kind    string   `json:"kind"` // one of ConcernKinds
	N       int      `json:"n"`
	Of      int      `json:"of,omitempty"`      // of how many, where that is worth saying
	Objects []string `json:"objects,omitempty"` // tool calls ("T2"), sources ("E1") or claim ids
}

// The kinds of concerns besides those of alarms.
const (
	SealBroken        = "seal_broken"        // the stored files of a signed pack don't verify
	CallUnverified    = "call_unverified"    // nobody has said that the tool call was verified
	ClaimsWeak        = "claims_weak"        // supported in part only
	ClaimsUncited     = "claims_uncited"     // what they cite does not support them, or is not there
	ClaimsOutdated    = "claims_outdated"    // rest on an outdated source
	ClaimsConflicting = "claims_conflicting" // sources disagree
	SourcesReserved   = "sources_reserved"   // say that something is open, or set a condition
	SourcesStale      = "sources_stale"      // older than the decision's freshness window
	SourcesAged       = "sources_aged"       // fresh at the decision, older than its window when it was signed, or now
	SourcesRestricted = "sources_restricted" // their text is not kept (S3), so nobody can read it here
	SourcesOwn        = "sources_own"        // the model's own text, which is no evidence for what it did (rule P-1)
	RulesBroken       = "rules_broken"       // of a draft, by Validate
	PolicyBroken      = "policy_broken"      // rules of the sign-off policy that must hold
	PackReturned      = "pack_returned"
	PackOnHold        = "pack_on_hold"
	ClaimsFlagged     = "claims_flagged"    // have a risk flag that no other concern tells
	OneAdministrator  = "one_administrator" // one person makes, and takes away, the accounts of all who sign
	ApprovalsMissing  = "approvals_missing"
)

// ConcernKinds lists all kinds in the order of the line: what the system did, what is wrong with the claims, what
// nobody has looked at, and what is still to be done.
var ConcernKinds = []string{SealBroken, CallDeparted, CallFailed, CallUnclear, CallUnverified, NoClaimChecked,
	ClaimsContradicted, ClaimsNotFound, SourcesWithdrawn, SinceContradicted, SinceOverridden, SinceErased, ClaimsChanged,
	PackThreads, ClaimThreads, ClaimsMiscited, ClaimsUncited, QuotesInvented,
	ClaimsWeak, ClaimsConflicting, ClaimsOutdated, ClaimsFlagged, ClaimsOverridden, ClaimsUnreviewed, SourcesReserved,
	SourcesStale, SourcesAged, SourcesRestricted, SourcesOwn, OneAdministrator, RulesBroken, PolicyBroken, PackReturned,
	ApprovalsMissing, PackOnHold}

// grave are the kinds that say that something is wrong, rather than unfinished.
var grave = []string{SealBroken, CallDeparted, CallFailed, NoClaimChecked, ClaimsContradicted, SourcesWithdrawn,
	SinceContradicted, SinceOverridden, SinceErased, ClaimsMiscited, QuotesInvented, PolicyBroken, RulesBroken,
	PackReturned}

// Grave reports whether the concern says that something is wrong, rather than unfinished.
func (c *Concern) Grave() bool { return slices.Contains(grave, c.Kind) }

// Alarm reports whether the concern counts what an approver acknowledges.
func (c *Concern) Alarm() bool {
	return slices.Contains(AlarmKinds, c.Kind) || slices.Contains(SinceKinds, c.Kind)
}

// Warns reports whether the concern says more than that the pack waits or is kept.
func (c *Concern) Warns() bool { return c.Kind != ApprovalsMissing && c.Kind != PackOnHold }

// Quiet reports whether nothing warns: then alone may a page or file say that there are no alarms.
func Quiet(all []Concern) bool {
	return !slices.ContainsFunc(all, func(c Concern) bool { return c.Warns() })
}

// Standing is what the alarm line of a pack is made from.
type Standing struct {
	Content *Content
	Life    *Life
	At      time.Time // when it is looked at
	Faults  []Fault   // of a draft, by Validate
	Since   []Since   // what changed after submission, by ChangedSince
	Broken  bool      // the stored files of the signed pack don't verify
}

// Concerns returns the alarm line of a pack, in the order of ConcernKinds; none if there is nothing to tell.
func (s *Standing) Concerns() []Concern {
	found := map[string]*Concern{}
	add := func(kind string, objects ...string) {
		if len(objects) > 0 {
			found[kind] = &Concern{Kind: kind, N: len(objects), Objects: objects}
		}
	}
	count := func(kind string, n, of int) {
		if n > 0 {
			found[kind] = &Concern{Kind: kind, N: n, Of: of}
		}
	}
	c := s.Content
	c.callConcerns(add)
	c.claimConcerns(add)
	c.sourceConcerns(add)
	if s.Life.State != Discarded { // nobody relies on it any more
		add(SourcesAged, c.aged(s.Life.ReliedOn(s.At))...)
	}
	if x := found[ClaimsUnreviewed]; x != nil {
		x.Of = c.claims()
	}
	if c.claims() == 0 {
		count(NoClaimChecked, 1, 0)
	}
	for i := range s.Since {
		x := s.Since[i].Concern()
		found[x.Kind] = &x
	}
	s.lifeConcerns(count)
	if s.Life.State == InReview { // "0 of 2 approvals" too
		found[ApprovalsMissing] = &Concern{Kind: ApprovalsMissing, N: len(s.Life.Approvals), Of: max(s.Life.Need, 1)}
	}
	var out []Concern
	for _, kind := range ConcernKinds {
		if x := found[kind]; x != nil {
			out = append(out, *x)
		}
	}
	return out
}

// callConcerns counts the tool calls that departed, those that failed, and of the others those that nobody can vouch
// for.
func (c *Content) callConcerns(add func(string, ...string)) {
	add(CallDeparted, c.Departed()...)
	add(CallFailed, c.FailedCalls()...)
	add(CallUnclear, c.callsThat(func(t *ToolCallRecord) bool { return t.alarm() == CallUnclear })...)
	add(CallUnverified, c.unverified()...)
}

// unverified are the tool calls that raise no alarm, and of which nobody has said that they were verified.
func (c *Content) unverified() []string {
	return c.callsThat(func(t *ToolCallRecord) bool { return t.alarm() == "" && t.VerificationStatus != "verified" })
}

// claimConcerns counts the claims of each kind of alarm, and those that the policy has no alarm for.
func (c *Content) claimConcerns(add func(string, ...string)) {
	for _, a := range claimAlarms {
		add(a.kind, c.breaking(a.is)...)
	}
	flagged := func(flag ledger.RiskType) func(*Entry) bool {
		return func(e *Entry) bool { return slices.Contains(e.Flags, flag) }
	}
	add(ClaimsWeak, c.breaking(func(e *Entry) bool { return e.Verdict == ledger.Weak })...)
	add(ClaimsUncited, c.breaking((*Entry).uncited)...)
	add(ClaimsOutdated, c.breaking(flagged(ledger.OutdatedSource))...)
	add(ClaimsConflicting, c.breaking(flagged(ledger.ConflictingSources))...)
	add(ClaimsFlagged, c.breaking(func(e *Entry) bool {
		return slices.ContainsFunc(e.Flags, func(f ledger.RiskType) bool { return slices.Contains(flagsUntold, f) })
	})...)
}

// flagsUntold are the risk flags that no verdict, check or other concern tells.
var flagsUntold = []ledger.RiskType{ledger.AmbiguousEvidence, ledger.LowConfidence, ledger.StruckOrHidden,
	ledger.DoubtfulReading}

// uncited reports whether a passage that the claim cites does not support it, and no other one does, or is not there.
func (e *Entry) uncited() bool {
	return slices.ContainsFunc(e.Citations, func(x Citation) bool {
		return x.Status == ledger.DoesNotHold || x.Status == ledger.NotResolved || x.Status == ledger.NotRead
	})
}

func (c *Content) sourceConcerns(add func(string, ...string)) {
	var reserved, stale, restricted, own []string
	for _, a := range c.AdverseSources() {
		if len(a.Claims) == 0 { // the others are told by their claims
			reserved = append(reserved, Reference(a.At))
		}
	}
	for i := range c.Sources {
		if c.staleSource(&c.Sources[i]) {
			stale = append(stale, Reference(i))
		}
		if c.Sources[i].S3() {
			restricted = append(restricted, Reference(i))
		}
		if c.Sources[i].Kind == ModelOutput {
			own = append(own, Reference(i))
		}
	}
	add(SourcesReserved, reserved...)
	add(SourcesStale, stale...)
	add(SourcesRestricted, restricted...)
	add(SourcesOwn, own...)
}

// staleSource reports whether a source was older at the decision than its freshness window allows.
func (c *Content) staleSource(s *EvidenceSource) bool {
	at, err := time.Parse(time.RFC3339, s.RetrievedAt)
	decided, wrong := time.Parse(time.RFC3339, c.DecidedAt)
	return err == nil && wrong == nil && c.FreshnessWindowHours != nil &&
		decided.Sub(at) > time.Duration(*c.FreshnessWindowHours)*time.Hour
}

// AgedSource reports whether a source was fresh at the decision and is older now than its freshness window allows: who
// signs now relies on it.
func (c *Content) AgedSource(s *EvidenceSource, now time.Time) bool {
	at, err := time.Parse(time.RFC3339, s.RetrievedAt)
	decided, wrong := time.Parse(time.RFC3339, c.DecidedAt)
	return err == nil && wrong == nil && c.FreshnessWindowHours != nil && !decided.Before(at) && !c.staleSource(s) &&
		now.Sub(at) > time.Duration(*c.FreshnessWindowHours)*time.Hour
}

func (c *Content) aged(now time.Time) (out []string) {
	for i := range c.Sources {
		if c.AgedSource(&c.Sources[i], now) {
			out = append(out, Reference(i))
		}
	}
	return out
}

// lifeConcerns counts what follows from the state of the pack.
func (s *Standing) lifeConcerns(count func(kind string, n, of int)) {
	l := s.Life
	one := func(kind string, is bool) {
		if is {
			count(kind, 1, 0)
		}
	}
	one(SealBroken, s.Broken)
	one(PackReturned, l.State == Returned)
	one(PackOnHold, l.Hold != nil)
	one(OneAdministrator, s.Content.OneAdministrator)
	if l.State == Draft {
		n := 0
		for _, f := range s.Faults {
			if f.Rule.Severity == SeverityError {
				n++
			}
		}
		count(RulesBroken, n, 0)
	}
	if l.State == Draft || l.State == InReview {
		n := 0
		for _, o := range s.Content.outcomesAt(s.At, nil, s.Life.Makers) {
			if o.Refuses() {
				n++
			}
		}
		count(PolicyBroken, n, 0)
	}
}

// Text returns the concern in a few words of a language, such as "3 claims contradicted". write writes a number in the
// reader's digits, nil as it is.
func (c *Concern) Text(lang string, write func(int) string) string {
	if write == nil {
		write = strconv.Itoa
	}
	id := "concern_" + c.Kind
	if c.Of > 0 {
		id = "concern_of_" + c.Kind
	}
	return words.In(lang).Plural(id, c.N, write(c.N), "Of", write(c.Of))
}
