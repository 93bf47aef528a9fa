package sqldb

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/text"
)

// The words of one text do not depend on those that were read before, however many they were.
func TestWordReader(t *testing.T) {
	var many strings.Builder
	for i := range 2 * mostSeen {
		fmt.Fprintf(&many, "item%d ", i)
	}
	var r WordReader
	for _, s := range []string{"Leave is paid leave.", many.String(), "Leave is 30 days.", "", "الإجازة ثلاثون يوما"} {
		require.Equal(t, StemsOf(s, map[string]bool{}), append([]string{}, r.Read(s)...), s[:min(len(s), 20)])
	}
}

// A number is found in any notation, in the digits of whichever script and in words of either language.
func TestNumbersAreFoundInAnyNotation(t *testing.T) {
	for _, forms := range [][]string{
		{"2,000", "٢٬٠٠٠", "٢٠٠٠", "۲۰۰۰", "2\u00a0000", "٢،٠٠٠", "2 000", "two thousand", "ألفان", "2k"},
		{"30", "30.0", "٣٠", "thirty", "ثلاثون", "ثلاثين"},
		{"25", "twenty-five", "خمسة وعشرون", "٢٥", "25th", "الخامس والعشرون"},
		{"2.5", "2,5", "٢٫٥", "٢,٥", "two point five", "2.50"},
		{"15%", "١٥٪", "15 %", "15 percent", "fifteen per cent", "خمسة عشر في المئة", "15 بالمئة"},
		{".05", "0.05", "٫٠٥"},
		{"5 million", "5,000,000", "five million", "خمسة ملايين", "٥ ملايين", "5M"},
		{"2024-03-05", "5 March 2024", "March 5, 2024", "05.03.2024", "٥ مارس ٢٠٢٤", "٢٠٢٤/٠٣/٠٥", "the 5th of March 2024"},
		{"1445-09-03", "3 رمضان 1445", "٣ رمضان ١٤٤٥ هـ"},
	} {
		for _, form := range forms {
			words := map[string]bool{}
			for _, w := range StemsOf("The fee is "+form+" now.", map[string]bool{}) {
				words[w] = true
			}
			for _, query := range forms {
				for _, term := range QueryTerms(query) {
					found := words[term.word]
					for _, w := range term.also {
						found = found || words[w]
					}
					require.True(t, found, "%q is searched for in %q: %+v, %v", query, form, term, words)
				}
			}
		}
	}
}

// A search for one figure does not find another, nor a code that has its digits.
func TestOtherNumbersAreNotFound(t *testing.T) {
	for query, others := range map[string][]string{
		"30":         {"three", "300", "0.30", "Room A30", "ثلاثة", "3:00", "version 30.1"},
		"15%":        {"15 days", "1.5%", "fifteen"},
		"ثلاثون":     {"3", "ثلاث", "13"},
		"2024-03-05": {"2024-05-03", "5 April 2024", "5 March 2023"},
		"4.2":        {"42", "Section 4.20"},
	} {
		for _, other := range others {
			words, all := StemsOf("The fee is "+other+" now.", map[string]bool{}), true
			for _, term := range QueryTerms(query) {
				all = all && slices.ContainsFunc(words, func(w string) bool { return w == term.word || slices.Contains(term.also, w) })
			}
			require.False(t, all, "%q is searched for in %q: %v", query, other, words)
		}
	}
}

// The expression has a figure's notations beside each other; the last word alone may be a beginning.
func TestExpressionOfANumber(t *testing.T) {
	require.Equal(t, `("thirti" OR "30") AND "day"`, MatchAll("thirty days", ""))
	require.Equal(t, `"30" AND "day"`, MatchAll("30 days", ""))
	require.Equal(t, `"25"`, MatchAll("twenty-five", ""))
	match, err := WordIndex{}.Match(nil, QueryTerms("paid ten"), text.BegunWord)
	require.NoError(t, err)
	require.Equal(t, `"paid" AND ("ten"* OR "10")`, match)
}
