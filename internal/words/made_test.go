package words_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// makers are the calls that make a message, with the place of its id; the values for its placeholders follow the id.
var makers = map[string]int{"words.Msg": 0, "domain.Refuse": 2, "Refuse": 2, "f.add": 1,
	"d.malformed": 0, "d.invalid": 0, "d.mismatch": 0, "d.unexpected": 0, "d.expect": 1}

// TestMessagesAreMadeWithTheirValues: where the code makes a message, the catalogue has its id, and the values are
// those that its text has places for. An id that the code puts together of a prefix and a value is not looked at here.
func TestMessagesAreMadeWithTheirValues(t *testing.T) {
	catalogue := messages(t, "en")
	slot := regexp.MustCompile(`\{\{\.(\w+),?\}\}`)
	seen := 0
	check := func(place string, args []ast.Expr) {
		id, ok := constant(args[0])
		if !ok {
			return
		}
		seen++
		require.NotNil(t, catalogue[id], "%s: there is no message %s", place, id)
		var named []string
		for i := 1; i < len(args); i += 2 {
			name, ok := constant(args[i])
			require.True(t, ok, "%s: %s: a value's name is written out", place, id)
			named = append(named, name)
		}
		said := texts(catalogue[id])
		if form, is := strings.CutPrefix(id, "refused_"); is { // which a form may say in words of its own
			said = append(said, texts(catalogue["fault_"+form])...)
		}
		for _, text := range said {
			for _, m := range slot.FindAllStringSubmatch(text, -1) {
				require.Contains(t, named, m[1], "%s: %s", place, id)
			}
		}
	}
	for _, root := range []string{"..", "../../cmd"} {
		err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			files := token.NewFileSet()
			f, err := parser.ParseFile(files, name, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(f, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok || call.Ellipsis.IsValid() {
					return true
				}
				if at, is := makers[called(call)]; is && len(call.Args) > at {
					check(files.Position(call.Pos()).String(), call.Args[at:])
				}
				return true
			})
			return nil
		})
		require.NoError(t, err)
	}
	require.Greater(t, seen, 400, "the walk found the messages")
}

// TestWhatIsNeededHasItsMessage: a field that must be there names the message of what is asked for, and a list or a
// provider's format that of what it holds.
func TestWhatIsNeededHasItsMessage(t *testing.T) {
	catalogue, n := messages(t, "en"), 0
	tag := regexp.MustCompile(`(?:json:"[^"]*" (?:limit:"[^"]*" )?need:|noun: )"([^"]*)"`)
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		data, err := os.ReadFile(name)
		for _, m := range tag.FindAllStringSubmatch(string(data), -1) {
			n++
			require.Contains(t, catalogue, m[1], name)
		}
		return err
	})
	require.NoError(t, err)
	require.Greater(t, n, 45, "the walk found the tags")
}

// constant returns a string that is written out.
func constant(e ast.Expr) (string, bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(lit.Value)
	return s, err == nil
}

// called names what is called: "words.Msg".
func called(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok {
			return x.Name + "." + f.Sel.Name
		}
	}
	return ""
}
