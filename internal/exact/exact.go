// Package exact has a logarithm and an exponential that give the same bits on every machine. Go's own are assembly on
// some processors and differ there in the last bits; these are plain arithmetic in one order, every product rounded
// before it is added.
package exact

import "math"

// mostOdd is the last power of the series for the logarithm: what is left out is below a bit.
const mostOdd = 21

// Log returns the natural logarithm of a positive number.
func Log(x float64) float64 {
	f, power := math.Frexp(x)
	if f < math.Sqrt2/2 {
		f, power = f*2, power-1
	}
	s := (f - 1) / (f + 1) // log f = 2 (s + s³/3 + s⁵/5 + …)
	square, sum := s*s, 0.0
	for n := mostOdd; n >= 1; n -= 2 {
		sum = float64(sum*square) + 1/float64(n)
	}
	return float64(2*s*sum) + float64(float64(power)*math.Ln2)
}

// Log2 returns the logarithm to the base 2 of a positive number.
func Log2(x float64) float64 { return Log(x) / math.Ln2 }

// MostExponent is how far from 0 an exponent may be: beyond, the result does not change a probability.
const MostExponent = 700

// lastTerm is the last power of the series for the exponential.
const lastTerm = 14

// Exp returns e to the power of x.
func Exp(x float64) float64 {
	x = min(max(x, -MostExponent), MostExponent)
	power := math.RoundToEven(x / math.Ln2)
	r, sum := x-float64(power*math.Ln2), 1.0
	for n := lastTerm; n >= 1; n-- {
		sum = 1 + float64(r*sum)/float64(n)
	}
	return math.Ldexp(sum, int(power))
}
