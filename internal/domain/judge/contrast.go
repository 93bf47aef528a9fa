package judge

import (
	"cmp"
	"slices"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/domain/text/quantity"
)

// Contrast sets a claim beside the sentences of a passage that say most of it, for people: which words agree, which
// differ, which quantities are equal, and what the passage lacks. It explains a verdict and never makes one: a word
// conflicts only where the match contradicts. Spans are code points of the claim and of the passage.
type Contrast struct {
	Claim, Source Side
	Pairs         []Pair
	Figures       []Pair   // each figure, bound and date of the claim, and those of Pairs that only the passage has
	Missing       []string // words of the claim that the whole passage lacks, as the claim writes them
	Elsewhere     []string // words that the passage has, but not in the sentences set beside the claim
	Verbatim      bool     // the passage says the claim's sentence word for word
	Apart         bool     // claim and passage are in different scripts: only figures and dates are compared
}

// Side is one of the two texts.
type Side struct {
	Core          text.Span   // what is compared: whole sentences, unless Cut
	Before, After text.Span   // the sentences around it, or parts of them; empty if none
	Cut           bool        // Core is a part of what should stand there
	Marks         []Mark      // in Core, in order; none overlaps another
	Agreed        []text.Span // the figures, bounds and dates that the other side has too, in the order of the claim's
}

// Mark is a stretch of a side that stands in a relation to the other side.
type Mark struct {
	text.Span
	Kind MarkKind
	Pair int       // number of its pair, from 1; 0 if it has none
	Turn text.Span // within it the word that turns it round, empty if none: "is [not] reimbursed"
}

// MarkKind is what a mark says of its words.
type MarkKind string

// The kinds of mark.
const (
	MarkSame     MarkKind = "same"     // the other side has these words too
	MarkEqual    MarkKind = "equal"    // the same quantity or date, written otherwise
	MarkInstead  MarkKind = "instead"  // other words stand in their place, which may say the same
	MarkDiffers  MarkKind = "differs"  // the other side says something else there
	MarkConflict MarkKind = "conflict" // likewise, and the match contradicts the claim by it
	MarkMissing  MarkKind = "missing"  // the passage lacks these words of the claim
	MarkDecides  MarkKind = "decides"  // the claim does not have these words, and they may decide: "only", "not", a figure
)

// Pair is words of the claim with the words of the passage that they are held against. One of the two may be "".
type Pair struct {
	Kind   MarkKind // equal, instead, differs or conflict; of Figures also same or missing
	About  About
	Claim  string
	Source string
}

// About is what a pair is about.
type About string

// What a pair may be about.
const (
	AboutNumber     About = "number"
	AboutDate       About = "date"
	AboutBound      About = "bound" // at least, at most
	AboutNegation   About = "negation"
	AboutOpposite   About = "opposite"
	AboutException  About = "exception"
	AboutCondition  About = "condition"
	AboutOnly       About = "only"
	AboutQuantifier About = "quantifier"
	AboutModality   About = "modality"
	AboutName       About = "name"
	AboutWords      About = "words"
)

// Bounds of what is compared and shown, in code points, and of the lists.
const (
	maxSide    = 1200 // of a side's Core
	maxContext = 240  // of what stands around it on either side
	maxPassage = 6000 // of a passage that is read around the quotation
	maxPairs   = 9
	maxLost    = 8 // words that are missing, or elsewhere
)

// NewContrast compares a claim with the passage of a match. It is pure, and its time is bounded whatever their length.
func NewContrast(claim, passage string, m *ledger.Match) Contrast {
	c := contraster{match: m}
	c.readClaim(claim)
	c.readPassage(passage)
	c.readFigures()
	if c.chunk == nil {
		c.figures()
		return c.out
	}
	c.conflicts()
	c.dates()
	c.quantities()
	if !c.out.Apart {
		c.operators()
		c.instead()
		c.reworded()
		if !c.contradicted() { // what contradicts says enough
			c.lost()
		}
		c.shared()
		c.deciding()
	}
	c.figures()
	c.finish()
	return c.out
}

// contraster makes one Contrast.
type contraster struct {
	match  *ledger.Match
	out    Contrast
	claim  string       // as far as it is compared
	given  []text.Token // of claim
	places []int        // for each token of the query the token of given that it is

	query     *query
	chunk     *chunk
	offset    int      // where the chunk begins in the passage
	sentences []window // those set beside the claim
	all       window   // together

	claimFigures, sourceFigures []quantity.Quantity // of claim and of the chunk
}

// readClaim cuts the claim to what is compared.
func (c *contraster) readClaim(claim string) {
	n := text.Len(claim)
	c.out.Claim.Core = text.Span{End: n}
	if n > maxSide {
		c.out.Claim.Core, c.out.Claim.Cut = wholeWords(claim, text.Span{End: maxSide}), true
	}
	c.claim = text.Slice(claim, c.out.Claim.Core)
	c.given = text.Tokens(c.claim)
}

// readPassage chooses the sentences that the claim is set beside.
func (c *contraster) readPassage(passage string) {
	quote := c.match.Quote.Span
	if n := text.Len(passage); n > maxPassage {
		at := max(0, min(quote.Start-maxPassage/4, n-maxPassage))
		c.offset = at
		passage = text.Slice(passage, text.Span{Start: at, End: at + maxPassage})
	}
	quote = text.Span{Start: max(0, quote.Start-c.offset), End: max(0, quote.End-c.offset)}
	x := NewIndex(&ledger.Session{Documents: []ledger.Document{{Chunks: []ledger.Chunk{{Text: passage}}}}})
	c.query = x.newQuery(c.claim)
	c.align()
	list, all := passageOf(c.query, &x.chunks[0], &ledger.Match{Quote: text.Placement{Span: quote}})
	if len(list) == 0 {
		return
	}
	c.chunk = &x.chunks[0]
	c.sentences, c.all = c.chosen(list, all)
	c.out.Apart = otherScript(c.claim, c.chunk.ruler.Slice(c.all.span()))
	c.out.Verbatim = slices.ContainsFunc(c.sentences, func(w window) bool {
		return len(c.given) > 0 && bare(c.chunk.ruler.Slice(w.span())) == bare(c.claim)
	})
}

// bare is a sentence as it is compared word for word.
func bare(s string) string { return strings.Trim(text.Fold(s), " .!?\"'") }

// chosen returns at most maxWindow of the sentences that a match rests on: those that cover the claim best, or where
// that has none of the words that conflict, the sentence that has.
func (c *contraster) chosen(list []window, all window) ([]window, window) {
	if len(list) > maxWindow {
		all = bestWindow(list)
		from := all.first - list[0].first
		list, all = c.conflicting(list, list[from:from+all.last-all.first+1], all)
	}
	return list, all
}

// conflicting returns the sentence of list with the first words that conflict, unless best has them.
func (c *contraster) conflicting(list, best []window, all window) ([]window, window) {
	if len(c.match.Conflicts) == 0 || c.match.Conflicts[0].Evidence == "" {
		return best, all
	}
	words := text.Tokens(c.match.Conflicts[0].Evidence)
	has := func(w window) bool { return len(findAll(w.tokens(), words)) > 0 }
	if slices.ContainsFunc(best, has) {
		return best, all
	}
	if i := slices.IndexFunc(list, has); i >= 0 {
		return list[i : i+1], list[i]
	}
	return best, all
}

// tokens are those of the window.
func (w *window) tokens() []text.Token {
	out := make([]text.Token, 0, w.to()-w.from())
	for _, t := range w.chunk.tokens[w.from():w.to()] {
		out = append(out, t.Token)
	}
	return out
}

// otherScript reports whether two texts are in different scripts, so that their words cannot be compared.
func otherScript(a, b string) bool {
	x, y := text.Script(a), text.Script(b)
	return x != y && x != "mixed" && y != "mixed" && x != "none" && y != "none"
}

// align finds for each token of the query, which leaves out what an answer says about itself, its token in the claim.
func (c *contraster) align() {
	tokens := c.query.meaning.tokens
	c.places = make([]int, len(tokens))
	k := len(c.given)
	for i := len(tokens) - 1; i >= 0; i-- { // from the end, as most of what is left out is in front
		for k--; k > 0 && c.given[k].Text != tokens[i].Text; k-- {
		}
		c.places[i] = max(k, 0)
	}
}

// claimSpan is the span in the claim of the query's tokens from to to, both included; empty if they are out of order.
func (c *contraster) claimSpan(from, to int) text.Span {
	if from < 0 || to >= len(c.places) || from > to {
		return text.Span{}
	}
	return text.Span{Start: c.given[c.places[from]].Start, End: c.given[c.places[to]].End}
}

// sourceSpan is the span in the chunk of its tokens from to to, both included.
func (c *contraster) sourceSpan(from, to int) text.Span {
	if from < 0 || to >= len(c.chunk.tokens) || from > to {
		return text.Span{}
	}
	return text.Span{Start: c.chunk.tokens[from].Start, End: c.chunk.tokens[to].End}
}

// pair is a pair that is about to be added: its spans, in the claim and in the chunk, and the words that turn them.
type pair struct {
	kind          MarkKind
	about         About
	claim, source text.Span
	turnClaim     text.Span
	turnSource    text.Span
}

// add adds a pair, unless one of its words is in another one. A figure is shown with its bound, if no other pair has it.
func (c *contraster) add(p pair) bool {
	if p.about.ofFigures() {
		if sp := whole(text.NewRuler(c.claim), p.claim, c.claimFigures); !taken(c.out.Claim.Marks, sp) {
			p.claim = sp
		}
		if sp := whole(c.chunk.ruler, p.source, c.sourceFigures); !taken(c.out.Source.Marks, sp) {
			p.source = sp
		}
	}
	if len(c.out.Pairs) == maxPairs || p.claim.Len()+p.source.Len() == 0 ||
		taken(c.out.Claim.Marks, p.claim) || taken(c.out.Source.Marks, p.source) {
		return false
	}
	c.out.Pairs = append(c.out.Pairs, trimmed(Pair{
		Kind: p.kind, About: p.about, Claim: withVerb(text.NewRuler(c.claim), p.claim, c.claimFigures),
		Source: withVerb(c.chunk.ruler, p.source, c.sourceFigures),
	}))
	n := len(c.out.Pairs)
	if p.claim.Len() > 0 {
		c.out.Claim.Marks = append(c.out.Claim.Marks,
			Mark{Span: p.claim, Kind: p.kind, Pair: n, Turn: p.turnClaim})
	}
	if p.source.Len() > 0 {
		c.out.Source.Marks = append(c.out.Source.Marks,
			Mark{Span: p.source, Kind: p.kind, Pair: n, Turn: p.turnSource})
	}
	return true
}

// taken reports whether a span overlaps a mark.
func taken(marks []Mark, sp text.Span) bool {
	return slices.ContainsFunc(marks, func(m Mark) bool { return m.Start < sp.End && sp.Start < m.End })
}

// finish puts the marks in order, moves those of the chunk into the passage, and adds what stands around.
func (c *contraster) finish() {
	byStart := func(a, b Mark) int { return cmp.Compare(a.Start, b.Start) }
	slices.SortFunc(c.out.Claim.Marks, byStart)
	slices.SortFunc(c.out.Source.Marks, byStart)
	s := &c.out.Source
	s.Core = c.all.span()
	if s.Core.Len() > maxSide {
		c.cutSource()
	}
	sentences := c.chunk.sentences
	if f := c.all.first; f > 0 && !s.Cut {
		s.Before = tail(c.chunk.text, sentences[f-1].span)
	}
	if l := c.all.last; l+1 < len(sentences) && !s.Cut {
		s.After = head(c.chunk.text, sentences[l+1].span)
	}
	for _, sp := range []*text.Span{&s.Core, &s.Before, &s.After} {
		*sp = moved(*sp, c.offset)
	}
	for i := range s.Marks {
		m := &s.Marks[i]
		m.Span, m.Turn = moved(m.Span, c.offset), moved(m.Turn, c.offset)
	}
	for i := range s.Agreed {
		s.Agreed[i] = moved(s.Agreed[i], c.offset)
	}
}

// cutSource cuts a long passage to maxSide around its first mark that has a pair, or else its first one.
func (c *contraster) cutSource() {
	s := &c.out.Source
	at := s.Core.Start
	first := slices.IndexFunc(s.Marks, func(m Mark) bool { return m.Pair > 0 })
	if first < 0 && len(s.Marks) > 0 {
		first = 0
	}
	if first >= 0 {
		at = max(at, min(s.Marks[first].Start-maxContext, s.Core.End-maxSide))
	}
	s.Cut = true
	s.Core = wholeWords(c.chunk.text, text.Span{Start: at, End: min(at+maxSide, s.Core.End)})
	s.Marks = slices.DeleteFunc(s.Marks, func(m Mark) bool { return m.Start < s.Core.Start || m.End > s.Core.End })
}

func moved(sp text.Span, by int) text.Span {
	if sp.Len() == 0 {
		return text.Span{}
	}
	return text.Span{Start: sp.Start + by, End: sp.End + by}
}

// tail is a sentence, or its last words.
func tail(s string, sp text.Span) text.Span {
	if sp.Len() > maxContext {
		sp.Start = wholeWords(s, text.Span{Start: sp.End - maxContext, End: sp.End}).Start
	}
	return sp
}

// head is a sentence, or its first words.
func head(s string, sp text.Span) text.Span {
	if sp.Len() > maxContext {
		sp.End = wholeWords(s, text.Span{Start: sp.Start, End: sp.Start + maxContext}).End
	}
	return sp
}

// wordReach is how far an end is moved so that it cuts no word; a longer word is cut.
const wordReach = 40

// wholeWords narrows a span of s so that neither end cuts a word.
func wholeWords(s string, sp text.Span) text.Span {
	r := []rune(text.Slice(s, text.Span{Start: max(0, sp.Start-1), End: sp.End + 1}))
	from, to := 0, len(r)
	if sp.Start > 0 {
		from = 1
		for k := 0; k < wordReach && from < to && !isBlank(r[from-1]); k++ {
			from++
		}
		if !isBlank(r[from-1]) {
			from = 1
		}
	}
	if text.Len(s) > sp.End {
		to--
		last := to
		for k := 0; k < wordReach && to > from && !isBlank(r[to]); k++ {
			to--
		}
		if to == from || !isBlank(r[to]) {
			to = last
		}
	}
	base := max(0, sp.Start-1)
	return text.Span{Start: base + from, End: base + to}
}

func isBlank(r rune) bool { return r == ' ' || r == '\n' || r == '\t' || r == '\r' || r == '\u00a0' }
