package words_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/words"
)

// TestEveryPartHasItsWords: the ids of a part of a file are put together where it is shown.
func TestEveryPartHasItsWords(t *testing.T) {
	for _, lang := range []string{"en", "ar"} {
		for _, k := range ledger.PartKinds[1:] {
			require.True(t, words.In(lang).Has("part_word_"+string(k)), "%s: part_word_%s", lang, k)
			require.True(t, k == ledger.SheetRow || words.In(lang).Has("part_"+string(k)), "%s: part_%s", lang, k)
		}
	}
}
