package quantity

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"sanad/internal/domain/text"
)

// labels are words whose number names a thing.
var labels = set(`section sections sec article articles art clause clauses paragraph paragraphs para chapter chapters
	part annex
	appendix schedule version versions release page pages p room rooms table figure fig item rule rules regulation
	regulations
	law act decree resolution circular case invoice order ticket form gate flight platform bus line apartment flat suite
	floor
	building house block plot villa shop office unit locker seat box bay berth
	iban phone tel telephone mobile fax account passport licence license permit ref reference serial model id code
	المادة مادة المواد الفقرة فقرة البند بند الفصل الباب القسم الملحق الإصدار النسخة الصفحة صفحة الجدول القانون قانون
	القرار قرار
	المرسوم مرسوم اللائحة لائحة القضية قضية الفاتورة فاتورة الغرفة غرفة الشقة شقة الطابق المبنى مبنى الرحلة رحلة البوابة
	بوابة
	الدعوى الطلب التعميم تعميم النموذج الهاتف هاتف الحساب حساب الآيبان`)

// longLabels are labels whose number is written in groups.
var longLabels = set("iban phone tel telephone mobile fax account الهاتف هاتف الحساب حساب الآيبان")

// numberSigns say that the number of a thing follows.
var numberSigns = set("no nos nr num number numbers رقم أرقام")

// identifier reads what names a thing at token i: the number behind a label or a number sign, a code.
func (r *reader) identifier(i int) int {
	if labels[r.label(i)] && !r.isNumber(i) {
		return r.labelled(i)
	}
	if at := r.numberSign(i); at > i {
		return r.named(i, at, "")
	}
	if r.isNumber(i) && strings.HasSuffix(strings.TrimRight(r.gaps[i], " \u00a0"), "§") {
		return r.named(i, i, "section")
	}
	return r.code(i)
}

// label returns the word at token i as labels have it: an Arabic one without what is written together with its article,
// "للمادة", "بالمادة".
func (r *reader) label(i int) string {
	norm := r.norm(i)
	for _, joined := range []string{"لل", "بال", "وال", "كال", "فال"} {
		if rest, ok := strings.CutPrefix(norm, joined); ok && labels["ال"+rest] {
			return "ال" + rest
		}
	}
	return norm
}

// numberSign returns the token behind a number sign at token i, i if none: "No. 5", "Nos. 5", "رقم ٥". "No 5"
// is one if it has a capital inside a sentence.
func (r *reader) numberSign(i int) int {
	norm := r.norm(i)
	if !numberSigns[norm] || i+1 >= len(r.tokens) {
		return i
	}
	if end, _ := r.run(i + 1); !strings.ContainsFunc(r.ruler.Slice(text.Span{Start: r.tokens[i+1].Start, End: end}),
		isDigit) {
		return i
	}
	switch gap := strings.Trim(r.gaps[i+1], " \u00a0"); {
	case gap == "." || gap == "#" || gap == ".:" || gap == ":" && norm != "no":
		return i + 1
	case gap != "" && gap != "(":
		return i
	case norm != "no" || i > 0 && r.tokens[i].Text == "No":
		return i + 1
	}
	return i
}

// labelled reads the number behind the label at token i. The label is a word of the sentence and no part of the figure.
func (r *reader) labelled(i int) int {
	at := i + 1
	if at >= len(r.tokens) {
		return i
	}
	if sign := r.numberSign(at); sign > at {
		if gap := strings.Trim(r.gaps[at], " \u00a0"); gap == "" {
			return r.named(at, sign, r.label(i))
		}
		return i
	}
	gap := strings.Trim(r.gaps[at], " \u00a0")
	if r.norm(i) == "p" && gap != "." {
		return i // a probability, a letter
	}
	switch gap {
	case "", "(", "#", ".", ":", "§":
	default:
		return i
	}
	if !strings.ContainsFunc(r.tokens[at].Text, isDigit) || strings.Contains(r.gaps[at], "\n") || gap == ":" &&
		!longLabels[r.label(i)] {
		return i
	}
	if isMonthAhead := func() bool { _, _, _, ok := r.month(at + 1); return ok }(); isMonthAhead && r.near(at+1) {
		return i
	}
	return r.named(at, at, r.label(i))
}

// named adds the identifier whose number begins at token at; its sign begins at token from.
func (r *reader) named(from, at int, label string) int {
	start := r.tokens[at].Start
	end, to := r.run(at)
	if longLabels[label] {
		for r.isDigits(to) && r.gaps[to] == " " {
			end, to = r.run(to)
		}
	}
	raw := r.ruler.Slice(text.Span{Start: start, End: end})
	if _, tail := digitsOf(raw); strings.ContainsAny(tail, "%٪") {
		return from
	}
	if label != "" && r.isCounted(at, to) {
		return from
	}
	q := Quantity{Kind: Identifier, Span: text.Span{Start: start, End: end}, Name: name(raw), Label: labelName(label)}
	q.Said = q.Span
	q.Said.Start = min(r.tokens[from].Start, start)
	if body, tail := digitsOf(raw); tail == "" {
		q.Digits = strings.ReplaceAll(body, "_", ".")
		if d, ok := ParseDecimal(q.Digits); ok {
			q.Value = d
		}
	}
	r.behind(&q, to)
	return r.add(q, from, to)
}

// thousands are numbers with their thousands apart, as amounts are written and the numbers of things are not.
var thousands = regexp.MustCompile(`^[0-9]{1,3}([,'][0-9]{3})+([._][0-9]+)?$`)

// isCounted reports whether the number behind a label, the tokens [at, to), is an amount: "account balance" and "phone
// bill" have one, which a unit, a currency, a scale or its thousands tell: "رصيد الحساب 1,000 ريال", "rule 5 days".
func (r *reader) isCounted(at, to int) bool {
	if body, tail := digitsOf(r.tokens[at].Text); tail == "" && thousands.MatchString(body) && to == at+1 {
		return true
	}
	if to >= len(r.tokens) || !r.near(to) {
		_, _, sign := r.signAfter(to-1, r.tokens[to-1].End)
		return sign
	}
	if scaled(&r.tokens[to]) {
		return true
	}
	if _, _, sign := r.signAfter(to-1, r.tokens[to-1].End); sign {
		return true
	}
	u, end, ok := r.unitAt(to, false)
	if !ok || u.base == "" || symbols[r.tokens[to].Text].base != "" {
		return false
	}
	return !isCurrency(u.base) || !r.isNumber(end) || !r.near(end) // "account 12345 AED 500"
}

// labelName is a label as it is compared: without the Arabic article and the plural's s.
func labelName(norm string) string {
	return strings.TrimSuffix(strings.TrimPrefix(norm, "ال"), "s")
}

// isDigits reports whether token i has a digit in it.
func (r *reader) isDigits(i int) bool {
	return i < len(r.tokens) && strings.ContainsFunc(r.tokens[i].Text, isDigit)
}

// mostRun is how many tokens that touch each other an identifier has at most.
const mostRun = 32

// run returns where the characters that touch token i end, and the token behind them: "4.2(a)", "12/2020",
// "INV-2024-001".
func (r *reader) run(i int) (end, to int) {
	end, to = r.tokens[i].End, i+1
	for to < min(len(r.tokens), i+mostRun) {
		gap := r.gaps[to]
		if gap != "" && gap != "-" && gap != "/" && gap != "." && gap != "(" && gap != ")(" && gap != "_" && gap != "\u2011" {
			break
		}
		if raw := r.ruler.Slice(text.Span{Start: end, End: r.tokens[to].Start}); raw != gap {
			break // a note's mark is between
		}
		if isArabic(r.norm(to)) != isArabic(r.norm(i)) && r.tokens[to].Kind == text.Word {
			break
		}
		if r.norm(to) == "and" || r.norm(to) == "or" {
			break
		}
		end = r.tokens[to].End
		to++
	}
	if strings.Contains(r.ruler.Slice(text.Span{Start: r.tokens[i].Start, End: end}), "(") && end < r.ruler.Len() &&
		r.ruler.Slice(text.Span{Start: end, End: end + 1}) == ")" {
		end++
	}
	return end, to
}

// name is an identifier as it is compared: folded, without spaces, a version without its v.
func name(raw string) string {
	s := strings.ReplaceAll(text.Fold(raw), " ", "")
	if len(s) > 1 && s[0] == 'v' && s[1] >= '0' && s[1] <= '9' {
		s = s[1:]
	}
	return strings.NewReplacer("\u2011", "-", "،", ".").Replace(s)
}

// longNumber is from how many digits on a number names a thing.
const longNumber = 16

// code reads a code at token i: letters and digits together ("101A", "INV-2024-001"), a version (4.2.1), a number with
// a zero before it, a very long number, a telephone number.
func (r *reader) code(i int) int {
	t := &r.tokens[i]
	if !strings.ContainsFunc(t.Text, isDigit) {
		return i
	}
	from := i
	for from > 0 && r.tokens[from-1].Start >= r.free && (r.gaps[from] == "-" || r.gaps[from] == "" ||
		r.gaps[from] == "/" || r.gaps[from] == "_") &&
		isCode(r.tokens[from-1].Text) && !codes[r.norm(from-1)] {
		from--
	}
	end, to := r.run(from)
	raw := r.ruler.Slice(text.Span{Start: r.tokens[from].Start, End: end})
	if t.Kind == text.Word {
		if _, power := r.power(i); power || !isCodeWord(t.Text) {
			return i
		}
		if isAccount(t.Text) {
			for r.isDigits(to) && r.gaps[to] == " " && r.isNumber(to) {
				end, to = r.run(to)
			}
			raw = r.ruler.Slice(text.Span{Start: r.tokens[from].Start, End: end})
		}
		return r.addCode(from, to, end, raw)
	}
	body, tail := digitsOf(t.Text)
	if end := r.grouped(i); end > i {
		raw := r.ruler.Slice(text.Span{Start: t.Start, End: r.tokens[end-1].End})
		return r.addCode(i, end, r.tokens[end-1].End, strings.ReplaceAll(raw, "-", ""))
	}
	switch {
	case from < i:
		return r.addCode(from, to, end, raw)
	case tail != "":
		return i
	case strings.Count(body, ".") > 1 && !byPoint.MatchString(body), len(body) >= longNumber &&
		!strings.ContainsAny(body, ".,'"):
		return r.addCode(i, to, end, raw)
	case len(body) > 1 && body[0] == '0' && !strings.ContainsAny(body, ".,_'") && !r.isNumber(i+1) &&
		r.gaps[min(i+1, len(r.gaps)-1)] != ":" &&
		(i == 0 || !r.isNumber(i-1) || spaced(r.gaps[i])):
		return r.addCode(i, i+1, t.End, t.Text)
	case strings.HasSuffix(r.gaps[i], "+"), body[0] == '0' && len(body) > 1:
		return r.telephone(i)
	case i+1 < len(r.tokens) && r.gaps[i+1] == "" && r.tokens[i+1].Kind == text.Word && isCode(r.tokens[i+1].Text):
		next := r.tokens[i+1].Text
		_, isUnit := symbols[next]
		_, isWord := unitWords[r.norm(i+1)]
		_, isSuffix := suffixes[next]
		if isUnit || isWord || isSuffix || codes[r.norm(i+1)] || halfDays[r.norm(i+1)] != "" || eras[r.norm(i+1)] ||
			r.norm(i+1) == "ce" ||
			r.norm(i+1) == "ad" || scaled(&r.tokens[i+1]) || r.norm(i+1) == "x" {
			return i
		}
		return r.addCode(i, to, end, raw)
	}
	return i
}

// leastGrouped is how many digits a number in groups has at least that no thousands are: that of a payment card.
const leastGrouped = 12

// grouped returns the token behind a long number in groups at token i, such as that of a card: "4111 1111 1111 1111"; i
// if none.
func (r *reader) grouped(i int) int {
	digits, to, mark := 0, i, ""
	for r.isNumber(to) && (to == i || r.gaps[to] == " " || r.gaps[to] == "-") && (to < i+2 || r.gaps[to] == mark) {
		body, tail := digitsOf(r.tokens[to].Text)
		if strings.ContainsAny(body, ".,'_") || tail != "" || to > i && len(body) == 3 && digits < leastGrouped {
			return i
		}
		digits, mark, to = digits+len(body), r.gaps[to], to+1
	}
	if to-i < 3 || digits < leastGrouped {
		return i
	}
	return to
}

// isAccount reports whether a word begins an IBAN: two letters and two digits.
func isAccount(s string) bool {
	return len(s) >= 4 && unicode.IsUpper(rune(s[0])) && unicode.IsUpper(rune(s[1])) && isDigit(rune(s[2])) &&
		isDigit(rune(s[3]))
}

// isCode reports whether a word is written as the letters of a code: capitals only, or letters with digits.
func isCode(s string) bool {
	if utf8.RuneCountInString(s) > longNumber {
		return false
	}
	for _, c := range s {
		if !unicode.IsUpper(c) && !isDigit(c) {
			return false
		}
	}
	return true
}

// isCodeWord reports whether a word with a digit in it is a code: "A4", "7f2d", "v2"; not "m2".
func isCodeWord(s string) bool {
	_, unit := symbols[s]
	return !unit && strings.ContainsFunc(s, isDigit) && !strings.HasPrefix(s, "x10") && !strings.HasPrefix(s, "X10")
}

func (r *reader) addCode(from, to, end int, raw string) int {
	q := Quantity{Kind: Identifier, Span: text.Span{Start: r.tokens[from].Start, End: end}, Name: name(raw)}
	q.Said = q.Span
	r.behind(&q, to)
	return r.add(q, from, to)
}

// leastTelephone is how many digits a telephone number has at least.
const leastTelephone = 8

// telephone reads groups of digits behind a plus or a zero.
func (r *reader) telephone(i int) int {
	digits, to := 0, i
	for r.isNumber(to) && (to == i || strings.Trim(r.gaps[to], " -()\u00a0") == "" && len(r.gaps[to]) <= 3) {
		body, tail := digitsOf(r.tokens[to].Text)
		if strings.ContainsAny(body, ".,_") || tail != "" {
			break
		}
		digits, to = digits+len(body), to+1
	}
	if digits < leastTelephone || to == i || to-i < 2 && digits < 10 {
		return i
	}
	end := r.tokens[to-1].End
	raw := strings.NewReplacer(" ", "", "-", "", "(", "", ")",
		"").Replace(r.ruler.Slice(text.Span{Start: r.tokens[i].Start, End: end}))
	return r.addCode(i, to, end, raw)
}

// englishOrdinals and arabicOrdinals are ordinals in words, folded.
var (
	englishOrdinals = numberTable(map[int64]string{1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth",
		6: "sixth",
		7: "seventh", 8: "eighth", 9: "ninth", 10: "tenth", 11: "eleventh", 12: "twelfth", 13: "thirteenth", 14: "fourteenth",
		15: "fifteenth", 16: "sixteenth", 17: "seventeenth", 18: "eighteenth", 19: "nineteenth", 20: "twentieth",
		30: "thirtieth", 40: "fortieth", 50: "fiftieth", 60: "sixtieth", 70: "seventieth", 80: "eightieth", 90: "ninetieth",
		100: "hundredth"})
	arabicOrdinals = numberTable(map[int64]string{1: "الأول الأولى الحادي الحادية", 2: "الثاني الثانية",
		3: "الثالث الثالثة",
		4: "الرابع الرابعة", 5: "الخامس الخامسة", 6: "السادس السادسة", 7: "السابع السابعة", 8: "الثامن الثامنة",
		9: "التاسع التاسعة", 10: "العاشر العاشرة", 20: "العشرون العشرين", 30: "الثلاثون الثلاثين", 40: "الأربعون الأربعين",
		50: "الخمسون الخمسين", 60: "الستون الستين", 70: "السبعون السبعين", 80: "الثمانون الثمانين", 90: "التسعون التسعين",
		100: "المئة المائة"})
	teens = set("عشر عشرة")
	// determiners are words before "first" and "second" that make them ordinals and no adverbs or units
	determiners = set("the its his her their our every each this that my your")
)

// ordinalWord reads an ordinal in words at token i, and returns the token behind it; i if none.
func (r *reader) ordinalWord(i int) (end, value int) {
	norm := r.norm(i)
	if !isArabic(norm) {
		if v, ok := englishOrdinals[norm]; ok && (v > 2 || determiners[r.norm(i-1)]) {
			return i + 1, int(v)
		}
		if tens, ok := englishNumbers[norm]; ok && tens >= 20 && tens < 100 && r.near(i+1) {
			if v, ok := englishOrdinals[r.norm(i+1)]; ok && v < 10 {
				return i + 2, int(tens + v)
			}
		}
		return i, 0
	}
	for _, cut := range []string{"", "و", "ب", "ف", "ك"} {
		if rest, ok := strings.CutPrefix(norm, cut); ok && arabicOrdinals[rest] > 0 {
			norm = rest
			break
		}
	}
	if rest, ok := strings.CutPrefix(norm, "لل"); ok && arabicOrdinals["ال"+rest] > 0 {
		norm = "ال" + rest
	}
	v := arabicOrdinals[norm]
	if v == 0 {
		return i, 0
	}
	if v < 10 && r.near(i+1) {
		if next := r.norm(i + 1); teens[next] {
			return i + 2, int(v + 10)
		} else if tens := arabicOrdinals[strings.TrimPrefix(next, "و")]; strings.HasPrefix(next, "و") && tens >= 20 &&
			tens < 100 {
			return i + 2, int(v + tens)
		}
	}
	return i + 1, int(v)
}

// ordinal reads an ordinal at token i: "14th", "the second", "الخامسة عشرة".
func (r *reader) ordinal(i int) int {
	q := Quantity{Kind: Ordinal}
	end := i + 1
	if from := i - 1; r.isNumber(i) && from >= 0 && r.norm(from) == "ال" && r.gaps[i] == "" &&
		r.tokens[from].Start >= r.free {
		value, length, ok := r.whole(i, 3) // الـ25
		if !ok || length == 0 {
			return i
		}
		q.Value = Whole(int64(value))
		q.Said = text.Span{Start: r.tokens[from].Start, End: r.tokens[i].End}
	} else if r.isNumber(i) {
		body, tail := digitsOf(r.tokens[i].Text)
		value, ok := ParseDecimal(body)
		if len(tail) != 2 || !ok || tail[0] >= 0x80 || !unicode.IsLetter(rune(tail[0])) {
			return i
		}
		q.Value = value
	} else {
		var value int
		if end, value = r.ordinalWord(i); end == i || value == 100 {
			return i
		}
		if r.norm(i-1) == "a" && r.norm(end) == "of" {
			return i // a third of them
		}
		if r.norm(i) == "quarter" || parts[r.norm(i-1)].Mantissa != 0 || arabicOnes[r.norm(i-1)] {
			return i
		}
		q.Value = Whole(int64(value))
	}
	if labels[r.norm(i-1)] {
		q.Label = labelName(r.norm(i - 1))
	}
	q.Span = text.Span{Start: r.tokens[i].Start, End: r.tokens[end-1].End}
	if q.Said.Len() == 0 {
		q.Said = q.Span
	}
	return r.add(q, i, end)
}
