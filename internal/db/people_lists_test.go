package db_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain/access"
)

// TestPeopleAndTokensPageByKey checks that the pages together are the whole list for any page size, even with equal
// names, and that neither rows nor cursors of another tenant work.
func TestPeopleAndTokensPageByKey(t *testing.T) {
	p := newPeople(t)
	for i := range 7 {
		u := p.add(t, p.tenant, fmt.Sprint("u", i), access.Viewer)
		p.token(t, p.tenant, u, access.Viewer, fmt.Sprint("k", i))
		p.pass(time.Duration(i%2) * time.Minute) // some at the same moment
	}
	foreign := p.add(t, p.other, "foreign", access.Admin)
	foreignToken := p.token(t, p.other, foreign, access.Viewer, "elsewhere")
	members, err := p.Members(p.ctx, p.tenant.ID)
	require.NoError(t, err)
	require.Len(t, members, 7)
	tokens, err := p.Tokens(p.ctx, p.tenant.ID)
	require.NoError(t, err)
	for size := 1; size <= 8; size++ {
		var people []access.Member
		for after, more := "", true; more; more = after != "" {
			page, next, err := p.MembersPage(p.ctx, p.tenant.ID, after, size)
			require.NoError(t, err)
			require.LessOrEqual(t, len(page), size)
			people, after = append(people, page...), next
		}
		require.Equal(t, members, people, size)
		var found []access.Token
		for after, more := "", true; more; more = after != "" {
			page, next, err := p.TokensPage(p.ctx, p.tenant.ID, after, size)
			require.NoError(t, err)
			found, after = append(found, page...), next
		}
		require.Equal(t, tokens, found, size)
	}
	page, next, err := p.MembersPage(p.ctx, p.tenant.ID, foreign.ID, 9)
	require.NoError(t, err)
	require.Empty(t, page)
	require.Empty(t, next)
	none, _, err := p.TokensPage(p.ctx, p.tenant.ID, foreignToken.ID, 9)
	require.NoError(t, err)
	require.Empty(t, none)

	one, err := p.Member(p.ctx, p.tenant.ID, members[3].ID)
	require.NoError(t, err)
	require.Equal(t, members[3], one)
	_, err = p.Member(p.ctx, p.tenant.ID, foreign.ID)
	isNotFound(t, err)
	k, err := p.Token(p.ctx, p.tenant.ID, tokens[3].ID)
	require.NoError(t, err)
	require.Equal(t, tokens[3], k)
	_, err = p.Token(p.ctx, p.tenant.ID, foreignToken.ID)
	isNotFound(t, err)
	n, err := p.CountMembers(p.ctx, p.tenant.ID)
	require.NoError(t, err)
	require.Equal(t, 7, n)
	n, err = p.CountTokens(p.ctx, p.tenant.ID)
	require.NoError(t, err)
	require.Equal(t, 7, n)
}

func TestNamesOfActors(t *testing.T) {
	p := newPeople(t)
	ali, noura := p.add(t, p.tenant, "ali", access.Viewer), p.add(t, p.tenant, "noura", access.Viewer)
	foreign := p.add(t, p.other, "foreign", access.Admin)
	machine, personal := p.token(t, p.tenant, db.User{}, access.Viewer, "machine"), p.token(t, p.tenant, ali,
		access.Viewer, "personal")
	require.NoError(t, p.SetMemberDisabled(p.ctx, access.AtCommandLine(p.tenant.ID), noura.ID, true))

	names, err := p.ActorNames(p.ctx, p.tenant.ID,
		[]string{ali.ID, noura.ID, foreign.ID, machine.ID, personal.ID, "operator"})
	require.NoError(t, err)
	require.Equal(t, map[string]string{ali.ID: ali.Name, noura.ID: noura.Name, machine.ID: "machine"}, names)
	names, err = p.ActorNames(p.ctx, p.tenant.ID, nil)
	require.NoError(t, err)
	require.Empty(t, names)

	choices, err := p.MemberNames(p.ctx, p.tenant.ID, 9)
	require.NoError(t, err)
	require.Equal(t, []access.Named{{ID: ali.ID, Name: ali.Name}}, choices, "no disabled user")
	actors, err := p.Actors(p.ctx, p.tenant.ID, 9)
	require.NoError(t, err)
	require.ElementsMatch(t, []access.Named{{ID: ali.ID, Name: ali.Name}, {ID: noura.ID, Name: noura.Name},
		{ID: machine.ID, Name: "machine"}}, actors)
	actors, err = p.Actors(p.ctx, p.tenant.ID, 2)
	require.NoError(t, err)
	require.Len(t, actors, 2)
}
