package ui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/views/say"
)

// boundsOf returns the places where the packages that read files say which bound a file exceeds, by an example.
func boundsOf(t *testing.T) map[string]string {
	t.Helper()
	w, found := warned{t: t, files: token.NewFileSet()}, map[string]string{}
	take := func(x ast.Expr) {
		if s, ok := w.sentence(x); ok {
			found[example(s)] = w.files.Position(x.Pos()).String()
		}
	}
	for _, room := range []string{"importers", "pdftext", "isolated"} {
		names, err := filepath.Glob("../../" + room + "/*.go")
		require.NoError(t, err)
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(w.files, name, nil, parser.SkipObjectResolution)
			require.NoError(t, err)
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					if of := types.ExprString(n.Fun); of == "overBound" || of == "boundError" {
						take(n.Args[0])
					}
				case *ast.CompositeLit:
					if n.Type == nil || types.ExprString(n.Type) != "Fault" {
						return true
					}
					kind, cause := "", ast.Expr(nil)
					for _, x := range n.Elts {
						switch pair := x.(*ast.KeyValueExpr); types.ExprString(pair.Key) {
						case "Kind":
							kind = types.ExprString(pair.Value)
						case "Cause":
							cause = pair.Value
						}
					}
					if call, ok := cause.(*ast.CallExpr); ok && kind == "ErrTooLarge" {
						take(call.Args[0])
					}
				}
				return true
			})
		}
	}
	return found
}

var latin = regexp.MustCompile(`[a-z]{3,}`)

// TestBoundsAreSaidInArabic: which bound a file exceeds is said in Arabic, not in English within an Arabic sentence.
func TestBoundsAreSaidInArabic(t *testing.T) {
	c, bounds := NewChrome(ChromeInput{Lang: "ar"}), boundsOf(t)
	require.Greater(t, len(bounds), 10)
	for bound, place := range bounds {
		english := "12 is too large: " + bound + ". Split it."
		arabic := c.SaidText(english)
		if latin.MatchString(arabic) {
			t.Errorf("%s: %q is said as %q: give it a message said_bound_…", place, bound, arabic)
		}
		require.Equal(t, strings.Count(english, "12"), strings.Count(arabic, say.Isolated("12")), arabic)
	}
	unknown := "a.pdf is too large: it is heavy. Split it."
	require.Equal(t, unknown, c.SaidText(unknown))
}

// TestKindsOfFilesAreSaidInArabic: what a file is inside is said in Arabic, whether its name contradicts it or it is
// not read. A queued job fails with both, as a form's files are not read before.
func TestKindsOfFilesAreSaidInArabic(t *testing.T) {
	files, kinds := token.NewFileSet(), map[string]bool{}
	f, err := parser.ParseFile(files, "../../importers/sniff.go", nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	w := warned{t: t, files: files}
	ast.Inspect(f, func(n ast.Node) bool {
		if pair, ok := n.(*ast.KeyValueExpr); ok && types.ExprString(pair.Key) == "kind" {
			s, ok := w.sentence(pair.Value)
			require.True(t, ok, files.Position(pair.Pos()))
			kinds[s] = true
		}
		return true
	})
	require.Len(t, kinds, 7)
	c := NewChrome(ChromeInput{Lang: "ar"})
	for kind := range kinds {
		for _, english := range []string{
			"a.txt is " + kind + " inside, but its name ends with .txt; " +
				"name it so that it ends with .pdf and upload it again.",
			"a.txt is " + kind + " inside, but its name ends with .txt; " +
				"upload the file that was meant. Read are .pdf and .txt.",
			"a.txt is " + kind + ". Read are .pdf and .txt; save it as one of these.",
		} {
			require.NotEqual(t, english, c.SaidText(english), "give it a message said_inside_…")
		}
	}
	unknown := "This is a thing."
	require.Equal(t, unknown, c.SaidText(unknown))
}

// TestFaultsOfFilesHaveNoEnglishWords: lists, pages of a file and bounds stand in Arabic sentences without English
// words.
func TestFaultsOfFilesHaveNoEnglishWords(t *testing.T) {
	c := NewChrome(ChromeInput{Lang: "ar", Digits: "arab"})
	for english, arabic := range map[string]string{
		"a.xyz is a .xyz file. Read are .pdf, .docx and .txt; save it as one of these.": "" +
			"الملف \u2068a.xyz\u2069 من نوع \u2068.xyz\u2069. تُقرأ الأنواع \u2068.pdf, .docx, .txt\u2069؛ احفظه بأحدها.",
		"a.pdf is an image inside, but its name ends with .pdf; upload the file that was meant. " +
			"Read are .pdf and .txt.": "" +
			"محتوى الملف \u2068a.pdf\u2069: صورة، لكن اسمه ينتهي بالامتداد \u2068.pdf\u2069؛ ارفع الملف المقصود. " +
			"تُقرأ الأنواع \u2068.pdf, .txt\u2069.",
		"a.pdf is too large: it has 5001 pages, more than 5000. Split it.": "" +
			"الملف \u2068a.pdf\u2069 أكبر مما يُقرأ: عدد صفحاته \u2068٥٠٠١\u2069، والحد الأقصى \u2068٥٠٠٠\u2069. قسّمه.",
		"2024.pdf, page 31 is too large: its text is longer than 12 characters. Split it.": "" +
			"الملف \u20682024.pdf\u2069 (الصفحة \u2068٣١\u2069) أكبر مما يُقرأ: عدد أحرف نصه أكثر من \u2068١٢\u2069. قسّمه.",
		"a, page 2.pdf, page 3 is broken or no whole PDF; " +
			"open it in a viewer, print it to a new PDF and upload that.": "" +
			"الملف \u2068a, page 2.pdf\u2069 (الصفحة \u2068٣\u2069) تالف أو ليس ملف PDF كاملًا؛ " +
			"افتحه في برنامج عرض، واطبعه إلى ملف PDF جديد، ثم ارفعه.",
		"A document has exactly one of text, pages, chunks and lake; this one has nothing of them.": "" +
			"للمستند واحد فقط من \u2066text, pages, chunks, lake\u2069؛ ولا شيء منها في هذا المستند.",
		"A document has exactly one of text, pages, chunks and lake; this one has two of them.": "" +
			"للمستند واحد فقط من \u2066text, pages, chunks, lake\u2069؛ وفي هذا المستند اثنان منها.",
		"A document has exactly one of text, pages, chunks and lake; this one has text and pages and chunks.": "" +
			"للمستند واحد فقط من \u2066text, pages, chunks, lake\u2069؛ وما ورد في هذا: \u2068text, pages, chunks\u2069.",
	} {
		require.Equal(t, arabic, c.SaidText(english))
	}
}
