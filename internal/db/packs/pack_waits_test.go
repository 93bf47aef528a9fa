package packs_test

import (
	"context"
	"errors"
	"strings"
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
	"sanad/internal/domain/notify"
	"sanad/internal/domain/pack"
)

// named names a deputy for some days from today.
func named(t testing.TB, b *dbtest.Board, by, of, deputy access.Actor, days int) access.Deputy {
	t.Helper()
	d, err := b.SetDeputy(b.Ctx, by, db.DeputyDays{For: of.ID, By: deputy.ID,
		Until: b.At.AddDate(0, 0, days).Format(time.DateOnly)})
	require.NoError(t, err)
	return d
}

// waitsFor names for whom a pack waits, and for whom they may sign as deputies.
func waitsFor(t testing.TB, b *dbtest.Board, id string) map[string][]string {
	t.Helper()
	v, err := b.Pack(b.Ctx, b.Tenant.ID, id)
	require.NoError(t, err)
	w, err := b.Waits(b.Ctx, b.Tenant.ID, v)
	require.NoError(t, err)
	out := map[string][]string{}
	for _, x := range w.Waiting {
		out[x.ID] = nil
		for _, of := range x.For {
			out[x.ID] = append(out[x.ID], of.ID)
		}
	}
	return out
}

func approveFor(b *dbtest.Board, who access.Actor, v *db.PackView, of access.Actor) (*db.PackView, error) {
	a := dbtest.Approval(v)
	a.For = of.ID
	return b.ApprovePack(b.Ctx, who, a, db.Answering{}, dbtest.Render)
}

func requireWord(t testing.TB, err error, word string) {
	t.Helper()
	var refused *domain.Error
	require.ErrorAs(t, err, &refused)
	require.Equal(t, word, refused.Message.ID)
}

// TestDeputySigns: what waits for somebody waits for the deputy, whose signature takes one seat, says for whom it was
// given in the log and in the Statement, and verifies.
func TestDeputySigns(t *testing.T) {
	b := dbtest.NewBoard(t)
	v := b.Submit(t, b.Draft(t, "d1", "A3"))
	id := v.Life.PackID
	require.Equal(t, map[string][]string{b.Approver.ID: nil, b.Second.ID: nil, b.Editor.ID: nil, b.Admin.ID: nil},
		waitsFor(t, b, id))
	d := named(t, b, b.Approver, b.Approver, b.Second, 5)
	require.Equal(t, map[string][]string{b.Second.ID: {b.Approver.ID}, b.Editor.ID: nil, b.Admin.ID: nil},
		waitsFor(t, b, id))
	_, err := approveFor(b, b.Editor, v, b.Approver)
	requireWord(t, err, "refused_deputy_ended")
	v, err = approveFor(b, b.Second, v, b.Approver)
	require.NoError(t, err)
	a := v.Life.Approvals[0]
	require.Equal(t, &pack.Behalf{Actor: b.Approver.ID, Name: "Name-of-approver", From: d.Starts.Format(time.RFC3339),
		Until: d.Ends.Format(time.RFC3339), LogIndex: d.LogIndex}, a.For)
	require.Equal(t, map[string][]string{b.Editor.ID: nil, b.Admin.ID: nil}, waitsFor(t, b, id))
	queue, err := b.PackQueue(b.Ctx, b.Approver, 9)
	require.NoError(t, err)
	require.Zero(t, queue.NPacks, "the deputy has taken the seat")

	_, err = b.ApprovePack(b.Ctx, b.Approver, dbtest.Approval(v), db.Answering{}, dbtest.Render)
	requireWord(t, err, "refused_pack_stood_for")
	_, err = b.ApprovePack(b.Ctx, b.Second, dbtest.Approval(v), db.Answering{}, dbtest.Render)
	requireWord(t, err, "refused_pack_twice")

	v = b.Approve(t, b.Editor, v)
	require.Equal(t, pack.SignedOff, v.Life.State)
	report := b.VerifiedPack(t, id)
	said := ""
	for _, c := range report.Checks {
		if c.Name == pack.CheckApprovals {
			said = c.Detail
		}
	}
	require.Contains(t, said, b.Second.ID+" for "+b.Approver.ID+", deputy from "+a.For.From+" until "+a.For.Until)
	files, err := b.PackFiles(b.Ctx, b.Tenant.ID, id)
	require.NoError(t, err)
	require.Contains(t, string(files[pack.FileStatement]), `"onBehalfOf":{"actor":"`+b.Approver.ID+`"`)
	require.NotContains(t, string(files[pack.FileStatement]), "Name-of-approver")
	require.Contains(t, b.Actions(t, b.Tenant.ID), "user.deputy_set")
}

// TestDeputyLosesEffect: at each signature, what held when the deputy was named is asked again.
func TestDeputyLosesEffect(t *testing.T) {
	for name, c := range map[string]struct {
		change func(t *testing.T, b *dbtest.Board, d access.Deputy)
		want   string
	}{
		"the deputy's role is lost": {func(t *testing.T, b *dbtest.Board, _ access.Deputy) {
			require.NoError(t, b.SetRole(b.Ctx, access.AtCommandLine(b.Tenant.ID), b.Second.ID, access.Reviewer))
		}, "refused_deputy_lapsed"},
		"the person's role is lost": {func(t *testing.T, b *dbtest.Board, _ access.Deputy) {
			require.NoError(t, b.SetRole(b.Ctx, access.AtCommandLine(b.Tenant.ID), b.Approver.ID, access.Reviewer))
		}, "refused_deputy_lapsed"},
		"the person is shut out": {func(t *testing.T, b *dbtest.Board, _ access.Deputy) {
			require.NoError(t, b.SetMemberDisabled(b.Ctx, access.AtCommandLine(b.Tenant.ID), b.Approver.ID, true))
		}, "refused_deputy_lapsed"},
		"the time is over": {func(_ *testing.T, b *dbtest.Board, _ access.Deputy) { b.Pass(6 * 24 * time.Hour) },
			"refused_deputy_ended"},
		"it was ended": {func(t *testing.T, b *dbtest.Board, d access.Deputy) {
			_, err := b.EndDeputy(b.Ctx, b.Approver, d.ID)
			require.NoError(t, err)
		}, "refused_deputy_ended"},
		"the person set the deputy's password": {func(t *testing.T, b *dbtest.Board, _ access.Deputy) {
			require.NoError(t, b.SetPassword(b.Ctx, dbtest.As(b.Tenant, db.User{ID: b.Approver.ID}, access.Admin),
				b.Second.ID, db.NewPassword{PHC: "$argon2id$new"}))
		}, "refused_deputy_maker"},
	} {
		t.Run(name, func(t *testing.T) {
			b := dbtest.NewBoard(t)
			v := b.Submit(t, b.Draft(t, "d1", "A2"))
			d := named(t, b, b.Approver, b.Approver, b.Second, 5)
			c.change(t, b, d)
			_, err := approveFor(b, b.Second, v, b.Approver)
			requireWord(t, err, c.want)
		})
	}
	t.Run("the person made the pack", func(t *testing.T) {
		b := dbtest.NewBoard(t)
		b.Drafter = b.Approver
		v := b.Submit(t, b.Draft(t, "d1", "A2"))
		named(t, b, b.Approver, b.Approver, b.Second, 5)
		_, err := approveFor(b, b.Second, v, b.Approver)
		requireWord(t, err, "refused_deputy_other")
		b.Approve(t, b.Second, v)
	})
	t.Run("the deputy made the pack", func(t *testing.T) {
		b := dbtest.NewBoard(t)
		b.Drafter = b.Second
		v := b.Submit(t, b.Draft(t, "d1", "A2"))
		named(t, b, b.Approver, b.Approver, b.Second, 5)
		require.Contains(t, waitsFor(t, b, v.Life.PackID), b.Approver.ID, "nobody is left out")
		_, err := approveFor(b, b.Second, v, b.Approver)
		requireWord(t, err, "refused_pack_maker")
	})
}

// TestDeputiesAreTold: who becomes a deputy, ceases to be one or has one, each once; the deputy of what waits already, and
// the person of what was signed for them and what was submitted meanwhile.
func TestDeputiesAreTold(t *testing.T) {
	told := func(b *dbtest.Board, who access.Actor) (out []string) {
		list, err := b.Notices(b.Ctx, who, false, 0, 100)
		require.NoError(t, err)
		for _, n := range list {
			if n.Kind != notify.Deputy {
				continue
			}
			says := n.ObjectKind + " " + n.Place + " " + n.Title
			if n.Read {
				says += " *"
			}
			out = append(out, says)
		}
		return out
	}
	tell := func(b *dbtest.Board, want int) {
		t.Helper()
		n, err := b.TellDeputies(b.Ctx)
		require.NoError(t, err)
		require.Equal(t, want, n)
	}
	const day = 24 * time.Hour
	t.Run("from now, and to the end", func(t *testing.T) {
		b := dbtest.NewBoard(t)
		v := b.Submit(t, b.Draft(t, "d1", "A3"))
		b.Submit(t, b.Draft(t, "d2", "A2"))
		b.Pass(time.Minute)
		named(t, b, b.Approver, b.Approver, b.Second, 5)
		require.Equal(t, []string{"deputy begun/2 Name-of-approver"}, told(b, b.Second))
		require.Empty(t, told(b, b.Approver), "they did it themselves")
		tell(b, 0)
		_, err := approveFor(b, b.Second, v, b.Approver)
		require.NoError(t, err)
		require.Equal(t, []string{"pack  Riyadh Hospital fit d1"}, told(b, b.Approver))
		b.Pass(time.Hour)
		b.Submit(t, b.Draft(t, "d3", "A2"))
		b.Pass(6 * day)
		tell(b, 1)
		tell(b, 0)
		require.Equal(t, []string{"deputy back/1 Name-of-second", "pack  Riyadh Hospital fit d1"}, told(b, b.Approver))
		require.Equal(t, []string{"deputy begun/2 Name-of-approver *"}, told(b, b.Second))
	})
	t.Run("later, by an administrator, and ended early", func(t *testing.T) {
		b := dbtest.NewBoard(t)
		b.Submit(t, b.Draft(t, "d1", "A2"))
		d, err := b.SetDeputy(b.Ctx, b.Admin, db.DeputyDays{For: b.Approver.ID, By: b.Second.ID,
			From: b.At.AddDate(0, 0, 2).Format(time.DateOnly), Until: b.At.AddDate(0, 0, 5).Format(time.DateOnly)})
		require.NoError(t, err)
		require.Equal(t, []string{"deputy named Name-of-approver"}, told(b, b.Second))
		require.Equal(t, []string{"deputy given Name-of-second"}, told(b, b.Approver))
		tell(b, 0)
		b.Pass(2 * day)
		tell(b, 1)
		tell(b, 0)
		require.Equal(t, []string{"deputy begun/1 Name-of-approver", "deputy named Name-of-approver"}, told(b, b.Second))
		_, err = b.EndDeputy(b.Ctx, b.Approver, d.ID)
		require.NoError(t, err)
		require.Equal(t, []string{"deputy over Name-of-approver", "deputy begun/1 Name-of-approver *",
			"deputy named Name-of-approver *"}, told(b, b.Second))
		require.Equal(t, []string{"deputy given Name-of-second *"}, told(b, b.Approver), "they ended it, and nothing came")
		b.Pass(9 * day)
		tell(b, 0)
	})
	t.Run("called off before it began", func(t *testing.T) {
		b := dbtest.NewBoard(t)
		d, err := b.SetDeputy(b.Ctx, b.Admin, db.DeputyDays{For: b.Approver.ID, By: b.Second.ID,
			From: b.At.AddDate(0, 0, 2).Format(time.DateOnly), Until: b.At.AddDate(0, 0, 5).Format(time.DateOnly)})
		require.NoError(t, err)
		_, err = b.EndDeputy(b.Ctx, b.Admin, d.ID)
		require.NoError(t, err)
		require.Equal(t, []string{"deputy cancelled Name-of-approver", "deputy named Name-of-approver *"}, told(b, b.Second))
		require.Equal(t, []string{"deputy cancelled_for Name-of-second", "deputy given Name-of-second *"}, told(b, b.Approver))
		b.Pass(9 * day)
		tell(b, 0)
	})
	t.Run("only packs that both may approve are counted", func(t *testing.T) {
		b := dbtest.NewBoard(t)
		b.Submit(t, b.Draft(t, "d1", "A2"))
		v := b.Draft(t, "d2", "A2")
		_, err := b.SubmitPack(b.Ctx, b.Second, v.Life.PackID, v.Life.Revision, db.Answering{})
		require.NoError(t, err)
		named(t, b, b.Approver, b.Approver, b.Second, 5)
		require.Equal(t, []string{"deputy begun/1 Name-of-approver"}, told(b, b.Second))
	})
	t.Run("what was missed is told within three days, and nobody whose role is lost", func(t *testing.T) {
		b := dbtest.NewBoard(t)
		named(t, b, b.Approver, b.Approver, b.Second, 1)
		b.Pass(9 * day)
		tell(b, 0)
		named(t, b, b.Approver, b.Approver, b.Second, 1)
		require.NoError(t, b.SetRole(b.Ctx, access.AtCommandLine(b.Tenant.ID), b.Second.ID, access.Reviewer))
		b.Pass(2 * day)
		_, err := b.TellDeputies(b.Ctx)
		require.NoError(t, err)
		require.Empty(t, told(b, b.Approver))
	})
}

// TestDeputyNamedAnewWhileSigning: where the deputy was ended and named again while the files were rendered, these would
// say another time than the Statement: nothing is signed.
func TestDeputyNamedAnewWhileSigning(t *testing.T) {
	b := dbtest.NewBoard(t)
	v := b.Submit(t, b.Draft(t, "d1", "A2"))
	d := named(t, b, b.Approver, b.Approver, b.Second, 5)
	a := dbtest.Approval(v)
	a.For = b.Approver.ID
	_, err := b.ApprovePack(b.Ctx, b.Second, a, db.Answering{},
		func(f *pack.Frozen, life *pack.Life) (markdown, pdf []byte, err error) {
			_, err = b.EndDeputy(b.Ctx, b.Approver, d.ID)
			require.NoError(t, err)
			named(t, b, b.Approver, b.Approver, b.Second, 6)
			return dbtest.Render(f, life)
		})
	requireWord(t, err, "refused_deputy_changed")
	now, err := b.Pack(b.Ctx, b.Tenant.ID, v.Life.PackID)
	require.NoError(t, err)
	require.Equal(t, pack.InReview, now.Life.State)
	require.Empty(t, now.Life.Approvals)
	_, err = approveFor(b, b.Second, now, b.Approver)
	require.NoError(t, err)
	b.VerifiedPack(t, v.Life.PackID)
}

// TestDeputyDeadEnd: where everybody but one counts as one person (rule P-22), a deputy who signs for that one leaves
// nobody for the second signature. It is known before, and nobody waits for it.
func TestDeputyDeadEnd(t *testing.T) {
	b := dbtest.NewBoard(t)
	for _, who := range []access.Actor{b.Editor, b.Second} {
		require.NoError(t, b.SetPassword(b.Ctx, b.Admin, who.ID, db.NewPassword{PHC: "$argon2id$new"}))
	}
	v := b.Submit(t, b.Draft(t, "d1", "A3"))
	d := named(t, b, b.Approver, b.Approver, b.Second, 5)
	all := map[string][]string{b.Approver.ID: nil, b.Second.ID: nil, b.Editor.ID: nil, b.Admin.ID: nil}
	require.Equal(t, all, waitsFor(t, b, v.Life.PackID), "the deputy does not stand in, so that it waits for the person")
	v, err := b.Pack(b.Ctx, b.Tenant.ID, v.Life.PackID)
	require.NoError(t, err)
	w, err := b.Waits(b.Ctx, b.Tenant.ID, v)
	require.NoError(t, err)
	require.False(t, w.DeadEnd)
	require.False(t, w.EndsWith(v.Chain, b.Second.ID, nil))
	require.True(t, w.EndsWith(v.Chain, b.Second.ID, &d))

	require.NoError(t, b.SetMemberDisabled(b.Ctx, access.AtCommandLine(b.Tenant.ID), b.Approver.ID, true))
	w, err = b.Waits(b.Ctx, b.Tenant.ID, v)
	require.NoError(t, err)
	require.True(t, w.DeadEnd, "of those that are left, one alone may sign")
	require.Equal(t, []string{b.Editor.ID, b.Admin.ID, b.Second.ID}, w.IDs(), "and nobody is left out")
	require.NoError(t, b.SetMemberDisabled(b.Ctx, access.AtCommandLine(b.Tenant.ID), b.Approver.ID, false))

	v, err = approveFor(b, b.Second, v, b.Approver)
	require.NoError(t, err, "it is a warning")
	require.Empty(t, waitsFor(t, b, v.Life.PackID))
}

// TestDeputiesAreKept: of a deputy nothing changes but that they are ended, once.
func TestDeputiesAreKept(t *testing.T) {
	b := dbtest.NewBoard(t)
	named(t, b, b.Approver, b.Approver, b.Second, 5)
	d := dbtest.Raw(t, b.Dir)
	for _, c := range dbtest.SchemaOf(t, d, "deputies") {
		if strings.HasPrefix(c.Name, "ended_") {
			continue
		}
		value := c.Name + " || 'x'"
		if c.Kind == "INTEGER" {
			value = c.Name + " + 1"
		}
		_, err := d.Exec("UPDATE deputies SET ended_at = '2026-12-01T00:00:00Z', " + c.Name + " = " + value)
		require.ErrorContains(t, err, "nothing else of it changes", c.Name)
	}
	_, err := d.Exec("DELETE FROM deputies")
	require.ErrorContains(t, err, "deputies are kept")
}

// TestReminders: each step once, by any number of servers, the newest of those that were missed, until the pack is
// decided; the deputy is reminded instead of who is away.
func TestReminders(t *testing.T) {
	reminded := func(b *dbtest.Board, who access.Actor) (read, unread int) {
		list, err := b.Notices(b.Ctx, who, false, 0, 100)
		require.NoError(t, err)
		for _, n := range list {
			if n.Kind == notify.Waits && n.Read {
				read++
			} else if n.Kind == notify.Waits {
				unread++
			}
		}
		return read, unread
	}
	require1 := func(b *dbtest.Board, who access.Actor, wantRead, wantUnread int) {
		t.Helper()
		read, unread := reminded(b, who)
		require.Equal(t, [2]int{wantRead, wantUnread}, [2]int{read, unread})
	}
	remind := func(b *dbtest.Board, want int) {
		t.Helper()
		n, err := b.RemindApprovers(b.Ctx)
		require.NoError(t, err)
		require.Equal(t, want, n)
	}
	const day = 24 * time.Hour
	t.Run("the steps", func(t *testing.T) {
		b := dbtest.NewBoard(t)
		require.NoError(t, b.SetReminders(b.Ctx, b.Admin, due.Reminders{After: 2, Every: 5, Most: 2}))
		v := b.Submit(t, b.Draft(t, "d1", "A2"))
		named(t, b, b.Approver, b.Approver, b.Second, 5)
		b.Pass(2*day - time.Second)
		remind(b, 0)
		b.Pass(time.Second)
		at := b.At
		other, err := db.Open(b.Ctx, db.Options{Dir: b.Dir, Now: func() time.Time { return at }, NewID: uuid.NewString,
			Keys: dbtest.MasterKey(t, 1)}) // as a second server has it
		require.NoError(t, err)
		defer other.Close() //nolint:errcheck // of a test
		var both sync.WaitGroup
		told, failed := make([]int, 2), make([]error, 2)
		for i, s := range []interface {
			RemindApprovers(context.Context) (int, error)
		}{b, other} {
			both.Go(func() { told[i], failed[i] = s.RemindApprovers(b.Ctx) })
		}
		both.Wait()
		require.NoError(t, errors.Join(failed...))
		require.ElementsMatch(t, []int{0, 1}, told)
		remind(b, 0)
		require1(b, b.Second, 0, 1)
		require1(b, b.Approver, 0, 0)
		require1(b, b.Drafter, 0, 0)
		b.Pass(5 * day)
		remind(b, 1)
		require1(b, b.Second, 1, 1)
		require1(b, b.Approver, 0, 1)
		b.Pass(100 * day)
		remind(b, 0)
		b.Approve(t, b.Second, v)
		require1(b, b.Second, 2, 0)
		require1(b, b.Approver, 1, 0)
	})
	t.Run("what was missed", func(t *testing.T) {
		b := dbtest.NewBoard(t)
		b.Submit(t, b.Draft(t, "d1", "A2"))
		b.Pass(300 * day)
		remind(b, 1)
		require1(b, b.Second, 0, 1)
		remind(b, 0)
	})
	t.Run("a returned pack waits for nobody", func(t *testing.T) {
		b := dbtest.NewBoard(t)
		v := b.Submit(t, b.Draft(t, "d1", "A2"))
		b.Pass(3 * day)
		remind(b, 1)
		_, err := b.ReturnPack(b.Ctx, b.Second, v.Life.PackID, v.Life.Revision, "No.", db.Answering{})
		require.NoError(t, err)
		require1(b, b.Admin, 1, 0)
		b.Pass(30 * day)
		remind(b, 0)
	})
	t.Run("off", func(t *testing.T) {
		b := dbtest.NewBoard(t)
		require.NoError(t, b.SetReminders(b.Ctx, b.Admin, due.Reminders{}))
		b.Submit(t, b.Draft(t, "d1", "A2"))
		b.Pass(300 * day)
		remind(b, 0)
		requireWord(t, b.SetReminders(b.Ctx, b.Admin, due.Reminders{After: -1}), "refused_remind")
		requireWord(t, b.SetReminders(b.Ctx, b.Admin, due.Reminders{Most: 11}), "refused_remind")
	})
}
