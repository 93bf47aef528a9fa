package sessions_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/ledger"
)

// BenchmarkLedgerPage reads the first page of 50 claims of one session; its cost must not depend on the session's size.
func BenchmarkLedgerPage(b *testing.B) {
	for _, n := range []int{200, 100_000} {
		b.Run(fmt.Sprintf("claims=%d", n), func(b *testing.B) {
			h := dbtest.New(b)
			s := dbtest.SizedSession(n)
			h.AddSession(b, s)
			for name, f := range map[string]ledger.ClaimFilter{
				"all": {}, "verdict": {Verdict: ledger.Contradicted}, "text": {Text: "employees"},
				"combined": {Type: ledger.Policy, Flagged: true},
			} {
				b.Run(name, func(b *testing.B) {
					for b.Loop() {
						_, err := h.LedgerPage(context.Background(), h.Tenant.ID, s.ID, f, -1, 50)
						require.NoError(b, err)
					}
				})
			}
		})
	}
}

// BenchmarkLists reads the pages that cover all sessions of a tenant.
func BenchmarkLists(b *testing.B) {
	for _, n := range []int{100, 5_000} {
		b.Run(fmt.Sprintf("sessions=%d", n), func(b *testing.B) {
			h := dbtest.New(b)
			for i := range n {
				s := dbtest.SizedSession(4)
				s.Title = fmt.Sprintf("Title %d %s", i, uuid.NewString())
				h.AddSession(b, s)
			}
			ctx := context.Background()
			b.Run("home", func(b *testing.B) {
				for b.Loop() {
					_, err := h.Home(ctx, h.Actor)
					require.NoError(b, err)
				}
			})
			for name, q := range map[string]ledger.SessionQuery{"all": {}, "rare word": {Text: "Title 77"},
				"common word": {Text: "policy"}, "filter": {Verdict: "weak"}} {
				b.Run(name, func(b *testing.B) {
					q.Limit = 50
					for b.Loop() {
						_, _, err := h.Sessions(ctx, h.Tenant.ID, q)
						require.NoError(b, err)
					}
				})
			}
		})
	}
}

// BenchmarkConfirm confirms one claim; the cost must not grow with the session.
func BenchmarkConfirm(b *testing.B) {
	for _, n := range []int{50, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			h := dbtest.New(b)
			s := dbtest.SizedSession(n)
			h.AddSession(b, s)
			i := 0
			for b.Loop() {
				action := []ledger.Action{ledger.Confirm, ledger.Undo}[i%2]
				_, err := h.Review(context.Background(), h.Actor, s.ID, db.ReviewRequest{Decision: ledger.Decision{
					ReviewInput: ledger.ReviewInput{Action: action}, Claim: 7, At: dbtest.Now, NewID: uuid.NewString,
				}})
				require.NoError(b, err)
				i++
			}
		})
	}
}

// BenchmarkOverride changes the verdict of one claim and takes that back: the session's figures and flags change with
// it, and the cost must not grow with the session.
func BenchmarkOverride(b *testing.B) {
	for _, n := range []int{50, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			h := dbtest.New(b)
			s := dbtest.SizedSession(n)
			h.AddSession(b, s)
			inputs := []ledger.ReviewInput{
				{Action: ledger.Override, Verdict: ledger.Contradicted, Reason: "The source says otherwise."},
				{Action: ledger.Undo},
			}
			i := 0
			for b.Loop() {
				in := inputs[i%2]
				in.By = h.Actor.ID
				_, err := h.Review(context.Background(), h.Actor, s.ID, db.ReviewRequest{Decision: ledger.Decision{
					ReviewInput: in, Claim: supportedClaim, At: dbtest.Now, NewID: uuid.NewString,
				}})
				require.NoError(b, err)
				i++
			}
			b.StopTimer()
			wrong, err := h.LedgerPage(context.Background(), h.Tenant.ID, s.ID,
				ledger.ClaimFilter{Verdict: ledger.Contradicted}, -1, 1)
			require.NoError(b, err)
			require.Equal(b, (n+1)/4+i%2, wrong.Overview.Summary.ByVerdict[ledger.Contradicted])
		})
	}
}

// supportedClaim is the position of a claim of dbtest.SizedSession that its evidence supports.
const supportedClaim = 8

// BenchmarkAssign shares 10,000 sessions out: what the page counts and plans, and what one act of each size does. It
// prints how long somebody waits at most who saves reviews meanwhile (docs/measured.md).
func BenchmarkAssign(b *testing.B) {
	h := dbtest.New(b)
	h.Actor.From = "192.0.2.7"
	reviewed := ""
	for i := range ledger.MaxShared {
		s := dbtest.SizedSession(1)
		s.Title = fmt.Sprintf("Group %d", i%200)
		h.AddSession(b, s)
		reviewed = s.ID
	}
	ctx := context.Background()
	takers := []ledger.Taker{{Seat: ledger.Seat{ID: h.Actor.ID}}, {Seat: ledger.Seat{ID: "other"}}}
	all := &db.AssignMany{To: takers, How: ledger.ByLoad}
	b.Run("loads", func(b *testing.B) {
		for b.Loop() {
			_, err := h.Loads(ctx, h.Tenant.ID)
			require.NoError(b, err)
		}
	})
	b.Run("plan", func(b *testing.B) {
		for b.Loop() {
			p, err := h.PlanAssignment(ctx, h.Tenant.ID, all)
			require.NoError(b, err)
			require.Equal(b, ledger.MaxShared, p.Selected())
		}
	})
	assign := func(b *testing.B, in db.AssignMany) int {
		got, err := h.AssignSessions(ctx, h.Actor, ledger.DefaultFreshness, dbtest.Now, &in)
		require.NoError(b, err)
		return got.Moved
	}
	for _, n := range []int{50, ledger.MaxShared} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			some := *all
			if n < ledger.MaxShared {
				some.Query.Text = "77"
			}
			longest := time.Duration(0)
			for range b.N {
				stop := reviewing(b, h, reviewed)
				require.Equal(b, n, assign(b, some))
				b.StopTimer()
				longest = max(longest, stop())
				for _, t := range takers { // taken back
					back := some
					back.To, back.Whose = nil, t.ID
					assign(b, back)
				}
				b.StartTimer()
			}
			b.ReportMetric(float64(longest.Milliseconds()), "ms-another-waited")
		})
	}
}

// reviewing saves a review every millisecond until stop is called, which returns how long one took at most.
func reviewing(b *testing.B, h *dbtest.Fixture, id string) (stop func() time.Duration) {
	done, longest := make(chan struct{}), make(chan time.Duration, 1)
	go func() {
		most := time.Duration(0)
		for {
			select {
			case <-done:
				longest <- most
				return
			case <-time.After(time.Millisecond):
			}
			start := time.Now()
			_, err := h.Review(context.Background(), h.Actor, id, db.ReviewRequest{Decision: ledger.Decision{
				ReviewInput: ledger.ReviewInput{Action: ledger.Comment, Reason: "x"}, At: dbtest.Now, NewID: uuid.NewString,
			}})
			assert.NoError(b, err)
			most = max(most, time.Since(start))
		}
	}()
	return func() time.Duration { close(done); return <-longest }
}
