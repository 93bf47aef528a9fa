package quantity

import (
	"strings"
	"unicode/utf8"

	"sanad/internal/domain/text"
)

// parts are words for a part of one unit.
var parts = func() map[string]Decimal {
	out := map[string]Decimal{}
	for w, d := range map[string]Decimal{"half": {5, -1}, "quarter": {25, -2}, "نصف": {5, -1}, "ربع": {25, -2}} {
		out[text.Fold(w)] = d
	}
	return out
}()

// aThird is the only part of a unit that is no decimal, but twenty minutes are one of an hour.
var aThird = text.Fold("ثلث")

// draft is an amount that is being read: the tokens [from, to).
type draft struct {
	numeral
	unit    unit
	sort    string
	implied bool
	alone   text.Span // the number by itself; empty if it is not written, or is two: "1 hour 30 minutes"
	start   int       // code point, if a sign or code stands before the first token
	before  bool
}

// amount reads an amount at token i.
func (r *reader) amount(i int) int {
	d, ok := r.ofOne(i)
	if !ok {
		n, found := r.numeral(i)
		if !found {
			n, found = r.spelled(i)
		}
		if !found || n.ordinal {
			return i
		}
		d = draft{numeral: n, alone: r.spanOf(&n)}
		r.withUnit(&d)
		if d.unit.base == "" && n.words && n.value.Compare(Whole(2)) < 0 && !r.paired(n) {
			return i
		}
	}
	r.more(&d)
	r.compound(&d)
	return r.emit(&d)
}

// spanOf is where a number stands.
func (r *reader) spanOf(n *numeral) text.Span {
	if n.end > 0 {
		return text.Span{Start: r.tokens[n.from].Start, End: n.end}
	}
	return text.Span{Start: r.tokens[n.from].Start, End: r.tokens[n.to-1].End}
}

// pairs are words between the two figures of a pair.
var pairs = set("to by over against إلى مقابل على")

// paired reports whether a number in words is one of a pair: "four to one".
func (r *reader) paired(n numeral) bool {
	number := func(i int) bool {
		if i < 0 || i >= len(r.tokens) {
			return false
		}
		_, english := englishNumbers[r.norm(i)]
		_, arabic := arabicNumbers[r.norm(i)]
		return english || arabic || r.isNumber(i)
	}
	return pairs[r.norm(n.from-1)] && (number(n.from-2) || r.counts(n.from-2) && number(n.from-3)) ||
		pairs[r.norm(n.to)] && number(n.to+1)
}

var against = text.Fold("مقابل")

// rival reads the second figure of an Arabic score where a noun says it, as in "بثلاثة أهداف مقابل هدفين" and "مقابل
// هدف واحد".
func (r *reader) rival(i int) int {
	if !r.isRival(i) {
		return i
	}
	d := draft{numeral: numeral{from: i, to: i + 1, value: Whole(2), words: true}}
	if arabicOnes[r.norm(i+1)] && r.near(i+1) {
		d.value, d.to = Whole(1), i+2
	} else if !strings.HasSuffix(r.norm(i), "ين") && !strings.HasSuffix(r.norm(i), "ان") {
		return i
	}
	return r.emit(&d)
}

// isRival reports whether a word stands against a number of things before it.
func (r *reader) isRival(i int) bool {
	if r.norm(i-1) != against || len(r.out) == 0 || i < 2 || r.tokens[i].Kind != text.Word {
		return false
	}
	last := &r.out[len(r.out)-1]
	return last.Kind == Amount && last.Unit == "" && last.End <= r.tokens[i-2].End && r.tokens[i-2].Start-last.End <= 1
}

// ofOne reads what names a unit without a number: a dual, "يوم واحد", "half an hour", "an hour", "لمدة شهر".
func (r *reader) ofOne(i int) (d draft, ok bool) {
	bare := r.norm(i)
	for _, letter := range []string{"", "و", "ب", "ل", "ف"} {
		if rest, cut := strings.CutPrefix(bare, letter); cut {
			if u, dual := duals[rest]; dual {
				u, end := r.composed(u, i+1)
				return one(i, end, Whole(2), u), true
			}
			if u, unit := unitWords[rest]; unit && letter != "" && isArabic(rest) {
				bare = rest
				if arabicOnes[r.norm(i+1)] && r.near(i+1) {
					return one(i, i+2, Whole(1), u), true
				}
				break
			}
		}
	}
	if u, unit := unitWords[bare]; unit && isArabic(bare) && r.near(i+1) && arabicOnes[r.norm(i+1)] {
		return one(i, i+2, Whole(1), u), true
	}
	if u, unit := pairWords[bare][r.norm(i+1)]; unit && isArabic(bare) && r.near(i+1) && r.near(i+2) &&
		arabicOnes[r.norm(i+2)] {
		return one(i, i+3, Whole(1), u), true
	}
	if part, isPart := parts[bare]; isPart && isArabic(bare) {
		if u, end, ok := r.unitAt(i+1, true); ok {
			return one(i, end, part, u), true
		}
		if scale, ok := scaleWords[strings.TrimPrefix(r.norm(i+1), "ال")]; ok && r.near(i+1) {
			value, _ := part.Times(scale)
			d = draft{numeral: numeral{from: i, to: i + 2, value: value, words: true}}
			r.withUnit(&d)
			return d, true
		}
		return r.shareOf(i)
	}
	if bare == aThird && r.near(i+1) && r.norm(i+1) == text.Fold("ساعة") {
		return one(i, i+2, Whole(20), unit{base: "second", factor: Whole(60)}), true
	}
	if d, ok = r.partOf(i); ok {
		return d, true
	}
	if d, ok = r.shareOf(i); ok {
		return d, true
	}
	if bare == "a" || bare == "an" {
		if u, known := unitWords[r.norm(i+1)]; known && r.near(i+1) && isLength(u) && r.lasts(i, i+2) {
			d = one(i, i+2, Whole(1), u)
			d.implied = true
			return d, true
		}
		return d, false
	}
	if u, known := unitWords[bare]; known && isArabic(bare) && isLength(u) && u.factor != Whole(1) && r.lasts(i, i+1) ||
		known && bare == text.Fold("شهر") && r.lasts(i, i+1) {
		d = one(i, i+1, Whole(1), unitWords[bare])
		d.implied = true
		return d, true
	}
	return d, false
}

func one(from, to int, value Decimal, u unit) draft {
	return draft{numeral: numeral{from: from, to: to, value: value, words: true}, unit: u}
}

// isLength reports whether a unit measures how long something lasts.
func isLength(u unit) bool { return u.base == "second" || u.base == "month" }

// lasts reports whether a unit without a number, the tokens [i, end), says how long something lasts: "for a year", "an
// hour and a half", "خلال شهر".
func (r *reader) lasts(i, end int) bool {
	if r.near(end) && halves[r.norm(end)].Mantissa != 0 {
		return true
	}
	if r.norm(end) == "and" && r.norm(end+1) == "a" && parts[r.norm(end+2)].Mantissa != 0 && r.near(end) {
		return true
	}
	if _, and, ok := arabicValue(r.norm(end)); r.near(end) && (r.norm(end) == "و" && r.isNumber(end+1) || and && ok) {
		return true
	}
	return i > 0 && blank(r.gaps[i]) && lasting[r.norm(i-1)]
}

var lasting = set(`for within least most than lasts lasted lasting takes took exceed exceeds exceeding under over
	خلال لمدة مدة مدته مدتها تستغرق يستغرق استغرق استغرقت تستمر يستمر`)

// partOf reads "half an hour", "a quarter of a year" and "three-quarters of an hour" at token i.
func (r *reader) partOf(i int) (d draft, ok bool) {
	at := i
	if r.norm(i) == "a" && r.norm(i+1) == "quarter" {
		at++
	}
	part, isPart := parts[r.norm(at)]
	if n, ok := englishNumbers[r.norm(i)]; ok && r.near(i+1) && r.norm(i+1) == "quarters" {
		part, isPart = Decimal{25 * n, -2}, true
		at++
	}
	if !isPart {
		return d, false
	}
	if at++; r.norm(at) == "of" {
		at++
	}
	if r.norm(at) != "a" && r.norm(at) != "an" {
		return d, false
	}
	u, end, ok := r.unitAt(at+1, true)
	if !ok || scaleWords[r.norm(at+1)].Mantissa != 0 {
		return d, false
	}
	return one(i, end, part, u), true
}

// shares are the names of a part and of several of it: how many of them are the whole.
var shares = map[string]int64{"half": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fifth": 5, "fifths": 5,
	"sixth": 6, "sixths": 6, "eighth": 8, "eighths": 8, "tenth": 10, "tenths": 10}

// arabicShare is an Arabic name of a part, or of two of it.
type arabicShare struct {
	count, of int64
	// marked: without its vowels it is another word, too: خُمس and خَمس
	marked bool
}

// arabicShares and arabicManyShares are the Arabic names of a part, and of more than two of it behind their number.
var (
	arabicShares = func() map[string]arabicShare {
		out := map[string]arabicShare{}
		for list, share := range map[string]arabicShare{
			"ثلث": {1, 3, false}, "ثلثا ثلثي": {2, 3, false}, "سدس": {1, 6, false}, "ربعا ربعي": {2, 4, false},
			"خمس": {1, 5, true}, "خمسا خمسي": {2, 5, true}, "سبع": {1, 7, true}, "ثمن": {1, 8, true},
			"تسع": {1, 9, true}, "عشر": {1, 10, true},
		} {
			for w := range set(list) {
				out[w] = share
			}
		}
		return out
	}()
	arabicManyShares = func() map[string]int64 {
		out := map[string]int64{}
		for w, of := range map[string]int64{"أثلاث": 3, "أرباع": 4, "أخماس": 5, "أسداس": 6, "أسباع": 7, "أثمان": 8,
			"أتساع": 9, "أعشار": 10} {
			out[text.Fold(w)] = of
		}
		return out
	}()
)

// percentOf is how many percent so many parts of a whole are.
func percentOf(count, of int64) Decimal {
	const exact = 10_000_000_000
	n := count * 100 * exact / of
	return Decimal{n, -10}.plain()
}

// arabicShareOf reads "ثلثا الموظفين", "خُمس السكان" and "ثلاثة أرباع الميزانية" at token i.
func (r *reader) arabicShareOf(i int) (d draft, ok bool) {
	norm := r.norm(i)
	share, known := arabicShares[norm]
	for _, letter := range []string{"و", "ب", "ل", "ف"} {
		if rest, cut := strings.CutPrefix(norm, letter); cut && !known {
			share, known = arabicShares[rest]
		}
	}
	end := i + 1
	if count, _, number := arabicValue(norm); number && count > 2 && count < 10 && r.near(end) {
		if of := arabicManyShares[r.norm(end)]; of > count {
			share, known, end = arabicShare{count: count, of: of}, true, end+1
		}
	}
	if !known || !r.counts(end) || periods[r.norm(end)] || scaleWords[strings.TrimPrefix(r.norm(end), "ال")].Mantissa != 0 {
		return d, false
	}
	if _, _, unit := r.unitAt(end, true); unit {
		return d, false
	}
	if share.marked && !strings.Contains(r.tokens[i].Text, "\u064f") && !wholeOf(r.norm(end)) {
		return d, false
	}
	return one(i, end, percentOf(share.count, share.of), unit{base: "%", factor: Decimal{1, -2}}), true
}

// shareOf reads a part of a whole as the percentage that it is: "a quarter of the budget", "three-fifths of voters",
// "ربع الميزانية". Behind "the" it is the name of one: the first half of the year, the fifth of March.
func (r *reader) shareOf(i int) (d draft, ok bool) {
	if part := parts[r.norm(i)]; part.Mantissa != 0 && isArabic(r.norm(i)) {
		next := r.norm(i + 1)
		bare, definite := strings.CutPrefix(next, "ال")
		if _, scale := scaleWords[bare]; scale || !definite || !r.near(i+1) || periods[next] {
			return d, false
		}
		return one(i, i+1, part.Shift(2), unit{base: "%", factor: Decimal{1, -2}}), true
	}
	if isArabic(r.norm(i)) {
		return r.arabicShareOf(i)
	}
	at, count := i, int64(1)
	if n, number := englishNumbers[r.norm(i)]; number && n < 10 {
		at, count = i+1, n
	} else if r.norm(i) == "a" {
		at++
	} else if r.norm(i) != "half" || i > 0 && blank(r.gaps[i]) && (named[r.norm(i-1)] || determiners[r.norm(i-1)]) {
		return d, false
	}
	share := shares[r.norm(at)]
	if share == 0 || at > i && !r.near(at) || (count > 1) != strings.HasSuffix(r.norm(at), "s") || count > share ||
		r.norm(at+1) != "of" || !r.near(at+1) || !wholes[r.norm(at+2)] || !r.near(at+2) || periods[r.norm(at+3)] {
		return d, false
	}
	return one(i, at+1, percentOf(count, share), unit{base: "%", factor: Decimal{1, -2}}), true
}

// wholes are words before a whole of which a part is said, named those before the name of a half, and periods those
// whose part is a time.
var (
	wholes  = set("the all its our their his her these those")
	named   = set("first second other latter last next upper lower top bottom better northern southern eastern western")
	periods = set(`year month day hour century season match game period term
		السنة العام الشهر اليوم الساعة القرن الليل النهار الموسم النهائي الكرة المدة الطريق المسافة الدائرة القطر`)
)

// wholeOf reports whether an Arabic word behind the letters of خمس is a whole and not what is counted, which would be a
// broken plural or one in ات: "خمس الموظفين".
func wholeOf(norm string) bool {
	return strings.HasPrefix(norm, "ال") && (strings.HasSuffix(norm, "ين") || strings.HasSuffix(norm, "ون"))
}

// withUnit looks for the unit behind the number, then before it.
func (r *reader) withUnit(d *draft) {
	d.start = r.tokens[d.from].Start
	end := d.end
	if end == 0 {
		end = r.tokens[d.to-1].End
	}
	before, start, money := r.currencyBefore(d.from)
	switch {
	case d.percent:
		d.unit = unit{base: "%", factor: Decimal{1, -2}}
		return
	case d.decade:
		d.unit = unit{base: "decade", factor: Whole(1)}
		return
	}
	if u, at, ok := r.signAfter(d.to-1, end); ok {
		d.unit, d.end = u, at
	} else if u, sort, at, ok := r.unitSorted(d.to, d.words); ok && !r.isLetterSuffix(d, at) {
		d.unit, d.sort, d.to, d.end = u, sort, at, 0
	}
	if money && (d.unit.base == "" || isCurrency(d.unit.base)) {
		if d.unit.base == "" || d.unit.vague {
			d.unit = before
		}
		d.start, d.before = start, true
	}
	r.bothWays(d)
}

// isLetterSuffix reports whether the unit up to token at is a letter that multiplied the number already.
func (r *reader) isLetterSuffix(d *draft, at int) bool { return at <= d.to && d.suffix }

// bothWays gives a figure such as "5m" its second reading.
func (r *reader) bothWays(d *draft) {
	last := r.tokens[d.to-1]
	if d.two || d.words || d.to-d.from < 2 || !alsoUnits[last.Text] || r.gaps[d.to-1] != "" {
		return
	}
	if factor, ok := suffixes[last.Text]; ok && last.Text != "mm" && last.Text != "b" && d.unit.base != "" &&
		symbols[last.Text].base == d.unit.base {
		if other, ok := d.value.Times(factor); ok && last.Text == "m" {
			d.other, d.two = other, true
		}
	}
}

// more adds the half of "ساعة ونصف", "two hours and a half" and "خمسة ونصف بالمئة".
func (r *reader) more(d *draft) {
	if _, ahead := scaleWords[strings.TrimPrefix(r.norm(d.to+1), "ال")]; ahead {
		return
	}
	if part := halves[r.norm(d.to)]; part.Mantissa != 0 && r.near(d.to) {
		if sum, ok := d.value.Plus(part); ok {
			d.value, d.implied = sum, false
			if d.to++; d.unit.base == "" {
				r.withUnit(d)
			} else if rest, ok := strings.CutPrefix(r.norm(d.to), "ال"); ok && unitWords[rest] == d.unit {
				d.to++
			}
			d.end = 0
		}
		return
	}
	if r.norm(d.to) == "and" && r.norm(d.to+1) == "a" && r.near(d.to) && d.words && d.unit.base != "" {
		if part, ok := parts[r.norm(d.to+2)]; ok && r.near(d.to+1) && r.near(d.to+2) {
			if sum, ok := d.value.Plus(part); ok {
				d.value, d.to, d.end, d.implied = sum, d.to+3, 0, false
			}
		}
	}
}

// compound adds smaller units: "1 hour 30 minutes", "ساعة و30 دقيقة", "5 ft 10 in".
func (r *reader) compound(d *draft) {
	if d.unit.base != "" && d.unit.base != "%" && !isCurrency(d.unit.base) && !d.two && d.to < len(r.tokens) {
		at := d.to
		if !r.near(at) && strings.TrimSpace(r.gaps[at]) != "," {
			return
		}
		if norm := r.norm(at); norm == "and" || norm == "و" {
			at++
		}
		n, ok := r.numeral(at)
		if !ok {
			n, ok = r.spelled(at)
		}
		if !ok || n.percent || n.ordinal || n.decade {
			return
		}
		u, end, ok := r.unitAt(n.to, n.words)
		if !ok || u.base != d.unit.base || u.factor.Compare(d.unit.factor) >= 0 {
			return
		}
		whole, ok := d.value.Times(d.unit.factor)
		part, fine := n.value.Times(u.factor)
		sum, sums := whole.Plus(part)
		if !ok || !fine || !sums {
			return
		}
		d.value, d.to, d.end, d.digits, d.words, d.implied = sum, end, 0, "", true, false
		d.alone = text.Span{}
		d.unit = unit{base: u.base, factor: Whole(1)}
	}
}

// emit adds the amount with its sign and bound.
func (r *reader) emit(d *draft) int {
	q := Quantity{Kind: Amount, Value: d.value, Number: d.value, Other: d.other, TwoWays: d.two, Unit: d.unit.base,
		Sort: d.sort, Numeral: d.alone,
		Vague: d.unit.vague, Digits: d.digits, Implied: d.implied}
	end := r.tokens[d.to-1].End
	if d.end > 0 {
		end = d.end
	}
	start := r.tokens[d.from].Start
	if d.before && d.start > 0 || d.before && d.start == 0 {
		start = d.start
	}
	q.Span = text.Span{Start: start, End: end}
	if d.unit.base != "" && d.unit.base != "decade" {
		if value, ok := q.Value.Times(d.unit.factor); ok {
			q.Value = value
		}
		if value, ok := q.Other.Times(d.unit.factor); ok && d.two {
			q.Other = value
		} else if value, ok := q.Number.Times(d.unit.other); ok && !d.unit.other.IsZero() {
			q.Other, q.TwoWays = value, true
		}
	}
	q.Said = q.Span
	if r.isNegative(d.from, start) {
		q.Value, q.Number, q.Other = q.Value.Negative(), q.Number.Negative(), q.Other.Negative()
		q.Said.Start = r.signStart(start)
	}
	if q.IsYear() {
		r.yearWord(&q, d.from)
	}
	r.limits(&q, d.from, d.to)
	q.Change = q.Unit == "bp" && r.isChange(d.from, d.to)
	if q.Unit == "" {
		q.Of = r.counted(d.to)
		if strings.Contains(d.digits, ".") && d.to == d.from+1 && r.afterName(d.from) {
			q.Name = d.digits
		}
	}
	r.factors = append(r.factors, factorOf{len(r.out), d.unit.factor, d.before})
	return r.add(q, d.from, d.to)
}

// changes are words beside a change.
var changes = set(`by rise rises rose rising risen raise raised increase increased increases fall falls fell fallen drop
	dropped decrease decreased decline declined cut cuts lower lowered higher up down widened narrowed tightened hike hiked
	ارتفع ارتفعت ارتفاع ارتفاعا انخفض انخفضت انخفاض انخفاضا زاد زادت زيادة تراجع تراجعت رفع خفض خفضت رفعت بمقدار بواقع`)

// changeReach is how many words from a figure those are that say that it is a change.
const changeReach = 4

// isChange reports whether the words beside the tokens [from, to) say that they are a change.
func (r *reader) isChange(from, to int) bool {
	for i := max(0, from-changeReach); i < min(len(r.tokens), to+2); i++ {
		if (i < from || i >= to) && changes[r.norm(i)] {
			return true
		}
	}
	return strings.HasPrefix(r.norm(from), "ب") && isArabic(r.norm(from))
}

// afterName reports whether a name is right before token i, whose version it may be: "Python 3.9", "Node.js 18.2".
func (r *reader) afterName(i int) bool {
	k := i - 1
	if k < 0 || r.gaps[i] != " " || r.tokens[k].Stop {
		return false
	}
	for k > 0 && (r.gaps[k] == "." || r.gaps[k] == "-") {
		k--
	}
	return text.IsCapitalised(r.tokens[k].Text)
}

// yearWords say that the number behind them is a year, which a number written as years are says itself.
var yearWords = set("year عام لعام بعام العام سنة لسنة بسنة السنة")

// yearWord takes the word for a year before token i to what is said with the figure.
func (r *reader) yearWord(q *Quantity, i int) {
	if yearWords[r.norm(i-1)] && blank(r.gaps[i]) && r.tokens[i-1].Start >= r.free {
		q.Said.Start = r.tokens[i-1].Start
	}
}

// counted returns the stem of the word at token i, which the number before it counts; "" if no word follows.
func (r *reader) counted(i int) string {
	if !r.near(i) || r.tokens[i].Kind != text.Word || r.tokens[i].Stop || strings.HasSuffix(r.norm(i), "ly") ||
		strings.Contains(r.gaps[i], "\n") {
		return ""
	}
	return text.Stem(r.norm(i))
}

// minusSigns are the characters that may be a minus: hyphen, minus and en dash.
const minusSigns = "-−–"

// isNegative reports whether a minus sign touches the number, or its currency's sign, and what is before the sign is
// neither part of a word nor a number, with which it would be a range ("10 -15").
func (r *reader) isNegative(i, start int) bool {
	lead := max(start-6, 0)
	for _, at := range []int{r.tokens[i].Start, start} {
		head := r.ruler.Slice(text.Span{Start: lead, End: at})
		head = strings.TrimRight(head, "$€£¥")
		minus, w := utf8.DecodeLastRuneInString(head)
		if w == 0 || !strings.ContainsRune(minusSigns, minus) {
			continue
		}
		head = head[:len(head)-w]
		touching, _ := utf8.DecodeLastRuneInString(head)
		if head != "" && !isSpace(touching) && touching != '\n' && !isUnseen(touching) &&
			!strings.ContainsRune("([=<>≤≥$€£¥~≈|:\"“", touching) {
			continue
		}
		last, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(head, func(c rune) bool {
			return isSpace(c) || isUnseen(c)
		}))
		return !isDigit(last)
	}
	return false
}

// signStart is where the minus before a code point stands.
func (r *reader) signStart(at int) int {
	for n := 1; n <= 2 && at-n >= 0; n++ {
		if strings.ContainsAny(r.ruler.Slice(text.Span{Start: at - n, End: at - n + 1}), minusSigns) {
			return at - n
		}
	}
	return at
}

// factorOf is how many of its base the written unit of a figure is.
type factorOf struct {
	at     int
	factor Decimal
	before bool
}

// link joins figures that stand together in a range, a ratio or a pair, and gives both ends of a range the unit that
// only one of them names: "10–15 days", "SAR 5,000 to 7,000".
func (r *reader) link() {
	units := map[int]factorOf{}
	for _, f := range r.factors {
		units[f.at] = f
	}
	last := -1
	for k := range r.out {
		b := &r.out[k]
		if b.Kind == Mark {
			continue
		}
		if last >= 0 {
			r.joined(&r.out[last], b, units[last], units[k])
		}
		last = k
	}
}

func (r *reader) joined(a, b *Quantity, mine, theirs factorOf) {
	if b.Bound == More && r.word(b.Said.Start) == "over" && a.Unit == "" && blank(r.between(a, b)) {
		b.Bound, a.Of = NoBound, "" // 120 over 80
		b.Said.Start = b.Start
	}
	if b.Start-a.End > 14 || b.Start <= a.End || b.Kind == Identifier || a.Kind == Identifier || b.Bound != NoBound {
		return
	}
	between := strings.TrimSpace(text.Fold(plainGap(r.between(a, b))))
	if counted, rest, found := strings.Cut(between, " "); found && a.Of != "" && text.Stem(counted) == a.Of {
		between = rest // three goals to one
	}
	first, from := r.opening(a)
	switch between {
	case "-", "to", "till", "until", "الي", "حتي", "through", "مقابل":
		b.Link = To
	case "and", "و":
		if first != "between" {
			return
		}
		b.Link = To
	case ":":
		b.Link = Ratio
	case "/", "over", "علي":
		b.Link = Over
	case "x", "×", "*", "by":
		b.Link = Times
	case "±", "+/-":
		b.Link = Plus
	default:
		return
	}
	if b.Link == To && first != "" {
		a.Said.Start = from
	}
	b.Said.Start = a.End
	if b.Link == Plus || b.Link == Ratio {
		return
	}
	switch {
	case a.Kind == Amount && b.Kind == Amount && a.Unit == "" && b.Unit != "" && !theirs.before:
		a.Unit, a.Vague, a.Sort, a.Of = b.Unit, b.Vague, b.Sort, ""
		if theirs.factor.Mantissa != 0 && b.Unit != "decade" {
			a.Value, _ = a.Value.Times(theirs.factor)
			a.Other, _ = a.Other.Times(theirs.factor)
		}
	case a.Kind == Amount && b.Kind == Amount && b.Unit == "" && mine.before:
		b.Unit, b.Vague, b.Of = a.Unit, a.Vague, ""
	case a.Kind == Amount && b.Kind == Amount && a.Unit == "" && b.Unit == "" && a.Of == "":
		a.Of = b.Of
	case a.Kind == Amount && b.Kind == Day && a.Unit == "" && b.Date.Day > 0 && len(a.Digits) <= 2 && a.Digits != "" &&
		b.Link == To:
		d := b.Date
		d.Span, d.Day = a.Span, int(a.Value.Float())
		a.Kind, a.Date = Day, d
	case a.Kind == Day && b.Kind == Day && a.Date.Year == 0:
		a.Date.Year = b.Date.Year
	}
	if a.Kind == Amount && b.Kind == Amount && a.Unit == b.Unit && b.Link == To && a.Value.Mantissa > 0 {
		r.shareScale(a, b)
	}
}

// between is what is written between two figures.
func (r *reader) between(a, b *Quantity) string {
	return r.ruler.Slice(text.Span{Start: a.End, End: b.Said.Start})
}

// shareScale gives "3 to 5 million" the million of its end, where the beginning is far below it.
func (r *reader) shareScale(a, b *Quantity) {
	for w := range strings.FieldsSeq(text.Fold(b.Raw)) {
		if scale, ok := scaleWords[w]; ok && scale.Exponent >= 3 && a.Value.Compare(Whole(1000)) < 0 && a.Digits != "" {
			a.Value, _ = a.Value.Times(scale)
			return
		}
	}
}

// openingGap is how many characters stand at most between the word that opens a range and its first figure.
const openingGap = 2

// opening returns the word that opens a range before a figure, "" for none, and where it begins.
func (r *reader) opening(a *Quantity) (word string, from int) {
	for i := r.tokenFrom(a.Said.Start) - 1; i >= 0 && a.Said.Start-r.tokens[i].End <= openingGap; i-- {
		t := &r.tokens[i]
		switch t.Norm {
		case "between", "بين", "وبين":
			return "between", t.Start
		case "from", "من":
			return "from", t.Start
		}
	}
	return "", 0
}
