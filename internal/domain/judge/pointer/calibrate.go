package pointer

import "math"

// Reviews counts what people said of a model's words: how often it said supported or contradicted, and how often they
// agreed.
type Reviews struct{ Supported, SupportedRight, Contradicted, ContradictedRight int }

// Trust is what these reviews let one rely on: the lower bound of each share, so that few reviews make little of it.
// Up to 21 reviews in which people always agreed, the model's word alone does not make a claim supported.
func (r Reviews) Trust() Trust {
	return Trust{
		Supported:    LowerShare(r.SupportedRight, r.Supported),
		Contradicted: LowerShare(r.ContradictedRight, r.Contradicted),
	}
}

// z is the quantile of the normal distribution that leaves 2.5 % on each side.
const z = 1.959963984540054

// LowerShare is the lower bound of the share right/of with 95 % confidence, 0 if none was right (Wilson, 1927). Counts
// that cannot be are taken as the nearest that can.
func LowerShare(right, of int) float64 {
	if of <= 0 || right <= 0 {
		return 0
	}
	n := float64(of)
	p := float64(min(right, of)) / n
	middle := p + z*z/(2*n)
	reach := z * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return max(0, (middle-reach)/(1+z*z/n))
}
