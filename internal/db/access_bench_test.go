package db_test

import (
	"fmt"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

// crowd returns a fixture with n people, each with a login and a token.
func crowd(b *testing.B, n int) *people {
	b.Helper()
	p := newPeople(b)
	d := raw(b, p.dir)
	tx, err := d.Begin()
	require.NoError(b, err)
	at := "2026-03-01T12:30:45.000000000Z"
	for i := range n {
		id := fmt.Sprintf("u%d", i)
		for _, q := range []struct {
			query string
			args  []any
		}{
			{"INSERT INTO users VALUES (?, ?, 'Name', '', '', 'phc', NULL, 0, '', ?)", []any{id, id, at}},
			{"INSERT INTO memberships VALUES (?, ?, 'reviewer', '', ?)", []any{p.tenant.ID, id, at}},
			{"INSERT INTO logins VALUES (?, ?, ?, ?, ?, ?, ?, 0, 'agent', 'address')",
				[]any{id, "hash of " + id, id, p.tenant.ID, at, at, at}},
			{"INSERT INTO api_tokens VALUES (?, ?, ?, 'n', 'approver', '', '', ?, ?, 'operator', '2027-03-01T12:30:45.000000000Z', '', ?)",
				[]any{id, p.tenant.ID, id, "hash of " + id, at, at}},
		} {
			_, err := tx.Exec(q.query, q.args...)
			require.NoError(b, err)
		}
	}
	require.NoError(b, tx.Commit())
	return p
}

// BenchmarkSignedIn and BenchmarkTokenActor measure the identification that every request pays for.
func BenchmarkSignedIn(b *testing.B) {
	for _, n := range []int{10, 10_000} {
		b.Run(fmt.Sprintf("users=%d", n), func(b *testing.B) {
			p := crowd(b, n)
			for b.Loop() {
				_, err := p.SignedIn(p.ctx, "hash of u7")
				require.NoError(b, err)
			}
		})
	}
}

func BenchmarkTokenActor(b *testing.B) {
	for _, n := range []int{10, 10_000} {
		b.Run(fmt.Sprintf("users=%d", n), func(b *testing.B) {
			p := crowd(b, n)
			for b.Loop() {
				_, err := p.TokenActor(p.ctx, "hash of u7", netip.Addr{})
				require.NoError(b, err)
			}
		})
	}
}

// BenchmarkCreateLogin includes the append to the log.
func BenchmarkCreateLogin(b *testing.B) {
	p := newPeople(b)
	u, err := p.AddUser(p.ctx, domain.AtCommandLine(p.tenant.ID), db.User{Login: "u", Name: "U"}, domain.Viewer)
	require.NoError(b, err)
	i := 0
	for b.Loop() {
		i++
		require.NoError(b, p.CreateLogin(p.ctx, as(p.tenant, u, domain.Viewer),
			access.Login{TokenHash: fmt.Sprint(i), UserID: u.ID, TenantID: p.tenant.ID}))
	}
}
