package ledger

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/views/viewtest"
)

// tablePage lays out a document of these chunks; claim 1 leans on the words in the chunk.
func tablePage(t *testing.T, lang, words string, chunks ...string) (*DocumentPage, string) {
	t.Helper()
	d := ledger.Document{ID: "d", Filename: "a.docx", Status: ledger.Ready}
	cited := map[int][]ledger.Cited{}
	for i, s := range chunks {
		d.Chunks = append(d.Chunks, ledger.Chunk{Position: i, Text: s, Hash: ledger.ChunkDigest(s)})
		if at := strings.Index(s, words); words != "" && at >= 0 {
			from := text.Len(s[:at])
			cited[i] = []ledger.Cited{{Number: 1, Verdict: ledger.Supported, Support: ledger.Full,
				Quote: text.Span{Start: from, End: from + text.Len(words)}}}
		}
	}
	p := NewDocumentPage(viewtest.ChromeAt(lang, "/"), DocumentInput{
		DocumentPage: ledger.DocumentPage{Document: d, TotalChunks: len(chunks), Cited: cited, Words: "The fee for a gold card is 25 dinars"},
		Current:      -1, Claim: 1,
	})
	var b bytes.Buffer
	require.NoError(t, sheet(p, p.Sheets[0]).Render(context.Background(), &b))
	_, err := html.Parse(&b)
	require.NoError(t, err)
	b.Reset()
	require.NoError(t, sheet(p, p.Sheets[0]).Render(context.Background(), &b))
	return p, strings.Join(strings.Fields(b.String()), " ")
}

// TestTablesAreShown: a table is one of HTML, its cells have heads, the passage is marked in its cells.
func TestTablesAreShown(t *testing.T) {
	p, got := tablePage(t, "en", "| Gold | 25 |",
		"Above.\n\nTable 1: fees\n| Card | Fee | |\n|---|---|---|\n| Gold | 25 |\n| A\\|B | 15 | x |\n\nBelow.")
	for _, want := range []string{
		`role="group"`, `<table dir="ltr" lang="en">`, `<caption dir="ltr" lang="en">Table 1: fees</caption>`,
		`<th scope="col">Card</th><th scope="col">Fee</th><td></td>`,
		`<th scope="row"><span class="passage" id="passage"><mark>Gold</mark></span></th><td><span class="passage"><mark>25</mark></span></td><td></td>`,
		`<th scope="row">A|B</th><td>15</td><td>x</td>`, `>Above.</p>`, `>Below.</p>`,
	} {
		require.Contains(t, got, want)
	}
	require.NotContains(t, got, "---")
	require.Equal(t, 1, strings.Count(got, `id="passage"`))
	require.Equal(t, "Gold · Fee: 25", p.Passages[0].Text, "the list names what decides, not how the passage begins")
}

// TestContinuedTables: rows whose heads are in a chunk before show them again; a passage of several cells is sought
// with spaces between them.
func TestContinuedTables(t *testing.T) {
	p, got := tablePage(t, "ar", "| ذهبية | ٢٥ |", "| البطاقة | الرسوم |\n|---|---|\n| فضية | ١٥ |", "| ذهبية | ٢٥ |")
	require.Equal(t, 2, strings.Count(got, `<table dir="rtl" lang="ar">`))
	require.Contains(t, got, `<thead class="soft"><tr><th scope="col">البطاقة</th><th scope="col">الرسوم</th></tr></thead>`)
	require.Equal(t, "ذهبية ٢٥", p.Words)
}

// TestNoTables: a table without heads has none; a bar in a sentence or in code makes no table.
func TestNoTables(t *testing.T) {
	_, got := tablePage(t, "en", "", "| | |\n|---|---|\n| Gold | 25 |")
	require.NotContains(t, got, "<th")
	require.Contains(t, got, "<td>Gold</td><td>25</td>")
	_, got = tablePage(t, "en", "", "Use a | b here.\nc | d")
	require.NotContains(t, got, "<table")
	_, got = tablePage(t, "en", "", "```\n| a | b |\n|---|---|\n| c | d |\n```")
	require.NotContains(t, got, "<table")
}
