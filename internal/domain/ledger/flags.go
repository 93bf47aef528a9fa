package ledger

import (
	"math"
	"slices"
	"strings"
	"time"

	"sanad/internal/words"
)

// RiskFlag is one kind of risk with the claims it affects. Its texts are made from the counts, in each language.
type RiskFlag struct {
	Type     RiskType    `json:"type"`
	Severity Severity    `json:"severity"`
	Count    int         `json:"count"`              // all affected claims
	Critical int         `json:"critical,omitempty"` // missing_evidence
	Material int         `json:"material,omitempty"` // missing_evidence
	Percent  int         `json:"percent,omitempty"`  // low_confidence: mean confidence
	Claims   []FlagClaim `json:"claims"`             // in claim order; cut to a few in Ledger.Head
}

// FlagClaim is the part of a claim that a flag's texts use.
type FlagClaim struct {
	Key      string `json:"claim_id"`
	Position int    `json:"position"`
	Text     string `json:"text"`
}

// DefaultFreshness is the tenant's freshness window in months unless it set another.
const DefaultFreshness = 24

// The confidence limits of the low_confidence flag.
const (
	lowMean  = 0.6
	lowEntry = 0.5
)

// raising raises the risk flags of a session, at most one per type, entry by entry in the order of the claims (rule
// L-12). It marks the entries.
type raising struct {
	session    *Session
	months     int // the tenant's freshness window
	superseded map[string]bool
	low        lowConfidenceFlag // zero while the mean of all is not known
	named      int               // how many claims a flag names at most
	flags      raisedFlags
}

func (s *Session) raising(months int) *raising {
	return &raising{session: s, months: months, superseded: s.superseded(), named: len(s.Claims), flags: raisedFlags{}}
}

// raise raises the flags of an entry, by the session's rule set. A claim that no longer counts has none.
func (r *raising) raise(e *Entry) {
	if !e.State.Aside() {
		r.session.rules().Flags(r, e)
	}
}

// raisedFlags are flags by their type, in the making.
type raisedFlags map[RiskType]*RiskFlag

// add adds an entry to a flag.
func (r *raising) add(e *Entry, t RiskType) *RiskFlag {
	f := r.flags[t]
	if f == nil {
		f = &RiskFlag{Type: t, Severity: severityOf(t, r.low)}
		r.flags[t] = f
	}
	f.count(e, r.named)
	e.Flags = append(e.Flags, t)
	return f
}

// severityOf returns the severity of a flag that nothing critical raises.
func severityOf(t RiskType, low lowConfidenceFlag) Severity {
	switch t {
	case Contradiction, ConflictingSources, InventedQuotation, StruckOrHidden:
		return High
	case LowConfidence:
		return low.severity
	}
	return Medium
}

// count adds an entry to the flag, which names so many claims at most.
func (f *RiskFlag) count(e *Entry, named int) {
	if f.Count++; f.Count <= named {
		f.Claims = append(f.Claims, FlagClaim{e.Claim.Key, e.Claim.Position, e.Claim.Text})
	}
}

// list returns the flags in RiskTypes order.
func (byType raisedFlags) list() (out []RiskFlag) {
	for _, t := range RiskTypes {
		if f := byType[t]; f != nil {
			out = append(out, *f)
		}
	}
	return out
}

// flags raises the six flags of the first rule set.
func flags(r *raising, e *Entry) {
	if e.missing() {
		f := r.add(e, MissingEvidence)
		if e.Importance == Critical {
			f.Critical, f.Severity = f.Critical+1, High
		} else {
			f.Material++
		}
	}
	if e.Verdict == Contradicted {
		r.add(e, Contradiction)
	}
	if r.session.outdated(e, r.superseded, r.months) {
		r.add(e, OutdatedSource)
	}
	if ambiguous(e.Claim) {
		r.add(e, AmbiguousEvidence)
	}
	if conflicting(e.weighed) {
		r.add(e, ConflictingSources)
	}
	if r.low.lists(e) {
		r.add(e, LowConfidence).Percent = r.low.percent
	}
}

// flagsAndChecks is flags with those of the checks of what the answer cites, quotes and rests on.
func flagsAndChecks(r *raising, e *Entry) {
	flags(r, e)
	if e.Claim.Checks.CitationMask()&Elsewhere.Bit() != 0 {
		if f := r.add(e, Miscitation); e.Importance == Critical {
			f.Severity = High
		}
	}
	if e.Claim.Checks.Invented() {
		r.add(e, InventedQuotation)
	}
	if e.Claim.Checks.LeftOut != nil {
		r.add(e, StruckOrHidden)
	}
	if e.Doubtful() {
		r.add(e, DoubtfulReading)
	}
}

// superseded maps the keys of the documents that another ready document of the session replaces.
func (s *Session) superseded() map[string]bool {
	out := map[string]bool{}
	for i := range s.Documents {
		if d := &s.Documents[i]; d.Supersedes != "" && d.Supersedes != d.Key {
			out[d.Supersedes] = true
		}
	}
	return out
}

// outdated reports whether the document of the claim's best match has expired, is superseded or is older than the
// window.
func (s *Session) outdated(e *Entry, superseded map[string]bool, months int) bool {
	if len(e.Claim.Matches) == 0 {
		return false
	}
	d := s.Document(e.Claim.Matches[0].Chunk.Document)
	if d == nil {
		return false
	}
	if superseded[d.Key] {
		return true
	}
	if end, ok := lastInstant(d.ValidUntil); ok && s.Run.At.After(end) {
		return true
	}
	published, ok := ParseDate(d.PublishedAt)
	return ok && s.Run.At.After(published.AddDate(0, months, 0))
}

// ParseDate reads a document's date: "2024-01-01" (its first instant, UTC) or RFC 3339.
func ParseDate(s string) (time.Time, bool) {
	if t, err := time.Parse(time.DateOnly, s); err == nil {
		return t, true
	}
	t, err := time.Parse(time.RFC3339, s)
	return t, err == nil
}

// lastInstant reads valid_until: a bare date includes the whole day.
func lastInstant(s string) (time.Time, bool) {
	t, ok := ParseDate(s)
	if ok && len(s) == len(time.DateOnly) {
		t = t.AddDate(0, 0, 1).Add(-time.Nanosecond)
	}
	return t, ok
}

// nearTie is the largest difference of two best matches that are ambiguous if they say different things.
const nearTie = 0.05

// ambiguous reports whether the two best matches, from different documents, are within nearTie, one full and one
// partial; or a citation means several texts.
func ambiguous(c *Claim) bool {
	for _, x := range c.Citations {
		if x.Status == Ambiguous {
			return true
		}
	}
	if len(c.Matches) < 2 {
		return false
	}
	a, b := c.Matches[0], c.Matches[1]
	differ := a.Support == Full && b.Support == Partial || a.Support == Partial && b.Support == Full
	// the tolerance is for 0.90 − 0.85, which is not exactly 0.05 in floating point
	return differ && a.Chunk.Document != b.Chunk.Document && a.Similarity-b.Similarity <= nearTie+1e-9
}

// conflicting reports whether one document supports a claim and another contradicts it.
func conflicting(matches []Match) bool {
	for _, a := range matches {
		if a.Contradicts || a.Support == None || a.doubtful {
			continue
		}
		for _, b := range matches {
			if b.Contradicts && b.Chunk.Document != a.Chunk.Document {
				return true
			}
		}
	}
	return false
}

// Rival returns the best match from another document that says otherwise than the one that decides, where the sources of
// a claim conflict; nil without one.
func (e *Entry) Rival() *Match {
	if e.Best == nil || !slices.Contains(e.Flags, ConflictingSources) {
		return nil
	}
	for i := range e.weighed {
		m := &e.weighed[i]
		if m.Contradicts != e.Best.Contradicts && (m.Contradicts || m.Support != None && !m.doubtful) &&
			m.Chunk.Document != e.Best.Chunk.Document && strings.TrimSpace(m.Snippet) != "" {
			return m
		}
	}
	return nil
}

// lists reports whether the flag of low confidence lists an entry: one that is judged and not overridden.
func (low lowConfidenceFlag) lists(e *Entry) bool { return e.counted() && e.Confidence < low.limit }

// lowOf returns the flag of low confidence for a mean.
func lowOf(mean float64) lowConfidenceFlag {
	low := lowConfidenceFlag{limit: lowEntry, severity: Low, percent: int(math.Round(mean * 100))}
	if mean < lowMean {
		low.limit, low.severity = lowMean, Medium
	}
	return low
}

// missing reports whether the entry is one of missing evidence.
func (e *Entry) missing() bool { return e.Verdict == NotFound && e.Importance != Minor }

// counted reports whether the entry's confidence enters the mean.
func (e *Entry) counted() bool { return !e.Override && !e.Unjudged() && !e.State.Aside() }

// exported has the texts of exported files, which are English. They are frozen.
var exported = words.In("en")

// Description returns the flag's text in English, as it is exported (rule L-13).
func (f RiskFlag) Description() string {
	id := string(f.Type)
	switch {
	case f.Type == MissingEvidence && f.Critical > 0 && f.Material > 0:
		id = "missing_both"
	case f.Type == MissingEvidence && f.Critical > 0:
		id = "missing_critical"
	case f.Type == MissingEvidence:
		id = "missing_material"
	case f.Type == LowConfidence && f.Severity != Low:
		id = "low_mean"
	}
	return exported.Text("exported.flag_"+id, "N", f.Count, "Critical", f.Critical, "Material", f.Material, "Percent",
		f.Percent)
}

// Mitigation returns what to do about the flag in English, as it is exported.
func (f RiskFlag) Mitigation() string { return exported.Text("exported.mitigation_" + string(f.Type)) }
