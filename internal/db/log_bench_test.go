package db_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain/ledger"
)

// BenchmarkLogImport and BenchmarkLogReview measure the cost of the log: the same transaction with and without its
// event, its tree, its signature and the external checkpoint. The log has 10,000 events.
func BenchmarkLogImport(b *testing.B) {
	for _, c := range []struct {
		name string
		do   func(*fixture, *ledger.Ledger) error
	}{
		{"without", func(h *fixture, l *ledger.Ledger) error {
			return h.InsertUnlogged(context.Background(), h.tenant.ID, l)
		}},
		{"with", func(h *fixture, l *ledger.Ledger) error {
			_, _, err := h.InsertSession(context.Background(), h.actor, l, nil, nil)
			return err
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			h := newFixture(b)
			require.NoError(b, h.AppendMany(context.Background(), h.actor, 10_000))
			for b.Loop() {
				b.StopTimer()
				l := assess(sizedSession(50))
				b.StartTimer()
				require.NoError(b, c.do(h, l))
			}
		})
	}
}

func BenchmarkLogReview(b *testing.B) {
	ctx := context.Background()
	for _, c := range []struct {
		name string
		do   func(h *fixture, id string, apply func(*ledger.Session) (*ledger.Ledger, *db.Receipt, error)) error
	}{
		{"without", func(h *fixture, id string, apply func(*ledger.Session) (*ledger.Ledger, *db.Receipt, error)) error {
			return h.UpdateUnlogged(ctx, h.tenant.ID, id, db.ClaimReviewed(id, 1, ledger.Comment), apply)
		}},
		{"with", func(h *fixture, id string, apply func(*ledger.Session) (*ledger.Ledger, *db.Receipt, error)) error {
			_, err := h.UpdateSession(ctx, h.actor, id, db.ClaimReviewed(id, 1, ledger.Comment), apply)
			return err
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			h := newFixture(b)
			require.NoError(b, h.AppendMany(ctx, h.actor, 10_000))
			var s *ledger.Session
			n := 0
			for b.Loop() {
				b.StopTimer()
				if n%100 == 0 { // few reviews per claim, as in practice
					s = sizedSession(50)
					h.insert(b, s)
				}
				at := n % 50
				n++
				b.StartTimer()
				require.NoError(b, c.do(h, s.ID, func(s *ledger.Session) (*ledger.Ledger, *db.Receipt, error) {
					_, err := s.AddReview(at, ledger.ReviewInput{Action: ledger.Comment, Reason: "seen"},
						uuid.NewString(), "Noura", "reviewer", now)
					return assess(s), nil, err
				}))
			}
		})
	}
}
