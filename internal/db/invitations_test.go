package db_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

// invites has the rival invite a name.
func (r *rivals) invites(t *testing.T, login string, role access.Role) access.Invitation {
	t.Helper()
	i, err := r.Invite(r.ctx, r.rival, login, role)
	require.NoError(t, err)
	return i
}

// invited returns the victim's invitations.
func (r *rivals) invited(t *testing.T) []access.Invitation {
	t.Helper()
	out, err := r.InvitationsFor(r.ctx, r.victim.ID)
	require.NoError(t, err)
	return out
}

func (r *rivals) self() access.Actor { return as(r.other, r.victim, access.Approver) }

// listed returns the names in the tenant's list.
func (r *rivals) listed(t *testing.T) (names []string) {
	t.Helper()
	all, err := r.Invitations(r.ctx, r.tenant.ID)
	require.NoError(t, err)
	for _, i := range all {
		names = append(names, i.Login)
	}
	return names
}

func TestAcceptedInvitation(t *testing.T) {
	r := newRivals(t)
	sent := r.invites(t, " Salem ", access.Reviewer)
	got := r.invited(t)
	require.Len(t, got, 1)
	require.Equal(t, []any{sent.ID, r.tenant.ID, r.tenant.Name, access.Reviewer, r.rival.ID},
		[]any{got[0].ID, got[0].Tenant, got[0].TenantName, got[0].Role, got[0].By})
	_, err := r.Member(r.ctx, r.tenant.ID, r.victim.ID)
	isNotFound(t, err) // nothing yet

	for _, other := range []access.Actor{r.rival, as(r.other, r.add(t, r.other, "else", access.Admin), access.Admin)} {
		_, err := r.AcceptInvitation(r.ctx, other, sent.ID)
		isNotFound(t, err)
		isNotFound(t, r.DeclineInvitation(r.ctx, other, sent.ID))
	}
	_, err = r.AcceptInvitation(r.ctx, r.self(), sent.ID)
	require.NoError(t, err)
	m, err := r.Member(r.ctx, r.tenant.ID, r.victim.ID)
	require.NoError(t, err)
	require.Equal(t, []any{"salem", access.Reviewer}, []any{m.Login, m.Role})
	require.Empty(t, r.invited(t))
	require.Empty(t, r.listed(t))
	require.Equal(t, []string{"user.added", "invitation.sent", "user.added", "invitation.accepted"},
		r.actions(t, r.tenant.ID))
	_, err = r.AcceptInvitation(r.ctx, r.self(), sent.ID)
	isNotFound(t, err) // once
	_, err = r.Invite(r.ctx, r.rival, "salem", access.Viewer)
	is(t, domain.Conflict, err) // a member of the own tenant may be told
	is(t, domain.Denied, r.SetPassword(r.ctx, r.rival, r.victim.ID, db.NewPassword{}))
	require.Empty(t, recordFaults(t, r.Store, r.tenant.ID))
	events, err := r.Events(r.ctx, r.tenant.ID, 0, 100)
	require.NoError(t, err)
	for _, e := range events {
		require.NotContains(t, string(e.Bytes), "salem")
	}
}

// The answer, the list, the log and the statements are the same whether anybody has the name, and whatever became of it
// short of joining.
func TestInvitingTellsNoName(t *testing.T) {
	var r *rivals
	var sent [2][]string
	for n, login := range []string{"nobody", "salem"} {
		r = newRivals(t)
		stop := r.Trace(func(query string, _ []any) { sent[n] = append(sent[n], query) })
		_, err := r.Invite(r.ctx, r.rival, login, access.Viewer)
		stop()
		require.NoError(t, err)
		_, err = r.Invite(r.ctx, r.rival, login, access.Viewer)
		is(t, domain.Conflict, err) // one at a time, of either
	}
	require.NotEmpty(t, sent[0])
	require.Equal(t, sent[0], sent[1])
	r.invites(t, "nobody", access.Viewer)
	for _, login := range []string{"salem@other", "nobody@other"} {
		_, err := r.Invite(r.ctx, r.rival, login, access.Viewer)
		is(t, domain.Invalid, err)
	}
	log := r.actions(t, r.tenant.ID)
	require.NoError(t, r.DeclineInvitation(r.ctx, r.self(), r.invited(t)[0].ID))
	require.Equal(t, log, r.actions(t, r.tenant.ID), "a tenant is not told of a no")
	require.ElementsMatch(t, []string{"salem", "nobody"}, r.listed(t))
	require.Equal(t, "invitation.declined", last(r.actions(t, db.SystemTenant)))
	require.NoError(t, r.SetUserDisabled(r.ctx, access.AtCommandLine(r.other.ID), r.victim.ID, true))
	require.ElementsMatch(t, []string{"salem", "nobody"}, r.listed(t))
}

// Whether a name is a member's is looked up from the tenant's members, not from all accounts.
func TestInvitingReadsTheOwnTenant(t *testing.T) {
	dbtest.SQLiteOnly(t, "it reads SQLite's query plans")
	r := newRivals(t)
	var seen []string
	d := dbtest.Raw(t, r.dir)
	stop := r.Trace(func(query string, args []any) {
		seen = append(seen, plan(t, d, query, args)...)
	})
	r.invites(t, "salem", access.Viewer)
	stop()
	for _, step := range seen {
		require.NotRegexp(t, `users.*\(login=`, step)
	}
}

// A declined invitation of a tenant is not followed by another one before it would have ended.
func TestDeclinedInvitation(t *testing.T) {
	r := newRivals(t)
	i := r.invites(t, "salem", access.Viewer)
	require.NoError(t, r.DeclineInvitation(r.ctx, r.self(), i.ID))
	require.Empty(t, r.invited(t))
	_, err := r.AcceptInvitation(r.ctx, r.self(), i.ID)
	isNotFound(t, err)
	require.NoError(t, r.WithdrawInvitation(r.ctx, r.rival, i.ID))
	r.pass(time.Hour)
	r.invites(t, "salem", access.Viewer)
	require.Empty(t, r.invited(t))
	r.pass(access.InvitationFor - time.Hour)
	require.Len(t, r.invited(t), 1)
}

func TestInvitationsEnd(t *testing.T) {
	for name, c := range map[string]func(t *testing.T, r *rivals, i access.Invitation){
		"withdrawn": func(t *testing.T, r *rivals, i access.Invitation) {
			isNotFound(t, r.WithdrawInvitation(r.ctx, as(r.other, r.victim, access.Admin), i.ID))
			require.NoError(t, r.WithdrawInvitation(r.ctx, r.rival, i.ID))
			isNotFound(t, r.WithdrawInvitation(r.ctx, r.rival, i.ID))
			require.Equal(t, "invitation.withdrawn", last(r.actions(t, r.tenant.ID)))
		},
		"too late": func(t *testing.T, r *rivals, _ access.Invitation) {
			r.pass(access.InvitationFor)
			require.Empty(t, r.listed(t))
			require.NoError(t, r.LapseInvitations(r.ctx))
			require.Equal(t, "invitation.lapsed", last(r.actions(t, r.tenant.ID)))
			require.Zero(t, count(t, dbtest.Raw(t, r.dir), "invitations"), "no name stays")
		},
		"the person is disabled": func(t *testing.T, r *rivals, _ access.Invitation) {
			require.NoError(t, r.SetUserDisabled(r.ctx, access.AtCommandLine(r.other.ID), r.victim.ID, true))
		},
		"the sender is no administrator any more": func(t *testing.T, r *rivals, _ access.Invitation) {
			require.NoError(t, r.SetRole(r.ctx, access.AtCommandLine(r.tenant.ID), r.rival.ID, access.Approver))
		},
		"the sender is shut out": func(t *testing.T, r *rivals, _ access.Invitation) {
			require.NoError(t, r.SetMemberDisabled(r.ctx, access.AtCommandLine(r.tenant.ID), r.rival.ID, true))
		},
		"the operator added the person meanwhile": func(t *testing.T, r *rivals, _ access.Invitation) {
			r.also(t, r.tenant, r.victim, access.Viewer)
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRivals(t)
			r.add(t, r.tenant, "second", access.Admin)
			i := r.invites(t, "salem", access.Viewer)
			require.Len(t, r.invited(t), 1)
			c(t, r, i)
			require.Empty(t, r.invited(t))
			_, err := r.AcceptInvitation(r.ctx, r.self(), i.ID)
			isNotFound(t, err)
		})
	}
	t.Run("a second administrator is required meanwhile", func(t *testing.T) {
		r := newRivals(t)
		i := r.invites(t, "salem", access.Approver)
		require.Len(t, r.invited(t), 1)
		r.add(t, r.tenant, "second", access.Admin)
		require.Empty(t, r.invited(t))
		_, err := r.AcceptInvitation(r.ctx, r.self(), i.ID)
		isNotFound(t, err)
	})
}

// A name that somebody gets after it was invited is not the one that was meant, nor is an account of one tenant.
func TestInvitationsReachAccountsOfThatTime(t *testing.T) {
	r := newRivals(t)
	r.invites(t, "later", access.Admin)
	r.pass(time.Minute)
	u := r.add(t, r.other, "later", access.Viewer)
	got, err := r.InvitationsFor(r.ctx, u.ID)
	require.NoError(t, err)
	require.Empty(t, got)
}

func TestWhoInvites(t *testing.T) {
	r := newRivals(t)
	_, err := r.Invite(r.ctx, r.rival, "salem", "owner")
	is(t, domain.Invalid, err)
	machine := r.rival
	machine.Human = false
	approver := r.rival
	approver.Role = access.Approver
	for name, a := range map[string]access.Actor{"a machine": machine, "an approver": approver,
		"the operator, who adds people": access.AtCommandLine(r.tenant.ID)} {
		_, err := r.Invite(r.ctx, a, "salem", access.Viewer)
		require.Equal(t, domain.Denied, domain.KindOf(err), name)
	}
	for n := range access.MostInvitations {
		r.invites(t, fmt.Sprint("name", n), access.Viewer)
	}
	_, err = r.Invite(r.ctx, r.rival, "salem", access.Viewer)
	is(t, domain.Conflict, err)
	r.pass(access.InvitationFor)
	r.invites(t, "salem", access.Viewer)
}

// A tenant that invites and withdraws all day is stopped, until a day has passed.
func TestInvitationsOfADay(t *testing.T) {
	r := newRivals(t)
	for range access.MostInvitationsADay {
		r.invites(t, "salem", access.Viewer)
		waiting := must1(r.Invitations(r.ctx, r.rival.Tenant))
		require.NoError(t, r.WithdrawInvitation(r.ctx, r.rival, waiting[0].ID))
	}
	_, err := r.Invite(r.ctx, r.rival, "salem", access.Viewer)
	is(t, domain.Conflict, err)
	r.pass(25 * time.Hour)
	r.invites(t, "salem", access.Viewer)
}

// Inviting an approver needs the second administrator, whose confirmation the membership names.
func TestInvitingAnApproverWaits(t *testing.T) {
	p := newPair(t)
	u := p.add(t, p.other, "salem", access.Viewer)
	_, err := p.Invite(p.ctx, p.first, "salem", access.Viewer)
	require.NoError(t, err, "a viewer needs none")
	require.NoError(t, p.WithdrawInvitation(p.ctx, p.first, must1(p.Invitations(p.ctx, p.tenant.ID))[0].ID))

	_, err = p.Invite(p.ctx, p.first, "salem", access.Approver)
	r := asked(t, err)
	require.Equal(t, []any{access.InvitePerson, "salem", access.Approver},
		[]any{r.Change.Kind, r.Change.Object, r.Change.Role})
	require.Empty(t, must1(p.InvitationsFor(p.ctx, u.ID)))
	_, err = p.ConfirmChange(p.ctx, p.second, r.ID)
	require.NoError(t, err)
	got := must1(p.InvitationsFor(p.ctx, u.ID))
	require.Len(t, got, 1)
	require.Equal(t, []string{p.first.ID, r.ID}, []string{got[0].By, got[0].Request})
	_, err = p.AcceptInvitation(p.ctx, as(p.other, u, access.Viewer), got[0].ID)
	require.NoError(t, err)
}

func must1[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// For 30 days, who invited a person counts for what that person does (rule P-22).
func TestWhoInvitedStandsBehind(t *testing.T) {
	r := newRivals(t)
	i := r.invites(t, "salem", access.Admin)
	r.pass(access.InvitationFor - time.Hour)
	_, err := r.AcceptInvitation(r.ctx, r.self(), i.ID)
	require.NoError(t, err)
	second := as(r.tenant, r.add(t, r.tenant, "second", access.Admin), access.Admin)
	r.pass(access.MakerFor - time.Hour) // counted from when the person joined
	linked := func() bool {
		d := must1(r.Demand(r.ctx, r.rival))
		require.Equal(t, 3, d.Admins)
		return d.Able == 1 // the second only
	}
	require.True(t, linked())
	require.Equal(t, 2, must1(r.Demand(r.ctx, second)).Able)
	r.pass(2 * time.Hour)
	require.False(t, linked())
}

func TestTwoAcceptAtOnce(t *testing.T) {
	r := newRivals(t)
	i := r.invites(t, "salem", access.Viewer)
	require.Equal(t, 1, together(4, func(int) bool {
		_, err := r.AcceptInvitation(r.ctx, r.self(), i.ID)
		return err == nil
	}))
	require.Len(t, slices.DeleteFunc(r.actions(t, r.tenant.ID),
		func(a string) bool { return a != "invitation.accepted" }), 1)
}
