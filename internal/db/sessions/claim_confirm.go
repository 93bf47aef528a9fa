package sessions

import (
	"context"
	"slices"
	"strings"

	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
)

// Confirmable returns the counts for a reader, with up to limit of the claims, with their evidence, and of those left out
// for each reason. It counts derived values. If there are more than ledger.MaxBulk claims, which can't be
// confirmed together, it loads none.
func (store *Store) Confirmable(ctx context.Context, who access.Actor, id string, sel ledger.Selection,
	limit int) (*ledger.Confirmable, error) {
	out := &ledger.Confirmable{ByVerdict: map[ledger.Verdict]int{}}
	err := store.Read(ctx, "Confirmable", func(t *sqldb.Tx) error {
		h, err := loadSessionRow(t, who.Tenant, id, false)
		if err != nil {
			return err
		}
		out.Session = &h.Session
		out.Session.HideSealed(who.ID)
		policy, err := reads.Policy(t, who.Tenant)
		if err != nil {
			return err
		}
		out.All = policy.BulkConfirmsAll
		q := newClaimQuery(sel.Filter)
		if q.impossible() {
			return nil
		}
		w, spares := q.chosen(who, h, sel.Claims), SpareCondition(policy)
		if err := countConfirmable(t, who, q, w, spares, out); err != nil {
			return err
		}
		waits, args := awaits(out.Session, who)
		if err := listLeftOut(t, q, h, w, spares, waits, args, limit, out); err != nil {
			return err
		}
		if out.Count == 0 || out.Count > ledger.MaxBulk {
			return nil
		}
		w.Add("NOT "+spares+" AND "+waits, args...)
		out.Documents = h.documents
		b := &pageBuilder{t: t, tenant: who.Tenant, who: who, head: h, page: &ledger.Page{Session: out.Session}}
		return listConfirmable(b, q, w, limit, out)
	})
	return sqldb.OrZero(out, err)
}

// gravestFirst is what a person should look at, in this order, before they confirm it.
var gravestFirst = []ledger.Verdict{ledger.Contradicted, ledger.NotFound, ledger.Weak, ledger.Supported}

// listConfirmable reads the first claims that would be confirmed, the gravest verdicts before the others, as the page of
// a claim has them.
func listConfirmable(page *pageBuilder, q *claimQuery, all sqldb.Conditions, limit int, out *ledger.Confirmable) error {
	var first []int
	for _, v := range gravestFirst {
		w := all.Clone()
		w.Add("c.verdict = ?", string(v))
		positions, err := sqldb.Collect(page.t, "SELECT c.position FROM "+q.tables()+" WHERE "+w.String()+
			" ORDER BY c.position LIMIT ?", append(w.Args, limit-len(first)),
			func(r sqldb.Scanner, at *int) error { return r.Scan(at) })
		if err != nil {
			return err
		}
		first = append(first, positions...)
	}
	list, args := listOf(first)
	if err := page.claims("FROM claims c WHERE c.tenant_id = ? AND c.session_no = ? AND c.position IN "+list+
		" ORDER BY c.position", append([]any{page.tenant, page.head.no}, args...)...); err != nil {
		return err
	}
	if err := page.said(); err != nil {
		return err
	}
	if err := page.cited(); err != nil {
		return err
	}
	for _, at := range first {
		e, _ := page.page.Session.EntryAt(at, page.page.Flags[at])
		out.First = append(out.First, e)
	}
	return nil
}

// SpareCondition is ledger.Grave as a condition on a claim c, if the policy lets no bulk step confirm such claims.
func SpareCondition(policy *pack.Policy) string {
	if policy.BulkConfirmsAll {
		return "FALSE"
	}
	return "(c.effective_importance = 'critical' OR c.flags <> 0)"
}

// countConfirmable counts the claims of a session, whose seats are known, in one query.
func countConfirmable(t *sqldb.Tx, who access.Actor, q *claimQuery, w sqldb.Conditions, spares string,
	out *ledger.Confirmable) error {
	waits, waitArgs := awaits(out.Session, who)
	query := strings.Builder{}
	query.WriteString("SELECT count(*), count(*) FILTER (WHERE c.verdict = ''), count(*) FILTER (WHERE c.verdict <> '' AND " +
		spares + " AND " + waits + ")")
	total, counts := 0, make([]int, len(ledger.Verdicts))
	fields, args := []any{&total, &out.Unjudged, &out.Spared}, slices.Clone(waitArgs)
	for i, v := range ledger.Verdicts {
		query.WriteString(", count(*) FILTER (WHERE c.verdict = '" + string(v) + "' AND NOT " + spares + " AND " + waits + ")")
		fields, args = append(fields, &counts[i]), append(args, waitArgs...)
	}
	query.WriteString(" FROM " + q.tables() + " WHERE " + w.String())
	if err := t.Row(query.String(), append(args, w.Args...), fields...); err != nil {
		return err
	}
	for i, v := range ledger.Verdicts {
		if counts[i] > 0 {
			out.ByVerdict[v] = counts[i]
		}
		out.Count += counts[i]
	}
	out.Decided = total - out.Unjudged - out.Count - out.Spared
	return nil
}

// listLeftOut reads the first claims that are left out, by their reasons.
func listLeftOut(t *sqldb.Tx, q *claimQuery, h *sessionRow, all sqldb.Conditions, spares, waits string, args []any,
	limit int,
	out *ledger.Confirmable) error {
	column, _ := q.order(h)
	for _, x := range []struct {
		count int
		where string
		args  []any
		at    *[]int
	}{
		{count: out.Unjudged, where: "c.verdict = ''", at: &out.UnjudgedAt},
		{count: out.Decided, where: "c.verdict <> '' AND NOT " + waits, args: args, at: &out.DecidedAt},
		{count: out.Spared, where: "c.verdict <> '' AND " + spares + " AND " + waits, args: args, at: &out.SparedAt},
	} {
		if x.count == 0 {
			continue
		}
		w := all.Clone()
		w.Add(x.where, x.args...)
		var err error
		*x.at, err = sqldb.Collect(t, "SELECT c.position FROM "+q.tables()+" WHERE "+w.String()+" ORDER BY "+column+" LIMIT ?",
			append(w.Args, limit), func(r sqldb.Scanner, at *int) error { return r.Scan(at) })
		if err != nil {
			return err
		}
	}
	return nil
}

// awaits returns ledger.Session.Awaits as SQL, for a claim c and its derived values. In a double review, a claim that
// both reviewers have decided is either settled or disputed.
func awaits(s *ledger.Session, who access.Actor) (condition string, args []any) {
	if s.Second == ledger.OneReviewer {
		return "(c.state = ? OR c.stale = 1)", []any{string(ledger.Unreviewed)}
	}
	return "(c.state <> ? AND c.settled = 0 AND c.differs = 0 AND NOT EXISTS (" + reviewsOf + ownDecision + "))", []any{string(ledger.Wanting), who.ID}
}

// reviewsOf selects the reviews r of a claim c, and goes on with a condition.
const reviewsOf = `SELECT 1 FROM reviews r WHERE r.tenant_id = c.tenant_id AND r.session_no = c.session_no
	AND r.claim = c.position AND `

// ownDecision is ledger.Claim.Decision as SQL, for reviews r of a claim c and a person.
const ownDecision = `r.by_id = ? AND r.by_id <> '' AND r.action IN ('confirm', 'override') AND r.n >= c.stale_reviews` +
	notUndone

// ownReview is the condition of a person's reviews r that set the state of a claim c as it is judged now.
const ownReview = `r.by_id = ? AND r.by_id <> '' AND r.action IN ('confirm', 'override', 'needs_evidence')
	AND r.n >= c.stale_reviews` + notUndone

// notUndone is the rest of a condition: that nobody has taken review r back.
const notUndone = `
	AND NOT EXISTS (SELECT 1 FROM reviews u WHERE u.tenant_id = r.tenant_id AND u.session_no = r.session_no
	AND u.claim = r.claim
	AND u.undoes = r.n + 1)`

// matching returns the positions of the claims of a selection, in order.
func matching(t *sqldb.Tx, who access.Actor, h *sessionRow, sel ledger.Selection) ([]int, error) {
	q := newClaimQuery(sel.Filter)
	if q.impossible() {
		return nil, nil
	}
	w := q.chosen(who, h, sel.Claims)
	column, _ := q.order(h)
	return sqldb.Collect(t, "SELECT c.position FROM "+q.tables()+" WHERE "+w.String()+" ORDER BY "+column, w.Args,
		func(r sqldb.Scanner, at *int) error { return r.Scan(at) })
}
