package jobs

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
)

// No person takes the streams of their tenant, no tenant those of others, and what ended is free and forgotten.
func TestWatchersAreShared(t *testing.T) {
	var w watchers
	var ends []func()
	open := func(tenant, id string) full {
		end, whose := w.begin(access.Actor{Tenant: tenant, ID: id})
		if whose == "" {
			ends = append(ends, end)
		}
		return whose
	}
	for range maxWatchersPerson {
		require.Empty(t, open("a", "greedy"))
	}
	require.Equal(t, fullPerson, open("a", "greedy"))
	for i := range maxWatchersTenant - maxWatchersPerson {
		require.Empty(t, open("a", fmt.Sprint(i)))
	}
	require.Equal(t, fullTenant, open("a", "late"))
	require.Empty(t, open("b", "greedy"), "the same id elsewhere is somebody else")
	for i := 1; i < maxWatchers-maxWatchersTenant; i++ {
		require.Empty(t, open(fmt.Sprint("tenant ", i), "x"))
	}
	require.Equal(t, fullAll, open("c", "x"))
	for _, end := range ends {
		end()
	}
	require.Equal(t, []int{0, 0, 0}, []int{w.all, len(w.tenants), len(w.people)})
	require.Empty(t, open("a", "greedy"))
}
