package judge

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSaysWhole holds what may stand around a statement that a sentence makes word for word.
func TestSaysWhole(t *testing.T) {
	const claim = "The council was fined 500 euros"
	for sentence, want := range map[string]bool{
		"The council was fined 500 euros.":                                        true,
		"In case No. 12/2020 the council was fined €500.":                         true,
		"On 3 May 2021, the council was fined 500 euros by the court in Ghent.":   true,
		"The council was fined 500 euros for late payment and lost its deposit.":  true,
		"The chair of the council was fined 500 euros.":                           false,
		"The council was fined 500 euros unless it paid in time.":                 false,
		"The council was fined 500 euros, according to a rumour.":                 false,
		"In theory the council was fined 500 euros, but the fine was never paid.": false,
		"On no day was it so that the council was fined 500 euros.":               false,
		"The council was fined 500 euros or lost its deposit.":                    false,
		"The council was fined 600 euros in May.":                                 false,
		"In May the council was fined 500 euros per day.":                         false,
	} {
		require.Equal(t, want, saysWhole(itemsOf(claim), sentence, itemsOf(sentence)), sentence)
	}
}
