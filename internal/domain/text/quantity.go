package text

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Quantity is a number in a text with its unit.
type Quantity struct {
	Span
	Value float64 // in Unit: two weeks are 14, "15%" is 0.15
	// "%", "minute", "hour", "day", "month", "year", "SAR", "USD", …; "decade" for its first year; "" for a bare number
	Unit string
	Raw  string // as written in the text, with its unit, without a minus
	Of   string // stem of what a number without a unit counts: the word right after it ("30 dogs"); "" if none
}

// Quantities finds the numbers of s, in digits or words, English or Arabic, with their units: "15%", "two weeks", "SAR
// 5,000", "خمسة أيام", "5 آلاف ريال". Weeks become days; nothing else is converted, as a month has no fixed number of
// days. Dates, times, version numbers and ordinals are not quantities. Kinds of day (calendar, working) are not
// distinguished.
func Quantities(s string) []Quantity {
	q := newQuantifier(s)
	scan(s, func(p piece) {
		if t := p.token(s); t.Norm != "" {
			q.add(p, t.Norm)
		}
	})
	return q.all()
}

func newQuantifier(s string) *quantifier {
	n := roomFor(s)
	return &quantifier{s: s, pieces: make([]piece, 0, n), norms: make([]string, 0, n)}
}

// add takes the next token.
func (q *quantifier) add(p piece, norm string) {
	q.pieces, q.norms = append(q.pieces, p), append(q.norms, norm)
}

// all returns the quantities of the tokens that were added.
func (q *quantifier) all() []Quantity {
	for i := 0; i < len(q.pieces); {
		i = q.read(i)
	}
	q.shareUnits()
	return q.out
}

// quantifier reads the tokens of s in order; from and to are token indexes.
type quantifier struct {
	s      string
	pieces []piece
	norms  []string
	out    []Quantity
	before []bool // for each Quantity, whether its unit came before the number
}

// amount is a number read from the tokens [from, to).
type amount struct {
	from, to int
	value    float64
	words    bool
	percent  bool
	decade   bool
}

// read reads a quantity at token i and returns the token to continue with.
func (q *quantifier) read(i int) int {
	if n := q.dateEnd(i); n > i {
		return n
	}
	if d, ok := duals[q.bare(i)]; ok {
		q.emit(amount{from: i, to: i + 1, value: 2 * d.factor}, d.name, false)
		return i + 1
	}
	if u, ok := units[q.norms[i]]; ok && i+1 < len(q.norms) && arabicOnes[q.norms[i+1]] && q.adjacent(i) {
		q.emit(amount{from: i, to: i + 2, value: u.factor}, u.name, false)
		return i + 2
	}
	if a, u, ok := q.partOf(i); ok {
		q.emit(a, u, false)
		return a.to
	}
	a, ok := q.number(i)
	if !ok {
		return i + 1
	}
	return q.withUnit(q.andHalf(a))
}

// parts are words for a part of one unit.
var parts = map[string]float64{"half": 0.5, "quarter": 0.25}

// partOf reads "half an hour" and "a quarter of a year" at token i, where the part is named.
func (q *quantifier) partOf(i int) (a amount, unit string, ok bool) {
	part, at := parts[q.norms[i]], i+1
	if part == 0 {
		return a, "", false
	}
	if at < len(q.norms) && q.norms[at] == "of" {
		at++
	}
	if at+1 >= len(q.norms) || q.norms[at] != "a" && q.norms[at] != "an" {
		return a, "", false
	}
	u, ok := units[q.norms[at+1]]
	if !ok {
		return a, "", false
	}
	if u.name == "%" {
		u.factor /= 100
	}
	return amount{from: i, to: at + 2, value: part * u.factor, words: true}, u.name, true
}

// andHalf adds the half of "two and a half hours".
func (q *quantifier) andHalf(a amount) amount {
	if a.to+3 < len(q.norms) && q.norms[a.to] == "and" && q.norms[a.to+1] == "a" && q.norms[a.to+2] == "half" {
		if _, ok := units[q.norms[a.to+3]]; ok {
			a.value, a.to = a.value+0.5, a.to+3
		}
	}
	return a
}

// withUnit looks for the unit after the amount, then before it.
func (q *quantifier) withUnit(a amount) int {
	if a.percent {
		q.emit(a, "%", false)
		return a.to
	}
	if a.decade {
		q.emit(a, "decade", false)
		return a.to
	}
	if u, end, ok := q.unitAfter(a.to); ok {
		a.to, a.value = end, a.value*u.factor
		if u.name == "%" {
			a.value /= 100
		}
		q.emit(a, u.name, false)
		return end
	}
	if name, from, ok := q.unitBefore(a.from); ok {
		a.from = from
		q.emit(a, name, true)
		return a.to
	}
	if !a.words || a.value >= 2 {
		q.emit(a, "", false)
		q.out[len(q.out)-1].Of = q.counted(a.to)
	}
	return a.to
}

// counted returns the stem of the word at token i, which the amount before it counts; "" if no word follows.
func (q *quantifier) counted(i int) string {
	if i >= len(q.norms) || q.pieces[i].kind != Word || !q.adjacent(i-1) || isStop(q.norms[i]) ||
		strings.HasSuffix(q.norms[i], "ly") {
		return ""
	}
	return Stem(q.norms[i])
}

// number reads an amount at token i, in digits or words.
func (q *quantifier) number(i int) (amount, bool) {
	p := q.pieces[i]
	if p.kind == Word {
		return q.numberWords(i)
	}
	norm, percent := strings.CutSuffix(q.norms[i], "%")
	value, err := strconv.ParseFloat(norm, 64)
	decade := p.end > p.digits && q.s[p.end-1] == 's'
	if err != nil || p.end > p.digits && !percent && !decade {
		return amount{}, false // a version number or an ordinal
	}
	a := amount{from: i, to: i + 1, value: value, percent: percent, decade: decade}
	if q.isNegative(i) {
		a.value = -a.value
	}
	if percent {
		a.value /= 100
	} else if a.to < len(q.norms) && q.adjacent(i) {
		if scale, ok := scaleWords[q.norms[a.to]]; ok {
			a.value, a.to = a.value*scale, a.to+1
		}
	}
	return a, true
}

// minusSigns are the characters that may be a minus: hyphen, minus and en dash.
const minusSigns = "-−–"

// isNegative reports whether a minus sign touches the number, and what is before the sign is neither part of a word nor a
// number, with which it would be a range ("10 -15").
func (q *quantifier) isNegative(i int) bool {
	head := strings.TrimRight(q.s[:q.pieces[i].start], "$€£¥")
	minus, w := utf8.DecodeLastRuneInString(head)
	if w == 0 || !strings.ContainsRune(minusSigns, minus) {
		return false
	}
	head = head[:len(head)-w]
	touching, _ := utf8.DecodeLastRuneInString(head)
	if head != "" && !isTrim(touching) && !strings.ContainsRune("([=<>≤≥$€£¥", touching) {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(head, isTrim))
	return !isDigit(last)
}

// gap returns the text between token i and the next.
func (q *quantifier) gap(i int) string { return q.s[q.pieces[i].end:q.pieces[i+1].start] }

// adjacent reports whether only white space or one hyphen separates token i from the next.
func (q *quantifier) adjacent(i int) bool {
	gap := strings.TrimFunc(q.gap(i), func(r rune) bool { return isTrim(r) && !isNewline(r) })
	return gap == "" || gap == "-" || gap == "\u2011"
}

// dateEnd returns the token after a date or a time at token i ("2024-01-15", "15/1/2024", "10:30"); i if none.
func (q *quantifier) dateEnd(i int) int {
	j := i
	for j+1 < len(q.pieces) && q.pieces[j].kind == Number && q.pieces[j+1].kind == Number && isDateMark(q.gap(j)) &&
		(j == i || q.gap(j) == q.gap(i)) {
		j++
	}
	if j-i == 2 || j > i && q.gap(i) == ":" {
		return j + 1
	}
	return i
}

func isDateMark(gap string) bool { return gap == "-" || gap == "/" || gap == ":" }

// emit adds the quantity of an amount; a currency sign that touches its number belongs to it.
func (q *quantifier) emit(a amount, unit string, before bool) {
	first, last := q.pieces[a.from], q.pieces[a.to-1]
	start, startCP := first.start, first.startCP
	if before && first.kind == Number {
		start, startCP = q.signStart(start, startCP)
	}
	q.out = append(q.out, Quantity{Span: Span{startCP, last.endCP}, Value: a.value, Unit: unit,
		Raw: q.s[start:last.end]})
	q.before = append(q.before, before)
}

// signStart moves the beginning of a number back over a currency sign.
func (q *quantifier) signStart(start, startCP int) (int, int) {
	for i, cp := start, startCP; i > 0; {
		r, w := utf8.DecodeLastRuneInString(q.s[:i])
		i, cp = i-w, cp-1
		if signs[r] != "" {
			return i, cp
		}
		if !isTrim(r) {
			break
		}
	}
	return start, startCP
}
