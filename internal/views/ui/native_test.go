package ui_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNoNativeDateOrFileInputs checks that date and file fields are drawn by their components: a browser draws its own
// in its own language, not in the page's.
func TestNoNativeDateOrFileInputs(t *testing.T) {
	native := regexp.MustCompile(`(?i)type\s*=\s*\{?\s*["']?(date|datetime-local|month|week|time|file|color)\b|\bKind:\s*"(date|datetime-local|month|week|time|file|color)"`)
	for _, s := range []string{`<input type="date">`, `<input type='file'/>`, `type={ "month" }`, `ui.TextField{Kind: "date"}`} {
		require.Regexp(t, native, s)
	}
	seen := 0
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		page := strings.HasSuffix(name, ".templ") || strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_templ.go") && !strings.HasSuffix(name, "_test.go")
		if err != nil || d.IsDir() || !page {
			return err
		}
		seen++
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, found := range native.FindAllString(string(data), -1) {
			require.Equal(t, filepath.Join("..", "ui", "filefield.templ"), name, "%s: use ui.DateInput or ui.FileInput", found)
		}
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, seen, 100)
}
