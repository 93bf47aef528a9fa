//go:build unix

package auditlog_test

import (
	"context"
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/auditlog"
	"sanad/internal/db/dbtest"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
)

// digestsOrNot runs a benchmark without and with the content digests.
func digestsOrNot(b *testing.B, do func(b *testing.B, undigested bool)) {
	b.Run("without", func(b *testing.B) { do(b, true) })
	b.Run("with", func(b *testing.B) { do(b, false) })
}

// processorTime returns the time that this process has worked on all processors so far. Unlike the time of a clock, it
// does not depend on what else the machine does.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// reportProcessorTime reports worked for each of the benchmark's operations, instead of the time of a clock.
func reportProcessorTime(b *testing.B, worked time.Duration) {
	b.ReportMetric(float64(worked.Nanoseconds())/float64(b.N), "ns/op")
}

// BenchmarkDigestImport measures what the content digests cost of storing a session of 100,000 assessed claims.
func BenchmarkDigestImport(b *testing.B) {
	digestsOrNot(b, func(b *testing.B, undigested bool) {
		worked := time.Duration(0)
		for b.Loop() {
			b.StopTimer()
			h := dbtest.New(b)
			l := dbtest.Assess(dbtest.SizedSession(100_000))
			b.StartTimer()
			began := processorTime(b)
			require.NoError(b, insertUndigested(context.Background(), h.Store, h.Actor, l, undigested))
			worked += processorTime(b) - began
		}
		reportProcessorTime(b, worked)
	})
}

// BenchmarkDigestReview measures what the content digests cost of a review, which must not depend on the session's
// size.
func BenchmarkDigestReview(b *testing.B) {
	for _, n := range []int{50, 100_000} {
		b.Run(fmt.Sprintf("claims=%d", n), func(b *testing.B) {
			h := dbtest.New(b)
			s := dbtest.SizedSession(n)
			h.AddSession(b, s)
			i := 0
			digestsOrNot(b, func(b *testing.B, undigested bool) {
				if undigested { // its changes are in no digest: a session of its own
					s := dbtest.SizedSession(n)
					h.AddSession(b, s)
					reviewLoop(b, h, s, &i, undigested)
					return
				}
				reviewLoop(b, h, s, &i, undigested)
			})
		})
	}
}

func reviewLoop(b *testing.B, h *dbtest.Fixture, s *ledger.Session, i *int, undigested bool) {
	b.Helper()
	began := processorTime(b)
	for b.Loop() {
		position := *i * 7919 % len(s.Claims)
		*i++
		comment := ledger.Decision{
			ReviewInput: ledger.ReviewInput{Action: ledger.Comment, Reason: "seen"}, Claim: position, At: dbtest.Now,
			NewID: uuid.NewString,
		}
		require.NoError(b, reviewUndigested(context.Background(), h.Store, h.Actor, s.ID, undigested,
			db.ReviewRequest{Decision: comment}))
	}
	reportProcessorTime(b, processorTime(b)-began)
}

// insertUndigested and ReviewUndigested do what InsertSession and Review do in their transaction, with or without
// the content digests.
func insertUndigested(ctx context.Context, s *db.Store, a access.Actor, l *ledger.Ledger, undigested bool) error {
	return s.Write(ctx, sqldb.EveryTenant, "InsertUndigested", func(t *sqldb.Tx) error {
		auditlog.LogOf.Of(t).Undigested = undigested
		if err := s.Insert(t, a.Tenant, l, nil); err != nil {
			return err
		}
		return s.AppendEvent(t, a, auditlog.SessionImported(l.Session))
	})
}

func reviewUndigested(ctx context.Context, s *db.Store, a access.Actor, id string, undigested bool,
	r db.ReviewRequest) error {
	return s.Write(ctx, sqldb.EveryTenant, "ReviewUndigested", func(t *sqldb.Tx) error {
		auditlog.LogOf.Of(t).Undigested = undigested
		_, events, err := s.ReviewIn(t, a, id, &r)
		if err != nil {
			return err
		}
		return s.AppendEvents(t, a, events)
	})
}
