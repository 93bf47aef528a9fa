package demo_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/cmd/web/demo"
	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
	"sanad/internal/keys"
)

// The demo has a pack in every state, in both languages and without broken rules. Seeding it again changes nothing.
func TestSeedShowsEveryState(t *testing.T) {
	ctx := context.Background()
	box, err := keys.New(make([]byte, keys.MasterSize))
	require.NoError(t, err)
	now := func() time.Time { return time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC) }
	store, err := db.Open(ctx, db.Options{Dir: dbtest.Dir(t), Now: now, NewID: uuid.NewString, Keys: box})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	tenant, err := store.AddTenant(ctx, "demo", "Demo")
	require.NoError(t, err)
	actor := func(role access.Role) access.Actor {
		u, err := store.AddUser(ctx, access.AtCommandLine(tenant.ID),
			db.User{Login: string(role), Name: "The " + string(role), Password: "x"}, role)
		require.NoError(t, err)
		return access.Actor{Tenant: tenant.ID, ID: u.ID, User: u.Name, Role: role, Human: true}
	}
	p := demo.Packs{Store: store, Tenant: tenant, Drafter: actor(access.Reviewer), Approver: actor(access.Approver)}
	for range 2 {
		require.NoError(t, p.Seed(ctx))
		counts, err := store.PackCounts(ctx, tenant.ID)
		require.NoError(t, err)
		require.Equal(t, map[pack.State]int{pack.SignedOff: 2, pack.Superseded: 1, pack.InReview: 1, pack.Returned: 1},
			counts)
		missing, err := store.MissingPacks(ctx, tenant.ID)
		require.NoError(t, err)
		require.Equal(t, 1, missing)
	}
	rows, _, err := store.Packs(ctx, tenant.ID, pack.Query{State: pack.InReview, Limit: 5})
	require.NoError(t, err)
	v, err := store.Pack(ctx, tenant.ID, rows[0].PackID)
	require.NoError(t, err)
	contradicted := 0
	for _, c := range v.Content.ToolCalls {
		if c.ContradictionFlag {
			contradicted++
		}
	}
	require.Positive(t, contradicted)
	for _, f := range v.Content.Memo.Fields() {
		require.NotEmpty(t, f.Text, f.Name)
	}
}
