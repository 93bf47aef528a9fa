package db

import (
	"strings"

	"sanad/internal/domain/ledger"
)

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

// claimQuery is a filter as SQL.
type claimQuery ledger.ClaimFilter

func newClaimQuery(f ledger.ClaimFilter) *claimQuery {
	f.Text = strings.TrimSpace(f.Text)
	return (*claimQuery)(&f)
}

// conditions returns the claims of a session that pass the filter. They are called c.
func (f *claimQuery) conditions(tenant string, h *sessionRow) conditions {
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

// tables returns where the claims come from.
func (f *claimQuery) tables() string {
	if f.Text == "" {
		return "claims c"
	}
	return claimsByWords
}

// order returns the column that claims are walked by, and what to add to a position for its value there. FTS5 walks
// fast only between one lower and one upper bound of its rows.
func (f *claimQuery) order(h *sessionRow) (column string, offset int) {
	if f.Text == "" {
		return "c.position", 0
	}
	return "claim_search.rowid", h.firstClaim
}

// within is conditions with the bounds of the session's claims in the column of order.
func (f *claimQuery) within(tenant string, h *sessionRow) conditions {
	w := f.conditions(tenant, h)
	column, offset := f.order(h)
	w.add(column+" BETWEEN ? AND ?", offset, offset+h.overview.Summary.Total-1)
	return w
}

// impossible reports whether the search is for nothing that could be found, such as punctuation only.
func (f *claimQuery) impossible() bool { return f.Text != "" && matchAll(f.Text, "") == "" }
