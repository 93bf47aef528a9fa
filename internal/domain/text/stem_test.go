package text

import (
	"fmt"
	"sync"
	"testing"

	"github.com/kljensen/snowball/english"
	"github.com/stretchr/testify/require"
)

// More words than the cache holds, asked for repeatedly and concurrently: each gets its own stem.
func TestKeptStemsAreTheStems(t *testing.T) {
	endings := []string{"", "s", "ing", "ed", "ly", "ness", "ational", "'s", "ies"}
	var words []string
	for i := range 2 * keptStems / len(endings) {
		for _, e := range endings {
			words = append(words, fmt.Sprintf("%c%c%clet", 'a'+i%26, 'a'+i/26%26, 'a'+i/26/26%26)+e)
		}
	}
	require.Greater(t, len(words), keptStems)
	var all sync.WaitGroup
	wrong := make([]string, 4)
	for side := range wrong {
		all.Go(func() {
			for round := range 2 {
				for i := range words {
					w := words[(i*(2*side+1)+round)%len(words)]
					if stemEnglish(w) != english.Stem(w, true) {
						wrong[side] = w
					}
				}
			}
		})
	}
	all.Wait()
	require.Equal(t, make([]string, 4), wrong)
}
