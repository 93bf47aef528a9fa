package reader

import "math"

// lanes is how many sums run side by side. What is computed in floating point has one order of operations, the same in
// this portable code and in assembly: one fixed tree joins the lanes, and every product is rounded by a conversion
// before it is added, so that no compiler fuses the two.
const lanes = 8

// roundBias, added to a float32 below 2^22, leaves the number rounded to an integer, half to even, in the lowest bits.
const roundBias = 3 << 22

// roundBits are the bits of roundBias as a float32.
const roundBits = 0x4B400000

// joined adds eight lanes in the order in which halves of vector registers are added.
func joined(l *[lanes]float32) float32 {
	return ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]))
}

// Coefficients of e^r on |r| ≤ ln 2 / 2, with an error below 4e-9, and what splits a number into r and a power of two.
const (
	log2E     = 1.44269504
	ln2High   = 0.693359375 // so few digits that its product with a power is exact
	ln2Low    = -2.12194440e-4
	exp2      = 0.5
	exp3      = 0.16666516661643982
	exp4      = 0.04166620224714279
	exp5      = 0.00836909655481577
	exp6      = 0.001395084778778255
	leastExp  = -87 // e^-87 is the least normal number, nearly
	exponent1 = 127 // the exponent of 1 in a float32
)

// exp returns e^x for x of at most 0; below -87 it is e^-87.
func exp(x float32) float32 {
	x = max(x, leastExp)
	biased := float32(x*log2E) + roundBias
	power := biased - roundBias
	r := x - float32(power*ln2High)
	r -= float32(power * ln2Low)
	p := float32(r*exp6) + exp5
	p = float32(p*r) + exp4
	p = float32(p*r) + exp3
	p = float32(p*r) + exp2
	p = float32(p*float32(r*r)) + r
	p++
	return p * math.Float32frombits((math.Float32bits(biased)+exponent1)<<23)
}

// tanh returns the hyperbolic tangent.
func tanh(x float32) float32 {
	e := exp(-2 * max(x, -x))
	y := (1 - e) / (1 + e)
	if x < 0 {
		return -y
	}
	return y
}

// Coefficients of erf(x/√2) = x·P(x²)/Q(x²) on |x| ≤ 5.5, with an error below 5e-7.
const (
	mostErf = 5.5
	erfP0   = 0.7978859543800354
	erfP1   = 0.13199855387210846
	erfP2   = 0.013032438233494759
	erfP3   = 0.0009387595928274095
	erfP4   = 1.1845904737128876e-05
	erfP5   = -3.37016707874227e-08
	erfQ1   = 0.3321044147014618
	erfQ2   = 0.04668986424803734
	erfQ3   = 0.003622679738327861
	erfQ4   = 0.00015605540829710662
)

// geluPortable replaces each number x by x·Φ(x), Φ being the normal distribution.
func geluPortable(x []float32) {
	for i, v := range x {
		half := float32(v * 0.5)
		v = min(max(v, -mostErf), mostErf)
		u := float32(v * v)
		p := float32(u*erfP5) + erfP4
		p = float32(p*u) + erfP3
		p = float32(p*u) + erfP2
		p = float32(p*u) + erfP1
		p = float32(p*u) + erfP0
		q := float32(u*erfQ4) + erfQ3
		q = float32(q*u) + erfQ2
		q = float32(q*u) + erfQ1
		q = float32(q*u) + 1
		x[i] = half + float32(half*(float32(v*p)/q))
	}
}

// quantisePortable sets a row to x as integers of one scale. The largest absolute value becomes the largest integer.
func quantisePortable(q *quantised, row int, x []float32) {
	numbers, low := q.row(row)
	if !q.twoPlanes {
		q.scales[row], q.sums[row] = quantiseRow(numbers, x)
		return
	}
	scale, inverse := scales(largest(x), mostFine)
	var sum, sumLow int32
	for i, v := range x {
		number := int32(math.Float32bits(float32(v*inverse)+roundBias)) - roundBits
		numbers[i], low[i] = int8(number>>lowBits), int8(number&(1<<lowBits-1))
		sum += int32(numbers[i])
		sumLow += int32(low[i])
	}
	q.scales[row], q.sums[row], q.lowSums[row] = scale, sum, sumLow
}

// largest returns the largest absolute value.
func largest(x []float32) float32 {
	most := float32(0)
	for _, v := range x {
		most = max(most, v, -v)
	}
	return most
}

// quantiseRow writes x as numbers of 8 bits, and returns their scale and sum.
func quantiseRow(q []int8, x []float32) (scale float32, sum int32) {
	scale, inverse := scales(largest(x), mostQuantised)
	for i, v := range x {
		q[i] = nearest(float32(v * inverse))
		sum += int32(q[i])
	}
	return scale, sum
}

// keyPortable quantises x as one row of a panel, and returns its scale. The panel begins where the row does.
func keyPortable(panel []byte, x []float32) float32 {
	scale, inverse := scales(largest(x), mostQuantised)
	for i, v := range x {
		panel[i/quad*panelRows*quad+i%quad] = byte(nearest(float32(v * inverse)))
	}
	return scale
}

// columnsPortable quantises 32 columns of rows that begin stride numbers apart, each with a scale of its own, into a
// panel that runs along the rows. It sets scale, and uses inverse. Rows are filled up to a whole quad; what is there
// does not matter.
func columnsPortable(panel []byte, x []float32, stride, rows int, scale, inverse *[panelRows]float32) {
	*scale = [panelRows]float32{}
	for row := range rows {
		for i, v := range x[row*stride : row*stride+panelRows] {
			scale[i] = max(scale[i], v, -v)
		}
	}
	for i, most := range scale {
		scale[i], inverse[i] = scales(most, mostQuantised)
	}
	for row := range rows {
		line := panel[row/quad*panelRows*quad+row%quad:]
		for i, v := range x[row*stride : row*stride+panelRows] {
			line[i*quad] = byte(nearest(float32(v * inverse[i])))
		}
	}
}

// The largest integers that numbers are quantised to, in one plane (-128 is not used) and in two. Of at most 4096
// products of mostFine with a weight the sum is below 2^31.
const (
	mostQuantised = 127
	mostFine      = 127 << 5
)

// scales returns the scale of numbers whose largest absolute value is most and becomes the integer limit, and its
// inverse. Numbers so small that the inverse would overflow become zeros.
func scales(most, limit float32) (scale, inverse float32) {
	if most < 1e-30 {
		return 0, 0
	}
	return most / limit, limit / most
}

// nearest rounds half to even.
func nearest(v float32) int8 { return int8(math.Float32bits(v + roundBias)) }

// rescalePortable writes what a tile stands for: sum times scale of the row, times scale of the column, plus bias of
// the column. Rows of out begin stride numbers apart.
func rescalePortable(out []float32, stride int, sums *tile, rows *[tileRows]float32, columns, bias *[panelRows]float32) {
	for r, scale := range rows {
		line := out[r*stride : r*stride+panelRows]
		for c := range line {
			v := float32(float32(sums[r*panelRows+c]) * scale)
			line[c] = float32(v*columns[c]) + bias[c]
		}
	}
}

// normEpsilon is added to variances, as BERT does.
const normEpsilon = 1e-12

// normalisePortable adds residual to x, and brings the sum to mean 0 and variance 1, then to gain and shift. The length
// is a multiple of eight.
func normalisePortable(x, residual, gain, shift []float32) {
	normaliseBy(normEpsilon, x, residual, gain, shift)
}

// normaliseBy is normalisePortable with another number added to the variance.
func normaliseBy(epsilon float32, x, residual, gain, shift []float32) {
	width := float32(len(x))
	var sums, squares [lanes]float32
	for i := range x {
		x[i] += residual[i]
		sums[i%lanes] += x[i]
	}
	mean := joined(&sums) / width
	for i := range x {
		x[i] -= mean
		squares[i%lanes] += float32(x[i] * x[i])
	}
	inverse := 1 / float32(math.Sqrt(float64(joined(&squares)/width+epsilon)))
	for i := range x {
		x[i] = float32(float32(x[i]*inverse)*gain[i]) + shift[i]
	}
}

// Weights of the attention are numbers of 14 bits, in two planes of 7 bits: high and low. One plane would be too
// coarse: most weights are far below the largest.
const (
	lowBits    = 7
	mostWeight = mostQuantised << lowBits
)

// softmaxPortable sets a row to e^x as weights, the largest of which is mostWeight. Its scale becomes the inverse of
// their sum.
func softmaxPortable(q *quantised, row int, x []float32) {
	most := x[0]
	for _, v := range x {
		most = max(most, v)
	}
	high, low := q.row(row)
	var sumHigh, sumLow int32
	for i, v := range x {
		weight := int32(math.Float32bits(float32(exp(v-most)*mostWeight)+roundBias)) - roundBits
		high[i], low[i] = int8(weight>>lowBits), int8(weight&(1<<lowBits-1))
		sumHigh += int32(high[i])
		sumLow += int32(low[i])
	}
	q.sums[row], q.lowSums[row] = sumHigh, sumLow
	q.scales[row] = 1 / float32(sumHigh<<lowBits+sumLow)
}
