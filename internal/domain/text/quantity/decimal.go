package quantity

import (
	"math/big"
	"strconv"
	"strings"
)

// Decimal is an exact decimal number: Mantissa × 10^Exponent. The mantissa of a Decimal does not end in 0, so that
// equal numbers are equal values.
type Decimal struct {
	Mantissa int64
	Exponent int
}

// Whole returns a whole number.
func Whole(n int64) Decimal { return Decimal{Mantissa: n}.plain() }

// most bounds what a Decimal may hold, so that it can be written and compared at little cost.
const (
	mostDigits   = 18
	mostExponent = 60
)

// ParseDecimal reads ASCII digits with at most one point. ok is false for anything else, and for more than 18 digits.
func ParseDecimal(s string) (d Decimal, ok bool) {
	head, tail, _ := strings.Cut(s, ".")
	digits := strings.TrimLeft(head+tail, "0")
	if len(head+tail) == 0 || len(digits) > mostDigits || len(tail) > mostExponent {
		return d, false
	}
	for i := range len(head + tail) {
		if c := (head + tail)[i]; c < '0' || c > '9' {
			return d, false
		}
	}
	if digits != "" {
		if d.Mantissa, _ = strconv.ParseInt(digits, 10, 64); d.Mantissa == 0 {
			return d, false
		}
	}
	d.Exponent = -len(tail)
	return d.plain(), true
}

// plain takes the zeros off the mantissa.
func (d Decimal) plain() Decimal {
	if d.Mantissa == 0 {
		return Decimal{}
	}
	for d.Mantissa%10 == 0 {
		d.Mantissa, d.Exponent = d.Mantissa/10, d.Exponent+1
	}
	return d
}

// IsZero reports whether the number is 0.
func (d Decimal) IsZero() bool { return d.Mantissa == 0 }

// Negative returns the number with the other sign.
func (d Decimal) Negative() Decimal { return Decimal{-d.Mantissa, d.Exponent} }

// Absolute returns the number without its sign.
func (d Decimal) Absolute() Decimal {
	if d.Mantissa < 0 {
		return d.Negative()
	}
	return d
}

// big returns the number times 10^-at, for at most its exponent.
func (d Decimal) big(at int) *big.Int {
	out := big.NewInt(d.Mantissa)
	return out.Mul(out, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(d.Exponent-at)), nil))
}

// of returns n × 10^at; ok is false if it has too many digits.
func of(n *big.Int, at int) (d Decimal, ok bool) {
	if n.Sign() == 0 {
		return Decimal{}, true
	}
	ten, rest := big.NewInt(10), new(big.Int)
	for n = new(big.Int).Set(n); at < mostExponent; at++ {
		q := new(big.Int)
		if q.QuoRem(n, ten, rest); rest.Sign() != 0 {
			break
		}
		n = q
	}
	return Decimal{n.Int64(), at}, len(strings.TrimPrefix(n.String(), "-")) <= mostDigits && at <= mostExponent &&
		at >= -mostExponent
}

// Plus adds two numbers; ok is false if the sum has too many digits.
func (d Decimal) Plus(e Decimal) (sum Decimal, ok bool) {
	at := min(d.Exponent, e.Exponent)
	return of(new(big.Int).Add(d.big(at), e.big(at)), at)
}

// Times multiplies two numbers; ok is false if the product has too many digits.
func (d Decimal) Times(e Decimal) (product Decimal, ok bool) {
	return of(new(big.Int).Mul(big.NewInt(d.Mantissa), big.NewInt(e.Mantissa)), d.Exponent+e.Exponent)
}

// Shift multiplies the number by 10^n.
func (d Decimal) Shift(n int) Decimal {
	if d.Mantissa == 0 {
		return d
	}
	return Decimal{d.Mantissa, d.Exponent + n}
}

// Compare returns -1, 0 or 1 as d is less than, equal to or greater than e.
func (d Decimal) Compare(e Decimal) int {
	if d == e {
		return 0
	}
	at := min(d.Exponent, e.Exponent)
	return d.big(at).Cmp(e.big(at))
}

// Float returns the nearest floating point number.
func (d Decimal) Float() float64 {
	f, _ := strconv.ParseFloat(strconv.FormatInt(d.Mantissa, 10)+"e"+strconv.Itoa(d.Exponent), 64)
	return f
}

// String writes the number with digits and a point, without grouping.
func (d Decimal) String() string {
	digits := strconv.FormatInt(d.Absolute().Mantissa, 10)
	switch {
	case d.Mantissa == 0:
		return "0"
	case d.Exponent >= 0:
		digits += strings.Repeat("0", d.Exponent)
	default:
		if short := 1 - d.Exponent - len(digits); short > 0 {
			digits = strings.Repeat("0", short) + digits
		}
		digits = digits[:len(digits)+d.Exponent] + "." + digits[len(digits)+d.Exponent:]
	}
	if d.Mantissa < 0 {
		return "-" + digits
	}
	return digits
}
