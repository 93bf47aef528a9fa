package claims

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/text"
)

// TestRaisedAndLoweredInAnswers: what an answer raises or lowers with tags is not taken for a part of the number that
// it stands at.
func TestRaisedAndLoweredInAnswers(t *testing.T) {
	for answer, want := range map[string]string{
		"The dose is 10<sup>6</sup> units a day.":          "The dose is 10^6 units a day",
		"The plot has 40 m<sup>2</sup> of grass.":          "The plot has 40 m² of grass",
		"Leave is 30<sup>1</sup> days a year.":             "Leave is 30 days a year",
		"The lake holds H<sub>2</sub>O alone.":             "The lake holds H2O alone",
		"The fee is <sup>1</sup>/<sub>2</sub> of a rial.":  "The fee is 1/2 of a rial",
		"The office closes on the 21<SUP>st</SUP> of May.": "The office closes on the 21st of May",
		"The sum is 5<sup>2 of nothing that ends.":         "The sum is 5 2 of nothing that ends",
		"تبلغ الجرعة 10<sup>6</sup> وحدة يوميًا.":          "تبلغ الجرعة 10^6 وحدة يوميًا",
	} {
		got := Of(answer)
		require.Len(t, got, 1, answer)
		require.Equal(t, want, got[0].Text)
		require.LessOrEqual(t, got[0].Span.End, text.Len(answer))
	}
}
