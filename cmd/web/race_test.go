package main

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// notRaced lists the packages that use a lock, a pool or a channel, but whose own tests do not run under the race
// detector. Each is covered by the tests of a package that uses it concurrently, since the detector covers a whole
// binary.
var notRaced = map[string]string{
	"internal/strictjson":       "a sync.Map of field lists; handlers and cmd/web import side by side",
	"internal/importers":        "a value computed when it is first needed; handlers and cmd/web import side by side",
	"internal/words":            "catalogues read when first needed; handlers and cmd/web read them side by side",
	"static":                    "addresses made when first needed; handlers and cmd/web ask for them side by side",
	"internal/handlers/models":  "a lock around tests of endpoints; cmd/web asks models side by side",
	"internal/handlers/webtest": "for tests only", "internal/db/dbtest": "for tests only", "internal/llm/llmtest": "for tests only",
	"cmd/web/demo":         "what the judge said of the demo, read when first needed; cmd/web demos side by side",
	"internal/db/auditlog": storeRaced, "internal/db/people": storeRaced,
	"internal/db/erasure": storeRaced,
	"internal/fit":        "a command for developers, whose goroutines share nothing",
}

const storeRaced = "internal/db tests the store and its rooms side by side"

// make test runs the race detector where there is concurrency. A package that starts goroutines, locks or sends on
// channels runs under it whole, or has tests that start goroutines, or is in notRaced with the package that covers it.
func TestRaceDetector(t *testing.T) {
	t.Parallel()
	const root = "../.."
	raced := map[string]bool{}
	for _, what := range []string{"whole", "packages"} {
		out, err := exec.Command(root+"/.ci/concurrent", what).Output()
		require.NoError(t, err)
		for _, room := range strings.Fields(string(out)) {
			require.DirExists(t, filepath.Join(root, room))
			raced[strings.TrimPrefix(room, "./")] = true
		}
	}
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
	for room := range concurrent {
		if notRaced[room] == "" {
			assert.True(t, raced[room], "%s runs concurrently: name it in .ci/concurrent, or test it with goroutines", room)
		}
	}
	for room := range notRaced {
		require.True(t, concurrent[room], "%s is excepted, and is not concurrent", room)
		require.False(t, raced[room], "%s is excepted, and is raced", room)
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
