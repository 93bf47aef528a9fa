package sessions_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/notify"
)

// several stores sessions of two claims and returns their ids, the oldest first.
func several(t *testing.T, h *dbtest.Fixture, n int) (ids []string) {
	t.Helper()
	for i := range n {
		s := dbtest.SizedSession(2)
		s.Title = fmt.Sprintf("Review %d", i)
		h.AddSession(t, s)
		ids = append(ids, s.ID)
	}
	return ids
}

// firsts returns the first reviewer of each session.
func firsts(t *testing.T, h *dbtest.Fixture, ids []string) (out []string) {
	t.Helper()
	for _, id := range ids {
		s, err := h.ShowSession(context.Background(), h.Actor, id)
		require.NoError(t, err)
		out = append(out, s.Seats[0].ID)
	}
	return out
}

func takers(ids ...string) (out []ledger.Taker) {
	for _, id := range ids {
		out = append(out, ledger.Taker{Seat: ledger.Seat{ID: id}, Share: 1})
	}
	return out
}

func TestAssignMany(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	h.Actor.Role = access.Admin
	ids := several(t, h, 6)
	assign := func(in db.AssignMany) ledger.Shares {
		t.Helper()
		plan, err := h.PlanAssignment(ctx, h.Tenant.ID, &in)
		require.NoError(t, err)
		before, err := h.Events(ctx, h.Tenant.ID, 0, 1000)
		require.NoError(t, err)
		got, err := h.AssignSessions(ctx, h.Actor, ledger.DefaultFreshness, dbtest.Now, &in)
		require.NoError(t, err)
		require.Equal(t, plan, got, "what was planned is done")
		var assigned int
		for _, action := range h.Happened(t, int64(len(before))) {
			require.Equal(t, "session.assigned", action)
			assigned++
		}
		require.Equal(t, got.Moved, assigned, "each is logged")
		for _, id := range ids {
			l := assessed(t, h.Store, h.Tenant.ID, id)
			shown, err := h.ShowSession(ctx, h.Actor, id)
			require.NoError(t, err)
			require.Equal(t, l.Summary, shown.Summary)
		}
		h.RequireContents(t, len(ids))
		return got
	}

	require.NoError(t, h.CloseSession(ctx, h.Actor, ids[5], "out of scope"))
	h.Assign(t, ids[4], ledger.Seats{{}, {ID: "b"}}, ledger.SecondOpen)
	got := assign(db.AssignMany{To: takers("a", "b"), How: ledger.ByTurns})
	require.Equal(t, ledger.Shares{Each: []int{3, 2}, Moved: 5, Finished: 1}, got)
	require.Equal(t, []string{"b", "a", "b", "a", "a", ""}, firsts(t, h, ids), "who has the second seat does not get the first")

	got = assign(db.AssignMany{To: takers("a", "b"), How: ledger.ByTurns})
	require.Equal(t, ledger.Shares{Each: []int{0, 0}, Others: 5, Finished: 1}, got, "nobody's are left")
	got = assign(db.AssignMany{Whose: "a", To: takers("b", "a"), How: ledger.ByLoad})
	require.Equal(t, ledger.Shares{Each: []int{0, 0}, Kept: 3, Others: 2, Finished: 1}, got,
		"b has three already, as first or second reviewer")
	got = assign(db.AssignMany{Whose: "a", To: takers("c"), How: ledger.ByShares, Query: ledger.SessionQuery{Text: "Review 3"}})
	require.Equal(t, 1, got.Moved+got.Kept)
	got = assign(db.AssignMany{Whose: "b"})
	require.Equal(t, got.Selected(), got.Moved, "taken back")
	got = assign(db.AssignMany{To: takers("z"), How: ledger.ByTurns, May: func(string) bool { return false }})
	require.Equal(t, got.Selected(), got.Barred)
	require.Zero(t, got.Moved)
}

// TestAssignManySome: at most so many, the gravest first, or some of those that are named; who loses some is told once.
func TestAssignManySome(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	h.Actor.Role = access.Admin
	ids := several(t, h, 6)
	u, err := h.AddUser(ctx, access.AtCommandLine(h.Tenant.ID), db.User{Login: "whose", Name: "Whose"}, access.Reviewer)
	require.NoError(t, err)
	whose := u.ID
	do := func(in db.AssignMany) ledger.Shares {
		t.Helper()
		plan, err := h.PlanAssignment(ctx, h.Tenant.ID, &in)
		require.NoError(t, err)
		got, err := h.AssignSessions(ctx, h.Actor, ledger.DefaultFreshness, dbtest.Now, &in)
		require.NoError(t, err)
		require.Equal(t, plan, got)
		return got
	}
	require.Equal(t, 6, do(db.AssignMany{To: takers(whose), How: ledger.ByTurns}).Moved)
	require.Equal(t, ledger.Shares{Each: []int{}, Moved: 2, Rest: 4}, do(db.AssignMany{Whose: whose, Most: 2}))
	require.Equal(t, []string{"", "", whose, whose, whose, whose}, firsts(t, h, ids), "the oldest of them")
	require.Equal(t, ledger.Shares{Each: []int{1}, Moved: 1, Others: 1},
		do(db.AssignMany{Whose: whose, Only: []string{ids[0], ids[4]}, To: takers("b"), How: ledger.ByTurns}))
	rows, err := h.Assignable(ctx, h.Tenant.ID, &db.AssignMany{Whose: whose}, 2)
	require.NoError(t, err)
	require.Len(t, rows, 2)
	require.Equal(t, ids[2], rows[0].ID)
	rows, err = h.Assignable(ctx, h.Tenant.ID, &db.AssignMany{Whose: whose, Only: []string{ids[0], ids[5]}}, 2)
	require.NoError(t, err)
	require.Len(t, rows, 1, "of those that are chosen, the ones that still can be")
	require.Equal(t, ids[5], rows[0].ID)
	require.Equal(t, 3, do(db.AssignMany{Whose: whose, Most: 99}).Moved)

	told, err := h.Notices(ctx, access.Actor{Tenant: h.Tenant.ID, ID: whose}, false, 0, 9)
	require.NoError(t, err)
	var said []string
	for _, n := range told {
		said = append(said, fmt.Sprint(n.Kind, " ", n.ObjectKind, " ", n.Place, " ", n.Read))
	}
	require.Equal(t, []string{"unassigned sessions 3 false", "unassigned session  false", "unassigned sessions 2 false",
		"assigned sessions 6 true"}, said)
}

// TestAssignManyAssessesDoubleReviews: once two people have begun a review, who has the seats decides what is settled
// and what is sealed, so that such sessions are assessed again.
func TestAssignManyAssessesDoubleReviews(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	ids := several(t, h, 2)
	for i, mode := range []ledger.SecondReview{ledger.SecondBlind, ledger.SecondOpen} {
		h.Assign(t, ids[i], ledger.Seats{{ID: "a"}, {ID: "b"}}, mode)
		for _, who := range []string{"b", "c"} {
			h.As(who).Says(t, ids[i], 0, dbtest.Confirm)
		}
	}
	require.NotEmpty(t, assessed(t, h.Store, h.Tenant.ID, ids[0]).Sealed, "a has not decided")
	got, err := h.AssignSessions(ctx, h.Actor, ledger.DefaultFreshness, dbtest.Now,
		&db.AssignMany{Whose: "a", To: takers("c"), How: ledger.ByTurns})
	require.NoError(t, err)
	require.Equal(t, 2, got.Moved)
	for _, id := range ids {
		l := assessed(t, h.Store, h.Tenant.ID, id)
		shown, err := h.ShowSession(ctx, h.Actor, id)
		require.NoError(t, err)
		require.Empty(t, l.Sealed, "both who have a seat have decided")
		require.Equal(t, l.Summary, shown.Summary)
		require.Equal(t, 1, shown.Summary.Settled)
	}
	h.RequireContents(t, 2)
}

// Of two who share out the same sessions at one moment, each session goes to one: the other leaves it out.
func TestTwoWhoAssignMany(t *testing.T) {
	h := dbtest.New(t)
	ids := several(t, h, 8)
	var wg sync.WaitGroup
	moved, errs := make([]int, 2), make([]error, 2)
	for i, who := range []string{"a", "b"} {
		wg.Go(func() {
			got, err := h.AssignSessions(context.Background(), h.Actor, ledger.DefaultFreshness, dbtest.Now,
				&db.AssignMany{To: takers(who), How: ledger.ByTurns})
			moved[i], errs[i] = got.Moved, err
		})
	}
	wg.Wait()
	require.NoError(t, errors.Join(errs...), "the second finds none, and is not refused")
	require.ElementsMatch(t, []int{0, 8}, moved)
	all := firsts(t, h, ids)
	for _, first := range all {
		require.Equal(t, all[0], first)
	}
	events := h.Happened(t, 0)
	require.Equal(t, "session.assigned", events[len(events)-1])
	require.Len(t, events, 16, "each came in and was assigned once")
}

// TestFreeSessionsInTurn: what is nobody's comes in the order of its due day, the grave before others, the oldest first,
// also where more has a day than is asked for.
func TestFreeSessionsInTurn(t *testing.T) {
	b := dbtest.NewBoard(t)
	ids := several(t, b.Fixture, 6)
	b.DueOn(t, b.Admin, notify.Session, ids[4], "2026-12-24")
	b.DueOn(t, b.Admin, notify.Session, ids[2], "2026-12-25")
	b.DueOn(t, b.Admin, notify.Session, ids[5], "2026-12-24")
	b.DueOn(t, b.Admin, notify.Session, ids[1], "")
	require.NoError(t, b.CloseSession(b.Ctx, b.Admin, ids[3], "out of scope"))
	want := []string{ids[4], ids[5], ids[2], ids[0], ids[1]}
	for _, limit := range []int{1, 2, 3, 4, 9} {
		q, err := b.FreeSessions(b.Ctx, b.Drafter, limit)
		require.NoError(t, err)
		require.Equal(t, len(want), q.Waiting)
		var got []string
		for i := range q.Rows {
			got = append(got, q.Rows[i].ID)
		}
		require.Equal(t, want[:min(limit, len(want))], got, limit)
	}
}

// TestAssignManyInParts: more than one query reads, one statement writes or one page of a bulk holds. Each is logged as it
// is alone, and one that somebody has changed in the database has all refused.
func TestAssignManyInParts(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	const n = 510
	for i := range n {
		s := dbtest.SizedSession(1)
		s.Title = fmt.Sprintf("Review %d", i)
		h.AddSession(t, s)
	}
	a := h.Actor
	a.From = "192.0.2.7"
	assign := func(in db.AssignMany) (ledger.Shares, error) {
		return h.AssignSessions(ctx, a, ledger.DefaultFreshness, dbtest.Now, &in)
	}
	got, err := assign(db.AssignMany{To: takers("a", "b"), How: ledger.ByTurns})
	require.NoError(t, err)
	require.Equal(t, []int{n / 2, n / 2}, got.Each)
	logged, err := h.Events(ctx, h.Tenant.ID, n, 2*n)
	require.NoError(t, err)
	require.Len(t, logged, n)
	from, about := "", map[string]bool{}
	for i := range logged {
		e, err := audit.ParseEvent(logged[i].Bytes)
		require.NoError(t, err)
		content, ok := audit.ContentOf(&e)
		require.True(t, ok)
		require.NotEmpty(t, content.Rows)
		if from == "" {
			from = e.From
		}
		require.Equal(t, from, e.From)
		require.Equal(t, "session.assigned", e.Action)
		about[e.Object.ID] = true
	}
	require.Len(t, about, n)
	h.RequireContents(t, n)

	d := dbtest.Unguarded(t, h.Dir)
	dbtest.Exec(t, d, "UPDATE sessions SET coverage = coverage + 0.5 WHERE title = 'Review 509'")
	_, err = assign(db.AssignMany{Whose: "b", To: takers("c"), How: ledger.ByTurns})
	var fault *db.ContentError
	require.ErrorAs(t, err, &fault)
	require.Empty(t, h.Happened(t, 2*n))
	loads, err := h.Loads(ctx, h.Tenant.ID)
	require.NoError(t, err)
	require.Len(t, loads, 2, "nothing was stored for c")
}
