package typeset

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"
)

// tool returns the path of a program that reads PDFs and fails the test if it isn't installed.
func tool(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	require.NoError(t, err, "install qpdf and poppler-utils: %s is missing", name)
	return path
}

// runTool runs a tool on a file and returns its output.
func runTool(t testing.TB, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(tool(t, name), args...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}

func writeFile(t testing.TB, d *Doc, attachments []Attachment) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, Write(&out, d, attachments))
	name := filepath.Join(t.TempDir(), "doc.pdf")
	require.NoError(t, os.WriteFile(name, out.Bytes(), 0o600))
	return name
}

// readParagraphs reads a testdata file with one paragraph a line.
func readParagraphs(t testing.TB, name string) []string {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + name)
	require.NoError(t, err)
	return strings.Split(strings.TrimSpace(string(raw)), "\n")
}

// onPages returns a document with each paragraph on its own page.
func onPages(paragraphs []string, lang string) *Doc {
	s := Section{Lang: lang}
	for _, p := range paragraphs {
		s.Blocks = append(s.Blocks, Paragraph{Spans: Text(p)}, PageBreak{})
	}
	return &Doc{Title: "t", Lang: lang, Date: time.Unix(0, 0), Sections: []Section{s}}
}

// pagesText returns the text of each page as one line. In right-to-left lines, poppler encloses text that reads from
// left to right in embedding controls and moves the following space in front of it: "‪ 14‬مارس". The embedding controls
// are replaced by control.
func pagesText(t testing.TB, file, control string) []string {
	text := runTool(t, "pdftotext", file, "-")
	for _, c := range "\u202a\u202b\u202c" {
		text = strings.ReplaceAll(text, string(c), control)
	}
	pages := strings.Split(text, "\f")
	for i := range pages {
		pages[i] = strings.Join(strings.Fields(pages[i]), " ")
	}
	return pages
}

// core returns the letters, digits and marks of s.
func core(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.L, unicode.N, unicode.M) {
			return r
		}
		return -1
	}, s)
}

func TestExtraction(t *testing.T) {
	for _, lang := range []string{"arabic", "english"} {
		t.Run(lang, func(t *testing.T) { extraction(t, lang) })
	}
}

func extraction(t *testing.T, lang string) {
	paragraphs := readParagraphs(t, lang+".txt")
	file := writeFile(t, onPages(paragraphs, lang[:2]), nil)
	got, apart := pagesText(t, file, ""), pagesText(t, file, " ")
	ratio, tokens, found := 0.0, 0, 0
	for i, want := range paragraphs {
		for _, r := range got[i] {
			require.False(t, r >= 0xFB50 && r <= 0xFEFC || r >= 0xE000 && r <= 0xF8FF || r == 0xFFFD, "%04X", r)
		}
		if core(want) != core(got[i]) {
			t.Errorf("paragraph %d\nwant %s\n got %s", i+1, want, got[i])
		}
		ratio += similarity([]rune(want), []rune(got[i])) / float64(len(paragraphs))
		have := append(words(got[i]), words(apart[i])...) // a prefix is outside its number's controls: "و2027"
		for _, w := range words(want) {
			tokens++
			if slices.Contains(have, w) {
				found++
			} else {
				t.Logf("%s: not found: %s", lang, w)
			}
		}
	}
	recall := float64(found) / float64(tokens)
	t.Logf("%s: %d paragraphs, letters, digits and marks exact; mean character ratio %.4f, token recall %.4f", lang,
		len(paragraphs), ratio, recall)
	require.GreaterOrEqual(t, ratio, 0.965)
	require.GreaterOrEqual(t, recall, map[string]float64{"arabic": 0.99, "english": 1}[lang])
}

// words returns a text's tokens without the punctuation around them.
func words(s string) []string {
	var out []string
	for _, w := range strings.Fields(s) {
		if w = strings.TrimFunc(w,
			func(r rune) bool { return !unicode.In(r, unicode.L, unicode.N, unicode.M) }); w != "" {
			out = append(out, w)
		}
	}
	return out
}

// similarity is twice the length of the longest common subsequence divided by the sum of both lengths.
func similarity(a, b []rune) float64 {
	row := make([]int, len(b)+1)
	for _, x := range a {
		diagonal := 0
		for j, y := range b {
			above := row[j+1]
			if x == y {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(row[j+1], row[j])
			}
			diagonal = above
		}
	}
	return 2 * float64(row[len(b)]) / float64(len(a)+len(b))
}

// TestLineDirection checks that a line whose first text has a direction runs in it, whatever is around it.
func TestLineDirection(t *testing.T) {
	spans := []Span{{Text: "word for word"}, {Text: "\n"}, {Text: "الرقم: ", Dir: RTL}, {Text: "4 hours", Isolate: true}}
	all := sources(spans, false, func(rune) bool { return true })
	require.Len(t, all, 2)
	require.Equal(t, []bool{false, true}, []bool{all[0].rtl, all[1].rtl})
}
