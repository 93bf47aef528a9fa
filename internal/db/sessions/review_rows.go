package sessions

import (
	"context"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
)

// Reviewed says which kinds of review a person has made in a session, including those taken back later.
type Reviewed struct {
	Confirmed  bool // a verdict
	Overridden bool // a verdict, with a reason
}

// ReviewedBy returns what a person has reviewed in a session of their tenant; NotFound if there is no such session.
func (s *Store) ReviewedBy(ctx context.Context, who access.Actor, session string) (r Reviewed, err error) {
	err = s.Read(ctx, "ReviewedBy", func(t *sqldb.Tx) error {
		return t.Row(`SELECT count(r.n) FILTER (WHERE r.action = 'confirm') > 0,
			count(r.n) FILTER (WHERE r.action = 'override' AND r.reason <> '') > 0
			FROM sessions s LEFT JOIN reviews r ON r.session_no = s.no AND r.by_id = ? AND r.by_id <> ''
			AND r.tenant_id = s.tenant_id
			WHERE s.tenant_id = ? AND s.id = ? GROUP BY s.no`, []any{who.ID, who.Tenant, session}, &r.Confirmed,
			&r.Overridden)
	})
	return r, err
}

// reviewColumns are the columns that scanReviews reads.
const reviewColumns = `claim, id, actor, role, at, action, verdict, type, importance, reason, by_id, undoes,
		adjudicates, batch`

func newReviews(t *sqldb.Tx) *sqldb.Bulk {
	return sqldb.NewBulk(t, "reviews", "tenant_id, session_no, claim, n, id, actor, role, at, action, verdict, type, importance, reason, by_id, undoes, adjudicates, batch, salt")
}

// addReviews inserts the claim's reviews, starting with review from.
func addReviews(rows *sqldb.Bulk, tenant string, no int, c *ledger.Claim, from int) error {
	for n := from; n < len(c.Reviews); n++ {
		r := &c.Reviews[n]
		salt, err := auditlog.NewSalt(rows.T)
		if err != nil {
			return err
		}
		rows.Add(tenant, no, c.Position, n, r.ID, r.Actor, r.Role, sqldb.Stamp(r.At), string(r.Action),
			string(r.Verdict),
			string(r.Type), string(r.Importance), r.Reason, r.By, r.Undoes, r.Adjudicates, r.Batch, salt)
	}
	return nil
}

func (in *inserter) reviews(l *ledger.Ledger) error {
	rows := newReviews(in.t)
	auditlog.FillWith(rows, auditlog.Filling(in.t, in.no, "reviews", rows.Columns, nil))
	for i := range l.Session.Claims {
		c := &l.Session.Claims[i]
		if err := addReviews(rows, in.tenant, in.no, c, 0); err != nil {
			return err
		}
	}
	return rows.Flush()
}

func scanReviews(s *ledger.Session) func(sqldb.Scanner) error {
	var at int
	var x ledger.Review
	fields := []any{&at, &x.ID, &x.Actor, &x.Role, sqldb.TimeInto(&x.At), &x.Action, &x.Verdict, &x.Type, &x.Importance,
		&x.Reason, &x.By, &x.Undoes, &x.Adjudicates, &x.Batch}
	return func(r sqldb.Scanner) error {
		x = ledger.Review{}
		err := r.Scan(fields...)
		c := claimOf(s, at)
		c.Reviews = append(c.Reviews, x)
		return err
	}
}
