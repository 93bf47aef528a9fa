package judge

import (
	"fmt"
	"slices"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// GivenVersion is the version of the rules by which given matches are taken over.
const GivenVersion = "1"

// Given takes over the matches that the caller supplied with a claim, best similarity first. What neither supports nor
// contradicts, names no chunk of the session or has no similarity from 0 to 1 is dropped with a warning. Each snippet
// is placed in its chunk, else in its document, where the match then names the chunk that has it; a match without a
// snippet takes the sentence of its chunk that is nearest to the claim.
func Given(s *ledger.Session, c *ledger.Claim) ([]ledger.Match, []Warning) {
	var out []ledger.Match
	var warnings []Warning
	for i, m := range c.Matches {
		path := fmt.Sprintf("claims[%d].matches[%d]", c.Position, i)
		if fault := givenFault(s, &m); fault != "" {
			warnings = append(warnings, Warning{path, fault})
			continue
		}
		if moved := placeGiven(s, c, &m); moved != "" {
			warnings = append(warnings, Warning{path + ".chunk", moved})
		}
		out = append(out, m)
	}
	ledger.SortMatches(out)
	return out, warnings
}

// givenFault says why a given match is dropped; "" when it is kept.
func givenFault(s *ledger.Session, m *ledger.Match) string {
	switch {
	case !(m.Similarity >= 0 && m.Similarity <= 1):
		return "Dropped: the similarity is not from 0 to 1."
	case s.Chunk(m.Chunk) == nil:
		return "Dropped: the session has no such chunk."
	case !m.Contradicts && m.Support != ledger.Full && m.Support != ledger.Partial:
		return "Dropped: the match neither supports nor contradicts the claim."
	}
	return ""
}

// placeGiven finds a match's snippet and says so when it stands in another chunk than the caller named.
func placeGiven(s *ledger.Session, c *ledger.Claim, m *ledger.Match) (moved string) {
	chunk := s.Chunk(m.Chunk)
	if strings.TrimSpace(m.Snippet) == "" {
		m.Snippet, m.Quote = nearest(c.Text, chunk)
		return ""
	}
	m.Quote = text.Place(m.Snippet, chunk.Text)
	if m.Quote.Kind != text.NotPlaced {
		return ""
	}
	d := s.Document(m.Chunk.Document)
	for i := range d.Chunks {
		if p := text.Place(m.Snippet, d.Chunks[i].Text); p.Kind == text.Exact || p.Kind == text.Normalised {
			m.Quote, m.Chunk.Chunk = p, d.Chunks[i].Position
			return fmt.Sprintf("The snippet stands in chunk %q of the document; the match now names that one.", d.Chunks[i].Key)
		}
	}
	return ""
}

// nearest gives the sentence of a chunk that covers a claim best, the first one where none does.
func nearest(claim string, c *ledger.Chunk) (string, text.Placement) {
	x := NewIndex(&ledger.Session{Documents: []ledger.Document{{Chunks: []ledger.Chunk{*c}}}})
	sentences := readSentences(x.newQuery(claim), &x.chunks[0])
	if len(sentences) == 0 {
		return "", text.Placement{Kind: text.NotPlaced}
	}
	best := slices.MaxFunc(sentences, func(a, b window) int {
		if a.coverage > b.coverage {
			return 1
		}
		if a.coverage < b.coverage {
			return -1
		}
		return 0
	})
	span := best.span()
	return best.chunk.ruler.Slice(span), text.Placement{Kind: text.Exact, Span: span}
}
