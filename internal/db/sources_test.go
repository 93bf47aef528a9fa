package db_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestOnlyTheEngineOpensTransactions: what a room writes is in a transaction of sqldb, whose hooks keep the log whole.
// So no other folder names a way to the database that has none.
func TestOnlyTheEngineOpensTransactions(t *testing.T) {
	ways := []string{"OpenDB", "Begin", "BeginTx", "Conn", "Prepare", "PrepareContext", "ExecContext", "QueryContext",
		"QueryRowContext"}
	begins := regexp.MustCompile(`(?i)^\s*(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|START TRANSACTION)\b`)
	seen := 0
	eachSource(t, func(path string, f *ast.File) {
		seen++
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				of, _ := n.X.(*ast.Ident)
				assert.False(t, slices.Contains(ways, n.Sel.Name) ||
					of != nil && of.Name == "sql" && !strings.HasPrefix(n.Sel.Name,
						"Null") && n.Sel.Name != "ErrNoRows",
					"%s says %s, which only sqldb may", path, n.Sel.Name)
			case *ast.BasicLit:
				text, _ := strconv.Unquote(n.Value)
				assert.False(t, n.Kind == token.STRING && begins.MatchString(text),
					"%s says %q, which only sqldb may", path, text)
			}
			return true
		})
	})
	require.Greater(t, seen, 50, "the walk found the code")
}

// eachSource visits the source files of the store but for sqldb, by their paths from here.
func eachSource(t *testing.T, visit func(path string, f *ast.File)) {
	t.Helper()
	eachFile(t, func(path string, f *ast.File) {
		if !strings.HasSuffix(path, "_test.go") && !strings.HasPrefix(path, "dbtest") && !strings.HasPrefix(path,
			"sqldb") {
			visit(path, f)
		}
	})
}

// eachFile visits all Go files of the store, tests too.
func eachFile(t *testing.T, visit func(path string, f *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err == nil {
			visit(path, f)
		}
		return err
	})
	require.NoError(t, err)
}

// TestNothingHappensAtImport: what a room adds to a list is named where the list stands, so that a reader finds it.
func TestNothingHappensAtImport(t *testing.T) {
	eachFile(t, func(path string, f *ast.File) {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
				assert.NotEqual(t, "init", fn.Name.Name, path)
			}
		}
	})
}
