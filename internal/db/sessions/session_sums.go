package sessions

import (
	"context"
	"maps"
	"slices"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/audit"
)

// sumsOf compute the sums over the sessions of a tenant as they are stored, without those that are 0.
var sumsOf = []struct{ table, stored, computed string }{
	{"counters", "SELECT day, " + countColumns + " FROM counters WHERE tenant_id = ?1 AND sessions <> 0",
		`SELECT d.day, count(*), sum(s.total), sum(s.covered), sum(s.reviewed), sum(s.supported), sum(s.weak),
			sum(s.contradicted),
			sum(s.not_found), sum(s.unjudged)
		FROM (SELECT no, '' AS day FROM sessions WHERE tenant_id = ?1 UNION ALL SELECT no, substr(created_at, 1, 10)
		FROM sessions WHERE tenant_id = ?1) d
		JOIN sessions s ON s.no = d.no GROUP BY d.day`},
	{"comparisons", "SELECT day, judge, version, machine, person, claims FROM comparisons WHERE tenant_id = ?1 AND claims <> 0",
		`SELECT substr(s.created_at, 1, 10) AS day, c.judge, CASE WHEN c.given = 1 THEN '' ELSE r.version END,
			c.machine_verdict, c.verdict, count(*)
		FROM sessions s JOIN claims c ON c.tenant_id = s.tenant_id AND c.session_no = s.no JOIN ledger_runs r
		ON r.tenant_id = s.tenant_id AND r.session_no = s.no AND r.n = s.run
		WHERE s.tenant_id = ?1 AND c.settled = 1 AND c.machine_verdict <> '' GROUP BY 1, 2, 3, 4, 5`},
}

// VerifySums compares the stored sums over the sessions of a tenant with the sessions.
func (s *Store) VerifySums(ctx context.Context, tenant string) (faults []audit.ContentFault, err error) {
	err = s.Read(ctx, "VerifyContents", func(t *sqldb.Tx) error {
		for _, x := range sumsOf {
			days := map[string]bool{}
			for _, query := range []string{x.stored + " EXCEPT " + x.computed, x.computed + " EXCEPT " + x.stored} {
				if err := t.Each("SELECT DISTINCT day FROM ("+query+") AS differing ORDER BY day",
					[]any{tenant}, func(r sqldb.Scanner) error {
						var day string
						err := r.Scan(&day)
						days[day] = true
						return err
					}); err != nil {
					return err
				}
			}
			for _, day := range slices.Sorted(maps.Keys(days)) {
				f := audit.ContentFault{Tenant: tenant, Kind: audit.FaultSums, Part: x.table, Field: "all days"}
				if day != "" {
					f.Field = "day " + day
				}
				faults = append(faults, f)
			}
		}
		return nil
	})
	return faults, err
}
