package judge

import "math"

// Go's own logarithm and exponential are assembly on some processors and differ there in the last bits. These are plain
// arithmetic in one order, every product rounded before it is added, so that a verdict is the same on every machine.

// mostOdd is the last power of the series for the logarithm: what is left out is below a bit.
const mostOdd = 21

// logarithm returns the natural logarithm of a positive number.
func logarithm(x float64) float64 {
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

// log2 returns the logarithm to the base 2 of a positive number.
func log2(x float64) float64 { return logarithm(x) / math.Ln2 }

// mostExponent is how far from 0 an exponent may be: beyond, the result does not change a probability.
const mostExponent = 700

// lastTerm is the last power of the series for the exponential.
const lastTerm = 14

// exponential returns e to the power of x.
func exponential(x float64) float64 {
	x = min(max(x, -mostExponent), mostExponent)
	power := math.RoundToEven(x / math.Ln2)
	r, sum := x-float64(power*math.Ln2), 1.0
	for n := lastTerm; n >= 1; n-- {
		sum = 1 + float64(r*sum)/float64(n)
	}
	return math.Ldexp(sum, int(power))
}
