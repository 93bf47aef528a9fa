package ui

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/words"
)

func TestNumbersInTheReadersDigits(t *testing.T) {
	latin := NewChrome(ChromeInput{Lang: "ar", Digits: "latn"})
	arabic := NewChrome(ChromeInput{Lang: "ar", Digits: "arab"})
	require.Equal(t, "1,234,567", latin.Num(1234567))
	require.Equal(t, "١٬٢٣٤٬٥٦٧", arabic.Num(1234567))
	require.Equal(t, "٩٢٪", arabic.Percent(0.92))
	require.Equal(t, "٠٫٥٠", arabic.Decimal(0.5))
	require.Equal(t, "إفادتان", arabic.N("n_claims", 2))
	require.Equal(t, "٣ إفادات", arabic.N("n_claims", 3))
	require.Equal(t, "11 إفادة", latin.N("n_claims", 11))
}

func TestEveryKeyHasWords(t *testing.T) {
	for _, k := range keyList {
		for _, lang := range words.Langs {
			require.True(t, words.In(lang).Has("key_"+strings.ReplaceAll(k, " ", "_")), k)
		}
	}
}
