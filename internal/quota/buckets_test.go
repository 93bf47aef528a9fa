package quota_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/quota"
)

var start = time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)

func TestBuckets(t *testing.T) {
	b := quota.NewBuckets(0.5, 3, 10)
	for range 3 {
		require.Zero(t, b.Take("a", start))
	}
	require.Equal(t, 2*time.Second, b.Take("a", start))
	require.Zero(t, b.Take("b", start), "another key has its own")
	require.Equal(t, time.Second, b.Take("a", start.Add(time.Second)))
	require.Equal(t, time.Second, b.Take("a", start), "setting the clock back refills nothing")
	require.Zero(t, b.Take("a", start.Add(2*time.Second)))
	b.Give("a", start.Add(2*time.Second))
	require.Zero(t, b.Take("a", start.Add(2*time.Second)), "what was given back can be taken again")
	for range 9 {
		b.Give("b", start)
	}
	for range 3 {
		require.Zero(t, b.Take("b", start))
	}
	require.Positive(t, b.Take("b", start), "nobody has more than a burst")
	none := quota.NewBuckets(0, 1, 1)
	for range 9 {
		require.Zero(t, none.Take("a", start))
	}
}

// Strangers cannot make the buckets grow without bound; who is active is not forgotten for those who came once.
func TestBucketsAreBounded(t *testing.T) {
	b := quota.NewBuckets(1, 1, 100)
	require.Zero(t, b.Take("active", start))
	for i := range 10_000 {
		require.Zero(t, b.Take(fmt.Sprint(i), start))
		require.Positive(t, b.Take("active", start))
	}
	require.Positive(t, b.Take("9901", start), "with the active one, 100 are kept")
	require.Zero(t, b.Take("9900", start), "it was forgotten")
}
