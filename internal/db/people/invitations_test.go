package people_test

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
	i, err := r.Invite(r.Ctx, r.rival, login, role)
	require.NoError(t, err)
	return i
}

// invited returns the victim's invitations.
func (r *rivals) invited(t *testing.T) []access.Invitation {
	t.Helper()
	out, err := r.InvitationsFor(r.Ctx, r.victim.ID)
	require.NoError(t, err)
	return out
}

func (r *rivals) self() access.Actor { return dbtest.As(r.Other, r.victim, access.Approver) }

// listed returns the names in the tenant's list.
func (r *rivals) listed(t *testing.T) (names []string) {
	t.Helper()
	all, err := r.Invitations(r.Ctx, r.Tenant.ID)
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
	require.Equal(t, []any{sent.ID, r.Tenant.ID, r.Tenant.Name, access.Reviewer, r.rival.ID},
		[]any{got[0].ID, got[0].Tenant, got[0].TenantName, got[0].Role, got[0].By})
	_, err := r.Member(r.Ctx, r.Tenant.ID, r.victim.ID)
	dbtest.RequireNotFound(t, err) // nothing yet

	for _, other := range []access.Actor{r.rival,
		dbtest.As(r.Other, r.AddPerson(t, r.Other, "else", access.Admin), access.Admin)} {
		_, err := r.AcceptInvitation(r.Ctx, other, sent.ID)
		dbtest.RequireNotFound(t, err)
		dbtest.RequireNotFound(t, r.DeclineInvitation(r.Ctx, other, sent.ID))
	}
	_, err = r.AcceptInvitation(r.Ctx, r.self(), sent.ID)
	require.NoError(t, err)
	m, err := r.Member(r.Ctx, r.Tenant.ID, r.victim.ID)
	require.NoError(t, err)
	require.Equal(t, []any{"salem", access.Reviewer}, []any{m.Login, m.Role})
	require.Empty(t, r.invited(t))
	require.Empty(t, r.listed(t))
	require.Equal(t, []string{"user.added", "invitation.sent", "user.added", "invitation.accepted"},
		r.Actions(t, r.Tenant.ID))
	_, err = r.AcceptInvitation(r.Ctx, r.self(), sent.ID)
	dbtest.RequireNotFound(t, err) // once
	_, err = r.Invite(r.Ctx, r.rival, "salem", access.Viewer)
	dbtest.RequireKind(t, domain.Conflict, err) // a member of the own tenant may be told
	dbtest.RequireKind(t, domain.Denied, r.SetPassword(r.Ctx, r.rival, r.victim.ID, db.NewPassword{}))
	require.Empty(t, dbtest.RecordFaults(t, r.Store, r.Tenant.ID))
	events, err := r.Events(r.Ctx, r.Tenant.ID, 0, 100)
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
		_, err := r.Invite(r.Ctx, r.rival, login, access.Viewer)
		stop()
		require.NoError(t, err)
		_, err = r.Invite(r.Ctx, r.rival, login, access.Viewer)
		dbtest.RequireKind(t, domain.Conflict, err) // one at a time, of either
	}
	require.NotEmpty(t, sent[0])
	require.Equal(t, sent[0], sent[1])
	r.invites(t, "nobody", access.Viewer)
	for _, login := range []string{"salem@other", "nobody@other"} {
		_, err := r.Invite(r.Ctx, r.rival, login, access.Viewer)
		dbtest.RequireKind(t, domain.Invalid, err)
	}
	log := r.Actions(t, r.Tenant.ID)
	require.NoError(t, r.DeclineInvitation(r.Ctx, r.self(), r.invited(t)[0].ID))
	require.Equal(t, log, r.Actions(t, r.Tenant.ID), "a tenant is not told of a no")
	require.ElementsMatch(t, []string{"salem", "nobody"}, r.listed(t))
	require.Equal(t, "invitation.declined", dbtest.Last(r.Actions(t, db.SystemTenant)))
	require.NoError(t, r.SetUserDisabled(r.Ctx, access.AtCommandLine(r.Other.ID), r.victim.ID, true))
	require.ElementsMatch(t, []string{"salem", "nobody"}, r.listed(t))
}

// Whether a name is a member's is looked up from the tenant's members, not from all accounts.
func TestInvitingReadsTheOwnTenant(t *testing.T) {
	dbtest.SQLiteOnly(t, "it reads SQLite's query plans")
	r := newRivals(t)
	var seen []string
	d := dbtest.Raw(t, r.Dir)
	stop := r.Trace(func(query string, args []any) {
		seen = append(seen, dbtest.Plan(t, d, query, args)...)
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
	require.NoError(t, r.DeclineInvitation(r.Ctx, r.self(), i.ID))
	require.Empty(t, r.invited(t))
	_, err := r.AcceptInvitation(r.Ctx, r.self(), i.ID)
	dbtest.RequireNotFound(t, err)
	require.NoError(t, r.WithdrawInvitation(r.Ctx, r.rival, i.ID))
	r.Pass(time.Hour)
	r.invites(t, "salem", access.Viewer)
	require.Empty(t, r.invited(t))
	r.Pass(access.InvitationFor - time.Hour)
	require.Len(t, r.invited(t), 1)
}

func TestInvitationsEnd(t *testing.T) {
	for name, c := range map[string]func(t *testing.T, r *rivals, i access.Invitation){
		"withdrawn": func(t *testing.T, r *rivals, i access.Invitation) {
			dbtest.RequireNotFound(t, r.WithdrawInvitation(r.Ctx, dbtest.As(r.Other, r.victim, access.Admin), i.ID))
			require.NoError(t, r.WithdrawInvitation(r.Ctx, r.rival, i.ID))
			dbtest.RequireNotFound(t, r.WithdrawInvitation(r.Ctx, r.rival, i.ID))
			require.Equal(t, "invitation.withdrawn", dbtest.Last(r.Actions(t, r.Tenant.ID)))
		},
		"too late": func(t *testing.T, r *rivals, _ access.Invitation) {
			r.Pass(access.InvitationFor)
			require.Empty(t, r.listed(t))
			require.NoError(t, r.LapseInvitations(r.Ctx))
			require.Equal(t, "invitation.lapsed", dbtest.Last(r.Actions(t, r.Tenant.ID)))
			require.Zero(t, dbtest.Count(t, dbtest.Raw(t, r.Dir), "invitations"), "no name stays")
		},
		"the person is disabled": func(t *testing.T, r *rivals, _ access.Invitation) {
			require.NoError(t, r.SetUserDisabled(r.Ctx, access.AtCommandLine(r.Other.ID), r.victim.ID, true))
		},
		"the sender is no administrator any more": func(t *testing.T, r *rivals, _ access.Invitation) {
			require.NoError(t, r.SetRole(r.Ctx, access.AtCommandLine(r.Tenant.ID), r.rival.ID, access.Approver))
		},
		"the sender is shut out": func(t *testing.T, r *rivals, _ access.Invitation) {
			require.NoError(t, r.SetMemberDisabled(r.Ctx, access.AtCommandLine(r.Tenant.ID), r.rival.ID, true))
		},
		"the operator added the person meanwhile": func(t *testing.T, r *rivals, _ access.Invitation) {
			r.AlsoMember(t, r.Tenant, r.victim, access.Viewer)
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRivals(t)
			r.AddPerson(t, r.Tenant, "second", access.Admin)
			i := r.invites(t, "salem", access.Viewer)
			require.Len(t, r.invited(t), 1)
			c(t, r, i)
			require.Empty(t, r.invited(t))
			_, err := r.AcceptInvitation(r.Ctx, r.self(), i.ID)
			dbtest.RequireNotFound(t, err)
		})
	}
	t.Run("a second administrator is required meanwhile", func(t *testing.T) {
		r := newRivals(t)
		i := r.invites(t, "salem", access.Approver)
		require.Len(t, r.invited(t), 1)
		r.AddPerson(t, r.Tenant, "second", access.Admin)
		require.Empty(t, r.invited(t))
		_, err := r.AcceptInvitation(r.Ctx, r.self(), i.ID)
		dbtest.RequireNotFound(t, err)
	})
}

// A name that somebody gets after it was invited is not the one that was meant, nor is an account of one tenant.
func TestInvitationsReachAccountsOfThatTime(t *testing.T) {
	r := newRivals(t)
	r.invites(t, "later", access.Admin)
	r.Pass(time.Minute)
	u := r.AddPerson(t, r.Other, "later", access.Viewer)
	got, err := r.InvitationsFor(r.Ctx, u.ID)
	require.NoError(t, err)
	require.Empty(t, got)
}

func TestWhoInvites(t *testing.T) {
	r := newRivals(t)
	_, err := r.Invite(r.Ctx, r.rival, "salem", "owner")
	dbtest.RequireKind(t, domain.Invalid, err)
	machine := r.rival
	machine.Human = false
	approver := r.rival
	approver.Role = access.Approver
	for name, a := range map[string]access.Actor{"a machine": machine, "an approver": approver,
		"the operator, who adds people": access.AtCommandLine(r.Tenant.ID)} {
		_, err := r.Invite(r.Ctx, a, "salem", access.Viewer)
		require.Equal(t, domain.Denied, domain.KindOf(err), name)
	}
	for n := range access.MostInvitations {
		r.invites(t, fmt.Sprint("name", n), access.Viewer)
	}
	_, err = r.Invite(r.Ctx, r.rival, "salem", access.Viewer)
	dbtest.RequireKind(t, domain.Conflict, err)
	r.Pass(access.InvitationFor)
	r.invites(t, "salem", access.Viewer)
}

// A tenant that invites and withdraws all day is stopped, until a day has passed.
func TestInvitationsOfADay(t *testing.T) {
	r := newRivals(t)
	for range access.MostInvitationsADay {
		r.invites(t, "salem", access.Viewer)
		waiting := must1(r.Invitations(r.Ctx, r.rival.Tenant))
		require.NoError(t, r.WithdrawInvitation(r.Ctx, r.rival, waiting[0].ID))
	}
	_, err := r.Invite(r.Ctx, r.rival, "salem", access.Viewer)
	dbtest.RequireKind(t, domain.Conflict, err)
	r.Pass(25 * time.Hour)
	r.invites(t, "salem", access.Viewer)
}

// Inviting an approver needs the second administrator, whose confirmation the membership names.
func TestInvitingAnApproverWaits(t *testing.T) {
	p := newPair(t)
	u := p.AddPerson(t, p.Other, "salem", access.Viewer)
	_, err := p.Invite(p.Ctx, p.first, "salem", access.Viewer)
	require.NoError(t, err, "a viewer needs none")
	require.NoError(t, p.WithdrawInvitation(p.Ctx, p.first, must1(p.Invitations(p.Ctx, p.Tenant.ID))[0].ID))

	_, err = p.Invite(p.Ctx, p.first, "salem", access.Approver)
	r := dbtest.RequireAsked(t, err)
	require.Equal(t, []any{access.InvitePerson, "salem", access.Approver},
		[]any{r.Change.Kind, r.Change.Object, r.Change.Role})
	require.Empty(t, must1(p.InvitationsFor(p.Ctx, u.ID)))
	_, err = p.ConfirmChange(p.Ctx, p.second, r.ID)
	require.NoError(t, err)
	got := must1(p.InvitationsFor(p.Ctx, u.ID))
	require.Len(t, got, 1)
	require.Equal(t, []string{p.first.ID, r.ID}, []string{got[0].By, got[0].Request})
	_, err = p.AcceptInvitation(p.Ctx, dbtest.As(p.Other, u, access.Viewer), got[0].ID)
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
	r.Pass(access.InvitationFor - time.Hour)
	_, err := r.AcceptInvitation(r.Ctx, r.self(), i.ID)
	require.NoError(t, err)
	second := dbtest.As(r.Tenant, r.AddPerson(t, r.Tenant, "second", access.Admin), access.Admin)
	r.Pass(access.MakerFor - time.Hour) // counted from when the person joined
	linked := func() bool {
		d := must1(r.Demand(r.Ctx, r.rival))
		require.Equal(t, 3, d.Admins)
		return d.Able == 1 // the second only
	}
	require.True(t, linked())
	require.Equal(t, 2, must1(r.Demand(r.Ctx, second)).Able)
	r.Pass(2 * time.Hour)
	require.False(t, linked())
}

func TestTwoAcceptAtOnce(t *testing.T) {
	r := newRivals(t)
	i := r.invites(t, "salem", access.Viewer)
	require.Equal(t, 1, dbtest.Together(4, func(int) bool {
		_, err := r.AcceptInvitation(r.Ctx, r.self(), i.ID)
		return err == nil
	}))
	require.Len(t, slices.DeleteFunc(r.Actions(t, r.Tenant.ID),
		func(a string) bool { return a != "invitation.accepted" }), 1)
}

// linked has the rival make a link whose secret's hash is hash.
func (r *rivals) linked(t *testing.T, hash string, role access.Role) access.Invitation {
	t.Helper()
	i, err := r.InviteByLink(r.Ctx, r.rival, access.Link{Hash: hash, Role: role, Name: " Hana ", Email: "Hana@Example.test",
		Days: access.LinkDays})
	require.NoError(t, err)
	return i
}

// joins tries to make an account with a link.
func (r *rivals) joins(hash, login string) (db.User, error) {
	return r.Join(r.Ctx, access.Actor{From: "192.0.2.7"}, hash, db.User{Login: login, Name: "Hana Said", Password: "phc"})
}

func TestJoinByLink(t *testing.T) {
	r := newRivals(t)
	sent := r.linked(t, "h1", access.Auditor)
	got, err := r.InvitationByLink(r.Ctx, "h1")
	require.NoError(t, err)
	require.Equal(t, []any{sent.ID, r.Tenant.Name, "Hana", "hana@example.test", access.Auditor, r.rival.ID, true},
		[]any{got.ID, got.TenantName, got.Name, got.Email, got.Role, got.By, got.ByLink()})

	for _, login := range []string{"hana@example.test", "", "Hana Said", "hana@other"} { // another's name, or none
		_, err := r.joins("h1", login)
		dbtest.RequireKind(t, domain.Invalid, err)
	}
	u, err := r.joins("h1", "Hana")
	require.NoError(t, err, "what was refused did not use the link up")
	m, err := r.Member(r.Ctx, r.Tenant.ID, u.ID)
	require.NoError(t, err)
	require.Equal(t, []any{"hana@" + r.Tenant.Slug, "Hana Said", "", "hana@example.test", access.Auditor},
		[]any{m.Login, m.Name, m.Email, m.Contact, m.Role})
	require.Empty(t, r.listed(t))
	_, err = r.joins("h1", "other")
	dbtest.RequireNotFound(t, err) // once
	_, err = r.InvitationByLink(r.Ctx, "h1")
	dbtest.RequireNotFound(t, err)

	require.Equal(t, []string{"user.added", "invitation.sent", "user.added", "invitation.accepted"},
		r.Actions(t, r.Tenant.ID))
	events, err := r.Events(r.Ctx, r.Tenant.ID, 0, 100)
	require.NoError(t, err)
	added, accepted := events[2], events[3]
	require.Equal(t, []string{r.rival.ID, u.ID}, []string{added.Actor, added.ObjectID}, "made in the name of who invited")
	require.Contains(t, string(added.Bytes), `"invitation":"`+sent.ID+`"`)
	require.Equal(t, []string{u.ID, sent.ID}, []string{accepted.Actor, accepted.ObjectID})
	for _, e := range events {
		require.NotContains(t, string(e.Bytes), "hana")
		require.NotContains(t, string(e.Bytes), "h1")
	}
	require.Empty(t, dbtest.RecordFaults(t, r.Store, r.Tenant.ID))
}

// Whoever made the link counts as one person with who used it, from when it was used (rule P-22).
func TestWhoMadeALinkStandsBehind(t *testing.T) {
	p := newPair(t)
	_, err := p.InviteByLink(p.Ctx, p.first, access.Link{Hash: "h", Role: access.Admin, Days: access.MostLinkDays})
	r := dbtest.RequireAsked(t, err)
	require.Equal(t, []any{access.InvitePerson, access.Admin}, []any{r.Change.Kind, r.Change.Role})
	_, err = p.Join(p.Ctx, access.Actor{}, "h", db.User{Login: "hana", Name: "Hana Said"})
	dbtest.RequireNotFound(t, err) // not confirmed
	p.Pass(access.RequestFor - time.Hour)
	_, err = p.ConfirmChange(p.Ctx, p.second, r.ID)
	require.NoError(t, err)
	p.Pass(access.MostLinkDays*24*time.Hour - time.Hour) // counted from the confirmation
	u, err := p.Join(p.Ctx, access.Actor{}, "h", db.User{Login: "hana", Name: "Hana Said"})
	require.NoError(t, err)
	require.Zero(t, dbtest.Count(t, dbtest.Raw(t, p.Dir), "change_requests WHERE content LIKE '%link\":%'"))

	hana := dbtest.As(p.Tenant, u, access.Admin)
	hana.Why = "As agreed."
	r = dbtest.RequireAsked(t, p.SetRole(p.Ctx, hana, p.second.ID, access.Approver))
	_, err = p.ConfirmChange(p.Ctx, p.first, r.ID)
	dbtest.RequireKind(t, domain.Denied, err) // they are one person
}

// A link that was withdrawn, whose time is over, or whose sender may not invite any more makes no account.
func TestLinksEnd(t *testing.T) {
	for name, c := range map[string]func(t *testing.T, r *rivals, i access.Invitation){
		"withdrawn": func(t *testing.T, r *rivals, i access.Invitation) {
			require.NoError(t, r.WithdrawInvitation(r.Ctx, r.rival, i.ID))
			require.Equal(t, "invitation.withdrawn", dbtest.Last(r.Actions(t, r.Tenant.ID)))
		},
		"too late": func(_ *testing.T, r *rivals, _ access.Invitation) { r.Pass(access.LinkDays * 24 * time.Hour) },
		"lapsed": func(t *testing.T, r *rivals, _ access.Invitation) {
			r.Pass(access.LinkDays * 24 * time.Hour)
			require.NoError(t, r.LapseInvitations(r.Ctx))
			require.Zero(t, dbtest.Count(t, dbtest.Raw(t, r.Dir), "invitations"))
		},
		"the sender is no administrator any more": func(t *testing.T, r *rivals, _ access.Invitation) {
			require.NoError(t, r.SetRole(r.Ctx, access.AtCommandLine(r.Tenant.ID), r.rival.ID, access.Approver))
			require.True(t, must1(r.Invitations(r.Ctx, r.Tenant.ID))[0].Void, "the list says so")
		},
		"the sender is shut out": func(t *testing.T, r *rivals, _ access.Invitation) {
			require.NoError(t, r.SetMemberDisabled(r.Ctx, access.AtCommandLine(r.Tenant.ID), r.rival.ID, true))
		},
		"never was": func(t *testing.T, r *rivals, i access.Invitation) {
			require.NoError(t, r.WithdrawInvitation(r.Ctx, r.rival, i.ID))
			r.invites(t, "salem", access.Viewer)
			_, err := r.joins("", "hana") // an invitation by name has no hash
			dbtest.RequireNotFound(t, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRivals(t)
			r.AddPerson(t, r.Tenant, "second", access.Admin)
			i := r.linked(t, "h", access.Viewer)
			require.False(t, must1(r.Invitations(r.Ctx, r.Tenant.ID))[0].Void)
			c(t, r, i)
			_, err := r.InvitationByLink(r.Ctx, "h")
			dbtest.RequireNotFound(t, err)
			_, err = r.joins("h", "hana")
			dbtest.RequireNotFound(t, err)
			require.NotContains(t, r.Actions(t, r.Tenant.ID), "invitation.accepted")
		})
	}
}

func TestTwoUseALinkAtOnce(t *testing.T) {
	r := newRivals(t)
	r.linked(t, "h", access.Viewer)
	require.Equal(t, 1, dbtest.Together(4, func(n int) bool {
		_, err := r.joins("h", fmt.Sprint("hana", n))
		return err == nil
	}))
	require.Len(t, slices.DeleteFunc(r.Actions(t, r.Tenant.ID),
		func(a string) bool { return a != "invitation.accepted" }), 1)
}

func TestWhoMakesLinks(t *testing.T) {
	r := newRivals(t)
	link := access.Link{Hash: "h", Role: access.Viewer, Days: 1}
	machine, approver := r.rival, r.rival
	machine.Human, approver.Role = false, access.Approver
	for _, a := range []access.Actor{machine, approver, access.AtCommandLine(r.Tenant.ID)} {
		_, err := r.InviteByLink(r.Ctx, a, link)
		dbtest.RequireKind(t, domain.Denied, err)
	}
	for field, change := range map[string]func(*access.Link){
		"role": func(l *access.Link) { l.Role = "owner" }, "days": func(l *access.Link) { l.Days = access.MostLinkDays + 1 },
		"name": func(l *access.Link) { l.Name = "a\u202eb" }, "email": func(l *access.Link) { l.Email = "nowhere" },
	} {
		bad := link
		change(&bad)
		_, err := r.InviteByLink(r.Ctx, r.rival, bad)
		dbtest.RequireKind(t, domain.Invalid, err)
		var refused *domain.Error
		require.ErrorAs(t, err, &refused)
		require.Equal(t, field, refused.Path)
	}
	for n := range access.MostInvitations {
		link.Hash = fmt.Sprint("h", n)
		_, err := r.InviteByLink(r.Ctx, r.rival, link)
		require.NoError(t, err)
	}
	link.Hash = "more"
	_, err := r.InviteByLink(r.Ctx, r.rival, link)
	dbtest.RequireKind(t, domain.Conflict, err)
}
