package importers

import (
	"fmt"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/words"
)

// drafted builds the session of a draft: its documents, its claims, and the places of its citations and labels.
func (b *builder) drafted(d *draft, format string) (*Result, error) {
	if d.fault != nil {
		return nil, d.fault
	}
	d.quoteSources()
	for _, w := range d.notes {
		b.warn(w.Path, w.Said)
	}
	if err := d.checkAnswer(b.opt.Answer, b.opt.Claimless); err != nil {
		return nil, err
	}
	d.head.clip()
	if !tagPattern.MatchString(d.head.Lang) {
		d.head.Lang = ""
	}
	if err := b.head(&d.head); err != nil {
		return nil, err
	}
	b.s.Format = format
	if err := b.draftedSources(d); err != nil {
		return nil, err
	}
	if err := b.draftedClaims(d); err != nil {
		return nil, err
	}
	p := &placing{b: b, d: d, answer: newFinder(b.s.Answer, d.spend), records: make([]ledger.Upstream, len(b.s.Claims))}
	p.all()
	b.s.Title = titleOf(&b.s)
	p.keep(format)
	r := b.result(format)
	r.Placed = p.placed
	return r, nil
}

// clip cuts texts that are only displayed to the lengths that are stored.
func (w *sessionWire) clip() {
	for _, x := range []struct {
		s    *string
		most int
	}{{&w.ExternalID, 200}, {&w.Title, 500}, {&w.Query, 20_000}, {&w.Mode, 40}, {&w.Model, 200},
		{&w.ModelVersion, 200}, {&w.TraceID, 200}, {&w.DecisionID, 200}} {
		*x.s = clipped(*x.s, x.most)
	}
}

// draftedSources builds the documents.
func (b *builder) draftedSources(d *draft) error {
	if len(d.sources) > b.opt.Documents {
		return domain.Refuse(domain.TooLarge, d.sources[b.opt.Documents].path, "refused_in_sources",
			"N", b.opt.Documents)
	}
	list := make([]documentWire, len(d.sources))
	taken := map[string]bool{}
	b.places = make(map[string]string, len(list))
	for i, s := range d.sources {
		s.at = i
		b.places[at("documents", i, "")] = s.path
		list[i] = s.wire()
		if taken[list[i].ID] {
			list[i].ID = "" // another id is equal when cut; generate one
		}
		taken[list[i].ID] = true
	}
	return b.replaced(b.documents(list))
}

// quoteSources gives sources without text the words that citations quote from them, so that there is something
// to judge by.
func (d *draft) quoteSources() {
	for i := range d.marks {
		m := &d.marks[i]
		s := m.source
		if s == nil || blank(m.shown.words) || len(s.parts) > 0 && !s.quoted {
			continue
		}
		if !s.quoted {
			s.quoted = true
			d.skip(s.path, words.Msg("warning_quoted_only"))
		}
		s.add(part{path: m.path, text: m.shown.words, page: m.page})
	}
}

// wire converts a source to a document whose passages are chunks; long passages are split like a document.
func (s *source) wire() documentWire {
	w := documentWire{ID: strings.TrimSpace(clipped(s.id, 150)), Title: clipped(s.title, 500),
		URI: clipped(s.uri, 4000), cut: []ledger.Chunk{}}
	if _, ok := ledger.ParseDate(s.date); ok {
		w.PublishedAt = s.date
	}
	var all strings.Builder
	offset := 0
	for i := range s.parts {
		p := &s.parts[i]
		s.starts = append(s.starts, offset)
		for _, c := range p.chunks(offset) {
			c.Position, c.Key = len(w.cut), fmt.Sprintf("c%d", len(w.cut)+1)
			w.cut = append(w.cut, c)
		}
		all.WriteString(p.text)
		all.WriteByte('\n')
		offset += text.Len(p.text) + 1
	}
	s.text = strings.TrimSuffix(all.String(), "\n")
	w.Text = &s.text
	return w
}

// chunks splits a passage that is longer than a chunk; offset is its start in its source.
func (p *part) chunks(offset int) []ledger.Chunk {
	page := p.page
	if page < 0 || page > maxPage {
		page = 0
	}
	return ledger.ChunkBlocks(ledger.ParseBlocks(p.text, page, offset), ledger.MaxChunk)
}

// replaced replaces the path of an error in our own format by the place in the file.
func (b *builder) replaced(err error) error {
	return moved(err, b.placeOf)
}
