package ledger

// Ledger is an assessed session: its entries in claim order with everything derived from them.
type Ledger struct {
	Session *Session
	Entries []Entry
	Overview
}

// Overview is the part of a Ledger above its entries. Its size is bounded whatever the number of claims, except for the
// flags' claim lists, which Head leaves out.
type Overview struct {
	Summary Summary    `json:"summary"`
	Flags   []RiskFlag `json:"flags"`
	Sealed  SealedBy   `json:"sealed,omitempty"` // the reviews that do not count yet
}

// Summary counts a ledger (rule L-14). Rates are from 0 to 1, not rounded, 0 for an empty ledger.
type Summary struct {
	Total        int                `json:"total_claims"`
	ByVerdict    map[Verdict]int    `json:"by_verdict"` // judged claims by effective verdict
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
}

// Assess computes a session's whole ledger by the session's rule set. A session without one gets the current one; apart
// from that, Assess is pure. Ages are measured at s.Run.At; months is the tenant's freshness window. Precondition:
// documents, chunks and claims are loaded whole and in order.
func Assess(s *Session, months int) Ledger {
	if s.RuleSet == 0 {
		s.RuleSet = CurrentRuleSet()
	}
	l := Ledger{Session: s, Entries: make([]Entry, len(s.Claims))}
	for i := range s.Claims {
		l.Entries[i] = s.entry(&s.Claims[i])
	}
	l.Summary = summarise(l.Entries)
	l.Sealed = s.sealed()
	l.Flags = s.rules().Flags(s, l.Entries, months)
	return l
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

// summarise counts the entries.
func summarise(entries []Entry) Summary {
	s := Summary{Total: len(entries), ByVerdict: map[Verdict]int{}, ByImportance: map[Importance]int{}}
	for _, v := range Verdicts {
		s.ByVerdict[v] = 0
	}
	for _, i := range Importances {
		s.ByImportance[i] = 0
	}
	matched := 0
	for i := range entries {
		matched += s.count(&entries[i])
	}
	if s.Total > 0 {
		s.Coverage = float64(matched) / float64(s.Total)
	}
	s.rate()
	return s
}

// rate sets the unsupported rate from the counts.
func (s *Summary) rate() {
	if s.Total > 0 {
		s.Unsupported = float64(s.ByVerdict[Contradicted]+s.ByVerdict[NotFound]) / float64(s.Total)
	}
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
