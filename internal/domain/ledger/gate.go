package ledger

import (
	"slices"

	"sanad/internal/domain"
	"sanad/internal/words"
)

// Fault is why a gate does not let an answer through: a verdict, a risk flag or the outcome of a citation check by its
// own name, or one of the faults that every gate looks for. Exported by name.
type Fault string

// The faults that every gate looks for.
const (
	FaultUnjudged Fault = "unjudged"     // no judge could judge the claim
	FaultNoClaims Fault = "no_claims"    // the answer has no claim
	FaultCoverage Fault = "low_coverage" // too few of its claims have evidence
)

// Faults lists the faults of a claim that a gate can be told to fail on: verdicts, risk flags, outcomes of citation
// checks, each in display order.
var Faults = faultNames()

// DefaultFaults are those that a gate fails on if it is told nothing: what is wrong whatever the answer is used for.
// Claims without evidence are a matter of degree, for which there is Gate.MinCoverage.
var DefaultFaults = []Fault{Fault(Contradicted), Fault(Miscitation), Fault(InventedQuotation)}

func faultNames() (out []Fault) {
	for _, v := range Verdicts {
		if v != Supported {
			out = append(out, Fault(v))
		}
	}
	for _, t := range RiskTypes {
		out = append(out, Fault(t))
	}
	for _, s := range CitationStatuses {
		if s != Holds {
			out = append(out, Fault(s))
		}
	}
	return out
}

// Gate says which answers a pipeline lets through.
type Gate struct {
	FailOn        []Fault // of Faults
	MinCoverage   float64 // the least evidence_coverage, from 0 to 1
	AllowUnjudged bool
	AllowEmpty    bool // lets answers without claims through, whose coverage then says nothing
}

// Check refuses a gate that names an unknown fault, or a coverage that is none.
func (g *Gate) Check() error {
	for _, f := range g.FailOn {
		if !slices.Contains(Faults, f) {
			return domain.Refuse(domain.Invalid, "fail-on", "refused_verdict_risk_flag", "Name",
				words.Quoted(string(f)), "Other", listed(Faults))
		}
	}
	if !(g.MinCoverage >= 0 && g.MinCoverage <= 1) { // NaN is refused too
		return domain.Refuse(domain.Invalid, "min-coverage", "refused_is_not_from", "Name", g.MinCoverage)
	}
	return nil
}

func listed(faults []Fault) string {
	out := ""
	for i, f := range faults {
		if i > 0 {
			out += ", "
		}
		out += string(f)
	}
	return out
}

// Answer returns the faults of an answer as a whole.
func (g *Gate) Answer(s *Summary) []Fault {
	switch {
	case s.Total == 0 && !g.AllowEmpty:
		return []Fault{FaultNoClaims}
	case s.Total > 0 && s.Coverage < g.MinCoverage:
		return []Fault{FaultCoverage}
	}
	return nil
}

// Claim returns the faults of a claim that the gate fails on, in the order of Faults.
func (g *Gate) Claim(e *Entry) (out []Fault) {
	if e.Unjudged() && !g.AllowUnjudged {
		out = append(out, FaultUnjudged)
	}
	for _, f := range Faults {
		if slices.Contains(g.FailOn, f) && e.has(f) {
			out = append(out, f)
		}
	}
	return out
}

// has reports whether a claim has one of Faults.
func (e *Entry) has(f Fault) bool {
	return e.Verdict == Verdict(f) || slices.Contains(e.Flags, RiskType(f)) ||
		slices.ContainsFunc(e.Claim.Checks.Citations, func(x CitationCheck) bool { return x.Status == CitationStatus(f) })
}
