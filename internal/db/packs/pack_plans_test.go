package packs_test

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/pack"
)

// packPages returns the calls made by pages about a pack.
func packPages(b *dbtest.Board, id string) dbtest.Calls {
	packs := func(q pack.Query) func() error {
		q.Limit = 20
		return func() error { _, _, err := b.Packs(b.Ctx, b.Tenant.ID, q); return err }
	}
	decisions := func(q pack.DecisionQuery) func() error {
		q.Limit = 20
		return func() error { _, _, err := b.Decisions(b.Ctx, b.Tenant.ID, q); return err }
	}
	return dbtest.Calls{
		"pack":              func() error { _, err := b.Pack(b.Ctx, b.Tenant.ID, id); return err },
		"packs":             packs(pack.Query{}),
		"packs state":       packs(pack.Query{State: pack.SignedOff}),
		"packs session":     packs(pack.Query{SessionID: "s"}),
		"decisions":         decisions(pack.DecisionQuery{}),
		"decisions missing": decisions(pack.DecisionQuery{Missing: true}),
		"decisions level":   decisions(pack.DecisionQuery{Level: pack.Mandatory}),
		"counts":            func() error { _, err := b.PackCounts(b.Ctx, b.Tenant.ID); return err },
		"missing":           func() error { _, err := b.MissingPacks(b.Ctx, b.Tenant.ID); return err },
		"file": func() error {
			_, _,
				err := b.PackFile(b.Ctx, b.Tenant.ID, id, pack.FileJSON)
			return err
		},
		"exports": func() error { _, err := b.PackExports(b.Ctx, b.Viewer, false, 9); return err },
	}
}

// TestPackPagesSendAFixedNumberOfQueries checks this for any number of sources, versions and packs.
func TestPackPagesSendAFixedNumberOfQueries(t *testing.T) {
	b := dbtest.NewBoard(t)
	counts := func(id string) map[string]int64 {
		pages := packPages(b, id)
		pages["queue"] = func() error { _, err := b.PackQueue(b.Ctx, b.Second, 9); return err }
		return b.Queries(t, pages)
	}
	small := counts(b.Signed(t, "dec_1").Life.PackID)
	b.Decide(t, dbtest.DecisionOf("dec_2", "A2", 100))
	v, err := b.CreatePack(b.Ctx, b.Drafter, "dec_2", db.Answering{})
	require.NoError(t, err)
	for range 5 {
		v = b.Approve(t, b.Approver, b.Submit(t, v))
		v, err = b.NewVersion(b.Ctx, b.Drafter, v.Life.PackID, db.Answering{})
		require.NoError(t, err)
	}
	large := counts(b.Approve(t, b.Approver, b.Submit(t, v)).Life.PackID)
	require.Equal(t, small, large)
	require.LessOrEqual(t, large["pack"], int64(10)) // with the policy and the comments
	require.LessOrEqual(t, large["queue"], int64(6)) // with who set whose credentials, and drafts

	draft := func(claims int) int64 { // with its session
		s := dbtest.SizedSession(claims)
		b.AddSession(t, s)
		d := dbtest.DecisionOf(fmt.Sprintf("dec_of_%d", claims), "A2", claims)
		d.LedgerSessionID = s.ID
		b.Decide(t, d)
		v, err := b.CreatePack(b.Ctx, b.Drafter, d.DecisionID, db.Answering{})
		require.NoError(t, err)
		before := b.QueryCount()
		_, err = b.Pack(b.Ctx, b.Tenant.ID, v.Life.PackID)
		require.NoError(t, err)
		return b.QueryCount() - before
	}
	require.Equal(t, draft(8), draft(200))
}

func TestPackPagesScanNothing(t *testing.T) {
	b := dbtest.NewBoard(t)
	id := b.Signed(t, "dec_1").Life.PackID
	b.RequireIndexes(t, packPages(b, id), regexp.MustCompile(`p\.family`)) // a family is as small as its page
}

// benchSizes are the pack sizes compared: the cost should grow no faster than the size.
var benchSizes = []int{10, 100}

// BenchmarkSignOff signs off packs with so many sources and claims, without rendering.
func BenchmarkSignOff(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprintf("sources=%d", n), func(b *testing.B) {
			x := dbtest.NewBoard(b)
			for i := 0; b.Loop(); i++ {
				b.StopTimer()
				v := x.Large(b, fmt.Sprintf("dec_%d", i), n)
				b.StartTimer()
				x.Approve(b, x.Approver, v)
			}
		})
	}
}

func BenchmarkPackView(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprintf("sources=%d", n), func(b *testing.B) {
			x := dbtest.NewBoard(b)
			v := x.Approve(b, x.Approver, x.Large(b, "dec_1", n))
			for b.Loop() {
				_, err := x.Pack(x.Ctx, x.Tenant.ID, v.Life.PackID)
				require.NoError(b, err)
			}
		})
	}
}
