package sessions

import (
	"encoding/json"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// derived has the results of ledger.Assess for a claim, stored beside it for filters, marks and lists.
type derived struct {
	verdict, machine ledger.Verdict
	confidence       float64
	state            ledger.ReviewState
	overridden       bool
	kind             ledger.ClaimType
	importance       ledger.Importance
	uncited          bool
	flags            int
	revision         int // number of reviews
	stale            bool
	settled, differs bool
	citations        int    // statuses of the citation checks, as bits
	quotations       int    // of the quotation checks
	checks           string // ledger.Checks as JSON, "" for none
}

const derivedColumns = `verdict, machine_verdict, confidence, state, overridden, effective_type, effective_importance,
	uncited, flags, revision, stale, settled, differs,
	citation_checks, quotation_checks, checks`

func DerivedOf(e *ledger.Entry) derived {
	c := &e.Claim.Checks
	return derived{
		verdict: e.Verdict, machine: e.Machine, confidence: e.Confidence, state: e.State, overridden: e.Override,
		kind: e.Type, importance: e.Importance, uncited: e.Uncited,
		flags: FlagMask(e.Flags), revision: len(e.Claim.Reviews), stale: e.Stale, settled: e.Settled,
		differs: e.Differs, citations: c.CitationMask(), quotations: c.QuotationMask(), checks: checksText(c),
	}
}

// checksText returns a claim's checks as they are stored.
func checksText(c *ledger.Checks) string {
	if !c.Any() {
		return ""
	}
	data, err := json.Marshal(c)
	if err != nil {
		panic("db: checks: " + err.Error()) // they contain no value that JSON lacks
	}
	return string(data)
}

// loadChecks sets a claim's checks to those that were stored.
func (d *derived) loadChecks(c *ledger.Claim) error {
	if d.checks == "" {
		return nil
	}
	return json.Unmarshal([]byte(d.checks), &c.Checks)
}

// values returns the values of derivedColumns.
func (d *derived) values() []any {
	return []any{
		string(d.verdict), string(d.machine), d.confidence, string(d.state), d.overridden, string(d.kind),
		string(d.importance),
		d.uncited, d.flags, d.revision, d.stale, d.settled, d.differs, d.citations, d.quotations, d.checks,
	}
}

// fields returns the destinations of derivedColumns.
func (d *derived) fields() []any {
	return []any{
		&d.verdict, &d.machine, &d.confidence, &d.state, &d.overridden, &d.kind, &d.importance, &d.uncited, &d.flags,
		&d.revision, &d.stale, &d.settled, &d.differs, &d.citations, &d.quotations, &d.checks,
	}
}

// spanArgs returns the two columns of an optional span.
func spanArgs(sp *text.Span) (start, end any) {
	if sp == nil {
		return nil, nil
	}
	return sp.Start, sp.End
}

// FlagMask packs risk types: bit i is ledger.RiskTypes[i].
func FlagMask(types []ledger.RiskType) int {
	mask := 0
	for _, t := range types {
		mask |= flagBit(t)
	}
	return mask
}

func flagBit(t ledger.RiskType) int {
	for i, x := range ledger.RiskTypes {
		if x == t {
			return 1 << i
		}
	}
	return 0
}

// flagTypes unpacks FlagMask.
func flagTypes(mask int) []ledger.RiskType {
	var out []ledger.RiskType
	for i, t := range ledger.RiskTypes {
		if mask&(1<<i) != 0 {
			out = append(out, t)
		}
	}
	return out
}
