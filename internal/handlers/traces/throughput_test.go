package traces_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/live"
	"sanad/internal/thorough"
)

// TestThroughput sends requests of 500 spans of 50 traces one after another: nothing that was acknowledged is lost, and
// every trace becomes a session with all of its spans, most of them while others come in.
func TestThroughput(t *testing.T) {
	requests := thorough.Times(6, 60)
	s := listen(t)
	defer s.Work()()
	const traces, each = 50, 10 // of a request; spans of a trace
	begun, sent, asking, longest := time.Now(), 0, time.Duration(0), time.Duration(0)
	for i := range requests {
		var spans []string
		for j := range traces {
			id := fmt.Sprintf("%032x", i*traces+j+1)
			spans = append(spans, root(id), retrieval(id), model(id))
			for k := range each - 3 {
				spans = append(spans, spanOf(id, fmt.Sprintf("%016x", k+1), "00f067aa0ba902b7", "n", 2, attr("a", "some words of a span")))
			}
		}
		at := time.Now()
		require.Empty(t, s.sendJSON(t, "reviewer", request("rag", spans...)))
		took := time.Since(at)
		asking, longest, sent = asking+took, max(longest, took), sent+len(spans)
		s.Clock.Move(time.Second / 2)
	}
	took := time.Since(begun)
	s.Clock.Move(live.Settling)
	var kept, made int
	require.Eventually(t, func() bool {
		list, err := s.Store.Traces(context.Background(), s.Tenant.ID, live.MaxOpen)
		require.NoError(t, err)
		kept, made = 0, 0
		for _, x := range list {
			kept += x.Spans
			if x.State == live.Session {
				made++
			}
		}
		return made == requests*traces
	}, 10*time.Minute, 50*time.Millisecond)
	require.Equal(t, sent, kept)
	counts, err := s.Store.LiveCounts(context.Background(), s.Tenant.ID, s.Clock.Now())
	require.NoError(t, err)
	require.Equal(t, sent, counts[live.SpansKept])
	t.Logf("%d spans in %.1f s, %.0f %% of them waiting for answers, %d ms for a request of %d at most; all %d sessions %.1f s after the end",
		sent, took.Seconds(), 100*asking.Seconds()/took.Seconds(), longest.Milliseconds(), traces*each, made,
		(time.Since(begun) - took).Seconds())
}
