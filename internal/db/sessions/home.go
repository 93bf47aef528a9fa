package sessions

import (
	"context"
	"time"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/ledger"
)

const (
	queueLength = 10
	homeDays    = 30
)

// Home returns a tenant's first page. Its cost does not grow with the history, since sums are kept in counters.
func (s *Store) Home(ctx context.Context, tenant string) (*ledger.Home, error) {
	h := &ledger.Home{ByVerdict: map[ledger.Verdict]int{}}
	err := s.Read(ctx, "Home", func(t *sqldb.Tx) error {
		var err error
		h.Queue, err = sqldb.Collect(t, "SELECT "+rowColumns+` FROM sessions s WHERE s.tenant_id = ? AND s.status = 'open'
			ORDER BY s.urgency DESC, s.created_at, s.no LIMIT ?`, []any{tenant, queueLength},
			func(r sqldb.Scanner, row *ledger.SessionRow) error { return scanRow(r, row) })
		if err != nil {
			return err
		}
		if err := homeTotals(t, tenant, h); err != nil {
			return err
		}
		return homeNewest(t, tenant, h)
	})
	return sqldb.OrZero(h, err)
}

// homeTotals reads the tenant's totals into h.
func homeTotals(t *sqldb.Tx, tenant string, h *ledger.Home) error {
	var all counts
	err := t.Each("SELECT "+countColumns+" FROM counters WHERE tenant_id = ? AND day = ?", []any{tenant, allDays},
		func(r sqldb.Scanner) error { return r.Scan(all.fields()...) })
	if err != nil {
		return err
	}
	h.Sessions, h.Claims, h.Reviewed, h.Unjudged = all.sessions, all.claims, all.reviewed, all.unjudged
	h.ByVerdict[ledger.Supported], h.ByVerdict[ledger.Weak] = all.supported, all.weak
	h.ByVerdict[ledger.Contradicted], h.ByVerdict[ledger.NotFound] = all.contradicted, all.notFound
	return nil
}

// homeNewest reads the tenant's newest days into h.
func homeNewest(t *sqldb.Tx, tenant string, h *ledger.Home) (err error) {
	h.CoverageByDay, err = sqldb.Collect(t, `SELECT day, sessions, claims, covered FROM
		(SELECT * FROM counters WHERE tenant_id = ? AND day > ? ORDER BY day DESC LIMIT ?) AS newest ORDER BY day`,
		[]any{tenant, allDays, homeDays}, func(r sqldb.Scanner, d *ledger.DayCoverage) error {
			var day string
			var covered int
			if err := r.Scan(&day, &d.Sessions, &d.Claims, &covered); err != nil {
				return err
			}
			if d.Claims > 0 {
				d.Coverage = float64(covered) / float64(d.Claims)
			}
			d.Day, err = time.Parse(time.DateOnly, day)
			return err
		})
	return err
}
