package quantity

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"sanad/internal/domain/text"
)

// numeral is a number in digits or words: the tokens [from, to).
type numeral struct {
	from, to int
	end      int // code point behind it, if that is not the end of its last token
	value    Decimal
	other    Decimal
	two      bool
	digits   string
	words    bool
	percent  bool
	decade   bool
	ordinal  bool
	suffix   bool // a letter that may be a unit multiplies it: 5m
}

// digitsOf cuts a number's token into its digits in ASCII, with their separators, and what follows: "%", "th", "s".
func digitsOf(s string) (body, tail string) {
	end := 0
	var b strings.Builder
	for i, c := range s {
		switch {
		case isDigit(c):
			b.WriteByte(byte('0' + c&0xf))
		case c == '٫':
			b.WriteByte('_') // a decimal point whatever else
		case c == '،':
			b.WriteByte(',')
		case c == '٬' || c == '\u00a0' || c == '\u202f':
			b.WriteByte('\'')
		case c == '.' || c == ',':
			b.WriteRune(c)
		default:
			return b.String(), s[i:]
		}
		end = i + utf8.RuneLen(c)
	}
	return b.String(), s[end:]
}

func isDigit(r rune) bool {
	return r >= '0' && r <= '9' || r >= '٠' && r <= '٩' || r >= '۰' && r <= '۹' || r >= '０' && r <= '９'
}

// groups are ways to write thousands, by their separator in digitsOf.
var (
	byComma = regexp.MustCompile(`^\d{1,3}(,\d{3})+([._]\d+)?$`)
	byLakh  = regexp.MustCompile(`^\d{1,2}(,\d{2})+,\d{3}([._]\d+)?$`)
	byPoint = regexp.MustCompile(`^\d{1,3}(\.\d{3})+([,_]\d+)?$`)
	bySpace = regexp.MustCompile(`^\d{1,3}('\d{3})+([.,_]\d+)?$`)
	onePart = regexp.MustCompile(`^\d*([.,_]\d+)?$`)
)

// parse reads digits with their separators. ok is false for a version such as 4.2.1.
func parse(body string) (n numeral, ok bool) {
	plain := body
	switch {
	case byComma.MatchString(body), byLakh.MatchString(body):
		if head, _, one := strings.Cut(body, ","); one && head == "0" {
			plain = strings.Replace(body, ",", ".", 1)
			break
		}
		plain = strings.ReplaceAll(body, ",", "")
	case byPoint.MatchString(body) && strings.Count(body, ".") == 1 && !strings.ContainsAny(body, ",_"):
		head, _, _ := strings.Cut(body, ".")
		if head != "0" {
			n.other, n.two = parsed(strings.ReplaceAll(body, ".", ""))
		}
	case byPoint.MatchString(body):
		plain = strings.NewReplacer(".", "", ",", ".").Replace(body)
	case bySpace.MatchString(body):
		plain = strings.ReplaceAll(strings.ReplaceAll(body, "'", ""), ",", ".")
	case onePart.MatchString(body):
		plain = strings.ReplaceAll(body, ",", ".")
	default:
		return n, false
	}
	plain = strings.ReplaceAll(plain, "_", ".")
	if strings.HasPrefix(plain, ".") {
		plain = "0" + plain
	}
	n.value, ok = ParseDecimal(plain)
	n.digits = plain
	return n, ok
}

func parsed(s string) (Decimal, bool) { return ParseDecimal(s) }

// numeral reads a number in digits at token i, with its power, its fraction and the words that multiply it.
func (r *reader) numeral(i int) (n numeral, ok bool) {
	if i >= len(r.tokens) || r.tokens[i].Kind != text.Number {
		if n, ok = r.power(i); ok {
			return n, true
		}
		return r.fraction(i)
	}
	body, tail := digitsOf(r.tokens[i].Text)
	to := i + 1
	for tail == "" && to < len(r.tokens) && r.isNumber(to) {
		sep, ok := groupMark(r.gaps[to])
		next, rest := digitsOf(r.tokens[to].Text)
		joined := body + sep + next
		if !ok || len(next) < 3 || !r.groups(joined, to) {
			break
		}
		body, tail, to = joined, rest, to+1
	}
	if n, ok = r.power(i); ok {
		return n, true
	}
	if n, ok = parse(body); !ok {
		return n, false
	}
	n.from, n.to = i, to
	if raw := r.tokens[i].Text; strings.Contains(raw, "،") && strings.Count(body, ",") == 1 && to == i+1 && !n.two {
		if other, ok := ParseDecimal(strings.Replace(body, ",", ".", 1)); ok && other != n.value {
			n.other, n.two = other, true // ١،٥٠٠ is 1500 or 1.5
		}
	}
	switch tail {
	case "":
	case "%", "٪", "％":
		n.percent = true
		return n, true
	default:
		n.decade, n.ordinal = strings.HasSuffix(tail, "s"), !strings.HasSuffix(tail, "s")
		return n, true
	}
	r.raised(&n)
	if f, ok := r.fraction(to); ok && blank(r.gaps[to]) {
		if sum, ok := n.value.Plus(f.value); ok {
			n.value, n.to, n.digits = sum, f.to, sum.String()
		}
	}
	r.scale(&n)
	return n, true
}

// groupMark returns the separator of thousands that a gap between two numbers is.
func groupMark(gap string) (string, bool) {
	switch gap {
	case ",":
		return ",", true
	case "'", "’", " ", "\u00a0", "\u202f", "\u2009":
		return "'", true
	}
	return "", false
}

// groups reports whether digits are grouped in thousands, up to token k.
func (r *reader) groups(body string, k int) bool {
	if strings.Contains(body, "'") && r.isNumber(k+1) && r.gaps[k+1] == " " {
		next, _ := digitsOf(r.tokens[k+1].Text)
		if len(next) != 3 {
			return false // a list of numbers
		}
	}
	return bySpace.MatchString(body) && !strings.HasPrefix(body, "0") || byLakh.MatchString(body) ||
		byComma.MatchString(body) || lakhHead.MatchString(body)
}

var lakhHead = regexp.MustCompile(`^\d{1,2}(,\d{2})*,\d{3}$`)

// raised reads raised digits right behind a number: the power of ten, or the mark of a note, which leaves the number.
func (r *reader) raised(n *numeral) {
	at := r.tokens[n.to-1].End
	value, count := 0, 0
	for _, c := range r.ruler.Slice(text.Span{Start: at, End: min(at+mostNote, r.ruler.Len())}) {
		if !isRaised(c) {
			break
		}
		value, count = value*10+raisedDigit(c), count+1
	}
	if count == 0 || n.digits != "10" {
		return
	}
	n.end = at + count
	power := Whole(1).Shift(value)
	if value > 2 {
		n.value = power
		return
	}
	n.other, n.two = power, true // 10² people: a hundred, or ten and a note
}

func raisedDigit(r rune) int {
	switch r {
	case '¹':
		return 1
	case '²':
		return 2
	case '³':
		return 3
	}
	return int(r - '⁰')
}

// powers is a number by a power of ten.
var powers = regexp.MustCompile(`^(\d+(?:[.,]\d+)?)(?:\s*[×xX*·]\s*10\s*(?:\^|\*\*)?\s*\(?([-+−⁻]?)([\d⁰¹²³⁴⁵⁶⁷⁸⁹]+)\)?` +
	`|[eE]([-+−]?)(\d+))`)

var tenPower = regexp.MustCompile(`^10(?:(?:\^|\*\*)\s*\(?([-+−]?)(\d+)\)?|([⁻]?)([⁰¹²³⁴⁵⁶⁷⁸⁹]+))`)

// mostPower is how many characters a number by a power of ten has at most.
const mostPower = 40

// power reads "5 × 10⁶", "5x10^6", "2.5e6", "10⁻³" and "10^6" at token i.
func (r *reader) power(i int) (n numeral, ok bool) {
	if i >= len(r.tokens) {
		return n, false
	}
	start := r.tokens[i].Start
	head := r.ruler.Slice(text.Span{Start: start, End: min(start+mostPower, r.ruler.Len())})
	if !strings.ContainsAny(head, "^eE×xX*·⁰¹²³⁴⁵⁶⁷⁸⁹") {
		return n, false
	}
	head = strings.Map(func(c rune) rune {
		if isDigit(c) {
			return '0' + c&0xf
		}
		return c
	}, head)
	mantissa, sign, digits, length := "", "", "", 0
	if m := powers.FindStringSubmatch(head); m != nil {
		mantissa, sign, digits, length = strings.ReplaceAll(m[1], ",", "."), m[2]+m[4], m[3]+m[5],
			utf8.RuneCountInString(m[0])
		if m[3] != "" && !strings.ContainsAny(m[0], "^⁰¹²³⁴⁵⁶⁷⁸⁹") && !strings.Contains(m[0], "**") {
			return n, false // 3 × 104
		}
	} else if m := tenPower.FindStringSubmatch(head); m != nil {
		mantissa, sign, digits, length = "1", m[1]+m[3], m[2]+m[4], utf8.RuneCountInString(m[0])
		if m[4] != "" && m[3] == "" && (m[4] == "¹" || m[4] == "²") {
			return n, false // may be a note's mark: see raised
		}
	} else {
		return n, false
	}
	exponent, err := strconv.Atoi(strings.Map(func(c rune) rune {
		if isRaised(c) {
			return '0' + rune(raisedDigit(c))
		}
		return c
	}, digits))
	value, fine := ParseDecimal(mantissa)
	if err != nil || !fine || exponent > mostExponent/2 {
		return n, false
	}
	if sign != "" && sign != "+" {
		exponent = -exponent
	}
	n = numeral{from: i, to: i + 1, end: start + length, value: value.Shift(exponent).plain()}
	n.digits = n.value.String()
	for n.to < len(r.tokens) && r.tokens[n.to].Start < n.end {
		n.to++
	}
	r.scale(&n)
	return n, true
}

var vulgar = map[string]Decimal{"½": {5, -1}, "¼": {25, -2}, "¾": {75, -2}, "⅕": {2, -1}, "⅖": {4, -1}, "⅗": {6, -1},
	"⅘": {8, -1}, "⅛": {125, -3}, "⅜": {375, -3}, "⅝": {625, -3}, "⅞": {875, -3}, "⅒": {1, -1}}

// fraction reads a sign such as ½ at token i.
func (r *reader) fraction(i int) (n numeral, ok bool) {
	if i >= len(r.tokens) {
		return n, false
	}
	value, ok := vulgar[r.tokens[i].Text]
	return numeral{from: i, to: i + 1, value: value, digits: value.String()}, ok
}

// suffixes are letters that touch a number and multiply it.
var suffixes = map[string]Decimal{"k": {1, 3}, "K": {1, 3}, "m": {1, 6}, "M": {1, 6}, "mn": {1, 6}, "mln": {1, 6},
	"mio": {1, 6}, "MM": {1, 6}, "mm": {1, 6}, "b": {1, 9}, "B": {1, 9}, "bn": {1, 9}, "Bn": {1, 9}, "bln": {1, 9},
	"BN": {1, 9},
	"MN": {1, 6}, "T": {1, 12}, "tn": {1, 12}, "trn": {1, 12}, "t": {1, 12}, "cr": {1, 7}, "Cr": {1, 7}}

// alsoUnits are suffixes that are units too, where no currency says what is meant.
var alsoUnits = map[string]bool{"m": true, "mm": true, "t": true, "T": true, "b": true, "B": true, "M": true, "K": true}

// scale multiplies a number by the words behind it: "5 million", "12.5k", "٥ آلاف", "3 hundred thousand".
func (r *reader) scale(n *numeral) {
	if n.percent || n.to >= len(r.tokens) {
		return
	}
	if n.end == 0 && r.gaps[n.to] == "" {
		word := r.tokens[n.to].Text
		if factor, ok := suffixes[word]; ok && r.suffixed(n, word) {
			n.times(factor)
			n.to++
			return
		}
	}
	for n.to < len(r.tokens) && r.near(n.to) && !strings.Contains(r.gaps[n.to], "\n") {
		factor, ok := scaleWords[r.norm(n.to)]
		if !ok {
			break
		}
		n.times(factor)
		n.to++
		if next := r.norm(n.to); halves[next].Mantissa != 0 && r.near(n.to) { // مليون ونصف
			if part, ok := factor.Times(halves[next]); ok {
				n.value, _ = n.value.Plus(part)
				n.to++
				if strings.HasPrefix(r.norm(n.to), "ال") && scaleWords[strings.TrimPrefix(r.norm(n.to), "ال")] == factor {
					n.to++
				}
			}
		}
	}
}

// times multiplies the number, in both of its readings.
func (n *numeral) times(factor Decimal) {
	if value, ok := n.value.Times(factor); ok {
		n.value = value
	}
	if value, ok := n.other.Times(factor); ok && n.two {
		n.other = value
	}
}

// suffixed reports whether a letter behind a number multiplies it. Where it may be a unit too, a currency or what is
// counted has to say so; else the figure has two readings.
func (r *reader) suffixed(n *numeral, letter string) bool {
	if !alsoUnits[letter] {
		return true
	}
	if _, _, money := r.currencyBefore(n.from); money {
		return true
	}
	if u, _, ok := r.unitAt(n.to+1, false); ok && isCurrency(u.base) {
		return true
	}
	if letter == "B" || letter == "M" || letter == "K" {
		return true
	}
	return r.counted(n.to+1) != "" && letter == "m"
}
