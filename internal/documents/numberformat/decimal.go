package numberformat

import (
	"math"
	"strconv"
	"strings"
)

// decimal is a number without a sign: 0.digits × 10^point. Its digits have no zeros at either end; zero has none.
type decimal struct {
	digits string
	point  int
}

// precision is how many significant digits a spreadsheet keeps and shows.
const precision = 15

// newDecimal returns the absolute value of a number, to the precision of a spreadsheet.
func newDecimal(v float64) decimal {
	s := strconv.FormatFloat(math.Abs(v), 'e', precision-1, 64)
	mantissa, exponent, _ := strings.Cut(s, "e")
	e, err := strconv.Atoi(exponent)
	if err != nil { // no number: not finite
		return decimal{}
	}
	d := decimal{digits: strings.Replace(mantissa, ".", "", 1), point: e + 1}.trimmed()
	if len(d.digits) > trusted { // 741.200000000001 was computed as 741.2
		if short := d.rounded(trusted - d.point); len(short.digits) <= trusted-3 {
			return short
		}
	}
	return d
}

// trusted is how many significant digits are free of what computing in binary adds.
const trusted = 12

func (d decimal) trimmed() decimal {
	d.digits = strings.TrimRight(d.digits, "0")
	lead := len(d.digits) - len(strings.TrimLeft(d.digits, "0"))
	d.digits, d.point = d.digits[lead:], d.point-lead
	if d.digits == "" {
		d.point = 0
	}
	return d
}

func (d decimal) isZero() bool { return d.digits == "" }

// places is how many digits the number has after its point.
func (d decimal) places() int { return max(0, len(d.digits)-d.point) }

// rounded returns the number to so many places; a half is rounded up, as spreadsheets do.
func (d decimal) rounded(places int) decimal {
	keep := d.point + places
	switch {
	case keep >= len(d.digits):
		return d
	case keep < 0:
		return decimal{}
	}
	up := d.digits[keep] >= '5'
	if d.digits = d.digits[:keep]; !up {
		return d.trimmed()
	}
	digits := []byte("0" + d.digits)
	at := len(digits) - 1
	for ; digits[at] == '9'; at-- {
		digits[at] = '0'
	}
	digits[at]++
	return decimal{digits: string(digits), point: d.point + 1}.trimmed()
}

// parts returns the digits before the point, "" for none, and so many after it.
func (d decimal) parts(places int) (whole, fraction string) {
	switch {
	case d.point <= 0:
		fraction = strings.Repeat("0", -d.point) + d.digits
	case d.point >= len(d.digits):
		whole = d.digits + strings.Repeat("0", d.point-len(d.digits))
	default:
		whole, fraction = d.digits[:d.point], d.digits[d.point:]
	}
	if len(fraction) > places {
		return whole, fraction[:places]
	}
	return whole, fraction + strings.Repeat("0", places-len(fraction))
}

// plain writes the number with all of its digits.
func (d decimal) plain() string {
	whole, fraction := d.parts(d.places())
	if whole == "" {
		whole = "0"
	}
	if fraction != "" {
		return whole + "." + fraction
	}
	return whole
}

// mostPlain is up to how many digits before or after its point a number is written without an exponent.
const mostPlain = 20

// General writes a number as a cell without a format stores it.
func General(v float64) string {
	d, sign := newDecimal(v), ""
	if v < 0 && !d.isZero() {
		sign = "-"
	}
	if d.point > mostPlain || d.places() > mostPlain {
		return strconv.FormatFloat(v, 'E', -1, 64)
	}
	return sign + d.plain()
}
