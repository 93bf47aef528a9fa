//go:build unix

package db_test

import (
	"context"
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
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
			h := newFixture(b)
			l := assess(sizedSession(100_000))
			b.StartTimer()
			began := processorTime(b)
			require.NoError(b, h.InsertUndigested(context.Background(), h.actor, l, undigested))
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
			h := newFixture(b)
			s := sizedSession(n)
			h.insert(b, s)
			i := 0
			digestsOrNot(b, func(b *testing.B, undigested bool) {
				if undigested { // its changes are in no digest: a session of its own
					s := sizedSession(n)
					h.insert(b, s)
					reviewLoop(b, h, s, &i, undigested)
					return
				}
				reviewLoop(b, h, s, &i, undigested)
			})
		})
	}
}

func reviewLoop(b *testing.B, h *fixture, s *ledger.Session, i *int, undigested bool) {
	b.Helper()
	began := processorTime(b)
	for b.Loop() {
		position := *i * 7919 % len(s.Claims)
		*i++
		comment := ledger.Decision{
			ReviewInput: ledger.ReviewInput{Action: ledger.Comment, Reason: "seen"}, Claim: position, At: now,
			NewID: uuid.NewString,
		}
		require.NoError(b, h.ReviewUndigested(context.Background(), h.actor, s.ID, undigested,
			db.ReviewRequest{Decision: comment}))
	}
	reportProcessorTime(b, processorTime(b)-began)
}
