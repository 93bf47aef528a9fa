package db

import (
	"context"
	"time"

	"sanad/internal/domain/ledger"
)

// Stats are the figures that a team looks back and ahead with. They are read from sums kept by every write and from an index
// of the open sessions, so that their cost does not grow with the history.
type Stats struct {
	Since  time.Time  // the first day of the period, its first instant, UTC
	Ages   []AgeBand  // of the open sessions, the youngest first
	Weeks  []Week     // the last statsWeeks, oldest first, none left out; the last one is the current one
	Judges []Measured // of the sessions made in the period, by judge and version
}

// AgeBand counts the open sessions of an age in days. A day is 24 hours.
type AgeBand struct {
	From, To int // To is -1 for no end
	Sessions int
	More     bool // Sessions is where the count stopped: that many or more
	Oldest   *OpenSession
}

// OpenSession names a session that waits.
type OpenSession struct {
	ID, Title string
	CreatedAt time.Time
}

// Week sums up the sessions that were made in a week.
type Week struct {
	Start    time.Time // Monday, its first instant, UTC
	Sessions int
	Claims   int
	Covered  int // claims with at least one match
	Decided  int // claims that the machine gave a verdict and for which a person's stands
	Changed  int // of those, with another verdict than the machine's
}

// Measured is how a judge compares with people: the machine's verdicts are the rows, those that stand the columns.
type Measured struct {
	Judge, Version string // Version is "" of judgements that came with an import
	Table          ledger.Table
}

const (
	statsWeeks = 12
	// MaxAgeing is where the count of the open sessions of an age stops.
	MaxAgeing = 5000
)

// ageBands are the bands' first days; each ends before the next one begins.
var ageBands = []int{0, 2, 8, 31}

// Stats gives a tenant's figures as of now; days is how many days, today's among them, the period has.
func (s *Store) Stats(ctx context.Context, tenant string, now time.Time, days int) (*Stats, error) {
	today := now.UTC().Truncate(24 * time.Hour)
	st := &Stats{Since: today.AddDate(0, 0, 1-max(1, days))}
	err := s.read(ctx, "Stats", func(t *tx) error {
		for _, part := range []func(*tx, string, time.Time) error{st.ageing, st.weeks, st.measure} {
			if err := part(t, tenant, now.UTC()); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return st, nil
}

// ageing counts the open sessions of each age.
func (st *Stats) ageing(t *tx, tenant string, now time.Time) error {
	const day = 24 * time.Hour
	for i, from := range ageBands {
		b := AgeBand{From: from, To: -1}
		oldest := "" // before every time
		if i+1 < len(ageBands) {
			b.To = ageBands[i+1] - 1
			oldest = stamp(now.Add(-time.Duration(b.To+1) * day))
		}
		newest := stamp(now.Add(-time.Duration(from) * day))
		if from == 0 {
			newest = "~" // behind every time: clocks differ
		}
		const band = "s.tenant_id = ? AND s.status = 'open' AND s.created_at > ? AND s.created_at <= ?"
		err := t.each("SELECT s.id, s.title, s.created_at, (SELECT count(*) FROM (SELECT 1 FROM sessions s WHERE "+band+" LIMIT ?)) FROM sessions s WHERE "+band+
			" ORDER BY s.created_at, s.id LIMIT 1", []any{tenant, oldest, newest, MaxAgeing, tenant, oldest, newest},
			func(r scanner) error {
				b.Oldest = &OpenSession{}
				return r.Scan(&b.Oldest.ID, &b.Oldest.Title, timeColumn{&b.Oldest.CreatedAt}, &b.Sessions)
			})
		if err != nil {
			return err
		}
		b.More = b.Sessions == MaxAgeing
		st.Ages = append(st.Ages, b)
	}
	return nil
}

// weeks sums up the newest weeks by day.
func (st *Stats) weeks(t *tx, tenant string, now time.Time) error {
	today := now.Truncate(24 * time.Hour)
	monday := today.AddDate(0, 0, -(int(today.Weekday())+6)%7)
	first := monday.AddDate(0, 0, -7*(statsWeeks-1))
	st.Weeks = make([]Week, statsWeeks)
	for i := range st.Weeks {
		st.Weeks[i].Start = first.AddDate(0, 0, 7*i)
	}
	var none Week // takes what no week has, as of a clock that went ahead
	of := func(day string) (*Week, error) {
		at, err := time.Parse(time.DateOnly, day)
		if i := int(at.Sub(first) / (7 * 24 * time.Hour)); err == nil && i >= 0 && i < statsWeeks {
			return &st.Weeks[i], nil
		}
		return &none, err
	}
	args := []any{tenant, first.Format(time.DateOnly)}
	err := t.each("SELECT day, sessions, claims, covered FROM counters WHERE tenant_id = ? AND day >= ?", args, func(r scanner) error {
		var day string
		var sessions, claims, covered int
		if err := r.Scan(&day, &sessions, &claims, &covered); err != nil {
			return err
		}
		w, err := of(day)
		w.Sessions, w.Claims, w.Covered = w.Sessions+sessions, w.Claims+claims, w.Covered+covered
		return err
	})
	if err != nil {
		return err
	}
	return t.each("SELECT day, sum(claims), sum(CASE WHEN machine <> person THEN claims ELSE 0 END) FROM comparisons WHERE tenant_id = ? AND day >= ? GROUP BY day",
		args, func(r scanner) error {
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

// measure compares the judges of the period with people.
func (st *Stats) measure(t *tx, tenant string, _ time.Time) error {
	return t.each(`SELECT judge, version, machine, person, sum(claims) FROM comparisons WHERE tenant_id = ? AND day >= ?
		GROUP BY judge, version, machine, person ORDER BY judge, version`, []any{tenant, st.Since.Format(time.DateOnly)}, func(r scanner) error {
		var judge, version string
		var machine, person ledger.Verdict
		var claims int
		if err := r.Scan(&judge, &version, &machine, &person, &claims); err != nil || claims == 0 {
			return err
		}
		if n := len(st.Judges); n == 0 || st.Judges[n-1].Judge != judge || st.Judges[n-1].Version != version {
			st.Judges = append(st.Judges, Measured{Judge: judge, Version: version})
		}
		st.Judges[len(st.Judges)-1].Table.Add(machine, person, claims)
		return nil
	})
}
