package db_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/due"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/notify"
	"sanad/internal/domain/pack"
)

// dueOn sets the due date of a session or pack.
func (b *board) dueOn(t testing.TB, who access.Actor, object, id, day string) due.Date {
	t.Helper()
	d, err := b.SetDue(b.ctx, who, dueChange(object, id, day))
	require.NoError(t, err)
	return d
}

func dueChange(object, id, day string) *db.DueChange {
	return &db.DueChange{Object: object, ID: id, Day: day, Check: func(int) error { return nil },
		May: func(*db.DueNow) error { return nil }}
}

// seated assigns a session to people.
func (b *board) seated(t testing.TB, id string, people ...access.Actor) {
	t.Helper()
	_, err := b.Reassign(b.ctx, b.admin, id, func(s *ledger.Session) (*ledger.Ledger, error) {
		var seats ledger.Seats
		mode := ledger.OneReviewer
		for i, p := range people {
			seats[i] = ledger.Seat{ID: p.ID, Name: p.User}
		}
		if len(people) > 1 {
			mode = ledger.SecondOpen
		}
		if err := s.SetReviewers(seats, mode, b.now); err != nil {
			return nil, err
		}
		l := ledger.Assess(s, ledger.DefaultFreshness)
		return &l, nil
	})
	require.NoError(t, err)
}

func (b *board) telling(t testing.TB) int {
	t.Helper()
	n, err := b.TellDue(b.ctx)
	require.NoError(t, err)
	return n
}

// dues lists what a person is told of about due dates.
func (b *board) dues(t testing.TB, who access.Actor) (out []string) {
	t.Helper()
	list, err := b.Notices(b.ctx, who, false, 0, 100)
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
	b := newBoard(t)
	require.NoError(t, b.SetTimeZone(b.ctx, b.admin, "Asia/Riyadh"))
	s := sizedSession(2)
	b.insert(t, s)
	b.seated(t, s.ID, b.drafter, b.second)
	d := b.dueOn(t, b.admin, notify.Session, s.ID, "2026-03-10")
	require.Equal(t, "Asia/Riyadh", d.Zone)

	b.now = time.Date(2026, 3, 8, 20, 59, 59, 0, time.UTC)
	require.Zero(t, b.telling(t))
	b.now = b.now.Add(time.Second)
	raws := unguarded(t, b.dir)
	must(t, raws, "CREATE TRIGGER dies BEFORE UPDATE ON due_dates BEGIN SELECT RAISE(ABORT, 'the power fails'); END")
	_, err := b.TellDue(b.ctx)
	require.Error(t, err)
	require.Empty(t, b.dues(t, b.drafter), "what is told and that it was told are stored together")
	must(t, raws, "DROP TRIGGER dies")

	at := b.now
	other, err := db.Open(b.ctx, db.Options{Dir: b.dir, Now: func() time.Time { return at }, NewID: uuid.NewString,
		Keys: masterKey(t, 1)}) // as a second worker has it
	require.NoError(t, err)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { _, _ = b.TellDue(b.ctx) })
		all.Go(func() { _, _ = other.TellDue(b.ctx) })
	}
	all.Wait()
	require.NoError(t, other.Close())
	require.Equal(t, []string{"soon"}, b.dues(t, b.drafter))
	require.Equal(t, []string{"soon"}, b.dues(t, b.second))
	require.Empty(t, b.dues(t, b.admin), "who set it is not told if somebody reviews")
	require.Zero(t, b.telling(t))

	b.now = d.LateAt
	require.Equal(t, 1, b.telling(t))
	require.Zero(t, b.telling(t))
	require.Equal(t, []string{"late", "soon read"}, b.dues(t, b.drafter))

	b.dueOn(t, b.admin, notify.Session, s.ID, "2026-03-12")
	require.Equal(t, []string{"late read", "soon read"}, b.dues(t, b.drafter), "it is no longer late")
	require.Equal(t, 1, b.telling(t), "it is the day before")
	require.Equal(t, []string{"soon", "late read", "soon read"}, b.dues(t, b.drafter))
	require.NoError(t, b.CloseSession(b.ctx, b.drafter, s.ID, "done"))
	require.Equal(t, "soon read", b.dues(t, b.drafter)[0], "what is done need not be read")
	b.now = b.now.AddDate(0, 0, 9)
	require.Zero(t, b.telling(t), "nothing is told of a closed session")
	require.NoError(t, b.ReopenSession(b.ctx, b.drafter, s.ID))
	require.Equal(t, 1, b.telling(t))
	require.Equal(t, "late", b.dues(t, b.drafter)[0])
	b.dueOn(t, b.admin, notify.Session, s.ID, "")
	require.Zero(t, b.telling(t))
}

// Without reviewers, who set the date is told. A date that passed while no server ran is told as late only.
func TestDueWithoutReviewers(t *testing.T) {
	b := newBoard(t)
	s := sizedSession(2)
	b.insert(t, s)
	b.dueOn(t, b.admin, notify.Session, s.ID, "2026-03-10")
	b.now = b.now.AddDate(0, 1, 0)
	require.Equal(t, 1, b.telling(t))
	require.Equal(t, []string{"late"}, b.dues(t, b.admin))
	require.Empty(t, b.dues(t, b.drafter))
}

// Of a draft its makers are told, of a pack in review who may approve it, of a signed one nobody.
func TestDueOfPacks(t *testing.T) {
	b := newBoard(t)
	v := b.draft(t, "dec_1", "A2")
	id := v.Life.PackID
	b.dueOn(t, b.drafter, notify.Pack, id, "2026-03-02")
	require.Equal(t, 1, b.telling(t))
	require.Equal(t, []string{"soon"}, b.dues(t, b.drafter))
	v = b.submit(t, v)
	b.now = b.now.AddDate(0, 0, 2)
	require.Equal(t, 1, b.telling(t))
	require.Equal(t, []string{"late"}, b.dues(t, b.approver))
	require.Equal(t, []string{"late"}, b.dues(t, b.second))
	require.Equal(t, []string{"soon read"}, b.dues(t, b.drafter))
	home, err := b.DueHome(b.ctx, b.approver, 10)
	require.NoError(t, err)
	require.Len(t, home.Items, 1)
	home, err = b.DueHome(b.ctx, b.drafter, 10)
	require.NoError(t, err)
	require.Empty(t, home.Items, "it waits for others")
	b.dueOn(t, b.drafter, notify.Pack, id, "2026-03-20")
	b.approve(t, b.approver, v)
	b.now = b.now.AddDate(0, 1, 0)
	require.Zero(t, b.telling(t))
	_, err = b.SetDue(b.ctx, b.drafter, dueChange(notify.Pack, id, "2026-05-01"))
	require.Equal(t, domain.Conflict, domain.KindOf(err))
	d, err := b.Due(b.ctx, b.tenant.ID, notify.Pack, id)
	require.NoError(t, err)
	require.Equal(t, due.Done, d.State(b.now))
	rows, _, err := b.Packs(b.ctx, b.tenant.ID, pack.Query{Due: due.Late, Limit: 10})
	require.NoError(t, err)
	require.Empty(t, rows)
}

// Lists are filtered by due dates, nobody sees those of another tenant, and many late sessions are bounded.
func TestDueListsAreBounded(t *testing.T) {
	b := newBoard(t)
	for i := range 40 {
		s := sizedSession(1)
		s.Title = fmt.Sprintf("session %d", i)
		b.insert(t, s)
		day := "2026-03-02"
		if i >= 35 {
			day = "2026-03-20"
		}
		if i != 39 {
			b.dueOn(t, b.drafter, notify.Session, s.ID, day)
		}
		if i == 34 {
			require.NoError(t, b.CloseSession(b.ctx, b.drafter, s.ID, "done"))
		}
	}
	b.now = time.Date(2026, 3, 14, 0, 0, 0, 0, time.UTC)
	h, err := b.DueHome(b.ctx, b.drafter, 10)
	require.NoError(t, err)
	require.Len(t, h.Items, 10)
	require.True(t, h.More)
	require.Equal(t, due.Late, h.Items[0].State(b.now))
	require.Equal(t, 34, h.LateSessions)
	require.Equal(t, 4, h.SoonSessions, "35 to 38")
	count := func(tenant string, state due.State) int {
		rows, _, err := b.Sessions(b.ctx, tenant, ledger.SessionQuery{Due: state, Limit: 1000})
		require.NoError(t, err)
		return len(rows)
	}
	require.Equal(t, 34, count(b.tenant.ID, due.Late))
	require.Equal(t, 4, count(b.tenant.ID, due.Soon))
	require.Equal(t, 40, count(b.tenant.ID, ""))
	require.Zero(t, count(b.other.ID, due.Late))
	h, err = b.DueHome(b.ctx, access.Actor{Tenant: b.other.ID, ID: b.drafter.ID, Human: true, Role: access.Admin}, 10)
	require.NoError(t, err)
	require.Equal(t, due.Home{}, h)
	rows, _, err := b.Sessions(b.ctx, b.tenant.ID, ledger.SessionQuery{Due: due.Soon, Limit: 1})
	require.NoError(t, err)
	require.Equal(t, "2026-03-20", rows[0].Due.Day)
	foreign := b.admin
	foreign.Tenant = b.other.ID
	_, err = b.SetDue(b.ctx, foreign, dueChange(notify.Session, rows[0].ID, ""))
	isNotFound(t, err)
	_, err = b.Due(b.ctx, b.other.ID, notify.Session, rows[0].ID)
	isNotFound(t, err)
}
