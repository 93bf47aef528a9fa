package pdftext_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/exporters/typeset"
	"sanad/internal/pdftext"
)

// book returns a PDF of that many pages, made by our own engine, with one section per page.
func book(b testing.TB, pages int) []byte {
	b.Helper()
	doc := typeset.Doc{Title: "Book", Lang: "en", Date: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), ID: "book"}
	for i := range pages {
		s := typeset.Section{Lang: "en",
			Blocks: []typeset.Block{typeset.Heading{Level: 1, Text: fmt.Sprintf("Chapter %d", i+1)}}}
		for k := range 8 {
			words := fmt.Sprintf("Rule %d.%d: staff receive %d days of leave, and a further day for each year of service; what is not taken lapses at the end of March of the next year, unless the director agrees in writing to carry it over.", i+1, k+1, k+10)
			s.Blocks = append(s.Blocks, typeset.Paragraph{Spans: []typeset.Span{{Text: words}}})
		}
		doc.Sections = append(doc.Sections, s)
	}
	var out bytes.Buffer
	require.NoError(b, typeset.Write(&out, &doc, nil))
	return out.Bytes()
}

// TestReadLongFile: each of 300 pages has its own words and its own number.
func TestReadLongFile(t *testing.T) {
	got, err := pdftext.Read(book(t, 300), pdftext.Limits{})
	require.NoError(t, err)
	require.Len(t, got.Pages, 300)
	for i, p := range got.Pages {
		require.Equal(t, pdftext.Paragraph{Text: fmt.Sprintf("Chapter %d", i+1), Level: 1}, p.Paragraphs[0], "page %d",
			i+1)
		require.Contains(t, p.Paragraphs[8].Text, fmt.Sprintf("Rule %d.8: staff receive 17 days", i+1))
	}
}

// BenchmarkRead reads a PDF of 300 pages in this process and in a separate one.
func BenchmarkRead(b *testing.B) {
	data := book(b, 300)
	b.Run("here", func(b *testing.B) {
		for b.Loop() {
			if _, err := pdftext.Read(data, pdftext.Limits{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("isolated", func(b *testing.B) {
		r := inProcess(b, pdftext.UseOwn)
		for b.Loop() {
			if _, err := r.Read(b.Context(), data); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("pdftotext", func(b *testing.B) {
		r := inProcess(b, pdftext.UsePoppler)
		for b.Loop() {
			if _, err := r.Read(b.Context(), data); err != nil {
				b.Fatal(err)
			}
		}
	})
}
