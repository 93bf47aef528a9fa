package ledger

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/views/ui"
)

func sourcePage(t *testing.T, lang string, s *ledger.Session, in SourcesInput) SourceList {
	t.Helper()
	p := &SessionPage{Chrome: ui.NewChrome(ui.ChromeInput{Lang: lang, Digits: "latn"})}
	return p.SourceList(s, in)
}

func documents(names ...string) *ledger.Session {
	s := &ledger.Session{}
	for i, name := range names {
		s.Documents = append(s.Documents, ledger.Document{
			ID: fmt.Sprint("id-", i), Position: i, Filename: name, Status: ledger.Ready,
		})
	}
	return s
}

func excerpt(document, chunk int, similarity float64, text string) ledger.Passage {
	return ledger.Passage{Chunk: ledger.ChunkRef{Document: document, Chunk: chunk}, Similarity: similarity, Text: text}
}

func TestSourceList(t *testing.T) {
	s := documents("A.pdf", "B.pdf", "C.pdf", "D.pdf")
	s.Documents[3].Status = ledger.Deleted
	l := sourcePage(t, "en", s, SourcesInput{Documents: 4,
		Matched: []ledger.Passage{excerpt(1, 4, 0.5, "worse"), excerpt(2, 0, 0.7, "of C"), excerpt(1, 2, 0.9, "best"),
			excerpt(3, 0, 1, "deleted"), excerpt(9, 0, 1, "not loaded")},
		Openings: []ledger.Passage{excerpt(0, 0, 0, "A begins"), excerpt(1, 0, 0, "B begins")},
	})
	require.Equal(t, []SourceLine{
		{Name: "B.pdf", Href: "/documents/id-1?chunk=3#c-3", Snippet: "best"},
		{Name: "C.pdf", Href: "/documents/id-2?chunk=1#c-1", Snippet: "of C"},
		{Name: "A.pdf", Href: "/documents/id-0", Snippet: "A begins", Opening: true},
	}, l.First)
	require.Empty(t, l.More)
}

func TestSourceListIsBounded(t *testing.T) {
	require.Equal(t, SourceList{}, sourcePage(t, "en", documents(), SourcesInput{}))
	for n, want := range map[int][2]int{1: {1, 0}, 8: {8, 0}, 9: {9, 0}, 10: {8, 2}, 24: {8, 16}, 60: {8, 16}} {
		in := SourcesInput{Documents: n, Openings: []ledger.Passage{excerpt(0, 0, 0, strings.Repeat("word ", 500))}}
		l := sourcePage(t, "en", documents(make([]string, n)...), in)
		require.Equal(t, want, [2]int{len(l.First), len(l.More)}, n)
		require.Equal(t, n > listedSources, l.Beyond != "")
		require.Equal(t, fmt.Sprint(n), l.Count)
		require.LessOrEqual(t, len([]rune(l.First[0].Snippet)), sourceSnippet)
	}
}

func TestSourceListInBothLanguages(t *testing.T) {
	in := SourcesInput{Documents: 30}
	en, ar := sourcePage(t, "en", documents(make([]string, 30)...), in), sourcePage(t, "ar",
		documents(make([]string, 30)...), in)
	require.Equal(t, "16 more sources", en.MoreLabel)
	require.Equal(t, "6 further documents are not listed.", en.Beyond)
	require.Equal(t, "16 مصدرًا آخر", ar.MoreLabel)
	require.Equal(t, "6 مستندات أخرى غير مدرجة.", ar.Beyond)
}

func TestSourcesPanelEscapesAndIsolates(t *testing.T) {
	var b strings.Builder
	l := SourceList{
		Count: "1", First: []SourceLine{{Name: "<b>", Href: "javascript:x", Snippet: "<script>x</script>"}},
	}
	c := ui.NewChrome(ui.ChromeInput{Lang: "en"})
	require.NoError(t, SourcesPanel(&c, &l).Render(t.Context(), &b))
	require.Contains(t, b.String(), ">&lt;b&gt;</bdi>")
	require.Contains(t, b.String(), ">&lt;script&gt;")
	require.NotContains(t, b.String(), "javascript:")
	require.Contains(t, b.String(), `aria-labelledby="sources-h"`)
	require.NotContains(t, b.String(), "<details")
}
