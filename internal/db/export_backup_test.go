package db

import (
	"context"
	"fmt"

	"sanad/internal/db/sqldb"
)

// LimitPages limits the database to n pages more than it has, like a full disk; n < 0 removes the limit.
func (s *Store) LimitPages(ctx context.Context, n int) error {
	return s.WriteAlone(ctx, func(t *sqldb.Tx) error {
		var pages, limit int
		if err := t.Row("PRAGMA page_count", nil, &pages); err != nil {
			return err
		}
		if limit = pages + n; n < 0 {
			limit = 1 << 30
		}
		return t.Row(fmt.Sprintf("PRAGMA max_page_count = %d", limit), nil, &limit)
	})
}
