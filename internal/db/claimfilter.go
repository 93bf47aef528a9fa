package db

import (
	"strings"

	"sanad/internal/domain/ledger"
)

// ClaimFilter says which claims of a ledger to show: those that fit everything it names.
type ClaimFilter struct {
	Verdict    ledger.Verdict
	Unjudged   bool
	Type       ledger.ClaimType
	Importance ledger.Importance
	Flag       ledger.RiskType
	Flagged    bool // with any flag
	Unreviewed bool
	Uncited    bool
	Stale      bool // whose deciding review was made of a judgement that has changed since
	Unsettled  bool // no verdict of a person stands yet, or two differ
	Differs    bool // two reviewers do, and nobody has settled it
	State      ledger.ReviewState
	Text       string // words that all stand in the claim, in any form
}

// MaxMatching is how far claims that pass a filter are counted: LedgerPage.Matching of this much means "or more".
const MaxMatching = 1000

// conditions is a WHERE clause in the making.
type conditions struct {
	sql  []string
	args []any
}

func (c *conditions) add(sql string, args ...any) {
	c.sql = append(c.sql, sql)
	c.args = append(c.args, args...)
}

func (c *conditions) String() string { return strings.Join(c.sql, " AND ") }

// conditions gives the claims of a session that pass the filter. They are called c.
func (f *ClaimFilter) conditions(tenant string, h *head) conditions {
	var w conditions
	if f.Text != "" {
		w.add(claimsFound, matchAll(f.Text, ""))
	}
	w.add("c.tenant_id = ? AND c.session_no = ?", tenant, h.no)
	if f.Verdict != "" {
		w.add("c.verdict = ?", string(f.Verdict))
	}
	if f.Unjudged {
		w.add("c.verdict = ''")
	}
	if f.Type != "" {
		w.add("c.effective_type = ?", string(f.Type))
	}
	if f.Importance != "" {
		w.add("c.effective_importance = ?", string(f.Importance))
	}
	if f.Flagged || f.Flag != "" {
		w.add("c.flags <> 0")
	}
	if f.Flag != "" {
		w.add("c.flags & ? <> 0", flagBit(f.Flag))
	}
	if f.Unreviewed {
		w.add("c.state = ?", string(ledger.Unreviewed))
	}
	if f.State != "" {
		w.add("c.state = ?", string(f.State))
	}
	if f.Uncited {
		w.add("c.uncited = 1")
	}
	if f.Stale {
		w.add("c.stale = 1")
	}
	if f.Unsettled {
		w.add("c.settled = 0")
	}
	if f.Differs {
		w.add("c.differs = 1")
	}
	return w
}

// tables gives where the claims come from.
func (f *ClaimFilter) tables() string {
	if f.Text == "" {
		return "claims c"
	}
	return claimsByWords
}

// order gives the column that claims are walked by, and what to add to a position for its value there. FTS5 walks fast
// only between one lower and one upper bound of its rows.
func (f *ClaimFilter) order(h *head) (column string, offset int) {
	if f.Text == "" {
		return "c.position", 0
	}
	return "claim_search.rowid", h.firstClaim
}

// within is conditions with the bounds of the session's claims in the column of order.
func (f *ClaimFilter) within(tenant string, h *head) conditions {
	w := f.conditions(tenant, h)
	column, offset := f.order(h)
	w.add(column+" BETWEEN ? AND ?", offset, offset+h.overview.Summary.Total-1)
	return w
}

// impossible tells a search for nothing that could be found, such as punctuation only.
func (f *ClaimFilter) impossible() bool { return f.Text != "" && matchAll(f.Text, "") == "" }

// known gives the number of matching claims where the overview has it: no filter, or one that it counts.
func (f ClaimFilter) known(o *ledger.Overview) (n int, ok bool) {
	s := &o.Summary
	switch f {
	case ClaimFilter{}:
		return s.Total, true
	case ClaimFilter{Verdict: f.Verdict}:
		return s.ByVerdict[f.Verdict], true
	case ClaimFilter{Unjudged: true}:
		return s.Unjudged, true
	case ClaimFilter{Importance: f.Importance}:
		return s.ByImportance[f.Importance], true
	case ClaimFilter{Unreviewed: true}:
		return s.Total - s.Reviewed, true
	case ClaimFilter{Uncited: true}:
		return s.Uncited, true
	case ClaimFilter{Stale: true}:
		return s.Stale, true
	case ClaimFilter{Unsettled: true}:
		return s.Total - s.Settled, true
	case ClaimFilter{Differs: true}:
		return s.Differing, true
	case ClaimFilter{Flag: f.Flag}:
		for _, x := range o.Flags {
			if x.Type == f.Flag {
				return x.Count, true
			}
		}
		return 0, true
	}
	return 0, false
}
