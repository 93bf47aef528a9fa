package sessions

import (
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/ledger"
)

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
