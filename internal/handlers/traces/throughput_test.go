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

// TestThroughput sends 1,000 spans a second, in requests of 500 spans of 50 traces: nothing that was acknowledged is lost, and
// every trace becomes a session with all of its spans, most of them while others come in. It takes three seconds, or as
// many as SANAD_TRACE_SECONDS says.
func TestThroughput(t *testing.T) {
	seconds := 3
	if n, err := strconv.Atoi(os.Getenv("SANAD_TRACE_SECONDS")); err == nil {
		seconds = n
	}
	s := listen(t)
	defer s.Work()()
	const traces, each = 50, 10 // of a request; spans of a trace
	begun, sent, asking, longest := time.Now(), 0, time.Duration(0), time.Duration(0)
	for i := range 2 * seconds {
		var spans []string
		for j := range traces {
			id := fmt.Sprintf("%032x", i*traces+j+1)
			spans = append(spans, root(id), retrieval(id), model(id))
			for k := range each - 3 {
				spans = append(spans, spanOf(id, fmt.Sprintf("%016x", k+1), "00f067aa0ba902b7", "n", 2, attr("a", "some words of a span")))
			}
		}
		time.Sleep(time.Until(begun.Add(time.Duration(i) * time.Second / 2)))
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
		return made == 2*seconds*traces
	}, 10*time.Minute, 50*time.Millisecond)
	require.Equal(t, sent, kept)
	counts, err := s.Store.LiveCounts(context.Background(), s.Tenant.ID, s.Clock.Now())
	require.NoError(t, err)
	require.Equal(t, sent, counts[live.SpansKept])
	t.Logf("%d spans in %.1f s, %.0f %% of them waiting for answers, %d ms for a request of %d at most; all %d sessions %.1f s after the end",
		sent, took.Seconds(), 100*asking.Seconds()/took.Seconds(), longest.Milliseconds(), traces*each, made,
		(time.Since(begun) - took).Seconds())
}
