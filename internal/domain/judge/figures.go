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
// reader, to which 90 minutes and 1.5 hours are two figures, reads one. The "No." of another number is written as
// "number": a reader takes it for a negation.
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
		sign := text.Span{Start: span.Start, End: f.Start}
		switch {
		case at >= 0:
			said, _ := claim[at].InText()
			write(span, mine.Slice(said))
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

// negating are number signs that are negations, too.
var negating = wordSet(`no nos`)

// figureStand is how the figures of a window stand to those of the claim.
type figureStand struct {
	relation      quantity.Relation // the worst of a figure of the claim; Same if it has none
	claim, source string            // that one, and the nearest to it in the window, as they are written
	limits        bool              // both are bounds, and surely read
	all           bool              // the window has each figure of the claim
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
	if turnedPair(claim, source) {
		out.relation, out.all = min(out.relation, quantity.Open), false
	}
	return out
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
