package judge

import (
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// quotes looks for given snippets in the session's documents. It prepares each document once, however many snippets are
// not in the chunk they name.
type quotes struct {
	session *ledger.Session
	whole   map[int]*text.Placer // by document position
	spent   int                  // code points searched in whole documents
}

// quoteBudget bounds, in code points, how much of whole documents one run searches for snippets that are not in their
// chunk: a file may hold 100,000 invented ones. Behind it a snippet is looked for in its chunk only.
const quoteBudget = 256 << 20

func newQuotes(s *ledger.Session) *quotes { return &quotes{session: s, whole: map[int]*text.Placer{}} }

// place finds a match's snippet: in its chunk, else in its document, which it tells.
func (q *quotes) place(c *ledger.Claim, m *ledger.Match) (elsewhere string) {
	chunk := q.session.Chunk(m.Chunk)
	if strings.TrimSpace(m.Snippet) == "" {
		m.Snippet, m.Quote = nearest(c.Text, chunk)
		return ""
	}
	if m.Quote = text.Place(m.Snippet, chunk.Text); m.Quote.Kind != text.NotPlaced {
		return ""
	}
	if kind := q.inDocument(m); kind == text.Exact || kind == text.Normalised {
		m.Quote = text.Placement{Kind: kind}
		return "The snippet stands in the document, but not in the chunk that the match names."
	}
	return ""
}

// inDocument looks for a snippet in the whole text of its document.
func (q *quotes) inDocument(m *ledger.Match) text.PlacementKind {
	d := q.session.Document(m.Chunk.Document)
	if len(d.Chunks) < 2 || q.spent > quoteBudget {
		return text.NotPlaced
	}
	p := q.whole[d.Position]
	if p == nil {
		var b strings.Builder
		for i := range d.Chunks {
			b.WriteString(d.Chunks[i].Text)
			b.WriteByte('\n')
		}
		p = text.NewPlacer(b.String())
		q.whole[d.Position] = p
	}
	for i := range d.Chunks {
		q.spent += len(d.Chunks[i].Text) // bytes are code points or more; it is a bound
	}
	return p.Place(m.Snippet).Kind
}
