package exporters

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	goldtext "github.com/yuin/goldmark/text"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/exporters/exporttest"
	"sanad/internal/exporters/prose"
	"sanad/internal/exporters/typeset"
)

// blocksOfAnswer returns what a ledger's answer becomes, without the legend.
func blocksOfAnswer(t *testing.T, l *ledger.Ledger, lang int) []typeset.Block {
	t.Helper()
	p := pdfWriter{Lang: &prose.Langs[lang], l: l}
	p.answer()
	return p.blocks
}

// markedText writes a block's spans so that its marks can be read: underlined text between {form: and }.
func markedText(spans []typeset.Span) string {
	var b strings.Builder
	for _, s := range spans {
		if s.Under == typeset.NoLine {
			b.WriteString(s.Text)
			continue
		}
		fmt.Fprintf(&b, "{%d:%s}", s.Under, s.Text)
	}
	return strings.ReplaceAll(b.String(), "\u00a0", " ")
}

// placedClaims puts claims at the places of their words in an answer.
func placedClaims(answer string, verdicts []ledger.Verdict, words ...string) *ledger.Ledger {
	s := ledger.Session{Title: "t", Lang: "en", Answer: answer}
	for i, w := range words {
		s.Claims = append(s.Claims, exporttest.Claim(i, w, ledger.Fact, ledger.Critical))
	}
	l := exporttest.Assess(exporttest.Session(s))
	for i := range l.Entries {
		l.Entries[i].Claim.Span = nil
		if at := strings.Index(answer, words[i]); at >= 0 {
			start := text.Len(answer[:at])
			l.Entries[i].Claim.Span = &text.Span{Start: start, End: start + text.Len(words[i])}
		}
		l.Entries[i].Verdict = verdicts[i%len(verdicts)]
	}
	return l
}

// TestPDFMarksClaims checks how the claims of an answer are marked: each underlined in the form of its verdict and
// followed by its number, also inside emphasis, code, lists, tables and overlapping claims; the rest is named.
func TestPDFMarksClaims(t *testing.T) {
	all := ledger.Verdicts
	for _, c := range []struct {
		name, answer string
		claims       []string
		want         []string
	}{
		{name: "plain", answer: "Staff get 15 days. More follows.", claims: []string{"Staff get 15 days."},
			want: []string{"{1:Staff get 15 days.} [1] More follows."}},
		{name: "one of each", answer: "Aa bb. Cc dd. Ee ff. Gg hh.", claims: []string{"Aa bb.", "Cc dd.", "Ee ff.", "Gg hh."},
			want: []string{"{1:Aa bb.} [1] {2:Cc dd.} [2] {3:Ee ff.} [3] {4:Gg hh.} [4]"}},
		{name: "emphasis ends the claim", answer: "Staff get **15 days**", claims: []string{"Staff get **15 days**"},
			want: []string{"{1:Staff get }{1:15 days} [1]"}},
		{name: "code", answer: "Set `max = 5` now.", claims: []string{"Set `max = 5`"}, want: []string{"{1:Set }{1:max = 5} [1] now."}},
		{name: "overlapping", answer: "All staff get 15 days of paid leave.",
			claims: []string{"All staff get 15 days of paid leave", "15 days"},
			want:   []string{"{1:All staff get }{2:15 days} [2]{1: of paid leave} [1]."}},
		{name: "the same end", answer: "All staff get 15 days", claims: []string{"All staff get 15 days", "15 days"},
			want: []string{"{1:All staff get }{2:15 days} [1] [2]"}},
		{name: "list", answer: "- one two\n- three four", claims: []string{"one two", "three four"}, want: []string{"{1:one two} [1]", "{2:three four} [2]"}},
		{name: "over two lines", answer: "one two\nthree four. x", claims: []string{"one two\nthree four."},
			want: []string{"{1:one two} {1:three four.} [1] x"}},
		{name: "anchor inside", answer: "Staff get 15 days [cite:deadbeef] a year. x", claims: []string{"Staff get 15 days [cite:deadbeef] a year."},
			want: []string{"{1:Staff get 15 days }¹{1: a year.} [1] x"}},
		{name: "not there", answer: "Nothing.", claims: []string{"Staff get 15 days"},
			want: []string{"Nothing.", "Claims that the answer does not contain word for word: 1."}},
		{name: "escapes", answer: `A \* b &amp; c.`, claims: []string{`A \* b &amp; c`}, want: []string{"{1:A * b & c} [1]."}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, b := range blocksOfAnswer(t, placedClaims(c.answer, all, c.claims...), 0) {
				switch b := b.(type) {
				case typeset.Paragraph:
					got = append(got, markedText(b.Spans))
				case typeset.List:
					for _, item := range b.Items {
						got = append(got, markedText(item))
					}
				}
			}
			if strings.Contains(got[0], "underlined and numbered") {
				got = got[1:]
			}
			require.Equal(t, c.want, got)
		})
	}
}

// TestPDFMarksTables checks that a table of the answer stays a table, and that the claims in its cells are marked.
func TestPDFMarksTables(t *testing.T) {
	l := placedClaims("| Leave | Days |\n|---|--:|\n| Annual | 15 |\n| Sick | 30 |", ledger.Verdicts, "Annual | 15", "Sick")
	var found bool
	for _, b := range blocksOfAnswer(t, l, 0) {
		table, ok := b.(typeset.Table)
		if !ok {
			continue
		}
		found = true
		require.Equal(t, "Days", table.Columns[1].Title)
		require.True(t, table.Columns[1].End)
		require.Len(t, table.Rows, 2)
		require.Equal(t, "{1:Annual}", markedText(table.Rows[0].Cells[0].Spans))
		require.Equal(t, "{1:15} [1]", markedText(table.Rows[0].Cells[1].Spans))
		require.Equal(t, "{2:Sick} [2]", markedText(table.Rows[1].Cells[0].Spans))
	}
	require.True(t, found)
}

// TestPDFNamesTheLines checks that the legend names the form of line of each verdict that occurs, in both languages.
func TestPDFNamesTheLines(t *testing.T) {
	l := placedClaims("Aa bb. Cc dd.", []ledger.Verdict{ledger.Supported, ledger.Contradicted}, "Aa bb.", "Cc dd.")
	for i, want := range []string{"solid line – Supported", "خط متصل – مؤيَّدة"} {
		legend := blocksOfAnswer(t, l, i)[1].(typeset.Paragraph)
		require.Contains(t, prose.PlainText(legend.Spans), want)
		require.Contains(t, prose.PlainText(legend.Spans), prose.Langs[i].T("answer_line_contradicted", "Verdict",
			prose.Langs[i].Verdict(ledger.Contradicted)))
		require.NotContains(t, prose.PlainText(legend.Spans), prose.Langs[i].Verdict(ledger.NotFound))
	}
	forms := map[typeset.Underline]bool{}
	for _, v := range ledger.Verdicts {
		forms[prose.Underlines[v]] = true
	}
	require.Len(t, forms, len(ledger.Verdicts), "two verdicts have one form of line")
}

// FuzzPDFMarks checks that marking an answer loses no word of it and numbers each claim once.
func FuzzPDFMarks(f *testing.F) {
	f.Add("All **staff** get `15` days.\n\n- a\n- b\n\n| x | y |\n|---|---|\n| 1 | 2 |", 0, 9, 4, 20)
	f.Add("<b>x</b> [cite:deadbeef] «نص»", 1, 5, 2, 30)
	f.Fuzz(func(t *testing.T, answer string, a, b, c, d int) {
		n := text.Len(answer)
		span := func(x, y int) *text.Span {
			x, y = min(max(x, 0), n), min(max(y, 0), n)
			return &text.Span{Start: min(x, y), End: max(x, y)}
		}
		l := exporttest.Assess(exporttest.Session(ledger.Session{Answer: answer, Claims: []ledger.Claim{
			exporttest.Claim(0, "a", ledger.Fact, ledger.Critical), exporttest.Claim(1, "b", ledger.Fact, ledger.Critical)}}))
		l.Entries[0].Claim.Span, l.Entries[1].Claim.Span = span(a, b), span(c, d)
		root := prose.AnswerParser().Parse(goldtext.NewReader([]byte(answer)))
		marks := prose.NewMarks(l, root, func(hash string) typeset.Span { return typeset.Span{Text: hash} })
		seen := len(marks.Lost)
		for _, x := range marks.Numbers {
			seen += len(x)
		}
		require.Equal(t, 2, seen)
		prose.BlocksOf(root, []byte(answer), marks)
	})
}

// TestPDFInOneLanguage checks a ledger's PDF in one language: it has that part only, its catalog says which language
// it is, and it carries the JSON.
func TestPDFInOneLanguage(t *testing.T) {
	l := exporttest.Board(15)
	both, err := pdfFormat(t).Render(l)
	require.NoError(t, err)
	same, err := pdfFormat(t).RenderIn(l, BothLanguages)
	require.NoError(t, err)
	require.Equal(t, both, same)
	total := 0
	for _, lang := range []Language{English, Arabic} {
		data, err := pdfFormat(t).RenderIn(l, lang)
		require.NoError(t, err)
		again, err := pdfFormat(t).RenderIn(l, lang)
		require.NoError(t, err)
		require.Equal(t, data, again)
		file := filepath.Join(t.TempDir(), "one.pdf")
		require.NoError(t, os.WriteFile(file, data, 0o600))
		exporttest.Tool(t, "qpdf", "--check", file)
		require.Regexp(t, `/Lang ?\(`+string(lang), exporttest.Tool(t, "qpdf", "--qdf", "--object-streams=disable", file,
			"-"))
		words := exporttest.Tool(t, "pdftotext", file, "-")
		heading := map[Language]string{English: "Claims and their evidence", Arabic: "الإفادات وأدلتها"}
		for other, h := range heading {
			require.Equal(t, other == lang, strings.Contains(exporttest.Letters(words), exporttest.Letters(h)), "%s: %s", lang,
				h)
		}
		require.Contains(t, exporttest.Tool(t, "pdfdetach", "-list", file), "ledger.json")
		total += pagesOf(t, file)
	}
	file := filepath.Join(t.TempDir(), "both.pdf")
	require.NoError(t, os.WriteFile(file, both, 0o600))
	require.GreaterOrEqual(t, total, pagesOf(t, file))
}

// TestLanguageOfOtherFormats checks that a language is refused where a file has none, or isn't made in it.
func TestLanguageOfOtherFormats(t *testing.T) {
	for _, f := range Formats {
		require.NoError(t, f.CheckLanguage(""))
		require.Error(t, f.CheckLanguage("fr"))
		table := f.Name == "csv" || f.Name == "xlsx"
		require.Equal(t, !table, f.CheckLanguage(BothLanguages) == nil, f.Name)
		require.Equal(t, table || f.Name == "pdf", f.CheckLanguage(Arabic) == nil, f.Name)
		require.Equal(t, map[bool]Language{true: English}[table], f.OneLanguage(""), f.Name)
	}
}

func pagesOf(t testing.TB, file string) int {
	t.Helper()
	m := regexp.MustCompile(`Pages:\s+(\d+)`).FindStringSubmatch(exporttest.Tool(t, "pdfinfo", file))
	require.NotNil(t, m)
	n, err := strconv.Atoi(m[1])
	require.NoError(t, err)
	return n
}

// mostPagesOf15 is how many pages 15 claims may take, both languages together.
const mostPagesOf15 = 8

// TestPDFPages checks how many pages ledgers of several lengths take, that no page is blank, and that none but the last
// of a part has only a line or two.
func TestPDFPages(t *testing.T) {
	for n := range 63 {
		if n > 4 && n%5 != 0 && n != 61 {
			continue
		}
		var out bytes.Buffer
		require.NoError(t, PDF(&out, exporttest.Board(n)))
		file := filepath.Join(t.TempDir(), "pages.pdf")
		require.NoError(t, os.WriteFile(file, out.Bytes(), 0o600))
		pages := pagesOf(t, file)
		t.Logf("%d claims: %d pages", n, pages)
		if n <= 15 {
			require.LessOrEqual(t, pages, mostPagesOf15)
		}
		text := strings.Split(strings.TrimSuffix(exporttest.Tool(t, "pdftotext", "-layout", file, "-"), "\f"), "\f")
		require.Len(t, text, pages)
		for i, page := range text {
			lines := len(strings.FieldsFunc(page, func(r rune) bool { return r == '\n' }))
			require.Greater(t, lines, 4, "%d claims: page %d of %d is nearly blank:\n%s", n, i+1, pages, page)
		}
	}
}
