// Package checks compares what an answer cites and quotes with its sources: by anchors, by a provider's citations, by
// numbers and by places; and what it says with what its sources leave out. The outcome is kept with the claims, as
// ledger.Checks (rule L-27).
package checks

import (
	"slices"
	"sort"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// cited is what one citation of a claim names.
type cited struct {
	anchor string
	refs   []ledger.ChunkRef // the passages, or WholeDocument of one; none if unresolved
	places []CitedPart       // the parts of them that it names, if it names no whole ones
	whole  bool
	loose  bool // a provider set it: several for one stretch of the answer support it together
	bare   bool // the session has the document, without its text
}

// CitedPassages returns for each claim, by its index, the passages that the answer cites for it: those of its anchors,
// those of a provider's citations, and the documents that numbers in the answer name. A judge has to judge these too,
// as retrieval may have left them out.
func CitedPassages(s *ledger.Session) map[int][]ledger.ChunkRef {
	out := map[int][]ledger.ChunkRef{}
	for i, list := range citesOf(s) {
		for _, x := range list {
			if len(x.places) > 0 {
				continue // PlacedClaims has them
			}
			for _, ref := range x.refs {
				if !slices.Contains(out[i], ref) {
					out[i] = append(out[i], ref)
				}
			}
		}
	}
	return out
}

// citesOf returns the citations of each claim, by its index, in the order of the answer.
func citesOf(s *ledger.Session) map[int][]cited {
	out, written := map[int][]cited{}, map[text.Span]bool{}
	for _, a := range ledger.Anchors(s.Answer) {
		written[a.Span] = true
	}
	positions := map[string]int{}
	for i := range s.Documents {
		positions[s.Documents[i].Key] = s.Documents[i].Position
	}
	excerpts := excerptsOnly(s)
	for i := range s.Claims {
		c := &s.Claims[i]
		for _, x := range c.Citations {
			y := cited{anchor: "[cite:" + x.Hash + "]", refs: refsOf(s, &x, positions)}
			y.loose = !written[x.Span]
			if y.loose { // words that only the citation itself brought along prove nothing
				n := len(y.refs)
				y.refs = slices.DeleteFunc(y.refs, func(r ledger.ChunkRef) bool { return excerpts[s.Document(r.Document).Key] })
				y.bare = n > 0 && len(y.refs) == 0
			}
			out[i] = append(out[i], y)
		}
		out[i] = append(out[i], wholeCites(s, c, positions, excerpts)...)
	}
	for i, list := range numberCites(s) {
		out[i] = append(out[i], list...)
	}
	for i, p := range PlacedClaims(s) {
		out[i] = append(out[i], p.cites...)
	}
	return out
}

// has reports whether a match rests on what is cited.
func (x *cited) has(m *ledger.Match) bool {
	if len(x.places) > 0 {
		return slices.ContainsFunc(x.places, func(p CitedPart) bool { return p.has(m) })
	}
	return slices.ContainsFunc(x.refs, func(r ledger.ChunkRef) bool { return r.Names(m.Chunk) })
}

// wholeCites returns the citations by which a provider names a document and no words of it. Those that quote words
// which the document does not have are none of them.
func wholeCites(s *ledger.Session, c *ledger.Claim, positions map[string]int, excerpts map[string]bool) []cited {
	u := s.Upstream(c.Position)
	if u == nil {
		return nil
	}
	var out []cited
	for _, m := range u.Citations {
		at, ok := positions[m.DocumentID]
		if !ok || m.ChunkID != "" || m.Words != "" && !wrote(s, &m) {
			continue
		}
		d := s.Document(at)
		x := cited{anchor: m.Words, whole: true, loose: true}
		if x.anchor == "" {
			x.anchor = "[" + d.Filename + "]"
		}
		x.names(d, excerpts)
		out = append(out, x)
	}
	return out
}

// names makes a citation one of a document as a whole. Of excerpts the session has only what a citation brought along.
func (x *cited) names(d *ledger.Document, excerpts map[string]bool) {
	x.bare = len(d.Chunks) == 0 || excerpts[d.Key]
	if d.Citable() && !x.bare {
		x.refs = []ledger.ChunkRef{{Document: d.Position, Chunk: ledger.WholeDocument}}
	}
}

// wrote reports whether the words of a provider's citation are the answer's own: its mark, or the cited stretch.
func wrote(s *ledger.Session, m *ledger.UpstreamMark) bool {
	return m.AnswerStart != nil && m.AnswerEnd != nil && *m.AnswerStart >= 0 && *m.AnswerStart <= *m.AnswerEnd &&
		strings.TrimSpace(text.Slice(s.Answer, text.Span{Start: *m.AnswerStart, End: *m.AnswerEnd})) ==
			strings.TrimSpace(strings.TrimSuffix(m.Words, "…"))
}

// refsOf returns the passages of the session that a resolved citation names.
func refsOf(s *ledger.Session, x *ledger.Citation, positions map[string]int) []ledger.ChunkRef {
	if x.Status != ledger.Resolved {
		return nil
	}
	var out []ledger.ChunkRef
	for _, p := range x.Places {
		position, ok := positions[p.DocumentID]
		if p.SessionID == "" && ok && s.Chunk(ledger.ChunkRef{Document: position, Chunk: p.Position}) != nil {
			out = append(out, ledger.ChunkRef{Document: position, Chunk: p.Position})
		}
	}
	return out
}

// Run compares what the answer cites and quotes with the sources, for every claim. judged has the judge's matches of
// cited passages that are not among a claim's matches, by the claim's index. Precondition: the whole session is loaded,
// judged, and its citations are resolved.
func Run(s *ledger.Session, judged map[int][]ledger.Match) {
	cites := citesOf(s)
	for i := range s.Claims {
		s.Claims[i].Checks = ledger.Checks{}
		checkCitations(s, i, cites[i], judged[i])
	}
	if len(s.Documents) == 0 {
		return
	}
	s.CheckDoubtful()
	var made *quoteSearch
	search := func() *quoteSearch { // most sessions need none
		if made == nil {
			made = newQuoteSearch(s)
		}
		return made
	}
	checkQuotations(s, search, cites)
	checkSnippets(s, search)
	checkLeftOut(s)
}

// TakeCited adds the matches of cited passages that retrieval had left out, by the claim's index, to the claims that
// this run judged. Given matches stay as they were given.
func TakeCited(s *ledger.Session, judged map[int][]ledger.Match) {
	for i, matches := range judged {
		if c := &s.Claims[i]; !c.Given && len(matches) > 0 {
			c.Matches = append(slices.Clone(c.Matches), matches...)
			ledger.SortMatches(c.Matches)
		}
	}
}

// checkCitations checks the citations of the claim at an index.
func checkCitations(s *ledger.Session, i int, list []cited, judged []ledger.Match) {
	c := &s.Claims[i]
	matches := append(slices.Clone(c.Matches), judged...)
	held := slices.ContainsFunc(list, func(x cited) bool { return supporter(matches, &x) != nil })
	for _, x := range list {
		check := ledger.CitationCheck{Anchor: x.anchor, Status: ledger.NotResolved, Whole: x.whole && len(x.refs) > 0}
		c.Checks.Unchecked = c.Checks.Unchecked || x.bare
		if len(x.refs) > 0 {
			ref := x.refs[0]
			if ref.Chunk == ledger.WholeDocument {
				ref.Chunk = s.Document(ref.Document).Chunks[0].Position
			}
			check.Cited = &ref
			if check.Status = ledger.NotRead; c.Unjudged == "" && !unreadCite(s, c, x.refs, matches) {
				decideCitation(&check, x, matches, held)
			}
		}
		if !slices.ContainsFunc(c.Checks.Citations, func(o ledger.CitationCheck) bool { return same(&check, &o) }) {
			c.Checks.Citations = append(c.Checks.Citations, check)
		}
	}
}

// decideCitation sets the status of a resolved citation. Where a provider cites several passages for a stretch of the
// answer, one of them that holds is enough for each claim in it.
func decideCitation(check *ledger.CitationCheck, x cited, matches []ledger.Match, held bool) {
	if m := supporter(matches, &x); m != nil {
		check.Status, check.Cited, check.Supporting = ledger.InPart, &m.Chunk, &m.Chunk
		if m.Strong() {
			check.Status = ledger.Holds
		}
		return
	}
	check.Status = ledger.DoesNotHold
	if x.loose && held {
		return
	}
	for i := range matches {
		if m := &matches[i]; (m.Strong() || m.NoteSaid.ID == ledger.OtherPlace) && !x.has(m) {
			check.Status, check.Supporting = ledger.Elsewhere, &m.Chunk
			return
		}
	}
}

// supporter returns the best of the matches that supports the claim from one of the passages, nil if none does: one
// that makes it supported alone before all others.
func supporter(matches []ledger.Match, x *cited) (best *ledger.Match) {
	for i := range matches {
		m := &matches[i]
		if !supports(m) || !x.has(m) {
			continue
		}
		if m.Strong() {
			return m
		}
		if best == nil {
			best = m
		}
	}
	return best
}

// leastSupport is the least similarity at which a passage that supports a claim in part bears out its citation in part.
const leastSupport = 0.5

// supports reports whether a match bears out a citation of its passage, in part at least.
func supports(m *ledger.Match) bool {
	return !m.Contradicts && (m.Support == ledger.Full || m.Support == ledger.Partial && m.Similarity >= leastSupport)
}

// same reports whether two checks say the same of the same citation.
func same(c, o *ledger.CitationCheck) bool {
	return c.Anchor == o.Anchor && c.Status == o.Status && equalRef(c.Cited, o.Cited)
}

func equalRef(a, b *ledger.ChunkRef) bool { return a == b || a != nil && b != nil && *a == *b }

// ownerOf returns the index of the claim that an anchor at a code point belongs to: the one whose span holds it, else the
// last one that begins before it; -1 if no claim is located. located is in the order of the answer.
func ownerOf(s *ledger.Session, located []int, at int) int {
	if len(located) == 0 {
		return -1
	}
	next := sort.Search(len(located), func(i int) bool { return s.Claims[located[i]].Span.Start > at })
	return located[max(next-1, 0)]
}

// locatedClaims returns the indexes of the claims that have a place in the answer, in its order.
func locatedClaims(s *ledger.Session) []int {
	var out []int
	for i := range s.Claims {
		if c := &s.Claims[i]; c.Span != nil && c.ReplacedBy() == nil {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int { return s.Claims[a].Span.Start - s.Claims[b].Span.Start })
	return out
}

// checkLeftOut notes with each claim that no passage carries which text it rests on that its sources leave out: the
// first that has all of the claim's words. Of a struck one, at least one of them stands only where it is struck.
func checkLeftOut(s *ledger.Session) {
	says := LeftOutSays(s)
	for i := range s.Claims {
		c := &s.Claims[i]
		if !slices.ContainsFunc(c.Matches, func(m ledger.Match) bool { return m.Strong() }) {
			c.Checks.LeftOut = says(c.Text)
		}
	}
}

// LeftOutSays returns a function that finds the text, left out of a document that may be cited, that says a claim: the
// first that has all of its words; nil if none.
func LeftOutSays(s *ledger.Session) func(claim string) *ledger.LeftOutCheck {
	var all []leftOutWords
	for i := range s.Documents {
		d := &s.Documents[i]
		for j := range d.LeftOut {
			if d.Citable() {
				all = append(all, newLeftOutWords(&d.LeftOut[j], ledger.LeftOutCheck{Document: d.Position, Index: j,
					Kind: d.LeftOut[j].Kind}))
			}
		}
	}
	return func(claim string) *ledger.LeftOutCheck {
		if len(all) == 0 {
			return nil
		}
		words := tellingWords(claim)
		if at := slices.IndexFunc(all, func(x leftOutWords) bool { return x.hold(words) }); at >= 0 {
			return &all[at].check
		}
		return nil
	}
}

// leftOutWords are the words of a passage that was left out.
type leftOutWords struct {
	check    ledger.LeftOutCheck
	all      map[string]bool
	standing map[string]bool // those that are not struck
}

func newLeftOutWords(x *ledger.LeftOut, check ledger.LeftOutCheck) leftOutWords {
	out := leftOutWords{check: check, all: map[string]bool{}, standing: map[string]bool{}}
	for i, part := range x.StruckParts() {
		for _, w := range tellingWords(part) {
			out.all[w] = true
			if x.Kind == ledger.Struck && i%2 == 0 {
				out.standing[w] = true
			}
		}
	}
	return out
}

// leastLeftOut is how many words must agree: a single one may stand anywhere.
const leastLeftOut = 2

// hold reports whether the passage has all of the words, one of them where it was left out.
func (x *leftOutWords) hold(words []string) bool {
	own := false
	for _, w := range words {
		if !x.all[w] {
			return false
		}
		own = own || !x.standing[w]
	}
	return own && len(words) >= leastLeftOut
}

// tellingWords are the stems of a text's words and its numbers, without function words, each once.
func tellingWords(s string) (out []string) {
	for _, t := range text.Tokens(s) {
		word := t.Stem
		if t.Kind == text.Number {
			word = t.Norm
		}
		if !t.Stop && word != "" && !slices.Contains(out, word) {
			out = append(out, word)
		}
	}
	return out
}
