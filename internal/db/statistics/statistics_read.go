package statistics

import (
	"context"
	"time"

	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/ledger"
)

const (
	statsWeeks = 12
	// MaxAgeing is where counting the open sessions of an age stops.
	MaxAgeing = 5000
)

// ageBands are the first days of the age bands; a band ends where the next begins.
var ageBands = []int{0, 2, 8, 31}

// Stats returns a tenant's present figures; days is the length of the period in days, including today.
func (store *Store) Stats(ctx context.Context, tenant string, now time.Time, days int) (*ledger.Stats, error) {
	today := now.UTC().Truncate(24 * time.Hour)
	st := &ledger.Stats{Since: today.AddDate(0, 0, 1-max(1, days))}
	err := store.Read(ctx, "Stats", func(t *sqldb.Tx) error {
		var err error
		if st.Ages, err = openByAge(t, tenant, now.UTC()); err != nil {
			return err
		}
		if st.Weeks, err = newestWeeks(t, tenant, now.UTC()); err != nil {
			return err
		}
		st.Judges, err = judgesCompared(t, tenant, st.Since)
		return err
	})
	return sqldb.OrZero(st, err)
}

// openByAge counts the open sessions of each age.
func openByAge(t *sqldb.Tx, tenant string, now time.Time) (ages []ledger.AgeBand, err error) {
	const day = 24 * time.Hour
	for i, from := range ageBands {
		b := ledger.AgeBand{From: from, To: -1}
		oldest := "" // before every time
		if i+1 < len(ageBands) {
			b.To = ageBands[i+1] - 1
			oldest = sqldb.Stamp(now.Add(-time.Duration(b.To+1) * day))
		}
		newest := sqldb.Stamp(now.Add(-time.Duration(from) * day))
		if from == 0 {
			newest = "~" // after every time, as clocks differ
		}
		const band = "s.tenant_id = ? AND s.status = 'open' AND s.created_at > ? AND s.created_at <= ?"
		err := t.Each("SELECT s.id, s.title, s.created_at, (SELECT count(*) FROM (SELECT 1 FROM sessions s WHERE "+
			band+" LIMIT ?) AS counted) FROM sessions s WHERE "+band+
			" ORDER BY s.created_at, s.no LIMIT 1", []any{tenant, oldest, newest, MaxAgeing, tenant, oldest, newest},
			func(r sqldb.Scanner) error {
				b.Oldest = &ledger.OpenSession{}
				return r.Scan(&b.Oldest.ID, &b.Oldest.Title, sqldb.TimeInto(&b.Oldest.CreatedAt), &b.Sessions)
			})
		if err != nil {
			return nil, err
		}
		b.More = b.Sessions == MaxAgeing
		ages = append(ages, b)
	}
	return ages, nil
}

// newestWeeks sums the newest weeks by day. Days are those of UTC, by which the sums are kept: a tenant that moves to
// another zone must not move its sessions to other weeks.
func newestWeeks(t *sqldb.Tx, tenant string, now time.Time) ([]ledger.Week, error) {
	begins, err := reads.WeekStart(t, tenant)
	if err != nil {
		return nil, err
	}
	first := begins.Week(now.Truncate(24*time.Hour)).AddDate(0, 0, -7*(statsWeeks-1))
	weeks := make([]ledger.Week, statsWeeks)
	for i := range weeks {
		weeks[i] = ledger.Week{Start: first.AddDate(0, 0, 7*i), ByVerdict: map[ledger.Verdict]int{}}
	}
	none := ledger.Week{ByVerdict: map[ledger.Verdict]int{}} // receives days outside all weeks, for example from a clock that was ahead
	of := func(day string) (*ledger.Week, error) {
		at, err := time.Parse(time.DateOnly, day)
		if i := int(at.Sub(first) / (7 * 24 * time.Hour)); err == nil && i >= 0 && i < statsWeeks {
			return &weeks[i], nil
		}
		return &none, err
	}
	args := []any{tenant, first.Format(time.DateOnly)}
	err = t.Each("SELECT day, sessions, claims, covered, reviewed, supported, weak, contradicted, not_found FROM counters WHERE tenant_id = ? AND day >= ?", args,
		func(r sqldb.Scanner) error {
			var day string
			var sessions, claims, covered, reviewed int
			verdicts := [4]int{}
			if err := r.Scan(&day, &sessions, &claims, &covered, &reviewed, &verdicts[0], &verdicts[1], &verdicts[2], &verdicts[3]); err != nil {
				return err
			}
			w, err := of(day)
			w.Sessions, w.Claims, w.Covered = w.Sessions+sessions, w.Claims+claims, w.Covered+covered
			w.Reviewed += reviewed
			for i, v := range []ledger.Verdict{ledger.Supported, ledger.Weak, ledger.Contradicted, ledger.NotFound} {
				w.ByVerdict[v] += verdicts[i]
			}
			return err
		})
	if err != nil {
		return nil, err
	}
	return weeks, t.Each(`SELECT day, sum(claims), sum(CASE WHEN machine <> person THEN claims ELSE 0 END)
		FROM comparisons WHERE tenant_id = ? AND day >= ? GROUP BY day`,
		args, func(r sqldb.Scanner) error {
			var day string
			var decided, changed int
			if err := r.Scan(&day, &decided, &changed); err != nil {
				return err
			}
			w, err := of(day)
			w.Decided, w.Changed = w.Decided+decided, w.Changed+changed
			return err
		})
}

// judgesCompared compares judges with people, for the sessions created since a day.
func judgesCompared(t *sqldb.Tx, tenant string, since time.Time) (judges []ledger.JudgeComparison, err error) {
	err = t.Each(`SELECT judge, version, machine, person, sum(claims) FROM comparisons WHERE tenant_id = ? AND day >= ?
		GROUP BY judge, version, machine, person ORDER BY judge, version`, []any{tenant, since.Format(time.DateOnly)},
		func(r sqldb.Scanner) error {
			var judge, version string
			var machine, person ledger.Verdict
			var claims int
			if err := r.Scan(&judge, &version, &machine, &person, &claims); err != nil || claims == 0 {
				return err
			}
			if n := len(judges); n == 0 || judges[n-1].Judge != judge || judges[n-1].Version != version {
				judges = append(judges, ledger.JudgeComparison{Judge: judge, Version: version})
			}
			judges[len(judges)-1].Table.Add(machine, person, claims)
			return nil
		})
	return judges, err
}
