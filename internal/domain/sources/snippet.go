package sources

import (
	"slices"
	"strings"

	"sanad/internal/domain/ledger"
)

// passagesOf returns the chunks of each chosen candidate, best first; chunks with equal scores keep their input order.
func passagesOf(candidates []Candidate, chosen []int, chunks []Chunk, s *settings) map[string][]place {
	if !s.preferChunks || s.chars == 0 {
		return nil
	}
	found := make(map[string][]place, len(chosen))
	for _, i := range chosen {
		found[candidates[i].ItemID] = nil
	}
	for i := range chunks {
		c := &chunks[i]
		if list, wanted := found[c.ItemID]; wanted && strings.TrimSpace(c.Text) != "" {
			found[c.ItemID] = append(list, byScore(c.Score, i))
		}
	}
	for _, list := range found {
		slices.SortFunc(list, place.compare)
	}
	return found
}

// take fills in the snippets: the best chunks, else the document's summary or the beginning of its content, else none.
func (it *Item) take(c *Candidate, chunks []Chunk, passages []place, s *settings) {
	var found []Snippet
	switch own := ownText(c); {
	case s.chars == 0:
	case len(passages) > 0:
		it.SnippetFrom, found = FromChunk, excerpts(chunks, passages, s)
	case own != "":
		it.SnippetFrom, found = FromDoc, []Snippet{{Text: cut(own, s.chars)}}
	}
	if len(found) > 0 {
		it.Snippet = new(found[0].Text)
	}
	if s.each > 1 {
		it.Snippets = append([]Snippet{}, found...)
	}
}

// ownText returns the document's own summary or content.
func ownText(c *Candidate) string {
	if s := trimmed(c.Summary); s != "" {
		return s
	}
	return trimmed(c.Content)
}

// excerpts cuts the best passages; equal texts, which have the same anchor, are shown once.
func excerpts(chunks []Chunk, passages []place, s *settings) []Snippet {
	var out []Snippet
	seen := map[string]bool{}
	for _, p := range passages {
		passage := valid(chunks[p.index].Text)
		snippet := Snippet{Text: cut(strings.TrimSpace(passage), s.chars)}
		if s.each == 1 { // no anchor is shown, so none is computed
			return []Snippet{snippet}
		}
		digest := ledger.ChunkDigest(passage)
		if seen[digest] {
			continue
		}
		seen[digest] = true
		snippet.ChunkHash = new(digest[:ledger.HashDigits])
		if out = append(out, snippet); len(out) == s.each {
			break
		}
	}
	return out
}
