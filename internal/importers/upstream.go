package importers

import (
	"encoding/json"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/words"
)

// keptWords is the maximum length of a quote kept in a record, in code points.
const keptWords = 300

func (p *placing) record(m *mark, kind text.PlacementKind, said, shown text.Placement, chunk *ledger.ChunkRef,
	where *text.Span) ledger.UpstreamMark {
	r := ledger.UpstreamMark{Path: strings.TrimPrefix(strings.TrimPrefix(m.path, p.d.path), "."), Kind: m.kind,
		Placed: kind, UpstreamVerdict: m.label}
	words := m.shown.words
	if blank(words) {
		words = m.said.words
	}
	if r.Words = clipped(words, keptWords); r.Words != words {
		r.Words += "…"
	}
	if m.source != nil {
		r.DocumentID, r.QuotedOnly = p.b.s.Documents[m.source.at].Key, m.source.quoted
	}
	if chunk != nil {
		r.ChunkID = p.b.s.Chunk(*chunk).Key
	}
	if shown.Kind != text.NotPlaced {
		r.Start, r.End = &shown.Span.Start, &shown.Span.End
	}
	if where != nil && (said.Kind != text.NotPlaced || m.claim == 0) {
		r.AnswerStart, r.AnswerEnd = &where.Start, &where.End
	}
	return r
}

// give records a mark with a claim. A citation that leads to a chunk also becomes one of the claim's citations.
func (p *placing) give(i int, m *mark, rec ledger.UpstreamMark, chunk *ledger.ChunkRef, where *text.Span) {
	out, c := &p.records[i], &p.b.s.Claims[i]
	if m.label != nil {
		out.Labels = append(out.Labels, rec)
		worse(out, m.label)
		return
	}
	out.Citations = append(out.Citations, rec)
	if chunk == nil || where == nil || where.Len() == 0 || len(c.Citations) >= p.b.opt.Matches {
		return
	}
	x := ledger.Citation{Hash: p.b.s.Chunk(*chunk).Hash[:16], Span: *where, Status: ledger.Unresolved}
	for _, other := range c.Citations {
		if other.Hash == x.Hash {
			return
		}
	}
	c.Citations = append(c.Citations, x)
}

// severity orders verdicts of labels: a claim with several labels gets the worst.
var severity = map[ledger.Verdict]int{ledger.Supported: 1, ledger.Weak: 2, ledger.NotFound: 3, ledger.Contradicted: 4}

// worse sets the record's verdict to the worse of both.
func worse(r *ledger.Upstream, v *upstreamVerdict) {
	if r.Label == "" && r.Verdict == "" || severity[v.Verdict] > severity[r.Verdict] {
		r.UpstreamVerdict = *v
	}
}

// keep stores the records in the session's extra fields, as far as there is room.
func (p *placing) keep(format string) {
	whole := ledger.UpstreamWhole{Format: format, Scores: p.d.scores, Refused: p.b.opt.refused}
	if p.placed.Total() > 0 {
		whole.Placed = &p.placed
	}
	p.b.keepSaid(p.d.path, &whole, p.records)
}

// keepSaid stores what a file says of the whole and of each claim, as far as there is room.
func (b *builder) keepSaid(path string, whole *ledger.UpstreamWhole, records []ledger.Upstream) {
	b.s.Extra = map[string]json.RawMessage{}
	room := b.opt.UnknownBytes
	put := func(path string, v any) bool {
		raw, err := json.Marshal(v)
		if room -= len(path) + len(raw); err != nil || room < 0 || len(b.s.Extra) >= b.opt.Unknown {
			return false
		}
		b.s.Extra[path] = raw
		return true
	}
	if !put(ledger.UpstreamWholePath, whole) {
		b.warn(path, words.Msg("warning_scores_large"))
	}
	for i := range records {
		r := &records[i]
		if !r.Stated() && len(r.Citations)+len(r.Labels) == 0 {
			continue
		}
		if !put(ledger.UpstreamPath(i), r) {
			b.warn(path, words.Msg("warning_said_much", "N", i))
			return
		}
	}
}

// join returns passages of a source as one text.
func (s *source) join(from, to int, between string) string {
	var out []string
	for _, p := range s.parts[from:to] {
		out = append(out, p.text)
	}
	return strings.Join(out, between)
}
