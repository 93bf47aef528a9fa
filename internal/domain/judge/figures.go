package judge

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"sanad/internal/domain/text"
)

// figure is a number, a date or a time of day, in the form in which two notations of one value are equal.
type figure struct {
	kind    figureKind
	value   float64 // in its base unit, with its sign; of a time of day in minutes
	unit    string
	op      string // "<", "≤", ">" or "≥", written as a sign or in words; "" for none
	mark    string // what is between it and a figure that it follows at once: "1:5", "1/5"
	digits  string // as written, in ASCII; "" for words
	date    text.Date
	name    bool // it names a thing: a year, an ordinal, the number of an article
	written text.Span
	said    int // where the words begin that say its sign or bound, else where it is written
}

type figureKind int

const (
	quantityFigure figureKind = iota
	dateFigure
	clockFigure
	codeFigure // "4.2.1"
)

// item is a word or a figure of a sentence.
type item struct {
	word   string
	start  int     // of a word, in code points
	figure *figure // nil for a word
}

// itemReader makes a sentence's items.
type itemReader struct {
	s          string
	ruler      text.Ruler
	tokens     []text.Token
	quantities []text.Quantity
	dates      []text.Date
	out        []item
}

// itemsOf reads the words and figures of a sentence. What only says how a figure is meant goes into the figure: bounds,
// signs in words, the "No." before a number.
func itemsOf(s string) []item {
	r := itemReader{s: s, ruler: text.NewRuler(s)}
	r.tokens, r.quantities = text.Read(s)
	r.dates = text.Dates(len(r.tokens), func(k int) *text.Token { return &r.tokens[k] })
	for k := 0; k < len(r.tokens); {
		k = r.next(k)
	}
	return r.out
}

// next reads the item at token k, and returns the token to continue with.
func (r *itemReader) next(k int) int {
	t := &r.tokens[k]
	for _, d := range r.dates {
		if d.Start == t.Start {
			return r.afterEra(r.emit(k, figure{kind: dateFigure, date: d, written: d.Span}))
		}
	}
	if end, minutes := r.clock(k); end > k {
		return r.emit(k, figure{kind: clockFigure, value: minutes,
			written: text.Span{Start: t.Start, End: r.tokens[end-1].End}})
	}
	for i := range r.quantities {
		if q := &r.quantities[i]; q.Start <= t.Start && t.Start < q.End {
			return r.quantity(k, q)
		}
	}
	if t.Kind == text.Number {
		return r.code(k)
	}
	if end, value := r.ordinal(k); end > k {
		return r.emit(k, figure{value: value, name: true, written: text.Span{Start: t.Start, End: r.tokens[end-1].End}})
	}
	if r.numbers(k) {
		return k + 1
	}
	r.out = append(r.out, item{word: t.Norm, start: t.Start})
	r.belowZero()
	return k + 1
}

// emit adds a figure that begins at token k, and returns the token behind it.
func (r *itemReader) emit(k int, f figure) int {
	if n := len(r.out); n > 0 && r.out[n-1].figure != nil {
		gap := r.ruler.Slice(text.Span{Start: r.out[n-1].figure.written.End, End: f.written.Start})
		f.mark = strings.ReplaceAll(strings.TrimSpace(gap), "–", "-")
	}
	if f.said == 0 {
		f.said = f.written.Start
	}
	r.out = append(r.out, item{figure: &f})
	for k < len(r.tokens) && r.tokens[k].Start < f.written.End {
		k++
	}
	return k
}

// gapBefore returns what is written between token k and the one before it.
func (r *itemReader) gapBefore(k int) string {
	from := 0
	if k > 0 {
		from = r.tokens[k-1].End
	}
	return r.ruler.Slice(text.Span{Start: from, End: r.tokens[k].Start})
}

// gapAfter returns what is written between token k and the next.
func (r *itemReader) gapAfter(k int) string {
	if k+1 < len(r.tokens) {
		return r.gapBefore(k + 1)
	}
	return r.ruler.Slice(text.Span{Start: r.tokens[k].End, End: r.ruler.Len()})
}

// quantity reads the quantity that begins at token k.
func (r *itemReader) quantity(k int, q *text.Quantity) int {
	f := figure{value: q.Value, unit: q.Unit, written: q.Span, said: q.Start}
	if b, ok := baseUnits[q.Unit]; ok {
		f.unit, f.value = b.name, q.Value*b.factor
	}
	number, last := k, k
	for i := k; i < len(r.tokens) && r.tokens[i].Start < q.End; i++ {
		if last = i; r.tokens[i].Kind == text.Number && f.digits == "" {
			number, f.digits = i, strings.TrimSuffix(r.tokens[i].Norm, "%")
		}
	}
	if f.unit == "" {
		f.unit = r.symbol(number, last)
		f.name = text.IsYear(f.value) || r.named()
	}
	f.op = r.op(number)
	if phrase, from := r.pop(minusWords); phrase != "" {
		f.value, f.said = -f.value, from
	}
	if f.op == "" {
		r.bound(&f)
	}
	end := r.emit(k, f)
	for i := k; i < end; i++ {
		if t := &r.tokens[i]; text.QualifiesUnit(t.Norm) {
			r.out = append(r.out, item{word: t.Norm, start: t.Start})
		}
	}
	if text.IsYear(f.value) {
		return r.afterEra(end)
	}
	return end
}

// baseUnits are the units that others are a number of.
var baseUnits = map[string]struct {
	name   string
	factor float64
}{
	"minute": {"minute", 1}, "hour": {"minute", 60}, "day": {"minute", 24 * 60},
	"month": {"month", 1}, "year": {"month", 12},
}

// code reads a number at token k that counts nothing, such as an ordinal or a version.
func (r *itemReader) code(k int) int {
	t := &r.tokens[k]
	f := figure{kind: codeFigure, digits: t.Norm, name: true, written: t.Span, op: r.op(k)}
	if v, err := strconv.ParseFloat(t.Norm, 64); err == nil {
		f.kind, f.value = quantityFigure, v
	}
	return r.emit(k, f)
}

// op returns the comparison that is written as a sign before the number at token k.
func (r *itemReader) op(k int) string {
	gap := strings.TrimRight(r.gapBefore(k), " \u00a0-−–")
	for _, sign := range []string{"<=", ">=", "<", ">", "≤", "≥"} {
		if strings.HasSuffix(gap, sign) {
			return strings.NewReplacer("<=", "≤", ">=", "≥").Replace(sign)
		}
	}
	return ""
}

// symbol returns a currency or per-mille sign that touches the number at token k or follows token last, "" for none.
func (r *itemReader) symbol(k, last int) string {
	before, _ := utf8.DecodeLastRuneInString(strings.TrimRight(r.gapBefore(k), " \u00a0"))
	after, _ := utf8.DecodeRuneInString(strings.TrimLeft(r.gapAfter(last), " \u00a0"))
	for _, c := range []rune{before, after} {
		if unicode.Is(unicode.Sc, c) || c == '‰' {
			return string(c)
		}
	}
	return ""
}

// minusWords are words before a number that say a minus, folded.
var minusWords = padded("minus", "negative", "سالب", "ناقص")

// pop removes the words that the items end with, if they are one of some phrases, and returns the phrase and where it
// begins.
func (r *itemReader) pop(phrases []string) (phrase string, from int) {
	said := " "
	for i := max(0, len(r.out)-boundReach-1); i < len(r.out); i++ {
		if r.out[i].figure != nil {
			said = " "
		} else {
			said += r.out[i].word + " "
		}
	}
	longest := endsWith([]byte(said), phrases)
	if longest == 0 {
		return "", 0
	}
	phrase = said[len(said)-longest:]
	first := len(r.out) - strings.Count(phrase, " ") + 1
	from = r.out[first].start
	r.out = r.out[:first]
	return phrase, from
}

// bound removes a bound in words before a figure, and gives it to the figure as a sign.
func (r *itemReader) bound(f *figure) {
	phrase, from := r.pop(anyBound)
	if phrase == "" {
		return
	}
	f.said = from
	low, open := slices.Contains(lowerBounds, phrase), slices.Contains(openBounds, phrase)
	switch {
	case low && open:
		f.op = ">"
	case low:
		f.op = "≥"
	case open:
		f.op = "<"
	default:
		f.op = "≤"
	}
}

var anyBound = slices.Concat(lowerBounds, upperBounds)

// named reports whether the word before a number makes it the name of a part or a version.
func (r *itemReader) named() bool {
	n := len(r.out)
	return n > 0 && partWords[r.out[n-1].word]
}

var partWords = wordSet(`section sections article articles clause clauses paragraph paragraphs chapter part annex appendix schedule
	version release page room table figure item rule regulation law number no
	الماده ماده الفقره فقره البند بند الفصل الباب القسم الملحق الاصدار النسخه الصفحه الجدول القانون قانون رقم`)

// numbers reports whether the word at token k only says that a number follows: "No. 5".
func (r *itemReader) numbers(k int) bool {
	t := &r.tokens[k]
	if k+1 == len(r.tokens) || r.tokens[k+1].Kind != text.Number || !numberWords[t.Norm] {
		return false
	}
	gap := r.gapAfter(k)
	return strings.TrimSpace(gap) == "." || t.Norm != "no" && strings.TrimSpace(gap) == "" ||
		k > 0 && strings.TrimSpace(gap) == "" && t.Text == "No"
}

var numberWords = wordSet(`no nos nr number رقم`)

// belowZero takes "below zero" or "above zero" off the end of the items, and gives the figure before it its sign.
func (r *itemReader) belowZero() {
	below, from := r.pop(zeroBelow)
	if below == "" {
		above, at := r.pop(zeroAbove)
		if above == "" {
			return
		}
		from = at
	}
	for i := len(r.out) - 1; i >= max(0, len(r.out)-boundReach); i-- {
		if f := r.out[i].figure; f != nil && f.kind == quantityFigure {
			if below != "" {
				f.value = -math.Abs(f.value)
			}
			return
		}
	}
	r.out = append(r.out, item{word: below + "zero", start: from}) // of another thing
}

var (
	zeroBelow = padded("below zero", "below freezing", "تحت الصفر", "دون الصفر")
	zeroAbove = padded("above zero", "above freezing", "فوق الصفر")
)

// afterEra returns the token behind the letter of a calendar at token k: "٢٠٢٤ م".
func (r *itemReader) afterEra(k int) int {
	if k >= len(r.tokens) {
		return k
	}
	f := r.out[len(r.out)-1].figure
	if f == nil {
		return k
	}
	switch r.tokens[k].Norm {
	case commonEra:
		return k + 1
	case hijriEra, hijriShort:
		f.unit = "AH"
		return k + 1
	}
	return k
}

var commonEra, hijriEra, hijriShort = text.Fold("م"), text.Fold("هـ"), text.Fold("هجري")

// clock reads a time of day at token k, in minutes: "15:30", "3 p.m.".
func (r *itemReader) clock(k int) (end int, minutes float64) {
	hour, err := strconv.Atoi(r.tokens[k].Norm)
	if err != nil || r.tokens[k].Kind != text.Number || hour > 24 {
		return k, 0
	}
	end, minutes = k+1, float64(hour*60)
	exact := false
	if end < len(r.tokens) && r.gapAfter(k) == ":" && len(r.tokens[end].Norm) == 2 {
		if m, err := strconv.Atoi(r.tokens[end].Norm); err == nil && m < 60 {
			end, minutes, exact = end+1, minutes+float64(m), true
		}
	}
	half, behind := r.halfDay(end)
	switch {
	case half == "" && !exact || half != "" && (hour == 0 || hour > 12):
		return k, 0
	case half == "pm" && hour < 12:
		minutes += 12 * 60
	case half == "am" && hour == 12:
		minutes -= 12 * 60
	}
	return behind, minutes
}

// halfDay reads "am", "p.m." or their Arabic at token k.
func (r *itemReader) halfDay(k int) (half string, end int) {
	if k >= len(r.tokens) || strings.TrimSpace(r.gapBefore(k)) != "" {
		return "", k
	}
	norm := r.tokens[k].Norm
	if (norm == "a" || norm == "p") && k+1 < len(r.tokens) && r.tokens[k+1].Norm == "m" && r.gapAfter(k) == "." {
		return norm + "m", k + 2
	}
	if half = halves[norm]; half != "" {
		return half, k + 1
	}
	return "", k
}

var halves = map[string]string{"am": "am", "pm": "pm", text.Fold("صباحاً"): "am", text.Fold("مساءً"): "pm"}

// ordinal reads an Arabic ordinal in words at token k: "الخامسة", "الحادية عشرة", "الحادية والعشرون".
func (r *itemReader) ordinal(k int) (end int, value float64) {
	value, ok := ordinals[r.tokens[k].Norm]
	if !ok {
		return k, 0
	}
	if k+1 < len(r.tokens) && value < 10 {
		next := r.tokens[k+1].Norm
		if next == teenMasculine || next == teenFeminine {
			return k + 2, value + 10
		}
		if tens := ordinals[strings.TrimPrefix(next, "و")]; strings.HasPrefix(next, "و") && tens >= 20 {
			return k + 2, value + tens
		}
	}
	return k + 1, value
}

var (
	teenMasculine, teenFeminine = text.Fold("عشر"), text.Fold("عشرة")

	ordinals = func() map[string]float64 {
		out := map[string]float64{}
		for i, forms := range strings.Split("الأول الأولى الحادي الحادية|الثاني الثانية|الثالث الثالثة|الرابع الرابعة|"+
			"الخامس الخامسة|السادس السادسة|السابع السابعة|الثامن الثامنة|التاسع التاسعة|العاشر العاشرة", "|") {
			for form := range strings.FieldsSeq(forms) {
				out[text.Fold(form)] = float64(i + 1)
			}
		}
		for i, form := range strings.Fields("العشرون العشرين الثلاثون الثلاثين الأربعون الأربعين الخمسون الخمسين الستون الستين " +
			"السبعون السبعين الثمانون الثمانين التسعون التسعين") {
			out[text.Fold(form)] = float64(20 + i/2*10)
		}
		return out
	}()
)
