package find_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/text"
	"sanad/internal/domain/text/find"
)

// A figure is marked whole, in whatever notation and language it is asked for.
func TestFiguresAreMarked(t *testing.T) {
	for _, c := range []struct{ query, text, want string }{
		{"30 days", "Within thirty days.", "Within [thirty] [days]."},
		{"thirty", "لديه ٣٠ يوما", "لديه [٣٠] يوما"},
		{"25", "خلال خمسة وعشرين يوما", "خلال [خمسة وعشرين] يوما"},
		{"خمسة وعشرون", "It has 25 rooms and 5 halls.", "It has [25] rooms and 5 halls."},
		{"15%", "It rose by fifteen per cent in 15 days.", "It rose by [fifteen per cent] in 15 days."},
		{"5 million", "٥ ملايين أو 5,000", "[٥ ملايين] أو 5,000"},
		{"5 March 2024", "Signed on 2024-03-05.", "Signed on [2024-03-05]."},
		{"2024", "Signed on 2024-03-05.", "Signed on [2024]-03-05."},
		{"ten", "ten tenants", "[ten] tenants"},
	} {
		require.Equal(t, c.want, marked(find.NewFinder(c.query, text.SameWords).Excerpt(c.text, 60)), c.query)
	}
	require.Equal(t, []string{"خمسة وعشرين"}, find.NewFinder("25", text.SameWords).Words("خمسة وعشرين يوما"))
}

func TestTerms(t *testing.T) {
	for query, want := range map[string][]find.Term{
		"the of":       {{Stem: "the", Norm: "the"}, {Stem: "of", Norm: "of"}},
		"the 30 Days":  {{Stem: "30", Norm: "30"}, {Stem: "day", Norm: "days"}},
		"Thirty":       {{Stem: "thirti", Norm: "thirty", Also: []string{"30"}}},
		"12.500 12500": {{Stem: "12.500", Norm: "12.500", Also: []string{"12.5", "12500"}}, {Stem: "12500", Norm: "12500"}},
		"ثلاثون يوما":  {{Stem: "30", Norm: "30"}, {Stem: "يوم", Norm: "يوما"}},
		"Section 4.20": {{Stem: "section", Norm: "section"}, {Stem: "4.20", Norm: "4.20"}},
	} {
		got := find.Terms(query)
		for i := range got {
			if len(got[i].Also) == 0 {
				got[i].Also = nil
			}
		}
		require.Equal(t, want, got, query)
	}
}

// The words that are found are those of the query, those that its last word begins, or those that are like one.
func TestFinderOfNearWords(t *testing.T) {
	const s = "The office in Riyadh, the offices and official leave of 2026."
	for _, c := range []struct {
		query string
		near  text.Nearness
		want  []string
	}{
		{"office riyad", text.SameWords, []string{"office", "offices"}},
		{"office riyad", text.BegunWord, []string{"office", "Riyadh", "offices"}},
		{"riya office", text.BegunWord, []string{"office", "offices", "official"}},
		{"ofice riydah", text.NearWords, []string{"office", "Riyadh", "offices"}},
		{"leaev 2027", text.NearWords, []string{"leave"}},
	} {
		require.Equal(t, c.want, find.NewFinder(c.query, c.near).Words(s), c.query)
	}
}
