package importers

import (
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// given converts chunks that the caller provided.
func (b *builder) given(i int, list []chunkWire, d *ledger.Document) error {
	field := at("documents", i, "chunks")
	keys, err := uniqueKeys(len(list), keysOf{
		list: field, field: "id", noun: "noun_chunk", format: "c%d",
	}, func(j int) string { return list[j].ID })
	if err != nil {
		return err
	}
	if len(list) > 0 {
		d.Chunks = make([]ledger.Chunk, len(list))
	}
	for j := range list {
		c, err := b.chunk(at(field, j, ""), &list[j])
		if err != nil {
			return err
		}
		c.Position, c.Key = j, keys[j]
		if strings.TrimSpace(list[j].ID) != "" {
			b.refs.named(c.Key, ledger.ChunkRef{Document: i, Chunk: j})
		}
		d.Chunks[j] = *c
	}
	return nil
}

// maxHeading is the maximum length of a heading, in code points: longer than any heading that chunking a reasonable
// document produces.
const maxHeading = 10_000

// chunk checks one given chunk.
func (b *builder) chunk(path string, w *chunkWire) (*ledger.Chunk, error) {
	c := &ledger.Chunk{Text: w.Text}
	if strings.TrimSpace(w.Text) == "" {
		return nil, domain.Refuse(domain.Invalid, path+".text", "refused_in_chunk_words")
	}
	if w.Page != nil {
		if c.Page = *w.Page; c.Page < 1 || c.Page > maxPage {
			return nil, domain.Refuse(domain.Invalid, path+".page_number", "refused_in_page_or", "N", c.Page,
				"Most", maxPage)
		}
	}
	var err error
	if c.Kind, err = one(path+".kind", w.Kind, ledger.PartKinds[1:]); err != nil {
		return nil, err
	}
	for k, h := range w.HeadingPath {
		if len(h) > maxHeading && text.Len(h) > maxHeading {
			return nil, domain.Refuse(domain.TooLarge, at(path+".heading_path", k, ""), "refused_in_heading",
				"N", maxHeading)
		}
	}
	if len(w.HeadingPath) > 0 {
		c.HeadingPath = w.HeadingPath
	}
	span, err := spanOf(path, "start", "end", w.Start, w.End)
	if err != nil {
		return nil, err
	}
	c.Scanned = w.Scanned
	if err := doubtful(path, w, c); err != nil {
		return nil, err
	}
	c.Span, c.Hash, c.Root = span, ledger.ChunkDigest(w.Text), ledger.TextDigest(w.Text)
	return c, nil
}

// doubtful takes over which words of a chunk may have been read wrong. Only what was read from a picture has such
// words.
func doubtful(path string, w *chunkWire, c *ledger.Chunk) error {
	before, length := 0, text.Len(w.Text)
	for i, x := range w.Doubtful {
		if !w.Scanned || x.Start < before || x.End <= x.Start || x.End > length || x.Confidence < 0 || x.Confidence > 100 {
			return domain.Refuse(domain.Invalid, at(path+".doubtful", i, ""), "refused_in_doubtful", "N", length)
		}
		before = x.End
		c.Doubtful = append(c.Doubtful, ledger.DoubtfulWord{Start: x.Start, End: x.End, Confidence: x.Confidence})
	}
	return nil
}

// spanOf returns the span between two offsets, nil if neither is given.
func spanOf(path, from, to string, start, end *int) (*text.Span, error) {
	switch {
	case start == nil && end == nil:
		return nil, nil
	case start == nil:
		return nil, domain.Refuse(domain.Invalid, path+"."+from, "refused_in_pair", "Field", to)
	case end == nil:
		return nil, domain.Refuse(domain.Invalid, path+"."+to, "refused_in_pair", "Field", from)
	case *start < 0:
		return nil, domain.Refuse(domain.Invalid, path+"."+from, "refused_in_below", "N", *start)
	case *end <= *start:
		return nil, domain.Refuse(domain.Invalid, path+"."+to, "refused_in_behind", "N", *end, "Field", from,
			"Most", *start)
	}
	return &text.Span{Start: *start, End: *end}, nil
}
