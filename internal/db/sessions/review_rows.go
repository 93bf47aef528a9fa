package sessions

import (
	"encoding/json"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/ledger"
)

// reviewColumns are the columns that addReviews writes and scanReviews reads.
const reviewColumns = `claim, id, actor, role, at, action, verdict, type, importance, reason, by_id, undoes,
	adjudicates, batch, replaced_by, asks, thread`

func newReviews(t *sqldb.Tx) *sqldb.Bulk {
	return sqldb.NewBulk(t, "reviews", "tenant_id, session_no, n, salt, "+reviewColumns)
}

// addReviews inserts the claim's reviews, starting with review from.
func addReviews(rows *sqldb.Bulk, tenant string, no int, c *ledger.Claim, from int) error {
	for n := from; n < len(c.Reviews); n++ {
		r := &c.Reviews[n]
		salt, err := auditlog.NewSalt(rows.T)
		if err != nil {
			return err
		}
		into, err := sqldb.JSONText(r.Into)
		if err != nil {
			return err
		}
		rows.Add(tenant, no, n, salt,
			c.Position, r.ID, r.Actor, r.Role, sqldb.Stamp(r.At), string(r.Action), string(r.Verdict),
			string(r.Type), string(r.Importance), r.Reason, r.By, r.Undoes, r.Adjudicates, r.Batch, into, r.Asks, r.Thread)
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
		&x.Reason, &x.By, &x.Undoes, &x.Adjudicates, &x.Batch, sqldb.JSONInto(&x.Into), &x.Asks, &x.Thread}
	return func(r sqldb.Scanner) error {
		x = ledger.Review{}
		err := r.Scan(fields...)
		c := claimOf(s, at)
		c.Reviews = append(c.Reviews, x)
		return err
	}
}

// imported stores what the exported ledger that a session was read from said (rule L-32).
func (in *inserter) imported(l *ledger.Ledger) error {
	s := l.Session
	if len(s.Imports) == 0 {
		return nil
	}
	rows := sqldb.NewBulk(in.t, "imported_reviews", "tenant_id, session_no, claim, said")
	add := func(claim int, said any) error {
		text, err := sqldb.JSONText(said)
		if err == nil && text != nil {
			rows.Add(in.tenant, in.no, claim, text)
		}
		return err
	}
	if err := add(wholeClaim, s.Imports); err != nil {
		return err
	}
	for i := range s.Claims {
		if err := add(s.Claims[i].Position, s.Claims[i].Imported); err != nil {
			return err
		}
	}
	return rows.Flush()
}

// importsOfSession is a column that is read together with a session s.
const importsOfSession = "(SELECT x.said FROM imported_reviews x WHERE x.tenant_id = s.tenant_id " +
	"AND x.session_no = s.no AND x.claim = -1)"

// upstream stores what a provider's file said, for pages; the session's extra fields contain it too.
func (in *inserter) upstream(l *ledger.Ledger) error {
	s := l.Session
	if s.UpstreamWhole() == nil {
		return in.explanations(s)
	}
	rows := sqldb.NewBulk(in.t, "upstream", "tenant_id, session_no, claim, said")
	rows.Add(in.tenant, in.no, wholeClaim, string(s.Extra[ledger.UpstreamWholePath]))
	for i := range s.Claims {
		if position := s.Claims[i].Position; s.Upstream(position) != nil {
			rows.Add(in.tenant, in.no, position, string(s.Extra[ledger.UpstreamPath(position)]))
		}
	}
	return rows.Flush()
}

// explanations stores what the caller's judge said in a file of our own format, for pages.
func (in *inserter) explanations(s *ledger.Session) error {
	if ledger.ProviderName(s.Format) != "" || len(s.Extra) == 0 {
		return nil
	}
	rows := sqldb.NewBulk(in.t, "upstream", "tenant_id, session_no, claim, said")
	for i := range s.Claims {
		position := s.Claims[i].Position
		said := s.Upstream(position)
		if said == nil {
			continue
		}
		words, err := json.Marshal(said.Reason)
		if err != nil {
			return err
		}
		rows.Add(in.tenant, in.no, position, string(words))
	}
	return rows.Flush()
}

// Columns that pages read together with a session s.
const (
	saidOfWhole = "(SELECT json_object('" + ledger.UpstreamWholePath +
		"', json(u.said)) FROM upstream u WHERE u.tenant_id = s.tenant_id AND u.session_no = s.no AND u.claim = -1)"
	saidOfClaims = "EXISTS (SELECT 1 FROM upstream u WHERE u.tenant_id = s.tenant_id AND u.session_no = s.no)"
)

func scanImported(s *ledger.Session) func(sqldb.Scanner) error {
	var at int
	var said []ledger.Imported
	fields := []any{&at, sqldb.JSONInto(&said)}
	return func(r sqldb.Scanner) error {
		said = nil
		err := r.Scan(fields...)
		claimOf(s, at).Imported = said
		return err
	}
}
