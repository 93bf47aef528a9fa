package people_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
)

// TestPeopleAndTokensPageByKey checks that the pages together are the whole list for any page size, even with equal
// names, and that neither rows nor cursors of another tenant work.
func TestPeopleAndTokensPageByKey(t *testing.T) {
	p := dbtest.NewPeople(t)
	for i := range 7 {
		u := p.AddPerson(t, p.Tenant, fmt.Sprint("u", i), access.Viewer)
		p.MakeToken(t, p.Tenant, u, access.Viewer, fmt.Sprint("k", i))
		p.Pass(time.Duration(i%2) * time.Minute) // some at the same moment
	}
	foreign := p.AddPerson(t, p.Other, "foreign", access.Admin)
	foreignToken := p.MakeToken(t, p.Other, foreign, access.Viewer, "elsewhere")
	members, err := p.Members(p.Ctx, p.Tenant.ID)
	require.NoError(t, err)
	require.Len(t, members, 7)
	tokens, err := p.Tokens(p.Ctx, p.Tenant.ID)
	require.NoError(t, err)
	for size := 1; size <= 8; size++ {
		var people []access.Member
		for after, more := "", true; more; more = after != "" {
			page, next, err := p.MembersPage(p.Ctx, p.Tenant.ID, after, size)
			require.NoError(t, err)
			require.LessOrEqual(t, len(page), size)
			people, after = append(people, page...), next
		}
		require.Equal(t, members, people, size)
		var found []access.Token
		for after, more := "", true; more; more = after != "" {
			page, next, err := p.TokensPage(p.Ctx, p.Tenant.ID, after, size)
			require.NoError(t, err)
			found, after = append(found, page...), next
		}
		require.Equal(t, tokens, found, size)
	}
	page, next, err := p.MembersPage(p.Ctx, p.Tenant.ID, foreign.ID, 9)
	require.NoError(t, err)
	require.Empty(t, page)
	require.Empty(t, next)
	none, _, err := p.TokensPage(p.Ctx, p.Tenant.ID, foreignToken.ID, 9)
	require.NoError(t, err)
	require.Empty(t, none)

	one, err := p.Member(p.Ctx, p.Tenant.ID, members[3].ID)
	require.NoError(t, err)
	require.Equal(t, members[3], one)
	_, err = p.Member(p.Ctx, p.Tenant.ID, foreign.ID)
	dbtest.RequireNotFound(t, err)
	k, err := p.Token(p.Ctx, p.Tenant.ID, tokens[3].ID)
	require.NoError(t, err)
	require.Equal(t, tokens[3], k)
	_, err = p.Token(p.Ctx, p.Tenant.ID, foreignToken.ID)
	dbtest.RequireNotFound(t, err)
	n, err := p.CountMembers(p.Ctx, p.Tenant.ID)
	require.NoError(t, err)
	require.Equal(t, 7, n)
	n, err = p.CountTokens(p.Ctx, p.Tenant.ID)
	require.NoError(t, err)
	require.Equal(t, 7, n)
}

func TestNamesOfActors(t *testing.T) {
	p := dbtest.NewPeople(t)
	ali, noura := p.AddPerson(t, p.Tenant, "ali", access.Viewer), p.AddPerson(t, p.Tenant, "noura", access.Viewer)
	foreign := p.AddPerson(t, p.Other, "foreign", access.Admin)
	machine, personal := p.MakeToken(t, p.Tenant, db.User{}, access.Viewer, "machine"), p.MakeToken(t, p.Tenant, ali,
		access.Viewer, "personal")
	require.NoError(t, p.SetMemberDisabled(p.Ctx, access.AtCommandLine(p.Tenant.ID), noura.ID, true))

	names, err := p.ActorNames(p.Ctx, p.Tenant.ID,
		[]string{ali.ID, noura.ID, foreign.ID, machine.ID, personal.ID, "operator"})
	require.NoError(t, err)
	require.Equal(t, map[string]string{ali.ID: ali.Name, noura.ID: noura.Name, machine.ID: "machine"}, names)
	names, err = p.ActorNames(p.Ctx, p.Tenant.ID, nil)
	require.NoError(t, err)
	require.Empty(t, names)

	choices, err := p.MemberNames(p.Ctx, p.Tenant.ID, 9)
	require.NoError(t, err)
	require.Equal(t, []access.Named{{ID: ali.ID, Name: ali.Name}}, choices, "no disabled user")
	actors, err := p.Actors(p.Ctx, p.Tenant.ID, 9)
	require.NoError(t, err)
	require.ElementsMatch(t, []access.Named{{ID: ali.ID, Name: ali.Name}, {ID: noura.ID, Name: noura.Name},
		{ID: machine.ID, Name: "machine"}}, actors)
	actors, err = p.Actors(p.Ctx, p.Tenant.ID, 2)
	require.NoError(t, err)
	require.Len(t, actors, 2)
}
