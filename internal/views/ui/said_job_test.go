package ui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// faultRooms are the files whose faults fail a job.
var faultRooms = strings.Fields(`importers/read.go importers/session.go importers/documents.go importers/chunks.go importers/chunkindex.go
importers/claims.go importers/builder.go importers/draft.go importers/drafted.go importers/draftedclaims.go
importers/form.go importers/formsession.go importers/pdf.go importers/markup.go importers/sniff.go importers/lines.go
importers/foreign.go importers/stream.go importers/ragtruth.go importers/exported.go importers/exportedchecks.go
importers/exportedclaims.go importers/exportedimports.go importers/ledgerwire.go importers/intoto.go
importers/plainledger.go importers/added.go importers/version.go
importers/words.go importers/texts.go importers/docx.go importers/html.go
app/worker.go app/rejudge.go app/modelrun.go app/frombundle.go db/jobs_run.go db/judge_run.go domain/judge/run.go
domain/ledger/add.go domain/ledger/replace.go`)

// faultMakers are the functions whose texts are faults.
var faultMakers = strings.Fields(`Invalidf TooLargef Conflictf NotFoundf Unsupportedf unsupported notRead malformed
invalid fault`)

// faultExamples are faults as they are told, by the text that they are made of: those with words for what is there or
// wanted, or with a part of another fault. A text without one is told elsewhere than in a job.
var faultExamples = map[string][]string{
	"The whole is %s; send an object.":      {"The whole is a list; send an object."},
	"This is %s; give a text or an object.": {"This is a list; give a text or an object."},
	"%s has the id %q already; give each %s its own.": {
		`claims[0] has the id "c" already; give each claim its own.`},
	"%s is %s inside, but its name ends with %s; %s": {
		"a.docx is a PDF inside, but its name ends with .docx; name it so that it ends with .pdf and upload it again.",
		"a.pdf is an image inside, but its name ends with .pdf; upload the file that was meant. " +
			"Read are .pdf, .docx and .txt."},
	"%s is %s.":                      {"a.png is an image."},
	"%s is too large: %v. Split it.": {"a.pdf is too large: it has 5,001 pages, more than 5000. Split it."},
	"Only an endpoint is asked about a part of the claims; leave scope out.": nil,
	"There is no such scope; choose rest or all.":                            nil,
	"This says %s.": {"This says \"x/v1\"." + expectedFormat},
	"%s Expected is an object with \"format\": \"%s\", or a ledger as exported here (with \"ledger_id\" and \"sanad\").": {
		`This is an exported ledger without its "sanad" part and without entries.` + expectedFormat,
		`This says "x", not "y".` + expectedFormat,
		`This says "x/v1", and comes with files.` + expectedFormat,
		`The input has no "format", and is none of the files that are read without: A, B.` + expectedFormat},
	"A document has exactly one of text, pages, chunks and lake; this one has %s.": {
		"A document has exactly one of text, pages, chunks and lake; this one has text and pages.",
		"A document has exactly one of text, pages, chunks and lake; this one has nothing of them."},
	" (So in %s more %s.)": nil, // a warning
	"%s took too much time or memory to read. %s, or split it.": {
		"a.docx took too much time or memory to read. Save it again as .docx, or split it.",
		"a.html took too much time or memory to read. Save it as plain text, or split it."},
	"%s Read are %s; save it as one of these.": {
		"a.bin holds NUL bytes, so it is no text. Read are .pdf and .txt; save it as one of these."},
	"%s is no sane %s: %v. %s, or split it.": {
		"a.docx is no sane Word document: its archive has more than 10,000 parts. Save it again as .docx, or split it.",
		"a.html is no sane web page: it has more than 1,000,000 tags. Save it as plain text, or split it."},
}

// expectedFormat ends what is told of a format that is not known.
const expectedFormat = ` Expected is an object with "format": "sanad.session/v1", ` +
	`or a ledger as exported here (with "ledger_id" and "sanad").`

// Every fault of reading an upload or judging that a job keeps is said in Arabic, with its values (rule H-7).
func TestFaultsOfJobsAreSaidInArabic(t *testing.T) {
	w := &warned{t: t, files: token.NewFileSet(), consts: map[string]string{}}
	var parsed []*ast.File
	for _, room := range faultRooms {
		names, err := filepath.Glob("../../" + room)
		require.NoError(t, err)
		require.NotEmpty(t, names, room)
		for _, name := range names {
			if !strings.HasSuffix(name, "_test.go") {
				f, err := parser.ParseFile(w.files, name, nil, parser.SkipObjectResolution)
				require.NoError(t, err)
				parsed = append(parsed, f)
				ast.Inspect(f, w.constant)
			}
		}
	}
	c, n, met := NewChrome(ChromeInput{Lang: "ar"}), 0, map[string]bool{}
	check := func(x ast.Expr) {
		text, ok := w.sentence(x)
		if !ok || !strings.Contains(text, " ") || types.ExprString(x) == "providers" { // what is named in one of them
			return
		}
		raw := w.raw(x)
		examples, listed := faultExamples[raw]
		if met[raw] = true; !listed {
			examples = []string{example(raw)}
		}
		for _, english := range examples {
			n++
			if arabic := c.SaidText(english); arabic == english {
				t.Errorf("%s: %q: give it a message said_job_…", w.files.Position(x.Pos()), english)
			} else if !listed {
				require.Equal(t, strings.Count(english, "12"), strings.Count(arabic, "12"),
					"%q has not the values of %q", arabic, english)
			}
		}
	}
	for _, f := range parsed {
		ast.Inspect(f, func(node ast.Node) bool {
			switch x := node.(type) {
			case *ast.CallExpr:
				name := types.ExprString(x.Fun)
				if name = name[strings.LastIndexByte(name, '.')+1:]; slices.Contains(faultMakers, name) {
					for _, a := range x.Args {
						check(a)
					}
				}
			case *ast.KeyValueExpr:
				if types.ExprString(x.Key) == "Msg" {
					check(x.Value)
				}
			case *ast.AssignStmt:
				for i, left := range x.Lhs {
					if strings.HasSuffix(types.ExprString(left), ".Msg") && len(x.Lhs) == len(x.Rhs) {
						check(x.Rhs[i])
					}
				}
			}
			return true
		})
	}
	require.Greater(t, n, 120)
	for english, arabic := range map[string]string{
		"This is a list; give an object.": "النوع هنا: قائمة؛ المطلوب: كائن.",
		"This is a list; give a thing.":   "This is a list; give a thing.",
		"a.xyz is a .xyz file. Read are .pdf and .txt; save it as one of these.": "" +
			"الملف \u2068a.xyz\u2069 من نوع \u2068.xyz\u2069. تُقرأ الأنواع \u2068.pdf, .txt\u2069؛ احفظه بأحدها.",
	} {
		require.Equal(t, arabic, c.SaidText(english))
	}
}

// raw returns the text of an expression with the verbs of its format.
func (w *warned) raw(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.BinaryExpr:
		left, right := w.raw(x.X), w.raw(x.Y)
		if left == "" {
			left = "%s"
		}
		if right == "" {
			right = "%s"
		}
		return left + right
	case *ast.CallExpr:
		if types.ExprString(x.Fun) == "fmt.Sprintf" {
			return w.raw(x.Args[0])
		}
		return ""
	}
	s, _ := w.sentence(x)
	return s
}

var anyVerb = regexp.MustCompile(`%0?[0-9]*[qdsvxX]`)

// example returns a format's text with an example for each value.
func example(format string) string {
	s := anyVerb.ReplaceAllStringFunc(format, func(v string) string {
		if v == "%q" {
			return `"12"`
		}
		return "12"
	})
	return strings.ReplaceAll(s, "%%", "%")
}
