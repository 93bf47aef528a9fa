package policies_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/redact"
)

func TestPatternsOfATenant(t *testing.T) {
	h, ctx := dbtest.New(t), context.Background()
	_, other := h.NewTenant(t, "other")
	one := []redact.Pattern{{Kind: "file", Expr: "F-[0-9]+"}, {Kind: "contract", Expr: "CN[0-9]+"}}
	two := []redact.Pattern{one[1]}
	of := func(a access.Actor) []redact.Pattern {
		got, err := h.Patterns(ctx, a.Tenant)
		require.NoError(t, err)
		return got
	}
	logged := func() (n int) {
		events, err := h.Events(ctx, h.Tenant.ID, 0, 100)
		require.NoError(t, err)
		for _, e := range events {
			if e.Action == "tenant.redaction_changed" {
				require.NotContains(t, string(e.Bytes), "F-",
					"patterns are not in the log: they may say what is secret")
				n++
			}
		}
		return n
	}
	require.NoError(t, h.SetPatterns(ctx, h.Actor, nil, one))
	require.Equal(t, one, of(h.Actor), "in their order")
	require.Empty(t, of(other))
	require.NoError(t, h.SetPatterns(ctx, h.Actor, nil, one), "already so")
	require.Equal(t, 1, logged())
	require.Equal(t, domain.Conflict, domain.KindOf(h.SetPatterns(ctx, h.Actor, nil, two)),
		"somebody else changed them first")
	require.Equal(t, domain.Invalid,
		domain.KindOf(h.SetPatterns(ctx, h.Actor, one, []redact.Pattern{{Kind: "x", Expr: "("}})))
	require.Equal(t, one, of(h.Actor))
	require.NoError(t, h.SetPatterns(ctx, h.Actor, one, two))
	require.NoError(t, h.SetPatterns(ctx, other, nil, one))
	require.Equal(t, two, of(h.Actor))
	require.NoError(t, h.SetPatterns(ctx, h.Actor, two, nil))
	require.Empty(t, of(h.Actor))
	require.Equal(t, one, of(other))
	require.Equal(t, 3, logged())
	dbtest.RequireNotFound(t, h.SetPatterns(ctx, access.Actor{Tenant: "nope"}, nil, one))
}
