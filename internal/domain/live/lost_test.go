package live_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/live"
)

// What a trace lacks is kept beside its note, and comes back as it was.
func TestLossesAreStoredBesideTheNote(t *testing.T) {
	var l live.Losses
	require.Equal(t, "x", live.WithLosses("x", l))
	for _, span := range []string{"1", "2", "2", "3", "4", "5", "6"} {
		l = l.Add(live.TraceFull, span)
	}
	l = l.Add(live.TooLarge, "9")
	require.Equal(t, live.Losses{{Cause: live.TooLarge, N: 1, Spans: []string{"9"}},
		{Cause: live.TraceFull, N: 6, Spans: []string{"1", "2", "3", "4", "5"}}}, l)
	note, back := live.CutLosses(live.WithLosses("a note", l))
	require.Equal(t, "a note", note)
	require.Equal(t, l, back)
	require.Equal(t, 7, back.Total())
	note, back = live.CutLosses("a note of an older program")
	require.Equal(t, "a note of an older program", note)
	require.Empty(t, back)
	require.Equal(t, 13, l.Join(live.Lost{Cause: live.TraceFull, N: 6, Spans: []string{"7"}}).Total())
}
