package traces_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/live"
)

// TestThroughput sends 1,000 spans a second in batches of 500: nothing that was acknowledged is lost. It takes three
// seconds, or as many as SANAD_TRACE_SECONDS says.
func TestThroughput(t *testing.T) {
	seconds := 3
	if n, err := strconv.Atoi(os.Getenv("SANAD_TRACE_SECONDS")); err == nil {
		seconds = n
	}
	s := listen(t)
	const batch = 500
	begun, sent, longest := time.Now(), 0, time.Duration(0)
	for i := range 2 * seconds {
		spans := make([]string, batch)
		for j := range spans {
			n := i*batch + j
			spans[j] = spanOf(fmt.Sprintf("%032x", n/10+1), fmt.Sprintf("%016x", n+1), "", "n", 1, attr("a", "some words of a span"))
		}
		time.Sleep(time.Until(begun.Add(time.Duration(i) * time.Second / 2)))
		at := time.Now()
		require.Empty(t, s.sendJSON(t, "reviewer", request("rag", spans...)))
		longest, sent = max(longest, time.Since(at)), sent+batch
	}
	took := time.Since(begun)
	counts, err := s.Store.LiveCounts(context.Background(), s.Tenant.ID, s.Clock.Now())
	require.NoError(t, err)
	require.Equal(t, sent, counts[live.SpansKept])
	list, err := s.Store.Traces(context.Background(), s.Tenant.ID, live.MaxOpen)
	require.NoError(t, err)
	kept := 0
	for _, x := range list {
		kept += x.Spans
	}
	require.Equal(t, sent, kept)
	t.Logf("%d spans in %.1f s, %.0f a second; a request of %d took %d ms at most", sent, took.Seconds(),
		float64(sent)/took.Seconds(), batch, longest.Milliseconds())
}
