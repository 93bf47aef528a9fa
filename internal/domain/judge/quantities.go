package judge

import (
	"math"
	"slices"
	"strings"

	"sanad/internal/domain/text"
)

// nearlyEqual reports whether two values differ by rounding only.
func nearlyEqual(a, b float64) bool {
	return math.Abs(a-b) <= 1e-9*math.Max(1, math.Max(math.Abs(a), math.Abs(b)))
}

// amount is a quantity with what is said of it: 1 where it is exceeded ("more than"), -1 if it is not reached, else 0.
type amount struct {
	text.Quantity
	bound int
	open  bool // the bound itself is left out: "more than", not "at least"
	named int  // 1 for what is called a minimum ("the minimum fee is 50"), -1 for a maximum, else 0
}

// amounts says what a text of n tokens says of its quantities.
func amounts(found []text.Quantity, n int, token func(k int) *text.Token) []amount {
	if len(found) == 0 {
		return nil
	}
	out := make([]amount, len(found))
	for i, q := range found {
		if out[i].Quantity = q; q.Value < 0 {
			out[i].Raw = "-" + q.Raw
		}
		out[i].bound, out[i].open = bound(q, n, token)
		out[i].named = limitNamed(q, n, token)
	}
	return out
}

// sameQuantity returns how well an evidence's quantity stands for a claim's: by value and unit, or by value where one
// of them names no unit and nothing else that it counts: 30 days are no 30 dogs.
func sameQuantity(claim, evidence amount) float64 {
	switch {
	case claim.Unit == evidence.Unit:
		if nearlyEqual(claim.Value, evidence.Value) {
			return sameWord
		}
	case claim.Unit == "%" && evidence.Unit == "" && evidence.Value < 1, evidence.Unit == "%" && claim.Unit == "" &&
		claim.Value < 1: // "half"
		if nearlyEqual(claim.Value, evidence.Value) {
			return sameWord
		}
	case claim.Unit == "" || evidence.Unit == "":
		if nearlyEqual(claim.Value, evidence.Value) && claim.Of == "" && evidence.Of == "" && !needed[claim.Unit] &&
			!needed[evidence.Unit] {
			return synonym
		}
	case dinars[claim.Unit] && dinars[evidence.Unit] && (claim.Unit == "dinar" || evidence.Unit == "dinar"):
		if nearlyEqual(claim.Value, evidence.Value) {
			return synonym
		}
	case sameTime(claim, evidence):
		return sameWord
	}
	return 0
}

var (
	// needed are the units without which a number says something else
	needed = map[string]bool{"%": true, "decade": true}
	// dinars are those of the countries that have one; "dinar" is any of them
	dinars = map[string]bool{"dinar": true, "KWD": true, "BHD": true, "JOD": true, "IQD": true}
)

// meets returns how well an evidence's quantity says what the claim says of its quantity k: the same, or for a bound
// one that keeps it; a decade has its years. A bound keeps no other bound: who says "within 30 days" of a rule that
// says "within 14 days" has the rule wrong, though the one implies the other.
func (q *query) meets(k int, evidence amount) float64 {
	claim := q.quantities[k]
	if same := sameQuantity(claim, evidence); same > 0 {
		return same
	}
	if claim.Unit == "decade" && evidence.Unit == "" && evidence.Value >= claim.Value && evidence.Value < claim.Value+
		10 {
		return nearWord
	}
	if claim.Unit != evidence.Unit || evidence.bound != 0 {
		return 0
	}
	switch b := claim.bound; {
	case b > 0 && evidence.Value > claim.Value && !text.IsYear(evidence.Value), b < 0 && evidence.Value < claim.Value &&
		!text.IsYear(evidence.Value):
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

// sameTime reports whether two lengths of time in different units are equal: "48 hours" and "two days", "one year" and
// "12 months".
func sameTime(a, b amount) bool {
	one, other := baseUnits[a.Unit], baseUnits[b.Unit]
	return one.name != "" && one.name == other.name && nearlyEqual(a.Value*one.factor, b.Value*other.factor)
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
		if n == 0 || !nearlyEqual(first.Value, e.Value) {
			n++
		}
		if n == 1 {
			first = e
		}
	}
	return first, n
}

// comparable reports whether two quantities of different value say something about the same thing: they have a unit in
// common, or both are years or bare numbers before or after the same word, or the one stands in the cell of a table that
// the claim speaks of.
func (w *window) comparable(term int, claim, evidence amount) bool {
	if claim.Unit != evidence.Unit {
		if decade(claim, evidence) || decade(evidence, claim) {
			return true
		}
		return claim.Unit == "year" && evidence.Unit == "month" || claim.Unit == "month" && evidence.Unit == "year"
	}
	if claim.Unit != "" {
		return true
	}
	if text.IsYear(claim.Value) != text.IsYear(evidence.Value) {
		return false
	}
	return text.IsYear(claim.Value) || w.chunk.row != nil || w.sameNeighbour(term, evidence)
}

// decade reports whether one is a decade and the other a year.
func decade(a, b amount) bool { return a.Unit == "decade" && b.Unit == "" && text.IsYear(b.Value) }

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

// hasFigure reports whether a figure is written in the chunk outside all quantities: in a date, an ordinal or a version.
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
			same = same || follows(c.source, k) == a && !c.otherUnit(s.claim, k)
		}
		c.out.unit = c.out.unit || !same
	}
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
	return slices.ContainsFunc(c.window.query.dates, func(d text.Date) bool { return t.Start >= d.Start && t.End <= d.End })
}

// dating says how the dates of a passage stand to those of the claim.
type dating int

const (
	datesAgree  dating = iota // or one of them has none
	datesOpen                 // one may be the same: "5/3/2024" is 5 March or 3 May
	datesDiffer               // one differs in its day, month or year alone, and the claim's is nowhere
)

// undated lists the claim's dates that surely are nowhere in the evidence.
func (x *Index) undated(dates []text.Date) []text.Date {
	return slices.DeleteFunc(dates, func(d text.Date) bool {
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
			case d.MayBe(e):
				return datesOpen
			case nearDate(d, e):
				out = datesDiffer
			}
		}
	}
	return out
}

// nearDate reports whether two dates differ in one part only. Dates further apart may state different facts.
func nearDate(a, b text.Date) bool {
	return a.Year == b.Year && (a.Month == b.Month || a.Day == b.Day) || a.Month == b.Month && a.Day == b.Day
}
