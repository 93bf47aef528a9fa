package limits

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
	"sanad/internal/quota"
)

// TestValuesReserve: a body reserves 1 KiB for each of its values where that is more than its bytes do, a small one
// too, and a request within a request only what is beyond the outer one's.
func TestValuesReserve(t *testing.T) {
	t.Parallel()
	pool := quota.NewPool(quota.Limits{All: 1 << 30, Queue: 1})
	held := func() int64 { return pool.Use().Held[workBody] }
	who := access.Actor{ID: "p", Tenant: "t"}

	ctx, done, err := BodyWork.Reserve(t.Context(), pool, who, 60<<10)
	require.NoError(t, err)
	require.Zero(t, held(), "a small body")
	require.NoError(t, ForValues(ctx, 1000))
	require.Zero(t, held(), "a small body of few values")
	require.NoError(t, ForValues(ctx, 20_000))
	require.EqualValues(t, 20_000*perValue-smallRoom, held(), "a small body of many values")
	done()
	require.Zero(t, held())

	outer, done, err := BodyWork.Reserve(t.Context(), pool, who, 1<<20)
	require.NoError(t, err)
	require.EqualValues(t, 6<<20, held())
	inner, within, err := BodyWork.Reserve(outer, pool, who, 2<<20)
	require.NoError(t, err)
	require.EqualValues(t, 12<<20, held(), "a request within another takes what is beyond it")
	require.NoError(t, ForValues(inner, 20<<10))
	require.EqualValues(t, 20<<20, held())
	within()
	done()
	require.Zero(t, held())

	require.NoError(t, ForValues(context.Background(), 1<<30), "what reserves nothing")
}
