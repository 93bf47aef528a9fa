package importers

import (
	"encoding/json"

	"sanad/internal/words"
)

// langchainAnswer reads an answer that is a text, a list of content blocks, or a message with one of these.
func (d *draft) langchainAnswer(path string, raw json.RawMessage) error {
	switch begins(raw) {
	case '"':
		var s string
		err := sub(path, raw, &s)
		d.say(s, "")
		return err
	case '{':
		var m struct {
			Content json.RawMessage `json:"content"`
			Kwargs  struct {
				Content json.RawMessage `json:"content"`
			} `json:"kwargs"`
		}
		if err := sub(path, raw, &m); err != nil {
			return err
		}
		if begins(m.Content) == 0 {
			m.Content = m.Kwargs.Content
		}
		if begins(m.Content) == '{' || begins(m.Content) == 0 {
			return nil // no answer, which is reported later
		}
		return d.langchainAnswer(path+".content", m.Content)
	}
	var blocks []langchainBlock
	if err := sub(path, raw, &blocks); err != nil {
		return err
	}
	for i := range blocks {
		if b := &blocks[i]; b.Type == "text" || b.Type == "" {
			d.langchainBlock(at(path, i, ""), b)
		} else {
			d.apart = true
		}
	}
	return nil
}

func (d *draft) langchainBlock(path string, b *langchainBlock) {
	sp := d.say(b.Text, "")
	for i := range b.Annotations {
		a, here := &b.Annotations[i], at(path+".annotations", i, "")
		if a.Type != "citation" {
			d.skip(here, words.Msg("warning_annotation"))
			continue
		}
		m := mark{path: here, kind: "citation", shown: quoted{words: a.Cited}, source: d.known(a.ID, a.URL, a.Title)}
		m.said.from, m.said.to = shifted(a.From, sp.Start), shifted(a.To, sp.Start)
		if a.From == nil && a.To == nil { // refers to the whole block
			start, end := sp.Start, sp.End
			m.said.from, m.said.to = &start, &end
		}
		if m.source == nil {
			m.source = d.source(here, a.URL)
			m.source.uri, m.source.title = a.URL, a.Title
		}
		d.marks = append(d.marks, m)
	}
}

// manySources limits the search through sources one by one; it is more than a session may have.
const manySources = 2000

// known returns the source that has one of the names as its id or title, nil if none.
func (d *draft) known(names ...string) *source {
	for _, name := range names {
		if s := d.byID[name]; s != nil && name != "" {
			return s
		}
	}
	for _, s := range d.sources[:min(len(d.sources), manySources)] {
		for _, name := range names {
			if name != "" && (s.title == name || s.uri == name) {
				return s
			}
		}
	}
	return nil
}
