package sessions

import (
	"strings"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
)

// MaxMatching is where counting the claims that pass a filter stops; a ledger.Page.Matching of this value means "or
// more".
const MaxMatching = 1000

// claimQuery builds the SQL of a filter.
type claimQuery ledger.ClaimFilter

func newClaimQuery(f ledger.ClaimFilter) *claimQuery {
	f.Text = strings.TrimSpace(f.Text)
	return (*claimQuery)(&f)
}

// conditions returns the condition for the claims of a session that pass the filter; their table is c.
// In a blind session what a person has decided is reviewed and settled for that person, and for nobody else.
func (f *claimQuery) conditions(who access.Actor, h *sessionRow) sqldb.Conditions {
	var w sqldb.Conditions
	if f.Text != "" {
		w.Add(claimsFound, sqldb.MatchAll(f.Text, ""))
	}
	w.Add("c.tenant_id = ? AND c.session_no = ?", who.Tenant, h.no)
	if h.Session.Second == ledger.SecondBlind && who.ID != "" {
		if f.Unreviewed {
			w.Add("NOT EXISTS ("+reviewsOf+ownReview+")", who.ID)
		}
		if f.Unsettled {
			w.Add("NOT EXISTS ("+reviewsOf+ownDecision+")", who.ID)
		}
	}
	if f.Aside == "" && h.Overview.Summary.Aside() > 0 {
		w.Add(notAside)
	}
	for name, v := range ledger.ClaimFilters.On((*ledger.ClaimFilter)(f)) {
		switch name {
		case "q": // above
		case "verdict":
			if f.Verdict == ledger.UnjudgedOnly {
				v = string(ledger.Unjudged)
			}
			w.Add("c.verdict = ?", v)
		case "tier":
			w.Add("c.tier = ?", v)
		case "type":
			w.Add("c.effective_type = ?", v)
		case "importance":
			w.Add("c.effective_importance = ?", v)
		case "flag":
			w.Add("c.flags <> 0 AND c.flags & ? <> 0", flagBit(f.Flag))
		case "citation":
			w.Add("c.citation_checks & ? <> 0", f.Citation.Bit())
		case "quotation":
			w.Add("c.quotation_checks & ? <> 0", f.Quotation.Bit())
		case "flagged":
			w.Add("c.flags <> 0")
		case "unreviewed":
			w.Add("c.state = ?", string(ledger.Unreviewed))
		case "unsettled":
			w.Add("c.settled = 0")
		case "differs":
			w.Add("c.differs = 1")
		case "threads":
			w.Add("c.threads > 0")
		case "uncited":
			w.Add("c.uncited = 1")
		case "stale":
			w.Add("c.stale = 1")
		case "aside":
			w.Add("c.state = ?", v)
		default:
			panic(sqldb.NoCondition(name))
		}
	}
	return w
}

// counted returns how many claims pass the filter, if that is stored: what a person has decided in a blind session is
// not.
func (f *claimQuery) counted(who access.Actor, h *sessionRow) (n int, ok bool) {
	if h.Session.Second == ledger.SecondBlind && who.ID != "" && (f.Unreviewed || f.Unsettled) {
		return 0, false
	}
	return ledger.ClaimFilter(*f).Counted(&h.Overview)
}

// notAside is the condition for claims c that count.
const notAside = "c.state NOT IN ('" + string(ledger.SetAside) + "', '" + string(ledger.Replaced) + "')"

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
func (f *claimQuery) within(who access.Actor, h *sessionRow) sqldb.Conditions {
	w := f.conditions(who, h)
	column, offset := f.order(h)
	w.Add(column+" BETWEEN ? AND ?", offset, offset+h.Overview.Summary.All()-1)
	return w
}

// chosen is within, restricted to the claims at some positions; nil does not restrict it.
func (f *claimQuery) chosen(who access.Actor, h *sessionRow, positions []int) sqldb.Conditions {
	w := f.within(who, h)
	if positions == nil {
		return w
	}
	list, args := listOf(positions)
	w.Add("c.position IN "+list, args...)
	return w
}

// listOf is sqldb.InList for positions.
func listOf(positions []int) (list string, args []any) {
	values := make([]any, len(positions))
	for i, at := range positions {
		values[i] = at
	}
	return sqldb.InList(values)
}

// impossible reports whether the search can't find anything, such as punctuation only.
func (f *claimQuery) impossible() bool { return f.Text != "" && sqldb.MatchAll(f.Text, "") == "" }
