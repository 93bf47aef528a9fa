package judge

import (
	"slices"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/domain/text/quantity"
	"sanad/internal/words"
)

// likeness is how a sentence stands to a claim of the same words.
type likeness int

const (
	otherWords  likeness = iota // other words
	alike                       // it is the claim word for word, in whatever notation
	openFigure                  // a figure can be read in two ways, or the one rounds the other
	lesserOther                 // a figure differs, and both sentences may be true
	otherFigure                 // one figure differs, or two are in each other's place: it says otherwise
)

// likened is a likeness, with the figures that differ as they are written.
type likened struct {
	likeness
	claim, source string
	note          string // id of what is said of them, if they differ
}

// mostSigns is how many more or fewer words one notation of a sentence may have than another.
const mostSigns = 8

// claimItems returns the items of the claim.
func (q *query) claimItems() []item {
	if q.items == nil {
		q.items = itemsOf(q.text)
	}
	return q.items
}

// likened compares a window of one sentence with the claim, word for word and figure by figure.
func (w *window) likened() likened {
	if w.alike == nil {
		out := w.likenNow()
		w.alike = &out
	}
	return *w.alike
}

func (w *window) likenNow() likened {
	claim, source := w.query.meaning.tokens, w.chunk.tokens[w.from():w.to()]
	if n := len(source) - len(claim); n > mostSigns || n < -mostSigns || w.coverage == 0 {
		return likened{}
	}
	a := w.query.claimItems()
	sentence := w.chunk.ruler.Slice(w.span())
	b := w.chunk.itemsOf(w.span())
	if len(a) != len(b) {
		return likened{}
	}
	var mine, theirs []*quantity.Quantity
	for i := range a {
		if (a[i].figure == nil) != (b[i].figure == nil) || a[i].word != b[i].word {
			return likened{}
		}
		if f := a[i].figure; f != nil {
			mine, theirs = append(mine, f), append(theirs, b[i].figure)
		}
	}
	first, last, others, out := -1, -1, 0, alike
	for i := range mine {
		l := against(mine[i], theirs[i])
		if l == alike {
			continue
		}
		if first < 0 {
			first = i
		}
		if last = i; l >= lesserOther {
			others++
		}
		out = max(out, l)
	}
	note := "note_says"
	switch {
	case first < 0:
		return likened{likeness: alike}
	case last == first && otherSign(mine[first], theirs[first]):
		note = "note_sign"
	case last > first && exchange(mine[first:last+1], theirs[first:last+1]):
		if out, note = otherFigure, "note_exchanged"; listed(a) {
			out = openFigure
		}
	case last > first && proportional(mine[first:last+1], theirs[first:last+1]):
		out = openFigure
	case out == otherFigure && others > 1:
		out = lesserOther // it may speak of something else
	}
	slice := func(s string, f []*quantity.Quantity) string {
		return strings.TrimSpace(text.Slice(s, text.Span{Start: f[first].Said.Start, End: f[last].End}))
	}
	return likened{likeness: out, claim: slice(w.query.text, mine), source: slice(sentence, theirs), note: note}
}

// said says how the figures differ.
func (l *likened) said() domain.Message {
	if l.note == "note_says" {
		return words.Msg(l.note, "Claim", l.claim, "Source", l.source)
	}
	return words.Msg(l.note)
}

// otherSign reports whether two figures differ in their sign alone: -5 and 5, < 5 and > 5.
func otherSign(f, g *quantity.Quantity) bool {
	return f.Kind == quantity.Amount && g.Kind == quantity.Amount && f.Unit == g.Unit && !f.Value.IsZero() &&
		(f.Value == g.Value.Negative() || f.Value == g.Value && turned(f, g))
}

// turned reports whether two bounds are in opposite directions.
func turned(f, g *quantity.Quantity) bool {
	return f.Bound != quantity.NoBound && g.Bound != quantity.NoBound && f.Bound.IsLower() != g.Bound.IsLower()
}

// exchange reports whether figures are the same ones in another order.
func exchange(a, b []*quantity.Quantity) bool {
	rest := slices.Clone(b)
	for _, f := range a {
		at := slices.IndexFunc(rest, func(g *quantity.Quantity) bool { return quantity.Compare(*f, *g) == quantity.Same })
		if at < 0 {
			return false
		}
		rest = slices.Delete(rest, at, at+1)
	}
	return true
}

// proportional reports whether two ratios are equal in other figures, as 2:4 and 1:2 are. A score of 2:4 is none of
// 1:2.
func proportional(a, b []*quantity.Quantity) bool {
	if len(a) != 2 || a[1].Link != quantity.Ratio || b[1].Link != quantity.Ratio {
		return false
	}
	x, ok := a[0].Value.Times(b[1].Value)
	y, fine := a[1].Value.Times(b[0].Value)
	return ok && fine && x == y && !x.IsZero()
}

// listed reports whether figures follow each other with nothing but "and" or "or" between: their order says nothing.
func listed(items []item) bool {
	last := -1
	for i, it := range items {
		if it.figure == nil {
			continue
		}
		if it.figure.Kind == quantity.Clock || it.figure.Link != quantity.NoLink {
			return false // from six to nine is not from nine to six
		}
		if last >= 0 && (i-last == 1 && !strings.ContainsAny(it.after, ",،") || i-last > 2 ||
			i-last == 2 && !lists[items[last+1].word]) {
			return false
		}
		last = i
	}
	return true
}

var lists = wordSet(`and or و او`)

// against compares a figure of the claim with the one in its place. One that names a thing, a year or a section, may be
// another's name.
func against(f, g *quantity.Quantity) likeness {
	relation := quantity.Compare(*f, *g)
	names := (f.Kind == quantity.Identifier || f.Kind == quantity.Ordinal) && f.Label == "" || f.IsYear() ||
		f.Kind == quantity.Amount && f.Name != ""
	switch {
	case f.Link != g.Link && f.Link != "" && g.Link != "" && !(f.Link.InTurn() && g.Link.InTurn()):
		return openFigure
	case relation == quantity.Fits && f.Unit != g.Unit && (f.Unit == "" || g.Unit == ""):
		return openFigure
	case relation.Supports():
		return alike
	case relation == quantity.Open && f.Bound != quantity.NoBound && g.Bound != quantity.NoBound && !g.Doubtful:
		return lesserOther // who says 30 days of a rule that says 14 has the rule wrong, though the one keeps the other
	case relation == quantity.Open:
		return openFigure
	case relation == quantity.Other && !names:
		return otherFigure
	}
	return lesserOther
}

// figureP is the least probability that a sentence which is the claim but for one figure contradicts it.
const figureP = 0.90

// otherFigures is the contradiction by a sentence that is the claim but for a figure, nil for none.
func (r *reading) otherFigures() *contradiction {
	for i := range r.sentences {
		w := &r.sentences[i]
		if l := w.likened(); l.likeness == otherFigure {
			return &contradiction{window: w, rest: 1, sure: true,
				conflict: ledger.Conflict{Kind: "number", Claim: l.claim, Evidence: l.source},
				note:     l.said()}
		}
	}
	return nil
}

// otherSigns reports whether claim and sentence give one number with different signs.
func (w *window) otherSigns() bool {
	source := w.figures()
	for _, a := range figures(w.query.claimItems()) {
		same, other := false, false
		for i := range source {
			b := &source[i]
			other = other || !b.Doubtful && otherSign(&a, b)
			same = same || a.Kind == b.Kind && a.Unit == b.Unit && a.Value == b.Value && !turned(&a, b)
		}
		if other && !same {
			return true
		}
	}
	return false
}

// open reports whether the passage's core sentence is the claim but for a figure that may be the same: it contradicts
// nothing.
func (r *reading) open() bool { return r.core().likened().likeness == openFigure }

// permuted reports whether the sentence is the claim but for the order of its figures: 5 to 4 and 4 to 5.
func (w *window) permuted() bool {
	l := w.likened()
	return l.likeness == otherFigure && l.note == "note_exchanged"
}

// containedP is the least probability that a sentence supports a claim which it says word for word, if what stands
// around the claim only places it and the reader, too, sees support. docs/judge.md says how often that is right.
const containedP = 0.88

// placing are the words that a part may begin with which only places a statement: "in case 12", "of the signing".
var placing = wordSet(`in on at by of for from with within during under before after until since over near through
	throughout across against and as`)

// plainAround are the operators that may stand beside a statement and leave it as it is.
var plainAround = []operator{opNone, opBound, opFrom, opTo, opBy, opToo, opInclude, opBefore, opAfter, opBecause, opPoints,
	opLatest, opEarliest, opAll}

// contained reports whether one sentence of the window says the claim word for word and figure for figure, and what
// stands before and behind it neither turns, limits, conditions nor reports it; or whether a row of a table does.
func (r *reading) contained() bool {
	if r.best.chunk.row != nil { // a row has all of the claim, and its figures below the heads that the claim names
		whole := r.best.coverage >= sameRest || r.best.coverage >= wholeMark && len(r.best.missing()) == 0
		return whole && (r.isFreeRow() || len(figures(r.best.query.claimItems())) > 0 && r.best.figuresStand().all)
	}
	claim := r.best.query.claimItems()
	if len(claim) < leastContained || narrows(r.best.query.text) {
		return false
	}
	for i := r.best.first; i <= r.best.last; i++ {
		if c := r.best.chunk; saysWhole(claim, r.sentenceText(i), c.itemsOf(c.sentences[i].span)) {
			return true
		}
	}
	return false
}

// narrowing are the operators by which more words say less: "nobody smokes here" does not follow from "nobody smokes
// here on Sundays".
var narrowing = []operator{opNot, opEnded, opOnly, opExcept, opWithout, opInstead, opIf, opUnless, opAll, opMost, opFew, opThan}

// narrows reports whether a claim says more than a sentence does that has more words.
func narrows(claim string) bool {
	tokens := text.Tokens(claim)
	for i := 0; i < len(tokens); {
		op, length := operatorAt(tokens, i)
		if slices.Contains(narrowing, op) {
			return true
		}
		i += length
	}
	return false
}

// leastContained is how many words and figures a claim must have: few may stand anywhere.
const leastContained = 4

// saysWhole reports whether a sentence, of which all are the items, has those of a claim in one run, with nothing
// around them but what places them.
func saysWhole(claim []item, sentence string, all []item) bool {
	for from := 0; from+len(claim) <= len(all); from++ {
		to := from + len(claim)
		if !sameItems(claim, all[from:to]) {
			continue
		}
		before := text.Slice(sentence, text.Span{End: all[from].at()})
		behind := ""
		if to < len(all) {
			behind = text.Slice(sentence, text.Span{Start: all[to].at(), End: text.Len(sentence)})
		}
		return placesBefore(before) && placesBehind(behind)
	}
	return false
}

func sameItems(a, b []item) bool {
	return slices.EqualFunc(a, b, func(x, y item) bool {
		if x.figure == nil || y.figure == nil {
			return x.figure == y.figure && x.word == y.word
		}
		return against(x.figure, y.figure) == alike
	})
}

// at is where the item begins, in code points.
func (x *item) at() int {
	if x.figure != nil {
		return x.figure.Said.Start
	}
	return x.start
}

// placesBefore reports whether what stands before a statement is none, or a part of its own.
func placesBefore(s string) bool {
	s = strings.TrimSpace(s)
	tokens := text.Tokens(s)
	return len(tokens) == 0 || (placing[tokens[0].Norm] || strings.HasSuffix(s, ",") || strings.HasSuffix(s, ";")) && plain(s, tokens)
}

// placesBehind reports whether what stands behind a statement is none, or goes on from it.
func placesBehind(s string) bool {
	tokens := text.Tokens(s)
	return len(tokens) == 0 || placing[tokens[0].Norm] && plain(s, tokens)
}

// plain reports whether a part has no operator but those of plainAround. Those of its figures are theirs: May is a
// month.
func plain(s string, tokens []text.Token) bool {
	figures := quantity.ReadTokens(s, tokens)
	for i := 0; i < len(tokens); {
		op, length := operatorAt(tokens, i)
		within := slices.ContainsFunc(figures, func(f quantity.Quantity) bool {
			return f.Said.Start <= tokens[i].Start && tokens[i].End <= f.Said.End
		})
		if !within && !slices.Contains(plainAround, op) {
			return false
		}
		i += length
	}
	return true
}
