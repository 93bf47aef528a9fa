package db

import "sanad/internal/domain/ledger"

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
}

const derivedColumns = `verdict, machine_verdict, confidence, state, overridden, effective_type, effective_importance, uncited, flags, revision, stale, settled, differs`

func derivedOf(e *ledger.Entry) derived {
	return derived{
		verdict: e.Verdict, machine: e.Machine, confidence: e.Confidence, state: e.State, overridden: e.Override,
		kind: e.Type, importance: e.Importance, uncited: e.Uncited,
		flags: flagMask(e.Flags), revision: len(e.Claim.Reviews), stale: e.Stale, settled: e.Settled,
		differs: e.Differs,
	}
}

// values returns the values of derivedColumns.
func (d *derived) values() []any {
	return []any{
		string(d.verdict), string(d.machine), d.confidence, string(d.state), d.overridden, string(d.kind),
		string(d.importance),
		d.uncited, d.flags, d.revision, d.stale, d.settled, d.differs,
	}
}

// fields returns the destinations of derivedColumns.
func (d *derived) fields() []any {
	return []any{
		&d.verdict, &d.machine, &d.confidence, &d.state, &d.overridden, &d.kind, &d.importance, &d.uncited, &d.flags,
		&d.revision, &d.stale, &d.settled, &d.differs,
	}
}
