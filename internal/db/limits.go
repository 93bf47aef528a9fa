package db

import (
	"context"
	"time"
)

// LimitUse is what a process has let pass of a limit, since it began to count.
type LimitUse struct {
	Key, Process string
	Used         int64
}

// ExchangeLimits stores the uses that a process has let pass, returns those that others have stored for the same keys,
// and deletes what was stored before since.
func (s *Store) ExchangeLimits(ctx context.Context, process string, mine []LimitUse,
	since time.Time) (others []LimitUse, err error) {
	err = s.write(ctx, limitUse, "ExchangeLimits", func(t *tx) error {
		if _, err := t.exec("DELETE FROM limit_use WHERE at < ?", stamp(since)); err != nil {
			return err
		}
		keys := make([]any, len(mine))
		for i, u := range mine {
			keys[i] = u.Key
			_, err := t.exec(`INSERT INTO limit_use (key, process, used, at) VALUES (?, ?, ?, ?)
				ON CONFLICT (key, process) DO UPDATE SET used = excluded.used, at = excluded.at`,
				u.Key, process, u.Used, stamp(s.now()))
			if err != nil {
				return err
			}
		}
		list, args := inList(keys)
		others, err = collect(t, "SELECT key, process, used FROM limit_use WHERE key IN "+list+
			" AND process <> ? ORDER BY key, process", append(args, process),
			func(r scanner, u *LimitUse) error { return r.Scan(&u.Key, &u.Process, &u.Used) })
		return err
	})
	return others, err
}
