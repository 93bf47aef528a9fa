package ui

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/words"
)

func TestEveryKeyHasWords(t *testing.T) {
	for _, k := range keyList {
		for _, lang := range words.Langs {
			require.True(t, words.In(lang).Has("key_"+strings.ReplaceAll(k, " ", "_")), k)
		}
	}
}
