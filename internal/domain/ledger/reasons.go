package ledger

import (
	"slices"
	"strings"
)

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
		if r := &c.Reviews[i]; r.verdictGiven() && !c.Undone(i) && strings.TrimSpace(r.Reason) != "" {
			return true
		}
	}
	return false
}

func adverse(v Verdict) bool { return v == Contradicted || v == NotFound }
