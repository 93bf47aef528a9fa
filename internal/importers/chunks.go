package importers

import (
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/strictjson"
)

// given converts chunks that the caller provided.
func (b *builder) given(i int, list []chunkWire, d *ledger.Document) error {
	field := at("documents", i, "chunks")
	keys, err := uniqueKeys(len(list), keysOf{
		list: field, field: "id", noun: "chunk of a document", format: "c%d",
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
		return nil, domain.Invalidf(path+".text", "This chunk has no words; give its text or leave the chunk out.")
	}
	if w.Page != nil {
		if c.Page = *w.Page; c.Page < 1 || c.Page > maxPage {
			return nil, domain.Invalidf(path+".page_number",
				"%d is no page number; give one from 1 to %s, or leave it out.", c.Page, strictjson.Grouped(maxPage))
		}
	}
	for k, h := range w.HeadingPath {
		if len(h) > maxHeading && text.Len(h) > maxHeading {
			return nil, domain.TooLargef(at(path+".heading_path", k, ""),
				"This heading is longer than %s characters; shorten it.", strictjson.Grouped(maxHeading))
		}
	}
	if len(w.HeadingPath) > 0 {
		c.HeadingPath = w.HeadingPath
	}
	span, err := spanOf(path, "start", "end", w.Start, w.End)
	if err != nil {
		return nil, err
	}
	c.Span, c.Hash, c.Root = span, ledger.ChunkDigest(w.Text), ledger.TextDigest(w.Text)
	return c, nil
}

// spanOf returns the span between two offsets, nil if neither is given.
func spanOf(path, from, to string, start, end *int) (*text.Span, error) {
	switch {
	case start == nil && end == nil:
		return nil, nil
	case start == nil:
		return nil, domain.Invalidf(path+"."+from, "This is missing while %s is given; give both or neither.", to)
	case end == nil:
		return nil, domain.Invalidf(path+"."+to, "This is missing while %s is given; give both or neither.", from)
	case *start < 0:
		return nil, domain.Invalidf(path+"."+from, "%d is below 0; offsets count code points from 0.", *start)
	case *end <= *start:
		return nil, domain.Invalidf(path+"."+to, "%d is not behind %s %d; the end is exclusive and must be larger.",
			*end, from, *start)
	}
	return &text.Span{Start: *start, End: *end}, nil
}
