package sessions

import (
	"database/sql"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/ledger"
)

func (in *inserter) run(l *ledger.Ledger) error { return in.runAs(l, firstRun) }

// runAs inserts the session's newest run under a number.
func (in *inserter) runAs(l *ledger.Ledger, n int) error {
	r := &l.Session.Run
	parameters, err := sqldb.JSONText(r.Parameters)
	if err != nil {
		return err
	}
	salt, err := auditlog.NewSalt(in.t)
	if err != nil {
		return err
	}
	_, err = in.t.Exec(`INSERT INTO ledger_runs (tenant_id, session_no, n, id, judge, version, parameters,
		input_digest, bundle_id, at,
		duration_ns, salt) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		in.tenant, in.no, n, r.ID, r.Judge, r.Version, parameters, r.InputDigest, r.BundleID, sqldb.Stamp(r.At),
		int64(r.Duration), salt)
	return err
}

const runRows = `SELECT r.n, r.id, r.judge, r.version, r.parameters, r.input_digest, r.bundle_id, r.at, r.duration_ns,
	m.made_by, m.changed, m.flips, m.stale
	FROM ledger_runs r LEFT JOIN run_marks m ON m.session_no = r.session_no AND m.run = r.n
	AND m.tenant_id = r.tenant_id
	WHERE r.tenant_id = ? AND r.session_no = ?`

func scanRun(newest int) func(sqldb.Scanner, *ledger.RunRow) error {
	return func(row sqldb.Scanner, x *ledger.RunRow) error {
		r := &x.Run
		var by sql.NullString
		var changed, flips, stale sql.NullInt64
		n := 0
		err := row.Scan(&n, &r.ID, &r.Judge, &r.Version, sqldb.JSONInto(&r.Parameters), &r.InputDigest, &r.BundleID,
			sqldb.TimeInto(&r.At),
			&r.Duration, &by, &changed, &flips, &stale)
		x.Number, x.Newest, x.MadeBy = n+1, n == newest, by.String
		x.Changed, x.Flips, x.Stale = int(changed.Int64), int(flips.Int64), int(stale.Int64)
		return err
	}
}
