package sessions_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
)

func TestJudgeSessionKeepsTheRunBefore(t *testing.T) {
	h, ctx := dbtest.New(t), context.Background()
	s := dbtest.FullSession()
	before := h.AddSession(t, dbtest.Identify(s))
	h.JudgeAgain(t, s.ID, "run-2")
	h.JudgeAgain(t, s.ID, "run-3")

	got, err := h.Session(ctx, h.Tenant.ID, s.ID)
	require.NoError(t, err)
	require.Equal(t, []any{"run-3", before.Session.Revision + 2}, []any{got.Run.ID, got.Revision})
	for i := range got.Claims {
		require.Empty(t, got.Claims[i].Matches)
		require.Equal(t, "nothing", got.Claims[i].Judge)
		require.Len(t, got.Claims[i].Reviews, len(before.Session.Claims[i].Reviews), "no review is dropped")
	}
	rows, next, err := h.Runs(ctx, h.Tenant.ID, s.ID, 0, 9)
	require.NoError(t, err)
	require.Zero(t, next)
	require.Equal(t, []any{3, true, 0, 2, false, 1, false},
		[]any{rows[0].Number, rows[0].Newest, rows[0].Changed, rows[1].Number, rows[1].Newest, rows[2].Number,
			rows[2].Newest})
	require.Positive(t, rows[1].Changed)
	first, next, err := h.Runs(ctx, h.Tenant.ID, s.ID, 0, 1)
	require.NoError(t, err)
	require.Equal(t, []int{3, 3}, []int{first[0].Number, next})
	rest, _, err := h.Runs(ctx, h.Tenant.ID, s.ID, next, 9)
	require.NoError(t, err)
	require.Equal(t, rows[1:], rest)

	claims, of, _, err := h.RunClaims(ctx, h.Tenant.ID, s.ID, 1, -1, 99)
	require.NoError(t, err)
	require.Len(t, claims, len(before.Entries))
	for i := range claims {
		e := &before.Entries[i]
		require.Equal(t, []any{e.Machine, e.Confidence, e.Claim.Judge, e.Claim.Given, e.Claim.Unjudged},
			[]any{claims[i].Verdict, claims[i].Confidence, claims[i].Judge, claims[i].Given, claims[i].Unjudged})
		require.Equal(t, fmt.Sprintf("%#v", e.Claim.Matches), fmt.Sprintf("%#v", claims[i].Matches),
			"the earlier matches, whole")
		for _, m := range claims[i].Matches {
			require.NotNil(t, of.Chunk(m.Chunk))
		}
	}
	_, err = h.RunPage(ctx, h.Tenant.ID, s.ID, 4, -1, 9)
	require.Equal(t, domain.NotFound, domain.KindOf(err))
	other, _ := h.NewTenant(t, "other")
	_, err = h.RunPage(ctx, other.ID, s.ID, 2, -1, 9)
	require.Equal(t, domain.NotFound, domain.KindOf(err), "another tenant's")
}

// TestJudgeSessionRefused checks that an error of apply leaves everything unchanged.
func TestJudgeSessionRefused(t *testing.T) {
	h, ctx := dbtest.New(t), context.Background()
	s := dbtest.FullSession()
	h.AddSession(t, dbtest.Identify(s))
	before, err := h.Session(ctx, h.Tenant.ID, s.ID)
	require.NoError(t, err)
	refused := errors.New("no")
	_, err = h.JudgeSession(ctx, h.Actor, db.JudgeRequest{SessionID: s.ID},
		func(_ int, s *ledger.Session) (*db.Judged, error) {
			dbtest.TakeEmptyRun(s, "run-2")
			return nil, refused
		})
	require.Equal(t, refused, err)
	_, err = h.JudgeSession(ctx, h.Actor, db.JudgeRequest{SessionID: s.ID, BundleID: "none"},
		func(_ int, s *ledger.Session) (*db.Judged, error) {
			return dbtest.TakeEmptyRun(s, "run-2"), nil
		})
	require.Error(t, err, "a missing bundle")
	after, err := h.Session(ctx, h.Tenant.ID, s.ID)
	require.NoError(t, err)
	require.Equal(t, before, after)
}

// TestRunsAreAppendOnly checks that SQL can't change past runs.
func TestRunsAreAppendOnly(t *testing.T) {
	h := dbtest.New(t)
	s := dbtest.FullSession()
	h.AddSession(t, dbtest.Identify(s))
	h.JudgeAgain(t, s.ID, "run-2")
	d := dbtest.Raw(t, h.Dir)
	_, err := d.Exec("PRAGMA foreign_keys = OFF")
	require.NoError(t, err)
	for _, table := range []string{"ledger_runs", "run_marks", "run_claims", "run_changes"} {
		for _, q := range []string{"UPDATE " + table + " SET tenant_id = 'x'", "DELETE FROM " + table,
			"INSERT OR REPLACE INTO " + table + " SELECT * FROM " + table} {
			_, err := d.Exec(q)
			require.ErrorContains(t, err, "runs are append", q)
		}
	}
}
