package db

import (
	"strings"

	"sanad/internal/domain/ledger"
)

// MaxMatching is where counting the claims that pass a filter stops; a ledger.Page.Matching of this value means "or
// more".
const MaxMatching = 1000

// conditions is a WHERE clause being built.
type conditions struct {
	sql  []string
	args []any
}

func (c *conditions) add(sql string, args ...any) {
	c.sql = append(c.sql, sql)
	c.args = append(c.args, args...)
}

func (c *conditions) String() string { return strings.Join(c.sql, " AND ") }

// claimQuery builds the SQL of a filter.
type claimQuery ledger.ClaimFilter

func newClaimQuery(f ledger.ClaimFilter) *claimQuery {
	f.Text = strings.TrimSpace(f.Text)
	return (*claimQuery)(&f)
}

// conditions returns the condition for the claims of a session that pass the filter; their table is c.
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
	if f.Citation != "" {
		w.add("c.citation_checks & ? <> 0", f.Citation.Bit())
	}
	if f.Quotation != "" {
		w.add("c.quotation_checks & ? <> 0", f.Quotation.Bit())
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

// tables returns the tables that contain the claims.
func (f *claimQuery) tables() string {
	if f.Text == "" {
		return "claims c"
	}
	return claimsByWords
}

// order returns the column by which claims are iterated, and the offset from a position to its value there. FTS5
// iterates fast only between one lower and one upper bound of its row ids.
func (f *claimQuery) order(h *sessionRow) (column string, offset int) {
	if f.Text == "" {
		return "c.position", 0
	}
	return "claim_search.rowid", h.firstClaim
}

// within returns conditions restricted to the session's claims in the column of order.
func (f *claimQuery) within(tenant string, h *sessionRow) conditions {
	w := f.conditions(tenant, h)
	column, offset := f.order(h)
	w.add(column+" BETWEEN ? AND ?", offset, offset+h.overview.Summary.Total-1)
	return w
}

// chosen is within, restricted to the claims at some positions; nil does not restrict it.
func (f *claimQuery) chosen(tenant string, h *sessionRow, positions []int) conditions {
	w := f.within(tenant, h)
	if positions == nil {
		return w
	}
	values := make([]any, len(positions))
	for i, at := range positions {
		values[i] = at
	}
	list, args := inList(values)
	w.add("c.position IN "+list, args...)
	return w
}

// impossible reports whether the search can't find anything, such as punctuation only.
func (f *claimQuery) impossible() bool { return f.Text != "" && matchAll(f.Text, "") == "" }
