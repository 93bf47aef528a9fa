package ui

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFaultsWithNounsAreSaidInArabic: the importers' own faults, with what is expected, in whole.
func TestFaultsWithNounsAreSaidInArabic(t *testing.T) {
	c := NewChrome(ChromeInput{Lang: "ar"})
	for english, arabic := range map[string]string{
		`documents[0].chunks[0] has the id "c" already; give each chunk of a document its own.`: "" +
			"المعرّف «\u2068c\u2069» مستخدم في \u2068documents[0].chunks[0]\u2069؛ " +
			"يلزم معرّف خاص لكل عنصر (مقطع من مستند).",
	} {
		require.Equal(t, arabic, c.SaidText(english))
	}
}
