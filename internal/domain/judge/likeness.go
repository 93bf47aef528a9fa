package judge

import (
	"math"
	"slices"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
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
	b := itemsOf(sentence)
	if len(a) != len(b) {
		return likened{}
	}
	var mine, theirs []*figure
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
		l := mine[i].against(theirs[i])
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
	case last == first && mine[first].otherSign(theirs[first]):
		note = "note_sign"
	case last > first && exchange(mine[first:last+1], theirs[first:last+1]):
		if out, note = otherFigure, "note_exchanged"; listed(a) {
			out = openFigure
		}
	case out == otherFigure && others > 1:
		out = lesserOther // it may speak of something else
	}
	slice := func(s string, f []*figure) string {
		from := f[first].said
		head := text.Slice(s, text.Span{End: from})
		sign := strings.TrimRight(head, "-−–+<>≤≥=$€£¥ ")
		said := text.Slice(s, text.Span{Start: from, End: f[last].written.End})
		return strings.TrimSpace(strings.TrimPrefix(head, sign) + said)
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
func (f *figure) otherSign(g *figure) bool {
	return f.kind == quantityFigure && g.kind == quantityFigure && f.unit == g.unit && f.value != 0 &&
		(nearlyEqual(f.value, -g.value) || nearlyEqual(f.value, g.value) && f.turned(g))
}

// exchange reports whether figures are the same ones in another order.
func exchange(a, b []*figure) bool {
	rest := slices.Clone(b)
	for _, f := range a {
		at := slices.IndexFunc(rest, func(g *figure) bool {
			return f.kind == g.kind && f.value == g.value && f.unit == g.unit && f.date.Same(g.date) &&
				(f.kind != codeFigure || f.digits == g.digits)
		})
		if at < 0 {
			return false
		}
		rest = slices.Delete(rest, at, at+1)
	}
	return true
}

// listed reports whether figures follow each other with nothing but "and" or "or" between: their order says nothing.
func listed(items []item) bool {
	last := -1
	for i, it := range items {
		if it.figure == nil {
			continue
		}
		if it.figure.kind == clockFigure {
			return false // from six to nine is not from nine to six
		}
		if last >= 0 && (i-last == 1 && !strings.ContainsAny(it.figure.mark, ",،") || i-last > 2 ||
			i-last == 2 && !lists[items[last+1].word]) {
			return false
		}
		last = i
	}
	return true
}

var lists = wordSet(`and or و او`)

// against compares a figure of the claim with the one in its place.
func (f *figure) against(g *figure) likeness {
	switch {
	case f.mark != g.mark:
		return openFigure
	case f.kind != g.kind:
		return openFigure
	case f.kind == codeFigure:
		if f.digits == g.digits {
			return alike
		}
		return lesserOther
	case f.kind == dateFigure:
		return f.otherDate(g)
	case f.unit != g.unit:
		return f.otherUnit(g)
	case f.op != "" && g.op == "":
		return f.kept(g)
	case !nearlyEqual(f.value, g.value):
		return f.otherValue(g)
	case f.op != g.op:
		if f.turned(g) {
			return otherFigure
		}
		return lesserOther
	case f.unit == "" && f.digits != g.digits && strings.Contains(f.digits+g.digits, ".") && f.digits != "" &&
		g.digits != "":
		if f.name || g.name {
			return lesserOther // 4.2 and 4.20 are two sections
		}
		return openFigure
	}
	return alike
}

func (f *figure) otherDate(g *figure) likeness {
	switch {
	case f.date.Same(g.date):
		return alike
	case f.date.MayBe(g.date), f.date.Hijri() != g.date.Hijri():
		return openFigure
	}
	return otherFigure
}

// otherUnit compares figures of different units. A month has no fixed number of days.
func (f *figure) otherUnit(g *figure) likeness {
	time := func(unit string) bool { return unit == "minute" || unit == "month" }
	switch {
	case f.unit == "AH" || g.unit == "AH", time(f.unit) && time(g.unit),
		dinars[f.unit] && dinars[g.unit] && (f.unit == "dinar" || g.unit == "dinar"):
		return openFigure
	case f.unit == "decade" && g.value >= f.value && g.value < f.value+10:
		return openFigure
	case f.unit == "" || g.unit == "":
		if nearlyEqual(f.value, g.value) {
			return openFigure
		}
		return lesserOther
	}
	return otherFigure
}

// turned reports whether two bounds are in opposite directions.
func (f *figure) turned(g *figure) bool {
	return f.op != "" && g.op != "" && strings.ContainsAny(f.op, ">≥") != strings.ContainsAny(g.op, ">≥")
}

// kept compares a bound of the claim with a plain figure, which may keep it.
func (f *figure) kept(g *figure) likeness {
	kept := g.value > f.value
	if strings.ContainsAny(f.op, "<≤") {
		kept = g.value < f.value
	}
	switch {
	case kept:
		return openFigure
	case nearlyEqual(f.value, g.value):
		return lesserOther
	}
	return otherFigure
}

// otherValue compares figures of different values.
func (f *figure) otherValue(g *figure) likeness {
	switch {
	case f.roundedIn(g), f.twoReadings(g), g.twoReadings(f):
		return openFigure
	case f.otherSign(g):
		return otherFigure
	case f.op != "" || g.op != "" || f.name || g.name:
		return lesserOther
	}
	return otherFigure
}

// twoReadings reports whether a figure is written with a point before three digits, which may group thousands, and is then
// the other one.
func (f *figure) twoReadings(g *figure) bool {
	head, tail, found := strings.Cut(f.digits, ".")
	return found && len(head) <= 3 && len(tail) == 3 && nearlyEqual(f.value*1000, g.value)
}

// roundedIn reports whether a figure of the claim rounds the source's to as many digits as it has.
func (f *figure) roundedIn(g *figure) bool {
	if f.digits == "" || f.value == 0 || f.unit == "decade" || text.IsYear(f.value) && text.IsYear(g.value) {
		return false
	}
	significant := len(strings.Trim(strings.ReplaceAll(f.digits, ".", ""), "0"))
	given := len(strings.Trim(strings.ReplaceAll(g.digits, ".", ""), "0"))
	if significant >= given || significant < 2 {
		return false
	}
	unit := math.Abs(f.value)
	for unit >= 10 {
		unit /= 10
	}
	step := math.Abs(f.value) / unit
	for range significant - 1 {
		step /= 10
	}
	return math.Abs(f.value-g.value) <= step/2
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
	source := itemsOf(w.chunk.ruler.Slice(w.span()))
	for _, a := range w.query.claimItems() {
		if a.figure == nil {
			continue
		}
		same, other := false, false
		for _, b := range source {
			if b.figure == nil {
				continue
			}
			other = other || a.figure.otherSign(b.figure)
			same = same || a.figure.kind == b.figure.kind && a.figure.unit == b.figure.unit &&
				nearlyEqual(a.figure.value, b.figure.value) && !a.figure.turned(b.figure)
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
