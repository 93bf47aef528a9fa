package ui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// computedNouns are the nouns that the decoder does not write as one literal: those of an expression, none for a
// parameter that hands on a noun.
var computedNouns = map[string][]string{
	"wanted":                             nil,
	"`\",\" or \"` + string(end) + `\"`": {`"," or "}"`, `"," or "]"`},
}

// TestEveryNounOfAFaultIsSaidInArabic: what the decoder expects, and what has an id, has a noun message. The nouns are
// collected from the source, as an example chosen by hand may not be what the program says.
func TestEveryNounOfAFaultIsSaidInArabic(t *testing.T) {
	c, files, nouns := NewChrome(ChromeInput{Lang: "ar"}), token.NewFileSet(), map[string]string{}
	w, met := warned{t: t, files: files}, map[string]bool{}
	take := func(x ast.Expr) {
		all, computed := computedNouns[types.ExprString(x)]
		met[types.ExprString(x)] = true
		if !computed {
			s, ok := w.sentence(x)
			require.True(t, ok, "%s: write the noun as one literal, or list it", files.Position(x.Pos()))
			all = []string{s}
		}
		for _, noun := range all {
			nouns[noun] = files.Position(x.Pos()).String()
		}
	}
	for _, room := range []string{"strictjson", "importers"} {
		names, err := filepath.Glob("../../" + room + "/*.go")
		require.NoError(t, err)
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
			require.NoError(t, err)
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					f, ok := n.Fun.(*ast.SelectorExpr)
					if !ok || len(n.Args) == 0 {
						return true
					}
					switch f.Sel.Name {
					case "mismatch", "unexpected", "expect":
						take(n.Args[len(n.Args)-1])
					}
				case *ast.CompositeLit:
					if n.Type == nil || types.ExprString(n.Type) != "keysOf" {
						return true
					}
					for _, x := range n.Elts {
						if pair, ok := x.(*ast.KeyValueExpr); ok && types.ExprString(pair.Key) == "noun" {
							take(pair.Value)
						}
					}
				}
				return true
			})
		}
	}
	delete(nouns, "") // Cursor.Take tells no fault
	require.Greater(t, len(nouns), 12)
	for noun, place := range nouns {
		if c.noun(noun) == "" {
			t.Errorf("%s: %q: give it a message said_noun_…", place, noun)
		}
	}
	for expr := range computedNouns {
		require.True(t, met[expr], "nothing expects %s any more", expr)
	}
}

// TestFaultsWithNounsAreSaidInArabic: the decoder's and the importers' own faults, with what is expected, in whole.
func TestFaultsWithNounsAreSaidInArabic(t *testing.T) {
	c := NewChrome(ChromeInput{Lang: "ar"})
	for english, arabic := range map[string]string{
		`Line 3, column 7: '1' cannot stand here; ":" after the key is expected.`: "" +
			"السطر 3، الحرف 7: لا يصح هنا \u2068'1'\u2069؛ المتوقع: نقطتان \u2066:\u2069 بعد المفتاح.",
		`documents[0].chunks[0] has the id "c" already; give each chunk of a document its own.`: "" +
			"المعرّف «\u2068c\u2069» مستخدم في \u2068documents[0].chunks[0]\u2069؛ " +
			"يلزم معرّف خاص لكل عنصر (مقطع من مستند).",
	} {
		require.Equal(t, arabic, c.SaidText(english))
	}
}
