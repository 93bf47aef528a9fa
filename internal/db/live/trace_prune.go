package live

import (
	"context"
	"time"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/live"
)

// PruneTraces deletes what is kept no longer, of all tenants, some at a time: spans, then traces and counts.
func (store *Store) PruneTraces(ctx context.Context) (pruned int64, err error) {
	now := store.Now()
	for _, q := range []struct {
		statement string
		before    string
	}{
		{`DELETE FROM live_spans WHERE (tenant_id, trace_id) IN (SELECT x.tenant_id, x.trace_id FROM live_traces x
			WHERE x.ended_at <> '' AND x.ended_at < ?
			AND EXISTS (SELECT 1 FROM live_spans p WHERE p.tenant_id = x.tenant_id AND p.trace_id = x.trace_id)
			ORDER BY x.ended_at, x.tenant_id, x.trace_id LIMIT ?)`, sqldb.Stamp(now.Add(-live.KeepSpans))},
		{`DELETE FROM live_traces WHERE (tenant_id, trace_id) IN (SELECT x.tenant_id, x.trace_id FROM live_traces x
			WHERE x.ended_at <> '' AND x.ended_at < ?
			AND NOT EXISTS (SELECT 1 FROM live_spans p WHERE p.tenant_id = x.tenant_id AND p.trace_id = x.trace_id)
			ORDER BY x.ended_at, x.tenant_id, x.trace_id LIMIT ?)`, sqldb.Stamp(now.Add(-live.KeepTraces))},
		{`DELETE FROM live_counts WHERE (tenant_id, day, what) IN (SELECT tenant_id, day, what FROM live_counts WHERE day < ?
			ORDER BY day, tenant_id, what LIMIT ?)`, now.UTC().Add(-live.KeepCounts).Format(time.DateOnly)},
	} {
		n, err := store.Prune(ctx, "PruneTraces", q.statement, q.before, 500)
		if pruned += n; err != nil {
			return pruned, err
		}
	}
	return pruned, nil
}
