package judge

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSignsAndOrderOfNumbers(t *testing.T) {
	for _, c := range []struct{ claim, source, note string }{
		{"The cold room is kept at -4 degrees.", "The cold room is kept at 4 degrees.", "note_sign"},
		{"The cold room is kept at −4 degrees.", "The cold room is kept at -4 degrees.", ""},
		{"The cold room is kept at -4 degrees.", "The cold room is kept at minus 4 degrees.", ""},
		{"The lead content is < 3 ppm.", "The lead content is > 3 ppm.", "note_sign"},
		{"The lead content is at most 3 ppm.", "The lead content is ≤ 3 ppm.", ""},
		{"The final ended 2-4.", "The final ended 4-2.", "note_exchanged"},
		{"The final ended 2-4.", "The final ended 2-4.", ""},
		{"Sales were 8 in May and 9 in June.", "Sales were 9 in May and 8 in June.", "note_exchanged"},
		{"Berth No. 7 is free.", "Berth 7 is free.", ""},
		{"Berth 7 is free.", "Berth No. 7 is free.", ""},
	} {
		_, matches, err := judgedWith(t, sayingReader{supports: "e"}, c.claim, c.source)
		require.NoError(t, err)
		require.Len(t, matches, 1, c.source)
		got := matches[0].NoteSaid.ID
		if got == "note_same_meaning" || got == "note_bound" || got == "note_unsure" {
			got = ""
		}
		assert.Equal(t, c.note, got, "%s | %s", c.claim, c.source)
	}
}
