package live_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/live"
)

// A span is counted once for each cause, and no more once it has come in a form that is taken.
func TestLosses(t *testing.T) {
	var l live.Losses
	for _, span := range []string{"1", "2", "2", "3", "4", "5", "6"} {
		l = l.Add(live.TraceFull, span)
	}
	l = l.Add(live.TooLarge, "9")
	require.Equal(t, live.Losses{{Cause: live.TooLarge, N: 1, Spans: []string{"9"}},
		{Cause: live.TraceFull, N: 6, Spans: []string{"1", "2", "3", "4", "5", "6"}}}, l)
	require.Equal(t, []string{"1", "2", "3", "4", "5"}, l.Named()[1].Spans)
	require.Equal(t, 7, l.Add(live.TraceFull, "6").Total(), "it was sent again")
	require.Equal(t, live.Losses{{Cause: live.TraceFull, N: 5, Spans: []string{"1", "2", "3", "4", "5"}}}, l.Without("9").Without("6"))
	require.Equal(t, 7, l.Total())
	require.Equal(t, 13, l.Join(live.Lost{Cause: live.TraceFull, N: 6, Spans: []string{"7"}}).Total())
}

// The warnings that are kept are bounded, and what is left out is counted.
func TestKeptWarnings(t *testing.T) {
	var many []domain.Warning
	for range 25 {
		many = append(many, domain.Warning{Path: "p", Msg: "m"})
	}
	kept := live.KeptWarnings(many)
	require.Len(t, kept, live.MaxWarnings+1)
	require.Contains(t, kept[live.MaxWarnings].Msg, "5")
	require.Equal(t, many[:20], live.KeptWarnings(many[:20]))
	require.Empty(t, live.KeptWarnings(nil))
	long := live.KeptWarnings([]domain.Warning{{Msg: "m"}, {Msg: strings.Repeat("x", 1<<20)}})
	require.Len(t, long, 2)
	require.Less(t, len(long[1].Msg), 100)
}

// Spans that a session names as refused came before it was made; further ones came after it, as late ones did.
func TestSpansAfterASession(t *testing.T) {
	x := live.Trace{Late: 2, Lost: live.Losses{{Cause: live.TooLarge, N: 3}}}
	require.Equal(t, 5, x.After(0))
	require.Equal(t, 3, x.After(2))
	require.Equal(t, 2, x.After(9))
}
