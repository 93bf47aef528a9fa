package web

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
	"sanad/internal/keys"
)

// Three processes on one store, each with its own connections, hold the limit of an account and that of an address
// together: within a fifth in a minute. What is stored names neither.
func TestProcessesHoldLimitsTogether(t *testing.T) {
	const seconds, account, address = 60, "11111111-1111-4111-8111-111111111111", "192.0.2.7"
	ctx, dir := context.Background(), dbtest.Dir(t)
	now := time.Date(2026, 11, 25, 9, 0, 0, 0, time.UTC)
	box, err := keys.New(bytes.Repeat([]byte{1}, keys.MasterSize))
	require.NoError(t, err)
	var nodes []*Server
	for range 3 {
		store, err := db.Open(ctx, db.Options{Dir: dir, Now: func() time.Time { return now }, NewID: uuid.NewString, Keys: box})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, store.Close()) })
		nodes = append(nodes, NewServer(Options{Store: store, Log: slog.New(slog.DiscardHandler), Keys: box,
			Now: func() time.Time { return now }, NewID: uuid.NewString, Hasher: auth.NewHasher(1),
			Authorizer: access.ByRole{}, Rate: Rate{PerSecond: 100, Burst: 500},
			LoginFailures: LoginFailures{PerMinute: 30, Burst: 50}}))
	}
	for _, s := range nodes { // they find each other
		require.NoError(t, s.exchangeLimits(ctx))
	}
	now = now.Add(presenceEvery)
	for _, s := range nodes {
		require.NoError(t, s.exchangeLimits(ctx))
		require.False(t, s.sharing.alone)
	}
	requests, passwords := 0, 0
	var before int64
	for _, s := range nodes {
		before += s.Store.QueryCount()
	}
	for range seconds * 20 {
		now = now.Add(50 * time.Millisecond)
		for i, s := range nodes {
			for range 15 {
				if s.limits.take(account, now).wait == 0 {
					requests++
				}
			}
			if s.tries.addresses.Take(address, now) == 0 {
				passwords++
				s.tries.tally.Add(address, now)
			}
			if now.UnixMilli()%1000 == int64(i)*100 {
				require.NoError(t, s.exchangeLimits(ctx))
			}
		}
	}
	var after int64
	for _, s := range nodes {
		after += s.Store.QueryCount()
	}
	t.Logf("requests: %d passed, %d were allowed; wrong passwords: %d, %d; %d statements for %d requests", requests,
		500+100*seconds, passwords, 50+30*seconds/60, after-before, 3*15*20*seconds)
	require.InEpsilon(t, 500+100*seconds, requests, 0.2)
	require.Less(t, after-before, int64(5*3*seconds)+1)
	overAtFirst := 2 * 50 // the others' first second, before they have told
	require.LessOrEqual(t, passwords, 50+30*seconds/60+overAtFirst)

	others, err := nodes[0].Store.ExchangeLimits(ctx, "a test", []db.LimitUse{{Key: account}, {Key: address}}, now.Add(-time.Hour))
	require.NoError(t, err)
	require.Empty(t, others, "keys are hashed")
}

// A process that is alone tells nothing, and says once in a while that it is there.
func TestAProcessAloneTellsNothing(t *testing.T) {
	ctx := context.Background()
	now := time.Date(2026, 11, 25, 9, 0, 0, 0, time.UTC)
	box, err := keys.New(bytes.Repeat([]byte{1}, keys.MasterSize))
	require.NoError(t, err)
	store, err := db.Open(ctx, db.Options{Dir: dbtest.Dir(t), Now: func() time.Time { return now }, NewID: uuid.NewString,
		Keys: box})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	s := NewServer(Options{Store: store, Log: slog.New(slog.DiscardHandler), Keys: box, Now: func() time.Time { return now },
		NewID: uuid.NewString, Hasher: auth.NewHasher(1), Authorizer: access.ByRole{}, Rate: Rate{PerSecond: 100, Burst: 500}})
	before := store.QueryCount()
	for i := range 60 {
		for n := range 200 {
			s.limits.take(fmt.Sprint("account ", n%3), now)
		}
		require.NoError(t, s.exchangeLimits(ctx), i)
		now = now.Add(time.Second)
	}
	require.LessOrEqual(t, store.QueryCount()-before, int64(3*6), "three times in a minute")
}
