package judge

import (
	"math"
	"slices"
	"sort"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/domain/text/quantity"
)

// item is a word or a figure of a sentence.
type item struct {
	word   string
	start  int                // of a word, in code points
	figure *quantity.Quantity // nil for a word
	after  string             // of a figure, what is between it and a figure that it follows at once
}

// itemsOf reads the words and figures of a sentence. What only says how a figure is meant belongs to the figure:
// bounds, signs in words, the "No." before a number. A clause number at the head is no part of the sentence.
func itemsOf(s string) (out []item) {
	tokens := text.Tokens(s)
	figures := quantity.ReadTokens(s, tokens)
	ruler := text.NewRuler(s)
	next := 0
	var said []text.Span // words that say how a figure is meant
	for i := range figures {
		if figures[i].Apart.Len() > 0 {
			said = append(said, figures[i].Apart)
		}
	}
	for k := range tokens {
		t := &tokens[k]
		for next < len(figures) && figures[next].Said.Start < t.End {
			f := &figures[next]
			next++
			if said = append(said, f.Said, f.Behind); !f.IsFigure() {
				continue
			}
			after := ""
			if n := len(out); n > 0 && out[n-1].figure != nil {
				after = strings.TrimSpace(ruler.Slice(text.Span{Start: out[n-1].figure.End, End: f.Start}))
			}
			out = append(out, item{figure: f, after: after})
		}
		within := false
		for i := range said {
			within = within || said[i].Start < t.End && t.Start < said[i].End
		}
		if !within {
			out = append(out, item{word: t.Norm, start: t.Start})
		}
	}
	return out
}

// itemsOf reads the words and figures of a part of the chunk.
func (c *chunk) itemsOf(part text.Span) []item {
	out := itemsOf(c.ruler.Slice(part))
	for i := range out {
		if f := out[i].figure; f != nil {
			c.doubt(f, part.Start)
		}
	}
	return out
}

// doubt marks a figure that begins so many code points behind start if OCR was not sure of its words in the chunk.
func (c *chunk) doubt(f *quantity.Quantity, start int) {
	one := []quantity.Quantity{*f}
	quantity.Doubt(one, func(s text.Span) bool {
		return ledger.Doubts(c.doubtful, text.Span{Start: s.Start + start, End: s.End + start})
	})
	*f = one[0]
}

// figures are those of the items.
func figures(items []item) (out []quantity.Quantity) {
	for i := range items {
		if f := items[i].figure; f != nil {
			out = append(out, *f)
		}
	}
	return out
}

// inClaimsWords writes the figures of a text that are the same as the claim's as the claim writes them, so that a
// reader, to which 90 minutes and 1.5 hours are two figures, reads one. Where only one of the two is a bound, the text
// keeps its own words for it: "at least 14 days" is "at least 2 weeks" beside a claim's "2 weeks". The "No." of another
// number is written as "number": a reader takes it for a negation.
func inClaimsWords(claim []quantity.Quantity, claimText, s string) string {
	ruler, mine := text.NewRuler(s), text.NewRuler(claimText)
	var b strings.Builder
	end := 0
	write := func(span text.Span, words string) {
		if text.Fold(ruler.Slice(span)) != text.Fold(words) {
			b.WriteString(ruler.Slice(text.Span{Start: end, End: span.Start}) + words)
			end = span.End
		}
	}
	for _, f := range quantity.Read(s) {
		span, whole := f.InText()
		if !whole || span.Start < end {
			continue
		}
		at := slices.IndexFunc(claim, func(c quantity.Quantity) bool {
			_, one := c.InText()
			return one && quantity.Compare(c, f) == quantity.Same
		})
		unlimited := slices.IndexFunc(claim, func(c quantity.Quantity) bool { return sameButForBound(&c, &f) })
		sign := text.Span{Start: span.Start, End: f.Start}
		switch {
		case at >= 0:
			said, _ := claim[at].InText()
			write(span, mine.Slice(said))
		case unlimited >= 0:
			write(f.Span, mine.Slice(claim[unlimited].Span))
		case f.Kind == quantity.Identifier && negating[strings.Trim(text.Fold(ruler.Slice(sign)), ". ")]:
			write(sign, "number ")
		}
	}
	if end == 0 {
		return s
	}
	b.WriteString(ruler.Slice(text.Span{Start: end, End: ruler.Len()}))
	return b.String()
}

// sameButForBound reports whether of two amounts of the same value one is a bound, and one that the value keeps: "more
// than" says another thing.
func sameButForBound(claim, source *quantity.Quantity) bool {
	a, b := *claim, *source
	if a.Bound != quantity.NoBound && b.Bound != quantity.NoBound || a.Bound.IsOpen() || b.Bound.IsOpen() {
		return false
	}
	a.Bound, b.Bound = quantity.NoBound, quantity.NoBound
	return a.Kind == quantity.Amount && b.Kind == quantity.Amount && a.Value.Mantissa >= 0 &&
		!a.Implied && !b.Implied && quantity.Compare(a, b) == quantity.Same
}

// negating are number signs that are negations, too.
var negating = wordSet(`no nos`)

// figureStand is how the figures of a window stand to those of the claim.
type figureStand struct {
	relation      quantity.Relation // the worst of a figure of the claim; Same if it has none
	claim, source string            // that one, and the nearest to it in the window, as they are written
	limits        bool              // both are bounds, and surely read
	all           bool              // the window has each figure of the claim
	crossed       bool              // a figure of the claim stands with words that the window has with another
	doubtful      bool              // that of the window was read from a picture and may have been read wrong
}

// figuresStand compares each figure of the claim with those of the window. One of which the window has none of its kind
// says nothing; neither does another one in the window if what stands around it has the claim's.
func (w *window) figuresStand() figureStand {
	if w.stand == nil {
		out := w.figuresStandNow()
		w.stand = &out
	}
	return *w.stand
}

func (w *window) figuresStandNow() figureStand {
	claim := figures(w.query.claimItems())
	out := figureStand{relation: quantity.Same, all: len(claim) > 0}
	if len(claim) == 0 {
		return out
	}
	source := w.figures()
	for i := range claim {
		f := &claim[i]
		best, nearest := bestOf(f, source)
		if w.coverage >= compareMark && best < quantity.Fits && w.compare().cancelled && turnedLimit(f, source) {
			best = quantity.Fits
		}
		if at := atLimit(f, source); best == quantity.Fits && at >= 0 {
			best, nearest = quantity.Open, at
		}
		out.all = out.all && best.Supports()
		if best >= out.relation || best == quantity.Unlike || best == quantity.Other && w.chunk.supports(f) {
			continue
		}
		near := &source[nearest]
		out.relation, out.doubtful = best, near.Doubtful
		out.limits = f.Bound != quantity.NoBound && near.Bound != quantity.NoBound && !near.Doubtful
		said, _ := f.InText()
		theirs, _ := near.InText()
		out.claim, out.source = text.Slice(w.query.text, said), w.chunk.ruler.Slice(theirs)
	}
	out.crossed = w.crossed()
	if out.crossed || turnedPair(claim, source) {
		out.relation, out.all = min(out.relation, quantity.Open), false
	}
	return out
}

// turnedLimit reports whether a source has the bound of a claim's figure turned round: "more than 200" for "at most 200".
func turnedLimit(claim *quantity.Quantity, source []quantity.Quantity) bool {
	turned := *claim
	turned.Bound = claim.Bound.Turned()
	return claim.Bound != quantity.NoBound && slices.ContainsFunc(source, func(s quantity.Quantity) bool {
		return quantity.Compare(turned, s) == quantity.Same
	})
}

// turnedPair reports whether the two figures of a pair of the claim stand in a pair of the source only the other way
// round: "3–1" and "one to three".
func turnedPair(claim, source []quantity.Quantity) bool {
	same := func(a, b quantity.Quantity) bool { return quantity.Compare(a, b) == quantity.Same }
	for i := 1; i < len(claim); i++ {
		a, b := claim[i-1], claim[i]
		if b.Link == quantity.NoLink || same(a, b) {
			continue
		}
		kept, turned := false, false
		for k := 1; k < len(source); k++ {
			x, y := source[k-1], source[k]
			kept = kept || same(a, x) && same(b, y)
			turned = turned || y.Link != quantity.NoLink && same(a, y) && same(b, x)
		}
		if turned && !kept {
			return true
		}
	}
	return false
}

// atLimit returns which figure of a source is the very limit of a claim's bound and no bound itself, -1 for none: who
// says "at least 40" speaks of the 40 and not of a 3,000 that keeps it.
func atLimit(claim *quantity.Quantity, source []quantity.Quantity) int {
	return slices.IndexFunc(source, func(s quantity.Quantity) bool {
		return claim.Bound != quantity.NoBound && s.Bound == quantity.NoBound && s.Kind == claim.Kind &&
			s.Unit == claim.Unit && s.Value == claim.Value
	})
}

// clausePart is a part of a sentence that has figures of its own: "deposits earn 3 %" of "deposits earn 3 % and loans
// cost 7 %".
type clausePart struct {
	figures        []quantity.Quantity
	before, behind map[string]bool // stems of the words before its first figure, and of those behind it
	then           bool            // it says what comes later: "after that"
	aside          bool            // it is in brackets
}

func (p *clausePart) has(stem string) bool { return p.before[stem] || p.behind[stem] }

// joining are the words that one part of a sentence may begin with, and later those of one that comes after the other.
var (
	joining = wordSet(`and but while whereas versus vs compared و بينما فيما أما مقارنة`)
	later   = wordSet(`then thereafter afterwards ثم`)
	since   = wordSet(`after بعد`)
	that    = wordSet(`that which this ذلك`)
)

// partsOf reads the parts of a sentence. One without a figure belongs to the next, and at the end to the one before.
func partsOf(s string) (out []clausePart) {
	tokens := text.Tokens(s)
	figures := slices.DeleteFunc(quantity.ReadTokens(s, tokens), func(f quantity.Quantity) bool { return !f.IsFigure() })
	ruler := text.NewRuler(s)
	now, next, end := newPart(), 0, 0
	for k := range tokens {
		t := &tokens[k]
		gap := ruler.Slice(text.Span{Start: end, End: t.Start})
		end = t.End
		within := slices.ContainsFunc(figures, func(f quantity.Quantity) bool {
			return f.Said.Start <= t.Start && t.End <= max(f.Said.End, f.Behind.End) && f.Said.Start < t.Start
		})
		follows := later[t.Norm] || since[t.Norm] && k+1 < len(tokens) && that[tokens[k+1].Norm]
		linked := next < len(figures) && figures[next].Link != quantity.NoLink
		if len(now.figures) > 0 && !within && !linked &&
			(strings.ContainsAny(gap, ",;،؛()[]\n") || strings.Contains(gap, ". ") || joining[t.Norm] || follows) {
			out, now = append(out, now), newPart()
		}
		now.then = now.then || follows
		now.aside = now.aside || len(now.figures) == 0 && strings.Contains(gap, "(")
		for next < len(figures) && figures[next].Said.Start < t.End {
			now.figures = append(now.figures, figures[next])
			next++
		}
		said := slices.ContainsFunc(figures, func(f quantity.Quantity) bool {
			return f.Start < t.End && t.Start < f.End || f.Belongs(t.Span)
		})
		switch {
		case t.Stop || said || joining[t.Norm]:
		case len(now.figures) == 0:
			now.before[t.Stem] = true
		default:
			now.behind[t.Stem] = true
		}
	}
	if len(now.figures) > 0 || len(out) == 0 {
		return append(out, now)
	}
	last := &out[len(out)-1]
	for stem := range now.before {
		last.behind[stem] = true
	}
	return out
}

func newPart() clausePart {
	return clausePart{before: map[string]bool{}, behind: map[string]bool{}}
}

// crossed reports whether a figure of the claim stands with words or with a figure from which the sentence parts it.
func (w *window) crossed() bool {
	if w.chunk.row != nil {
		return false
	}
	claim := partsOf(w.query.text)
	for i := w.first; i <= w.last; i++ {
		words := w.chunk.ruler.Slice(w.chunk.sentences[i].span)
		if strings.HasPrefix(strings.TrimSpace(words), "|") {
			continue // cells of a table, which their heads tell apart
		}
		source := partsOf(words)
		if len(source) > 1 && crossedIn(claim, source) {
			return true
		}
	}
	return false
}

// crossedIn is crossed of a claim and a sentence in their parts.
func crossedIn(claim, source []clausePart) bool {
	return slices.ContainsFunc(claim, func(p clausePart) bool { return p.crosses(source) })
}

// crosses reports whether a part of a claim mixes parts of a source.
func (p *clausePart) crosses(source []clausePart) bool {
	homes := make([]int, len(p.figures))
	one := -1 // the home of all
	for i := range p.figures {
		homes[i] = homeOf(&p.figures[i], source)
		switch {
		case homes[i] < 0 && !p.figures[i].Implied, one >= 0 && homes[i] >= 0 && one != homes[i]:
			one = len(source)
		case homes[i] >= 0 && one < 0:
			one = homes[i]
		}
	}
	for i := range homes {
		for k := range homes {
			if homes[i] >= 0 && homes[k] >= 0 && homes[i] != homes[k] && p.mixes(i, k, &source[homes[i]], &source[homes[k]]) {
				return true
			}
		}
	}
	return one >= 0 && one < len(source) && p.borrows(one, source)
}

// homeOf returns the only part of a source that has a figure of the claim, -1 for none.
func homeOf(f *quantity.Quantity, source []clausePart) int {
	home := -1
	for i := range source {
		if best, _ := bestOf(f, source[i].figures); !best.Supports() || f.Implied {
			continue
		}
		if home >= 0 {
			return -1
		}
		home = i
	}
	return home
}

// mixes reports whether the part's figure i, from one part of a source, is not said with figure k, from another: the
// other says k of a figure in the place of i, and k is before it, as the year in "812 (2024: 790)", or the one has
// another in the place of k; or what the other says comes later.
func (p *clausePart) mixes(i, k int, one, other *clausePart) bool {
	if other.then || one.then {
		return true
	}
	rival := p.rivalIn(i, other)
	if rival < 0 {
		return false
	}
	_, at := bestOf(&p.figures[k], other.figures)
	return other.aside || at < rival || p.rivalIn(k, one) >= 0
}

// rivalIn returns which figure of another part contradicts figure i and does not stand in this part too; -1 if none.
func (p *clausePart) rivalIn(i int, other *clausePart) int {
	return slices.IndexFunc(other.figures, func(f quantity.Quantity) bool {
		return quantity.Compare(p.figures[i], f) == quantity.Other &&
			!slices.ContainsFunc(p.figures, func(mine quantity.Quantity) bool { return quantity.Compare(mine, f).Supports() })
	})
}

// borrows reports whether a part of a claim whose figures are of one part of a source has words that only others have,
// in the place of words of that part that it lacks.
func (p *clausePart) borrows(home int, source []clausePart) bool {
	mine := &source[home]
	for i := range source {
		if i == home {
			continue
		}
		for _, side := range [2][2]map[string]bool{{source[i].before, mine.before}, {source[i].behind, mine.behind}} {
			foreign, lacks := 0, 0
			for stem := range side[0] {
				if p.has(stem) && !mine.has(stem) {
					foreign++
				}
			}
			for stem := range side[1] {
				if !p.has(stem) {
					lacks++
				}
			}
			if foreign > 0 && 2*lacks >= len(side[1]) && lacks > 0 {
				return true
			}
		}
	}
	return false
}

// bestOf returns the best relation of a claim's figure to one of a source, and which that is.
func bestOf(claim *quantity.Quantity, source []quantity.Quantity) (best quantity.Relation, at int) {
	for i := range source {
		if r := quantity.Compare(*claim, source[i]); r > best {
			best, at = r, i
		}
	}
	return best, at
}

// supports reports whether a figure of the claim is anywhere in the chunk or its heading.
func (c *chunk) supports(f *quantity.Quantity) bool {
	if best, _ := bestOf(f, c.figures); best.Supports() {
		return true
	}
	best, _ := bestOf(f, quantity.Read(c.heading))
	return best.Supports()
}

// meetNames finds the words of a claim's dates, times, ordinals and names among figures that write them otherwise, and
// of every figure that words that say how it is meant: "لا تزيد … على" for "كحد أقصى".
func (q *query) meetNames(found []float64, source []quantity.Quantity) {
	if len(source) == 0 {
		return
	}
	for _, it := range q.claimItems() {
		f := it.figure
		if f == nil {
			continue
		}
		value := 0.0
		switch best, _ := bestOf(f, source); {
		case best.Supports():
			value = sameWord
		case best == quantity.Open && f.Kind != quantity.Amount:
			value = synonym
		}
		if value == 0 {
			continue
		}
		for i := range q.terms {
			t := &q.terms[i]
			if f.Kind != quantity.Amount && t.Start >= f.Start && t.End <= f.End || value == sameWord && f.Belongs(t.Span) {
				found[i] = math.Max(found[i], value)
			}
		}
	}
}

// figures are those of the window.
func (w *window) figures() []quantity.Quantity {
	span, all := w.span(), w.chunk.figures
	from := sort.Search(len(all), func(i int) bool { return all[i].Start >= span.Start })
	to := sort.Search(len(all), func(i int) bool { return all[i].Start >= span.End })
	return all[from:max(from, to)]
}
