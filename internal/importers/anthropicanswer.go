package importers

import (
	"encoding/json"
	"fmt"

	"sanad/internal/strictjson"
	"sanad/internal/words"
)

// answer reads the text blocks of the answer; a block that cites is a claim. What tools returned between them are
// sources.
func (a *anthropicReader) answer(path string, raw json.RawMessage) error {
	blocks, err := blocksOf(path, raw)
	if err != nil {
		return err
	}
	parts := listOf(raw)
	for i := range blocks {
		b := &blocks[i]
		switch b.Type {
		case "text":
			sp := a.d.say(b.Text, "")
			if len(b.cites) > 0 && !blank(b.Text) {
				a.d.units = append(a.d.units, sp)
			}
			for j := range b.cites {
				m := a.citation(at(at(path, i, "citations"), j, ""), &b.cites[j])
				m.said = here(b.Text, sp)
				a.d.marks = append(a.d.marks, m)
			}
		default:
			a.d.apart = true
			a.tools.part(at(path, i, ""), objectOf(parts[i]), &said{}, "")
		}
	}
	return nil
}

// citation reads a citation of any of the five kinds.
func (a *anthropicReader) citation(path string, c *anthropicCitation) mark {
	m := mark{path: path, kind: c.Type, shown: quoted{words: c.Cited, from: c.From, to: c.To}}
	switch c.Type {
	case "char_location", "page_location", "content_block_location":
		m.source = a.numbered(&a.documents, c.Document, path, c.Title)
	case "search_result_location":
		m.source = a.numbered(&a.searches, c.Search, path, c.Name)
		if m.source != nil && m.source.uri == "" {
			m.source.uri = c.Source
		}
	case "web_search_result_location":
		m.source = a.d.source(path, c.URL)
		m.source.uri, m.source.title = c.URL, c.Name
	default:
		m.why = words.Msg("warning_cited_kind", "Kind", words.Quoted(strictjson.Clip(c.Type)))
		return m
	}
	if m.source == nil {
		m.why = words.Msg("warning_cited_request")
	}
	if c.FirstAt != nil && c.LastAt != nil {
		m.block = &[2]int{*c.FirstAt, *c.LastAt}
	}
	if c.Page != nil {
		m.page = *c.Page
	}
	return m
}

// numbered returns the source with an index. If the file has no sources at all, it creates one per index.
func (a *anthropicReader) numbered(list *[]*source, n *int, path, title string) *source {
	switch {
	case n == nil || *n < 0:
		return nil
	case *n < len(*list):
		return (*list)[*n]
	case len(*list) > 0:
		return nil
	}
	name := "document"
	if list == &a.searches {
		name = "search result"
	}
	s := a.d.source(path, fmt.Sprintf("%s %d", name, *n))
	s.title = title
	return s
}
