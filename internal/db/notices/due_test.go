package notices_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/due"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/notify"
	"sanad/internal/domain/pack"
)

func telling(t testing.TB, b *dbtest.Board) int {
	t.Helper()
	n, err := b.TellDue(b.Ctx)
	require.NoError(t, err)
	return n
}

// dues lists what a person is told of about due dates.
func dues(t testing.TB, b *dbtest.Board, who access.Actor) (out []string) {
	t.Helper()
	list, err := b.Notices(b.Ctx, who, false, 0, 100)
	require.NoError(t, err)
	for _, n := range list {
		if n.Kind == notify.Due {
			out = append(out, n.Place+map[bool]string{true: " read"}[n.Read])
		}
	}
	return out
}

// The reviewers are told the day before and once when it is late, in the tenant's zone; a changed date is announced
// again, and a worker that dies in the middle tells nothing twice.
func TestDueIsToldOnce(t *testing.T) {
	b := dbtest.NewBoard(t)
	require.NoError(t, b.SetTimeZone(b.Ctx, b.Admin, "Asia/Riyadh"))
	s := dbtest.SizedSession(2)
	b.AddSession(t, s)
	b.SeatPeople(t, s.ID, b.Drafter, b.Second)
	d := b.DueOn(t, b.Admin, notify.Session, s.ID, "2026-03-10")
	require.Equal(t, "Asia/Riyadh", d.Zone)

	b.At = time.Date(2026, 3, 8, 20, 59, 59, 0, time.UTC)
	require.Zero(t, telling(t, b))
	b.At = b.At.Add(time.Second)
	raws := dbtest.Unguarded(t, b.Dir)
	dbtest.Exec(t, raws, "CREATE TRIGGER dies BEFORE UPDATE ON due_dates BEGIN SELECT RAISE(ABORT, 'the power fails'); END")
	_, err := b.TellDue(b.Ctx)
	require.Error(t, err)
	require.Empty(t, dues(t, b, b.Drafter), "what is told and that it was told are stored together")
	dbtest.Exec(t, raws, "DROP TRIGGER dies")

	at := b.At
	other, err := db.Open(b.Ctx, db.Options{Dir: b.Dir, Now: func() time.Time { return at }, NewID: uuid.NewString,
		Keys: dbtest.MasterKey(t, 1)}) // as a second worker has it
	require.NoError(t, err)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { _, _ = b.TellDue(b.Ctx) })
		all.Go(func() { _, _ = other.TellDue(b.Ctx) })
	}
	all.Wait()
	require.NoError(t, other.Close())
	require.Equal(t, []string{"soon"}, dues(t, b, b.Drafter))
	require.Equal(t, []string{"soon"}, dues(t, b, b.Second))
	require.Empty(t, dues(t, b, b.Admin), "who set it is not told if somebody reviews")
	require.Zero(t, telling(t, b))

	b.At = d.LateAt
	require.Equal(t, 1, telling(t, b))
	require.Zero(t, telling(t, b))
	require.Equal(t, []string{"late", "soon read"}, dues(t, b, b.Drafter))

	b.DueOn(t, b.Admin, notify.Session, s.ID, "2026-03-12")
	require.Equal(t, []string{"late read", "soon read"}, dues(t, b, b.Drafter), "it is no longer late")
	require.Equal(t, 1, telling(t, b), "it is the day before")
	require.Equal(t, []string{"soon", "late read", "soon read"}, dues(t, b, b.Drafter))
	require.NoError(t, b.CloseSession(b.Ctx, b.Drafter, s.ID, "done"))
	require.Equal(t, "soon read", dues(t, b, b.Drafter)[0], "what is done need not be read")
	b.At = b.At.AddDate(0, 0, 9)
	require.Zero(t, telling(t, b), "nothing is told of a closed session")
	require.NoError(t, b.ReopenSession(b.Ctx, b.Drafter, s.ID))
	require.Equal(t, 1, telling(t, b))
	require.Equal(t, "late", dues(t, b, b.Drafter)[0])
	b.DueOn(t, b.Admin, notify.Session, s.ID, "")
	require.Zero(t, telling(t, b))
}

// Without reviewers, who set the date is told. A date that passed while no server ran is told as late only.
func TestDueWithoutReviewers(t *testing.T) {
	b := dbtest.NewBoard(t)
	s := dbtest.SizedSession(2)
	b.AddSession(t, s)
	b.DueOn(t, b.Admin, notify.Session, s.ID, "2026-03-10")
	b.At = b.At.AddDate(0, 1, 0)
	require.Equal(t, 1, telling(t, b))
	require.Equal(t, []string{"late"}, dues(t, b, b.Admin))
	require.Empty(t, dues(t, b, b.Drafter))
}

// Of a draft its makers are told, of a pack in review who may approve it, of a signed one nobody.
func TestDueOfPacks(t *testing.T) {
	b := dbtest.NewBoard(t)
	v := b.Draft(t, "dec_1", "A2")
	id := v.Life.PackID
	b.DueOn(t, b.Drafter, notify.Pack, id, "2026-03-02")
	require.Equal(t, 1, telling(t, b))
	require.Equal(t, []string{"soon"}, dues(t, b, b.Drafter))
	v = b.Submit(t, v)
	b.At = b.At.AddDate(0, 0, 2)
	require.Equal(t, 1, telling(t, b))
	require.Equal(t, []string{"late"}, dues(t, b, b.Approver))
	require.Equal(t, []string{"late"}, dues(t, b, b.Second))
	require.Equal(t, []string{"soon read"}, dues(t, b, b.Drafter))
	home, err := b.DueHome(b.Ctx, b.Approver, 10)
	require.NoError(t, err)
	require.Len(t, home.Items, 1)
	home, err = b.DueHome(b.Ctx, b.Drafter, 10)
	require.NoError(t, err)
	require.Empty(t, home.Items, "it waits for others")
	b.DueOn(t, b.Drafter, notify.Pack, id, "2026-03-20")
	b.Approve(t, b.Approver, v)
	b.At = b.At.AddDate(0, 1, 0)
	require.Zero(t, telling(t, b))
	_, err = b.SetDue(b.Ctx, b.Drafter, dbtest.DueChange(notify.Pack, id, "2026-05-01"))
	require.Equal(t, domain.Conflict, domain.KindOf(err))
	d, err := b.Due(b.Ctx, b.Tenant.ID, notify.Pack, id)
	require.NoError(t, err)
	require.Equal(t, due.Done, d.State(b.At))
	rows, _, err := b.Packs(b.Ctx, b.Tenant.ID, pack.Query{Due: due.Late, Limit: 10})
	require.NoError(t, err)
	require.Empty(t, rows)
}

// Lists are filtered by due dates, nobody sees those of another tenant, and many late sessions are bounded.
func TestDueListsAreBounded(t *testing.T) {
	b := dbtest.NewBoard(t)
	for i := range 40 {
		s := dbtest.SizedSession(1)
		s.Title = fmt.Sprintf("session %d", i)
		b.AddSession(t, s)
		day := "2026-03-02"
		if i >= 35 {
			day = "2026-03-20"
		}
		if i != 39 {
			b.DueOn(t, b.Drafter, notify.Session, s.ID, day)
		}
		if i == 34 {
			require.NoError(t, b.CloseSession(b.Ctx, b.Drafter, s.ID, "done"))
		}
	}
	b.At = time.Date(2026, 3, 14, 0, 0, 0, 0, time.UTC)
	h, err := b.DueHome(b.Ctx, b.Drafter, 10)
	require.NoError(t, err)
	require.Len(t, h.Items, 10)
	require.True(t, h.More)
	require.Equal(t, due.Late, h.Items[0].State(b.At))
	require.Equal(t, 34, h.LateSessions)
	require.Equal(t, 4, h.SoonSessions, "35 to 38")
	count := func(tenant string, state due.State) int {
		rows, _, err := b.Sessions(b.Ctx, tenant, ledger.SessionQuery{Due: state, Limit: 1000})
		require.NoError(t, err)
		return len(rows)
	}
	require.Equal(t, 34, count(b.Tenant.ID, due.Late))
	require.Equal(t, 4, count(b.Tenant.ID, due.Soon))
	require.Equal(t, 40, count(b.Tenant.ID, ""))
	require.Zero(t, count(b.Other.ID, due.Late))
	h, err = b.DueHome(b.Ctx, access.Actor{Tenant: b.Other.ID, ID: b.Drafter.ID, Human: true, Role: access.Admin}, 10)
	require.NoError(t, err)
	require.Equal(t, due.Home{}, h)
	rows, _, err := b.Sessions(b.Ctx, b.Tenant.ID, ledger.SessionQuery{Due: due.Soon, Limit: 1})
	require.NoError(t, err)
	require.Equal(t, "2026-03-20", rows[0].Due.Day)
	foreign := b.Admin
	foreign.Tenant = b.Other.ID
	_, err = b.SetDue(b.Ctx, foreign, dbtest.DueChange(notify.Session, rows[0].ID, ""))
	dbtest.RequireNotFound(t, err)
	_, err = b.Due(b.Ctx, b.Other.ID, notify.Session, rows[0].ID)
	dbtest.RequireNotFound(t, err)
}
