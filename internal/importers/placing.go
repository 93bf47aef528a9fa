package importers

import (
	"slices"
	"sort"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/words"
)

// Placed counts how citations and labels were placed by the words they quote.
type Placed = ledger.Placed

// placing finds the places of a draft's marks and assigns the marks to claims.
type placing struct {
	b       *builder
	d       *draft
	answer  *finder
	placed  Placed
	records []ledger.Upstream // by claim
	starts  []located         // claims that have a place in the answer, in order
}

// located is a claim's place, and the furthest end of it and the claims before it.
type located struct{ claim, start, end, reach int }

// mostOwners is the maximum number of claims that a mark is assigned to.
const mostOwners = 100

// all places every mark.
func (p *placing) all() {
	p.order()
	for i := range p.d.marks {
		p.one(&p.d.marks[i])
	}
	for i, c := range p.d.claims {
		if c.upstream != nil {
			p.records[i].UpstreamVerdict = *c.upstream
		}
	}
	if p.placed.Total() > 0 {
		p.b.warn(p.d.answerAt, words.Msg("warning_placed", "Exact", p.placed.Exact, "Normalised", p.placed.Normalised,
			"Fuzzy", p.placed.Fuzzy, "None", p.placed.NotPlaced))
	}
}

func (p *placing) order() {
	for i := range p.b.s.Claims {
		if sp := p.b.s.Claims[i].Span; sp != nil {
			p.starts = append(p.starts, located{claim: i, start: sp.Start, end: sp.End})
		}
	}
	slices.SortStableFunc(p.starts, func(a, b located) int { return a.start - b.start })
	reach := 0
	for i := range p.starts {
		reach = max(reach, p.starts[i].end)
		p.starts[i].reach = reach
	}
}

// one places a mark, counts how, and assigns it to its claims.
func (p *placing) one(m *mark) {
	said := p.answer.place(m.said)
	shown, chunk := p.inSource(m)
	kind := said.Kind // of the more decisive words: the source's, else the answer's
	if !blank(m.shown.words) {
		kind = shown.Kind
	}
	if !m.why.IsZero() {
		kind = text.NotPlaced
	}
	p.placed.Add(kind)
	where := p.answerSpan(m, said)
	if why := m.fault(kind, where); !why.IsZero() {
		p.b.warn(m.path, why)
	}
	rec := p.record(m, kind, said, shown, chunk, where)
	for _, i := range p.owners(m, where) {
		p.give(i, m, rec, chunk, where)
	}
}

// fault returns why a mark was not placed, zero if it was.
func (m *mark) fault(kind text.PlacementKind, where *text.Span) domain.Message {
	switch {
	case !m.why.IsZero():
		return m.why
	case kind != text.NotPlaced && (where != nil || m.claim > 0):
		return domain.Message{}
	case m.source != nil && m.source.quoted && !blank(m.shown.words):
		return domain.Message{} // refers to the source
	case !blank(m.shown.words):
		return words.Msg("warning_mark_source")
	case !blank(m.said.words):
		return words.Msg("warning_mark_answer")
	case where == nil && m.claim == 0:
		return words.Msg("warning_mark_nowhere")
	case m.whole:
		return words.Msg("warning_mark_whole")
	}
	return words.Msg("warning_mark_offsets")
}

// answerSpan returns a mark's place in the answer: that of its words, else at its offsets, else its claim's.
func (p *placing) answerSpan(m *mark, said text.Placement) *text.Span {
	if said.Kind != text.NotPlaced {
		return &said.Span
	}
	if m.claim > 0 {
		return p.b.s.Claims[m.claim-1].Span
	}
	if m.said.from == nil || !blank(m.said.words) {
		return nil
	}
	to := *m.said.from
	if m.said.to != nil {
		to = *m.said.to
	}
	if sp, ok := p.answer.span(*m.said.from, max(to, *m.said.from+1), m.said.in); ok {
		return &sp
	}
	if n := p.answer.ruler.Len(); *m.said.from == n && n > 0 { // a marker after the last word
		return &text.Span{Start: n - 1, End: n}
	}
	return nil
}

// owners returns the claims that a mark refers to: its own, those it overlaps, else the last one that begins before it.
func (p *placing) owners(m *mark, where *text.Span) []int {
	if m.claim > 0 {
		return []int{m.claim - 1}
	}
	if where == nil || len(p.starts) == 0 {
		return nil
	}
	last := sort.Search(len(p.starts), func(i int) bool { return p.starts[i].start >= where.End }) - 1
	var out []int
	for i := last; i >= 0 && p.starts[i].reach > where.Start && len(out) < mostOwners; i-- {
		if p.starts[i].end > where.Start {
			out = append(out, p.starts[i].claim)
		}
	}
	if len(out) == 0 && m.label == nil {
		out = append(out, p.starts[max(last, 0)].claim)
	}
	slices.Sort(out)
	return out
}
