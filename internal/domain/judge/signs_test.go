package judge

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"sanad/internal/domain/text/quantity"
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

// A figure stands with the words and figures of its own part of a sentence.
func TestFiguresOfOtherPartsAreCrossed(t *testing.T) {
	for _, c := range []struct {
		claim, source string
		want          bool
	}{
		{"Savers are charged 9% and borrowers are paid 2%.", "Savers are paid 2% and borrowers are charged 9%.", true},
		{"Borrowers are charged 9% and savers are paid 2%.", "Savers are paid 2% and borrowers are charged 9%.", false},
		{"Members were 640 in 2023.", "Members: 640 (2023: 610).", true},
		{"Members were 610 in 2023.", "Members: 640 (2023: 610).", false},
		{"بلغ عدد الطلاب 900 في 2022.", "بلغ عدد الطلاب 900 (2022: 850).", true},
		{"The tram is 3 dirhams a ride for 2 weeks.", "The tram is free for 2 weeks, after that 3 dirhams a ride.", true},
		{"The tram is free for 2 weeks.", "The tram is free for 2 weeks, after that 3 dirhams a ride.", false},
		{"Sales were 70 in 2022.", "Sales were 70 in 2023 and 60 in 2022.", true},
		{"Sales were 60 in 2022.", "Sales were 70 in 2023 and 60 in 2022.", false},
		{"Entry is 10 dirhams for adults in 2025.", "Entry is 10 dirhams for adults and 5 dirhams for children in 2025.", false},
		{"Entry is 10 dirhams for children.", "Entry is 10 dirhams for adults and 5 dirhams for children.", true},
		{"The deposit is returned within 30 days.", "Within 30 days, the deposit of 500 dirhams is returned.", false},
	} {
		assert.Equal(t, c.want, crossedIn(partsOf(c.claim), partsOf(c.source)), "%s | %s", c.claim, c.source)
	}
}

// Who says "at least 40" of a plain 40 is not borne out by a larger figure of something else.
func TestLimitIsThatFigure(t *testing.T) {
	claim := quantity.Read("The fee is at least 40 dirhams.")
	source := quantity.Read("The fee is 40 dirhams and a minimum balance of 3,000 dirhams is due.")
	require.Len(t, claim, 1)
	assert.Zero(t, atLimit(&claim[0], source))
	assert.Negative(t, atLimit(&claim[0], source[1:]))
}

// The "non" of a name that claim and source share negates nothing; before a word of one of them it does.
func TestSharedPrefixNegatesNothing(t *testing.T) {
	for _, c := range []struct {
		claim, source string
		turned        bool
	}{
		{"In May, non-resident deposits were 14%.", "Non-resident deposits were 12% in June and 14% in May.", false},
		{"In May, resident deposits were 14%.", "Non-resident deposits were 14% in May.", true},
	} {
		_, matches, err := judgedWith(t, sayingReader{supports: "e"}, c.claim, c.source)
		require.NoError(t, err)
		require.Len(t, matches, 1, c.source)
		assert.Equal(t, c.turned, matches[0].NoteSaid.ID == "note_negation", "%s: %s", c.claim, matches[0].NoteSaid.ID)
	}
}
