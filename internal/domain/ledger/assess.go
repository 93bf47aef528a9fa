package ledger

import "math"

// Ledger is an assessed session: its entries in claim order with everything derived from them.
type Ledger struct {
	Session *Session
	Entries []Entry // nil of a ledger of AssessHead or AssessRead, whose entries Each makes
	Aside   []Entry // of Findings: the claims that no longer count
	Overview

	raised *raising // how Each marks entries that it makes
	claims Claims   // of what Each makes them
}

// Claims calls do for each claim of a session in order. The claim must not be kept: the next one may replace it.
type Claims func(do func(c *Claim) error) error

// Overview is the part of a Ledger above its entries. Its size is bounded whatever the number of claims, except for the
// flags' claim lists, which Head leaves out.
type Overview struct {
	Summary Summary    `json:"summary"`
	Flags   []RiskFlag `json:"flags"`
	Sealed  SealedBy   `json:"sealed,omitempty"` // the reviews that do not count yet
}

// Summary counts a ledger (rule L-14). Rates are from 0 to 1, not rounded, 0 for an empty ledger.
type Summary struct {
	Total        int                `json:"total_claims"` // those that count
	ByVerdict    map[Verdict]int    `json:"by_verdict"`   // judged claims by effective verdict
	ByImportance map[Importance]int `json:"by_importance"`
	Coverage     float64            `json:"evidence_coverage"` // claims with at least one match / total
	Unsupported  float64            `json:"unsupported_rate"`  // (contradicted + not_found) / total
	Unjudged     int                `json:"unjudged"`
	Overridden   int                `json:"overridden"`
	Reviewed     int                `json:"reviewed"` // claims in any state but unreviewed
	Uncited      int                `json:"uncited"`
	Settled      int                `json:"settled"`
	Differing    int                `json:"differing,omitempty"`
	Begun        bool               `json:"begun,omitempty"` // there is at least one review that is not sealed
	Pairs        Table              `json:"pairs,omitempty"` // see Agreement
	Confidence   Histogram          `json:"confidence,omitempty"`
	// claims whose deciding review was made of a judgement that has changed since
	Stale int `json:"stale,omitempty"`
	// claims that no longer count: people said that they are none, or others came in their place
	NotClaims int `json:"not_claims,omitempty"`
	Replaced  int `json:"replaced,omitempty"`
	Threads   int `json:"open_threads,omitempty"` // of all claims, also those that no longer count
}

// Assess computes a session's whole ledger by the session's rule set. A session without one gets the current one; apart
// from that, Assess is pure. Ages are measured at s.Run.At; months is the tenant's freshness window. Precondition:
// documents, chunks and claims are loaded whole and in order.
func Assess(s *Session, months int) Ledger {
	if s.RuleSet == 0 {
		s.RuleSet = CurrentRuleSet()
	}
	l := Ledger{Session: s, Entries: make([]Entry, len(s.Claims))}
	all := newCounting(len(s.Claims))
	for i := range s.Claims {
		l.Entries[i] = s.entry(&s.Claims[i])
		all.add(&l.Entries[i])
	}
	l.Summary, l.Sealed = all.summary(), s.sealed()
	r := s.raising(months)
	r.low = all.low()
	for i := range l.Entries {
		r.raise(&l.Entries[i])
	}
	l.Flags = r.flags.list()
	return l
}

// AssessHead is Assess for a ledger that is to be stored, however large. It holds no entries: Each makes each of them
// once more. Flags name only the claims that Head keeps.
func AssessHead(s *Session, months int) Ledger {
	l, _ := s.assess(months, headClaims, s.each) // which fails only if what it calls does
	return l
}

// AssessRead is Assess for a session whose claims are read whenever they are asked for, instead of held. The ledger
// holds no entries: Each makes each of them once more.
func AssessRead(s *Session, months int, claims Claims) (Ledger, error) {
	return s.assess(months, math.MaxInt, claims)
}

// each is the Claims of those that are held.
func (s *Session) each(do func(c *Claim) error) error {
	for i := range s.Claims {
		if err := do(&s.Claims[i]); err != nil {
			return err
		}
	}
	return nil
}

// assess computes a ledger without its entries; flags name so many claims at most.
func (s *Session) assess(months, named int, claims Claims) (Ledger, error) {
	if s.RuleSet == 0 {
		s.RuleSet = CurrentRuleSet()
	}
	l := Ledger{Session: s, raised: s.raising(months), claims: claims}
	r, all, below := s.raising(months), newCounting(0), map[float64]*RiskFlag{lowEntry: {}, lowMean: {}}
	r.named = named
	err := claims(func(c *Claim) error {
		e := s.entry(c)
		all.Total++
		all.add(&e)
		r.raise(&e)
		if s.Second == SecondBlind {
			l.Sealed = s.sealedOf(c, l.Sealed)
		}
		if e.State.Aside() {
			return nil
		}
		for limit, f := range below { // which of them is the flag, the mean of all decides
			if (lowConfidenceFlag{limit: limit}).lists(&e) {
				f.count(&e, named)
			}
		}
		return nil
	})
	l.Summary, l.raised.low = all.summary(), all.low()
	if low := l.raised.low; low.limit > 0 && below[low.limit].Count > 0 {
		f := below[low.limit]
		f.Type, f.Severity, f.Percent = LowConfidence, low.severity, low.percent
		r.flags[LowConfidence] = f
	}
	l.Flags = r.flags.list()
	return l, err
}

// Each calls do for each entry in claim order. The entry must not be kept: the next one may replace it.
func (l *Ledger) Each(do func(i int, e *Entry) error) error {
	for i := range l.Entries {
		if err := do(i, &l.Entries[i]); err != nil {
			return err
		}
	}
	if l.raised == nil {
		return nil
	}
	s, r, i := l.Session, *l.raised, 0
	r.named, r.flags = 0, raisedFlags{}
	return l.claims(func(c *Claim) error {
		e := s.entry(c)
		r.raise(&e)
		i++
		return do(i-1, &e)
	})
}

// EachClaim calls do for each claim of the session, also those that no longer count. See Claims.
func (l *Ledger) EachClaim(do func(c *Claim) error) error {
	if l.raised != nil {
		return l.claims(do)
	}
	return l.Session.each(do)
}

// Head returns the overview without the flags' claim lists: of bounded size, to be stored with the session.
func (l *Ledger) Head() Overview {
	o := Overview{Summary: l.Summary, Sealed: l.Sealed, Flags: make([]RiskFlag, len(l.Flags))}
	for i, f := range l.Flags {
		f.Claims = f.Claims[:min(len(f.Claims), headClaims)]
		o.Flags[i] = f
	}
	return o
}

// headClaims is how many claims of a flag the head still names: as many as the follow-up questions mention.
const headClaims = 3

// counting is a summary in the making.
type counting struct {
	Summary

	matched int     // claims with a match
	counted int     // claims that are judged and not overridden
	sum     float64 // of their confidence
}

func newCounting(total int) *counting {
	s := Summary{Total: total, ByVerdict: map[Verdict]int{}, ByImportance: map[Importance]int{}}
	for _, v := range Verdicts {
		s.ByVerdict[v] = 0
	}
	for _, i := range Importances {
		s.ByImportance[i] = 0
	}
	return &counting{Summary: s}
}

// add counts an entry. Entries come in claim order: in another the confidence may add up to another sum.
func (c *counting) add(e *Entry) {
	c.Threads += e.Threads
	if e.State.Aside() {
		c.leave(e)
		return
	}
	c.matched += c.count(e)
	if e.counted() {
		c.counted++
		c.sum += e.Confidence
	}
}

// summary returns the summary of all entries.
func (c *counting) summary() Summary {
	s := c.Summary
	if s.Total > 0 {
		s.Coverage = float64(c.matched) / float64(s.Total)
	}
	s.rate()
	return s
}

// low returns the flag of low confidence for the mean of all entries, which lists none if none is judged.
func (c *counting) low() lowConfidenceFlag {
	if c.counted == 0 {
		return lowConfidenceFlag{}
	}
	return lowOf(c.sum / float64(c.counted))
}

// rate sets the unsupported rate from the counts.
func (s *Summary) rate() {
	if s.Total > 0 {
		s.Unsupported = float64(s.ByVerdict[Contradicted]+s.ByVerdict[NotFound]) / float64(s.Total)
	}
}

// leave counts an entry that no longer counts apart from the others.
func (s *Summary) leave(e *Entry) {
	s.Total--
	if e.State == Replaced {
		s.Replaced++
	} else {
		s.NotClaims++
	}
	s.Begun = s.Begun || e.begun()
}

// count adds one entry and returns 1 if it has a match, else 0.
func (s *Summary) count(e *Entry) (matched int) {
	s.ByImportance[e.Importance]++
	if e.Unjudged() {
		s.Unjudged++
	} else {
		s.ByVerdict[e.Verdict]++
	}
	if e.Override {
		s.Overridden++
	}
	if e.State != Unreviewed {
		s.Reviewed++
	}
	if e.Uncited {
		s.Uncited++
	}
	if e.Stale {
		s.Stale++
	}
	if e.Settled {
		s.Settled++
	}
	if e.Differs {
		s.Differing++
	}
	s.Begun = s.Begun || e.begun()
	s.pairUp(e)
	s.Confidence.add(e)
	if len(e.Claim.Matches) > 0 && e.Claim.Unjudged == "" {
		return 1
	}
	return 0
}
