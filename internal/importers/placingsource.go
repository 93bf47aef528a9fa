package importers

import (
	"sort"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// inSource finds the quoted words in the source that the mark names.
func (p *placing) inSource(m *mark) (text.Placement, *ledger.ChunkRef) {
	s, none := m.source, text.Placement{Kind: text.NotPlaced}
	if s == nil || len(s.parts) == 0 {
		return none, nil
	}
	if s.words == nil {
		s.words = newFinder(s.text, p.answer.spend)
	}
	if sp, kind := s.blocks(m); kind != text.NotPlaced {
		return text.Placement{Kind: kind, Span: sp}, p.chunkAt(s, sp.Start)
	}
	got := s.words.place(m.shown)
	if s.quoted { // found in a copy of itself, which proves nothing
		if got.Kind == text.NotPlaced {
			return none, nil
		}
		return none, p.chunkAt(s, got.Span.Start)
	}
	switch {
	case got.Kind != text.NotPlaced:
		return got, p.chunkAt(s, got.Span.Start)
	case blank(m.shown.words) && m.block != nil && m.block[0] >= 0 && m.block[0] < len(s.parts):
		return none, p.onlyChunk(s, m.block[0])
	case blank(m.shown.words) && m.block == nil && len(s.parts) == 1:
		return none, p.onlyChunk(s, 0)
	}
	return none, nil
}

// blocks compares the quoted words with the passages that the mark refers to; providers join passages in several ways.
func (s *source) blocks(m *mark) (text.Span, text.PlacementKind) {
	if m.block == nil || s.quoted || blank(m.shown.words) {
		return text.Span{}, text.NotPlaced
	}
	from, to := m.block[0], m.block[1]
	if from < 0 || to > len(s.parts) || from >= to {
		return text.Span{}, text.NotPlaced
	}
	sp := text.Span{Start: s.starts[from], End: s.starts[to-1] + text.Len(s.parts[to-1].text)}
	if sp.Len() > 2*len(m.shown.words)+8*(to-from) {
		return text.Span{}, text.NotPlaced
	}
	for _, between := range []string{"", "\n", " "} {
		if s.join(from, to, between) == m.shown.words {
			return s.words.trimmed(sp), text.Exact
		}
	}
	if text.Fold(s.join(from, to, " ")) == text.Fold(m.shown.words) {
		return s.words.trimmed(sp), text.Normalised
	}
	return text.Span{}, text.NotPlaced
}

// onlyChunk returns the chunk that a part of a source lies in; nil if it is cut into several, none of which a citation
// of the part names.
func (p *placing) onlyChunk(s *source, part int) *ledger.ChunkRef {
	from := s.starts[part]
	first := p.chunkAt(s, from)
	if last := p.chunkAt(s, max(from, from+text.Len(s.parts[part].text)-1)); first != nil && *first != *last {
		return nil
	}
	return first
}

// chunkAt returns the chunk of a source that contains a code point of its text.
func (p *placing) chunkAt(s *source, at int) *ledger.ChunkRef {
	chunks := p.b.s.Documents[s.at].Chunks
	i := sort.Search(len(chunks), func(i int) bool { return chunks[i].Span != nil && chunks[i].Span.Start > at })
	if len(chunks) == 0 {
		return nil
	}
	return &ledger.ChunkRef{Document: s.at, Chunk: max(i-1, 0)}
}
