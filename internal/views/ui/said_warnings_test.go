package ui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/importers"
	"sanad/internal/views/say"
)

// warned finds the sentences of warnings in the source of a package.
type warned struct {
	t      *testing.T
	files  *token.FileSet
	consts map[string]string
	passed map[string]int      // expressions that hand on a warning made elsewhere, and how often they were met
	found  map[string][]string // places by sentence with an example for each value
}

// reasons are the functions that return a warning, by the number of the result.
var reasons = map[string]int{"fault": 0, "givenFault": 0, "place": 0, "inDocument": 1}

// warnings reads where warnings are made: calls of warn, skip and once, a mark's why, fields Msg of a domain.Warning, the
// Note of a trace, and what reasons return. An expression that is not a string must be listed in passed.
func warnings(t *testing.T, passed []string, patterns ...string) map[string][]string {
	w := &warned{t: t, files: token.NewFileSet(), consts: map[string]string{}, passed: map[string]int{},
		found: map[string][]string{}}
	for _, expr := range passed {
		w.passed[expr] = 0
	}
	var parsed []*ast.File
	for _, pattern := range patterns {
		names, err := filepath.Glob("../../" + pattern)
		require.NoError(t, err)
		require.NotEmpty(t, names, pattern)
		for _, name := range names {
			if !strings.HasSuffix(name, "_test.go") {
				f, err := parser.ParseFile(w.files, name, nil, parser.SkipObjectResolution)
				require.NoError(t, err)
				parsed = append(parsed, f)
			}
		}
	}
	for _, f := range parsed {
		ast.Inspect(f, w.constant)
	}
	for _, f := range parsed {
		for _, d := range f.Decls {
			w.function(d)
		}
	}
	for expr, n := range w.passed {
		require.Positive(t, n, "nothing hands on %s any more: take it off the list", expr)
	}
	return w.found
}

// constant keeps the value of a constant of texts.
func (w *warned) constant(n ast.Node) bool {
	if v, ok := n.(*ast.ValueSpec); ok && len(v.Names) == len(v.Values) {
		for i, name := range v.Names {
			if s, ok := w.sentence(v.Values[i]); ok {
				w.consts[name.Name] = s
			}
		}
	}
	return true
}

// function reads the warnings that a function makes, those that it returns included.
func (w *warned) function(d ast.Decl) {
	f, ok := d.(*ast.FuncDecl)
	if !ok {
		ast.Inspect(d, w.made)
		return
	}
	at, returns := reasons[f.Name.Name]
	ast.Inspect(f, func(n ast.Node) bool {
		if r, ok := n.(*ast.ReturnStmt); ok && returns && at < len(r.Results) && ofText(f, at) {
			w.take(r.Results[at])
		}
		return w.made(n)
	})
}

// ofText reports whether a function's result is a text: place and fault are names of other functions too.
func ofText(f *ast.FuncDecl, at int) bool {
	var kinds []string
	for _, r := range f.Type.Results.List {
		for range max(1, len(r.Names)) {
			kinds = append(kinds, types.ExprString(r.Type))
		}
	}
	return at < len(kinds) && kinds[at] == "string"
}

// made reads a warning that is made here.
func (w *warned) made(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		if f, ok := n.Fun.(*ast.SelectorExpr); ok && len(n.Args) > 0 {
			switch name := f.Sel.Name; {
			case (name == "warn" || name == "skip") && len(n.Args) == 2, name == "once" && len(n.Args) == 1:
				w.take(n.Args[len(n.Args)-1])
			}
		}
	case *ast.AssignStmt:
		for i, left := range n.Lhs {
			if f, ok := left.(*ast.SelectorExpr); ok && f.Sel.Name == "why" && len(n.Lhs) == len(n.Rhs) {
				w.take(n.Rhs[i])
			}
		}
	case *ast.CompositeLit:
		for _, x := range n.Elts {
			pair, ok := x.(*ast.KeyValueExpr)
			if !ok {
				continue
			}
			of := ""
			if n.Type != nil {
				of = types.ExprString(n.Type)
			}
			key := types.ExprString(pair.Key)
			if key == "why" || key == "Msg" && (of == "domain.Warning" || of == "") {
				w.take(pair.Value)
			}
		}
	}
	return true
}

// take keeps the sentence of an expression, none for the empty one.
func (w *warned) take(x ast.Expr) {
	if call, ok := x.(*ast.CallExpr); ok && strings.HasSuffix(types.ExprString(call.Fun), ".once") {
		return // made has read it
	}
	place := w.files.Position(x.Pos()).String()
	s, ok := w.sentence(x)
	if !ok {
		expr := types.ExprString(x)
		require.Contains(w.t, w.passed, expr, "%s: write the warning as a sentence here, or list what hands it on", place)
		w.passed[expr]++
		return
	}
	if s != "" {
		w.found[s] = append(w.found[s], place)
	}
}

// verb is a value in a format; a quoted one stands in quotation marks.
var verb = regexp.MustCompile(`%[qdsv]`)

// sentence returns the text of an expression with an example for each value. ok is false if it has no words of its own.
func (w *warned) sentence(x ast.Expr) (s string, ok bool) {
	switch x := x.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(x.Value)
		return s, err == nil && x.Kind == token.STRING
	case *ast.Ident:
		s, ok := w.consts[x.Name]
		return s, ok
	case *ast.BinaryExpr:
		left, a := w.sentence(x.X)
		right, b := w.sentence(x.Y)
		if !a {
			left = "12"
		}
		if !b {
			right = "12"
		}
		return left + right, (a || b) && x.Op == token.ADD
	case *ast.CallExpr:
		if types.ExprString(x.Fun) != "fmt.Sprintf" {
			return "", false
		}
		s, ok := w.sentence(x.Args[0])
		s = verb.ReplaceAllStringFunc(s, func(v string) string {
			if v == "%q" {
				return `"12"`
			}
			return "12"
		})
		return strings.ReplaceAll(s, "%%", "%"), ok
	}
	return "", false
}

// warners are the files that make warnings which are stored.
var warners = []string{"importers/*.go", "domain/judge/*.go", "app/heartbeat.go"}

// Every warning that an import can store is said in Arabic with all its values (rule H-7).
func TestWarningsOfImportsAreSaidInArabic(t *testing.T) {
	c := NewChrome(ChromeInput{Lang: "ar"})
	// an endpoint's *fault is one of llm/fault.go, see TestStoredSentencesAreSaidInArabic
	all := warnings(t, []string{"msg", "w.Msg", "why", "m.why", "fault", "warning", "*fault"}, warners...)
	require.Greater(t, len(all), 60)
	for english, places := range all {
		arabic := c.SaidText(english)
		switch {
		case arabic == english:
			t.Errorf("%s: %q: give it a message said_warn_…", places[0], english)
		case strings.Count(arabic, say.Isolated("12")) != strings.Count(english, "12"):
			t.Errorf("%s: %q has not the values of %q", places[0], arabic, english)
		}
	}
}

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
				require.NotEqual(t, w.Msg, c.SaidText(w.Msg), "%s: %s", name, w.Path)
			}
		}
	}
	require.Greater(t, n, 40)
}

// Names and quoted values stand in Arabic sentences as they were written, page numbers one by one.
func TestWarningsKeepNamesAndNumbers(t *testing.T) {
	c := NewChrome(ChromeInput{Lang: "ar", Digits: "arab"})
	for english, arabic := range map[string]string{
		"Q4 2024, final.pdf has no text on 13 of its 1,300 pages (1, 2, 30, …): nothing can be found there. " +
			"If they are scans, run OCR first.": "" +
			"في الملف \u2068Q4 2024, final.pdf\u2069 صفحات لا نص فيها، وهي \u2068١٣\u2069 من \u2068١٬٣٠٠\u2069 " +
			"(\u2068١\u2069، \u2068٢\u2069، \u2068٣٠\u2069، \u2068…\u2069)، فلا يمكن العثور على شيء فيها. " +
			"إن كانت ممسوحة ضوئيًا فشغّل عليها أولًا برنامج التعرف الضوئي على النص (OCR).",
		"a\nb.pdf ends too early, without %%EOF: it was cut off on its way, and pages may be missing. Send it whole.": "" +
			"ينتهي الملف \u2068a\nb.pdf\u2069 قبل تمامه دون \u2066%%EOF\u2069: انقطع في أثناء نقله، وقد تنقصه صفحات. أرسله كاملًا.",
		`"web_2" is none of the five kinds of citation; it is kept, not placed.`: "" +
			"ليس «\u2068web_2\u2069» من أنواع الاستشهاد الخمسة؛ حُفظ ولم يُحدَّد موضعه.",
		`"7" is none of the five kinds of citation; it is kept, not placed.`: "" +
			"ليس «\u20687\u2069» من أنواع الاستشهاد الخمسة؛ حُفظ ولم يُحدَّد موضعه.",
		"2024 ends too early, without %%EOF: it was cut off on its way, and pages may be missing. Send it whole.": "" +
			"ينتهي الملف \u20682024\u2069 قبل تمامه دون \u2066%%EOF\u2069: انقطع في أثناء نقله، وقد تنقصه صفحات. أرسله كاملًا.",
		`The file is unchanged since "10.2.0.7" signed it. Its 2 review(s) are shown as made there; ` +
			"here every claim was judged again.": "" +
			"لم يتغير الملف منذ وقّعته «\u206810.2.0.7\u2069». تُعرض مراجعاته (\u2068٢\u2069) على أنها أُجريت هناك، وحُكم هنا على كل إفادة من جديد.",
		`The file is unchanged since "وزارة 7" signed it. Its 1200 review(s) are shown as made there; ` +
			"here every claim was judged again.": "" +
			"لم يتغير الملف منذ وقّعته «\u2068وزارة 7\u2069». تُعرض مراجعاته (\u2068١٢٠٠\u2069) على أنها أُجريت هناك، وحُكم هنا على كل إفادة من جديد.",
		"There is no grounding chunk -1; the citation is kept, not placed. (So in 3 more places.)": "" +
			"لا يوجد مقطع إسناد برقم \u2068-١\u2069؛ حُفظ الاستشهاد ولم يُحدَّد موضعه. (وكذلك في ٣ مواضع أخرى.)",
	} {
		require.Equal(t, arabic, c.SaidText(english))
	}
}
