package ui

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/importers"
)

// What importing the samples of all formats warns of is said in Arabic.
func TestWarningsOfTheSamplesAreSaidInArabic(t *testing.T) {
	c := NewChrome(ChromeInput{Lang: "ar"})
	names, err := filepath.Glob("../../importers/testdata/*/*.json*")
	require.NoError(t, err)
	n := 0
	for _, name := range names {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		b, err := importers.ReadAll(data, importers.Options{})
		if err != nil {
			continue // a sample of what is refused
		}
		for _, r := range b.Results {
			for _, w := range r.Warnings {
				n++
				require.NotEqual(t, w.Msg, c.Said(w.Said), "%s: %s", name, w.Path)
			}
		}
	}
	require.Greater(t, n, 40)
}
