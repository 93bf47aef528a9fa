package sqldb_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
)

// BenchmarkWritersOfManyTenants compares, in rounds that take turns, how many events 16 clients append to the logs of
// 64 tenants with one lock for the store and with one for each tenant. Run it with -benchtime 1x on PostgreSQL.
func BenchmarkWritersOfManyTenants(b *testing.B) {
	const tenants, clients, rounds = 64, 16, 5
	h := dbtest.New(b)
	ctx := context.Background()
	var actors []access.Actor
	for n := range tenants {
		_, a := h.NewTenant(b, fmt.Sprint("tenant-", n))
		actors = append(actors, a)
	}
	perSecond := func(length time.Duration) float64 {
		var group sync.WaitGroup
		var written atomic.Int64
		began := time.Now()
		for c := range clients {
			group.Go(func() {
				for n := c; time.Since(began) < length; n += clients + 1 {
					if err := h.LogEvent(ctx, actors[n%tenants], db.Event{Action: "x"}); err != nil {
						b.Error(err)
					}
					written.Add(1)
				}
			})
		}
		group.Wait()
		return float64(written.Load()) / time.Since(began).Seconds()
	}
	for b.Loop() {
		var one, each []float64
		perSecond(time.Second)
		for range rounds {
			undo := h.WithOneLock()
			one = append(one, perSecond(4*time.Second))
			undo()
			each = append(each, perSecond(4*time.Second))
		}
		slices.Sort(one)
		slices.Sort(each)
		require.NotZero(b, one[rounds/2])
		b.ReportMetric(one[rounds/2], "one-lock/s")
		b.ReportMetric(each[rounds/2], "per-tenant/s")
		b.ReportMetric(each[rounds/2]/one[rounds/2], "ratio")
	}
}
