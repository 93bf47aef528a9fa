package bundle

import "sanad/internal/words"

// Chunk is the part of a document that an item shows: bytes of its (redacted) text, end exclusive.
type Chunk struct {
	Index int `json:"index"`
	Count int `json:"count"`
	Start int `json:"start"`
	End   int `json:"end"`
}

// documents adds the chunks of documents or transcripts. Both kinds share one space of ids. A transcript with the id of
// a document is a duplicate if it says the same; in version 2.0, also if it says something else.
func (b *builder) documents(name, evidenceType string, list List[Document]) {
	each(b, "evidence_refs."+name, evidenceType, list, func(_ int, path string, v Document) {
		if v.kept != nil && (v.kept.failed != nil || v.Text == "") {
			b.again(path, v.kept)
			return
		}
		ref := SourceRef{DocumentID: v.DocumentID, LakeURI: v.LakeURI}
		if v.DocumentID == "" {
			b.fail(path, evidenceType, ref, words.Msg(noDocumentID))
			return
		}
		if (v.Text == "") == (v.LakeURI == "") {
			b.fail(path, evidenceType, ref, words.Msg(noText))
			return
		}
		s := source{evidenceType: evidenceType, ref: ref}
		if v.LakeURI != "" {
			data, ok := b.fetch(path, evidenceType, ref)
			if !ok {
				return
			}
			v.Text, s.lake = string(data), stored(v.LakeURI, data)
		}
		if v.kept != nil {
			s.whole, s.meta = v.Text, keptMeta(v.kept.parts[0].item)
		} else {
			s.whole = b.clean(v.Text, &s.meta)
		}
		sum := hashOf(s.whole) // of what would be written to the lake
		if s.lake != nil {
			sum = s.lake.SHA256
		}
		s.id = b.uniqueID(docBase(v.DocumentID), sum)
		b.chunks(path, s)
	})
}

// chunks adds the parts of a document, whose whole text is s.whole, and s.id what their ids begin with.
func (b *builder) chunks(path string, s source) {
	base := s.id
	parts := chunk(s.whole, b.out.Policy.ChunkSize, b.out.Policy.ChunkOverlap)
	if parts == nil {
		b.fail(path, s.evidenceType, s.ref, words.Msg("reason_chunks", "N", mostItems))
		return
	}
	for i, p := range parts {
		s.id, s.text = chunkID(base, i), s.whole[p[0]:p[1]]
		s.meta.Chunk = &Chunk{Index: i, Count: len(parts), Start: p[0], End: p[1]}
		b.add(s)
	}
}

// chunk splits s into parts of at most size bytes, without splitting a code point. Each begins overlap bytes, or a few
// more, before the end of the one before. An empty text is one empty part; nil means too many parts. size must be at
// least 4.
func chunk(s string, size, overlap int) [][2]int {
	var parts [][2]int
	for start := 0; ; {
		end := start + cut(s[start:], size)
		if len(parts) == mostItems {
			return nil
		}
		parts = append(parts, [2]int{start, end})
		if end == len(s) {
			return parts
		}
		next := cut(s, max(end-overlap, 0))
		if next <= start || next+cut(s[next:], size) <= end { // the overlap leaves no room for new text
			next = end
		}
		start = next
	}
}
