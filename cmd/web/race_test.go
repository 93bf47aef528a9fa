package main

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// notRaced lists the packages that use a lock, a pool or a channel, but whose own tests do not run under the race
// detector. Each is covered by the tests of a package that uses it concurrently, since the detector covers a whole
// binary.
var notRaced = map[string]string{
	"internal/exporters/typeset": "a pool of compressors; handlers and cmd/web export side by side",
	"internal/strictjson":        "a sync.Map of field lists; handlers and cmd/web import side by side",
	"internal/importers":         "a value computed when it is first needed; handlers and cmd/web import side by side",
	"internal/words":             "catalogues read when first needed; handlers and cmd/web read them side by side",
	"internal/views/ui":          "forms of errors compiled when first needed; handlers show them side by side",
	"static":                     "addresses made when first needed; handlers and cmd/web ask for them side by side",
	"internal/fit":               "a command for developers, whose goroutines share nothing",
}

// make test runs the race detector where there is concurrency. A package that starts goroutines, locks or sends on
// channels is in the Makefile's list, or in notRaced with the package that covers it.
func TestRaceDetector(t *testing.T) {
	t.Parallel()
	const root = "../.."
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	require.NoError(t, err)
	list := regexp.MustCompile(`(?m)^RACE = ((?:.*\\\n)*.*)$`).FindStringSubmatch(string(makefile))
	require.NotNil(t, list, "the Makefile has no list RACE")
	raced := strings.Fields(strings.ReplaceAll(list[1], "\\\n", " "))
	concurrent := map[string]bool{}
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != root {
			return cmp.Or(err, fs.SkipDir)
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		room, err := filepath.Rel(root, filepath.Dir(path))
		if isConcurrent(f) {
			concurrent[filepath.ToSlash(room)] = true
		}
		return err
	}))
	require.Greater(t, len(concurrent), 8, "the walk found the code")
	covered := func(room string) bool {
		return slices.ContainsFunc(raced, func(pattern string) bool {
			whole, below := strings.CutSuffix(strings.TrimPrefix(pattern, "./"), "/...")
			return room == whole || below && strings.HasPrefix(room, whole+"/")
		})
	}
	for room := range concurrent {
		if notRaced[room] == "" {
			require.True(t, covered(room), "%s runs concurrently: add it to RACE in the Makefile", room)
		}
	}
	for room := range notRaced {
		require.True(t, concurrent[room], "%s is excepted, and is not concurrent", room)
		require.False(t, covered(room), "%s is excepted, and is in RACE", room)
	}
}

// isConcurrent reports whether a file starts goroutines, makes channels or uses package sync.
func isConcurrent(f *ast.File) (found bool) {
	for _, i := range f.Imports {
		found = found || i.Path.Value == `"sync"` || i.Path.Value == `"sync/atomic"`
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.GoStmt, *ast.SendStmt, *ast.SelectStmt:
			found = true
		}
		return !found
	})
	return found
}
