package db_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
)

// packPages returns the calls made by pages about a pack.
func (b *board) packPages(id string) map[string]func() error {
	packs := func(q pack.Query) func() error {
		q.Limit = 20
		return func() error { _, _, err := b.Packs(b.ctx, b.tenant.ID, q); return err }
	}
	decisions := func(q pack.DecisionQuery) func() error {
		q.Limit = 20
		return func() error { _, _, err := b.Decisions(b.ctx, b.tenant.ID, q); return err }
	}
	return map[string]func() error{
		"pack":              func() error { _, err := b.Pack(b.ctx, b.tenant.ID, id); return err },
		"packs":             packs(pack.Query{}),
		"packs state":       packs(pack.Query{State: pack.SignedOff}),
		"packs session":     packs(pack.Query{SessionID: "s"}),
		"decisions":         decisions(pack.DecisionQuery{}),
		"decisions missing": decisions(pack.DecisionQuery{Missing: true}),
		"decisions level":   decisions(pack.DecisionQuery{Level: pack.Mandatory}),
		"counts":            func() error { _, err := b.PackCounts(b.ctx, b.tenant.ID); return err },
		"missing":           func() error { _, err := b.MissingPacks(b.ctx, b.tenant.ID); return err },
		"file":              func() error { _, _, err := b.PackFile(b.ctx, b.tenant.ID, id, pack.FileJSON); return err },
		"exports":           func() error { _, err := b.PackExports(b.ctx, b.viewer, false, 9); return err },
	}
}

// TestPackPagesSendAFixedNumberOfQueries checks this for any number of sources, versions and packs.
func TestPackPagesSendAFixedNumberOfQueries(t *testing.T) {
	b := newBoard(t)
	counts := func(id string) map[string]int64 {
		out := map[string]int64{}
		pages := b.packPages(id)
		pages["queue"] = func() error { _, err := b.PackQueue(b.ctx, b.second, 9); return err }
		for name, call := range pages {
			before := b.QueryCount()
			require.NoError(t, call())
			out[name] = b.QueryCount() - before
		}
		return out
	}
	small := counts(b.signed(t, "dec_1").Life.PackID)
	b.decide(t, decisionOf("dec_2", "A2", 100))
	v, err := b.CreatePack(b.ctx, b.drafter, "dec_2", db.Answering{})
	require.NoError(t, err)
	for range 5 {
		v = b.approve(t, b.approver, b.submit(t, v))
		v, err = b.NewVersion(b.ctx, b.drafter, v.Life.PackID, db.Answering{})
		require.NoError(t, err)
	}
	large := counts(b.approve(t, b.approver, b.submit(t, v)).Life.PackID)
	require.Equal(t, small, large)
	require.LessOrEqual(t, large["pack"], int64(9))  // with the policy
	require.LessOrEqual(t, large["queue"], int64(6)) // with who set whose credentials, and drafts

	draft := func(claims int) int64 { // with its session
		s := sizedSession(claims)
		b.insert(t, s)
		d := decisionOf(fmt.Sprintf("dec_of_%d", claims), "A2", claims)
		d.LedgerSessionID = s.ID
		b.decide(t, d)
		v, err := b.CreatePack(b.ctx, b.drafter, d.DecisionID, db.Answering{})
		require.NoError(t, err)
		before := b.QueryCount()
		_, err = b.Pack(b.ctx, b.tenant.ID, v.Life.PackID)
		require.NoError(t, err)
		return b.QueryCount() - before
	}
	require.Equal(t, draft(8), draft(200))
}

// TestPackPagesScanNothing checks SQLite's plan for each query of each page.
func TestPackPagesScanNothing(t *testing.T) {
	dbtest.SQLiteOnly(t, "it reads SQLite's query plans")
	b := newBoard(t)
	id := b.signed(t, "dec_1").Life.PackID
	d := dbtest.Raw(t, b.dir)
	for name, call := range b.packPages(id) {
		for _, q := range sentBy(t, b.fixture, call) {
			for _, step := range plan(t, d, q.query, q.args) {
				family := strings.Contains(q.query, "p.family") // a family is as small as its page
				if costly(q.query, step) && !(family && strings.Contains(step, "TEMP B-TREE")) {
					t.Errorf("%s: %s\n%s", name, step, q.query)
				}
			}
		}
	}
}

// large returns a pack in review with n sources and a session of as many claims.
func (b *board) large(t testing.TB, id string, n int) *db.PackView {
	t.Helper()
	s := sizedSession(n)
	for i := range s.Claims {
		s.Claims[i].Reviews = []ledger.Review{{ID: fmt.Sprint(i), Actor: "x", Role: "reviewer", At: now,
			Action: ledger.Override, Verdict: ledger.Supported}}
	}
	b.insert(t, identify(s))
	d := decisionOf(id, "A1", n)
	d.LedgerSessionID = s.ID
	b.decide(t, d)
	v, err := b.CreatePack(b.ctx, b.drafter, id, db.Answering{})
	require.NoError(t, err)
	return b.submit(t, v)
}

// benchSizes are the pack sizes compared: the cost should grow no faster than the size.
var benchSizes = []int{10, 100}

// BenchmarkSignOff signs off packs with so many sources and claims, without rendering.
func BenchmarkSignOff(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprintf("sources=%d", n), func(b *testing.B) {
			x := newBoard(b)
			for i := 0; b.Loop(); i++ {
				b.StopTimer()
				v := x.large(b, fmt.Sprintf("dec_%d", i), n)
				b.StartTimer()
				x.approve(b, x.approver, v)
			}
		})
	}
}

func BenchmarkPackView(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprintf("sources=%d", n), func(b *testing.B) {
			x := newBoard(b)
			v := x.approve(b, x.approver, x.large(b, "dec_1", n))
			for b.Loop() {
				_, err := x.Pack(x.ctx, x.tenant.ID, v.Life.PackID)
				require.NoError(b, err)
			}
		})
	}
}
