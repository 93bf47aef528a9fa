package judge

import (
	"math"
	"slices"
	"sort"
	"strings"

	"sanad/internal/domain/text"
	"sanad/internal/domain/text/quantity"
)

// amount is an amount, or the plain number of a name or a date, with what is said of it: 1 where it is exceeded ("more
// than"), -1 if it is not reached, else 0.
type amount struct {
	quantity.Quantity
	bound int
	open  bool          // the bound itself is left out: "more than", not "at least"
	from  quantity.Kind // what it was read as: a day's numbers are those of a date
	named int           // 1 for what is called a minimum ("the minimum fee is 50"), -1 for a maximum, else 0
}

// amounts are the figures of a text of n tokens that count or number something. Of dates whose month is a word, day and
// year are.
func amounts(found []quantity.Quantity, n int, token func(k int) *text.Token) []amount {
	if len(found) == 0 {
		return nil
	}
	out := make([]amount, 0, len(found))
	for i := range found {
		switch q := found[i]; {
		case q.Implied:
		case q.Kind == quantity.Amount:
			if q.Number.Compare(quantity.Decimal{}) < 0 {
				q.Raw = "-" + q.Raw
			}
			out = append(out, amount{Quantity: q})
		case q.Kind == quantity.Identifier && plainNumber(q.Digits):
			q.Kind, q.Number = quantity.Amount, q.Value
			out = append(out, amount{Quantity: q, from: quantity.Identifier})
		case q.Kind == quantity.Day && (q.Date.Worded || q.Date.Month == 0):
			out = append(out, numbersOf(&q, n, token)...)
		}
	}
	for i := range out {
		a := &out[i]
		switch {
		case a.Bound.IsLower():
			a.bound = 1
		case a.Bound.IsUpper():
			a.bound = -1
		}
		a.open, a.named = a.Bound.IsOpen(), limitNamed(&a.Quantity, n, token)
	}
	return out
}

// plainNumber reports whether a name is a number that could be a quantity.
func plainNumber(digits string) bool {
	return digits != "" && strings.Count(digits, ".") < 2 && (digits[0] != '0' || len(digits) == 1)
}

// yearDigits is how many digits the year of a date has.
const yearDigits = 4

// numbersOf are the numbers of a date.
func numbersOf(q *quantity.Quantity, n int, token func(k int) *text.Token) (out []amount) {
	for k := sort.Search(n, func(k int) bool { return token(k).Start >= q.Start }); k < n && token(k).Start < q.End; k++ {
		t := token(k)
		if t.Kind != text.Number {
			continue
		}
		value := quantity.Whole(int64(q.Date.Day))
		if q.Date.Day == 0 || len(t.Norm) == yearDigits {
			value = quantity.Whole(int64(q.Date.Year))
		}
		out = append(out, amount{from: quantity.Day, Quantity: quantity.Quantity{Span: t.Span, Said: t.Span, Value: value, Number: value,
			Digits: t.Norm, Raw: t.Text, Doubtful: q.Doubtful}})
	}
	return out
}

// sameQuantity returns how well an evidence's quantity stands for a claim's, its bound apart: by value and unit, or by
// value where one of them names no unit and nothing else that it counts: 30 days are no 30 dogs. What is not compared,
// for it can be read in two ways, stands for it less well.
func sameQuantity(claim, evidence amount) float64 {
	claim.Bound, evidence.Bound = quantity.NoBound, quantity.NoBound
	switch quantity.Compare(claim.Quantity, evidence.Quantity) {
	case quantity.Same:
		return sameWord
	case quantity.Fits:
		if claim.Unit == "" || evidence.Unit == "" {
			return synonym
		}
		return nearWord
	case quantity.Open:
		return synonym
	}
	return 0
}

// meets returns how well an evidence's quantity says what the claim says of its quantity k: the same, or for a bound
// one that keeps it; a decade has its years. A bound keeps no other bound: who says "within 30 days" of a rule that
// says "within 14 days" has the rule wrong, though the one implies the other.
func (q *query) meets(k int, evidence amount) float64 {
	claim := q.quantities[k]
	if same := sameQuantity(claim, evidence); same > 0 {
		return same
	}
	if evidence.bound == 0 && claim.bound != 0 && quantity.Compare(claim.Quantity, evidence.Quantity) == quantity.Fits {
		return nearWord
	}
	return 0
}

// refutes reports whether a token of the evidence is part of a quantity that says something else than the claim's
// number term, though it is written with the same figure.
func (q *query) refutes(term int, quantities []amount, at int) bool {
	k := q.terms[term].quantity
	if k < 0 {
		return false
	}
	e := quantityOf(quantities, at)
	return e >= 0 && q.meets(k, quantities[e]) == 0
}

// numbersFound is the share of the claim's quantities that the window has; 1 when the claim has none.
func (w *window) numbersFound() float64 {
	all, found := 0, 0
	for i := range w.query.terms {
		t := &w.query.terms[i]
		if t.quantity >= 0 {
			all++
			if w.found[i] > 0 {
				found++
			}
		}
	}
	if all == 0 {
		return 1
	}
	return float64(found) / float64(all)
}

// otherNumber finds a quantity of the sentence that is in the place of one of the claim's: the same unit, another
// value and no third one, while the claim's value is nowhere in the chunk and the other value nowhere in the claim.
func (w *window) otherNumber() (claim, evidence amount, ok bool) {
	for i := range w.query.terms {
		t := &w.query.terms[i]
		if t.quantity < 0 || w.found[i] > 0 {
			continue
		}
		q := w.query.quantities[t.quantity]
		if w.chunk.hasQuantity(q) {
			continue
		}
		if e, n := w.rivals(i, q); n == 1 {
			return q, e, true
		}
	}
	return claim, evidence, false
}

// rivals finds the quantities of the sentence that may be in the place of the claim's q: the nearest at hand, and how
// many values there are. More than one, or one that the claim has too, leaves open which of them q should be.
func (w *window) rivals(term int, q amount) (first amount, n int) {
	for _, e := range w.chunk.sentences[w.first].quantities {
		if !w.comparable(term, q, e) {
			continue
		}
		if w.query.hasQuantity(e) {
			if w.chunk.row != nil {
				continue // of another cell
			}
			return e, 2
		}
		if n == 0 || first.Value != e.Value {
			n++
		}
		if n == 1 {
			first = e
		}
	}
	return first, n
}

// comparable reports whether two quantities of different value say something about the same thing: they have a unit in
// common, or both are years or bare numbers before or after the same word, or the one stands in the cell of a table
// that the claim speaks of.
func (w *window) comparable(term int, claim, evidence amount) bool {
	if inDeadline(claim.Quantity, evidence.Quantity) && !w.query.meaning.any(opMust) {
		return false
	}
	if claim.Unit != evidence.Unit {
		claim.Bound, evidence.Bound = quantity.NoBound, quantity.NoBound
		return (claim.Unit != "" && evidence.Unit != "" || claim.Unit == "decade" || evidence.Unit == "decade") &&
			quantity.Compare(claim.Quantity, evidence.Quantity) == quantity.Other
	}
	if claim.Unit != "" {
		return true
	}
	if isYear(&claim) != isYear(&evidence) {
		return false
	}
	return isYear(&claim) || w.chunk.row != nil || w.sameNeighbour(term, evidence)
}

// isYear reports whether a bare number may be a year.
func isYear(a *amount) bool { return a.Unit == "" && text.IsYear(a.Value.Float()) }

// sameNeighbour reports whether the term before or after a claim's bare number touches the evidence's number too, or
// is before it over words like "is".
func (w *window) sameNeighbour(term int, evidence amount) bool {
	for i := w.from(); i < w.to(); i++ {
		if w.chunk.tokens[i].Start != evidence.Start {
			continue
		}
		before := i - 1
		for before > w.from() && w.chunk.tokens[before].Stop {
			before--
		}
		if w.stands(before, term-1) || w.stands(i+1, term+1) {
			return true
		}
	}
	return false
}

// stands reports whether the sentence's token k stands for a term of the claim.
func (w *window) stands(k, term int) bool {
	return k >= w.from() && k < w.to() && slices.ContainsFunc(w.query.hits(w.chunk.tokens[k].word),
		func(h hit) bool { return h.term == term })
}

func (c *chunk) hasQuantity(q amount) bool {
	for _, e := range c.quantities {
		if sameQuantity(q, e) > 0 {
			return true
		}
	}
	return q.Unit == "" && c.hasFigure(q.Raw)
}

// hasFigure reports whether a figure is written in the chunk outside all quantities: in a date, an ordinal or a
// version.
func (c *chunk) hasFigure(written string) bool {
	for from := 0; ; {
		at := strings.Index(c.text[from:], written)
		if at < 0 {
			return false
		}
		if quantityOf(c.quantities, c.ruler.Offset(from+at)) < 0 {
			return true
		}
		from += at + len(written)
	}
}

func (q *query) hasQuantity(e amount) bool {
	for _, c := range q.quantities {
		if sameQuantity(c, e) > 0 {
			return true
		}
	}
	return false
}

// numberFeatures measures how many of the claim's quantities are there, and whether another replaces one.
func numberFeatures(v *vector, r *reading) {
	all, anywhere := 0.0, 0.0
	for i := range r.best.query.terms {
		t := &r.best.query.terms[i]
		if t.quantity >= 0 {
			all++
			anywhere += r.best.query.anywhere[i]
		}
	}
	v[numberCover], v[numberCoverAll] = r.best.numbersFound(), 1
	if all > 0 {
		v[numberCoverAll] = anywhere / all
		v[numberLost] = math.Min(3, all-anywhere)
	}
	if _, _, ok := r.core().otherNumber(); ok {
		v[numberOther] = 1
	}
}

// points compares percent with percentage points.
func (c *comparer) points() {
	follows := func(m *meaning, i int) bool {
		for k := i + 1; k <= i+2 && k < len(m.tokens); k++ {
			if m.ops[k] == opPoints {
				return true
			}
		}
		return false
	}
	for i := range c.shared {
		s := &c.shared[i]
		if s.term.quantity < 0 {
			continue
		}
		a, same := follows(c.claim, s.claim), false
		for _, k := range s.tokens {
			other := c.otherUnit(s.claim, k) && !c.isSameAmount(s.term.quantity, k)
			same = same || (follows(c.source, k) == a || c.inBasisPoints(s.term.quantity, k)) && !other
		}
		c.out.unit = c.out.unit || !same
	}
}

// isSameAmount reports whether the claim's quantity and the source's at token k are one in two units: a year and 12
// months.
func (c *comparer) isSameAmount(quantity, k int) bool {
	w := c.window
	list := w.chunk.sentences[w.first].quantities
	at := quantityOf(list, w.chunk.tokens[w.from()+k].Start)
	return at >= 0 && sameQuantity(w.query.quantities[quantity], list[at]) == sameWord
}

// inBasisPoints reports whether the claim's quantity or the source's at token k is in basis points, which may stand for
// either.
func (c *comparer) inBasisPoints(quantity, k int) bool {
	w := c.window
	list := w.chunk.sentences[w.first].quantities
	at := quantityOf(list, w.chunk.tokens[w.from()+k].Start)
	return w.query.quantities[quantity].Unit == "bp" || at >= 0 && list[at].Unit == "bp"
}

// unitReach is how many words after a number are searched for its unit.
const unitReach = 3

// otherUnit reports whether two equal numbers are followed by different words of one kind: working and calendar days,
// dinars of two countries.
func (c *comparer) otherUnit(claim, source int) bool {
	for i := claim + 1; i <= claim+unitReach && i < len(c.claim.tokens); i++ {
		a := &c.claim.tokens[i]
		if len(kinds().of[a.Stem]) == 0 || c.inDate(a) {
			continue
		}
		differs := false
		for k := source + 1; k <= source+unitReach && k < len(c.source.tokens); k++ {
			b := &c.source.tokens[k]
			if a.Stem == b.Stem {
				return false
			}
			differs = differs || overlap(kinds().of[a.Stem], kinds().of[b.Stem])
		}
		if differs {
			return true
		}
	}
	return false
}

// inDate reports whether a word of the claim is part of a date, whose month may have another name.
func (c *comparer) inDate(t *text.Token) bool {
	return slices.ContainsFunc(c.window.query.dates,
		func(d quantity.Date) bool { return t.Start >= d.Start && t.End <= d.End })
}

// dating says how the dates of a passage stand to those of the claim.
type dating int

const (
	datesAgree  dating = iota // or one of them has none
	datesOpen                 // one may be the same: "5/3/2024" is 5 March or 3 May
	datesDiffer               // one differs in its day, month or year alone, and the claim's is nowhere
)

// undated lists the claim's dates that surely are nowhere in the evidence.
func (x *Index) undated(dates []quantity.Date) []quantity.Date {
	return slices.DeleteFunc(dates, func(d quantity.Date) bool {
		return slices.ContainsFunc(x.dates, d.Same)
	})
}

// dating compares the window's dates with those of the claim.
func (w *window) dating() dating {
	out := datesAgree
	if len(w.query.undated) == 0 {
		return out
	}
	span := w.span()
	for _, d := range w.query.undated {
		for _, e := range w.chunk.dates {
			switch {
			case e.Start < span.Start || e.End > span.End:
			case d.MayBe(e), e.Doubtful && nearDate(d, e):
				return datesOpen
			case nearDate(d, e):
				out = datesDiffer
			}
		}
	}
	return out
}

// nearDate reports whether two dates differ in one part only. Dates further apart may state different facts.
func nearDate(a, b quantity.Date) bool {
	a, b = a.Solar(b), b.Solar(a)
	return a.Year == b.Year && (a.Month == b.Month || a.Day == b.Day) || a.Month == b.Month && a.Day == b.Day
}
