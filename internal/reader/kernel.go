package reader

// A kernel is a set of functions for one kind of processor. All kernels give the same bits.
type kernel struct {
	name      string
	multiply  multiply
	quantise  func(q []int8, x []float32) (scale float32, sum int32)
	rescale   func(out []float32, stride int, sums *tile, rows *[tileRows]float32, columns, bias *[panelRows]float32)
	gelu      func(x []float32)
	normalise func(x, residual, gain, shift []float32)
	softmax   func(high, low []int8, x []float32) (sumHigh, sumLow int32)
}

// portable runs everywhere, and is the reference for all others.
var portable = kernel{
	name:      "portable",
	multiply:  multiplyPortable,
	quantise:  quantisePortable,
	rescale:   rescalePortable,
	gelu:      geluPortable,
	normalise: normalisePortable,
	softmax:   softmaxPortable,
}

// chosen returns the fastest kernel of the machine. If it does not compute what the portable one does, it returns that one
// and the name of the one that failed.
func chosen() (best kernel, failed string) {
	best = kernels()[0]
	if !sameAsPortable(best) {
		return portable, best.name
	}
	return best, ""
}

// sameAsPortable compares a kernel with the portable one on fixed blocks of numbers.
func sameAsPortable(k kernel) bool {
	const columns = 96
	random := generator(34)
	rows, panel := make([]int8, tileRows*columns), make([]byte, panelRows*columns)
	x, y := make([]float32, columns), make([]float32, columns)
	gain, shift := make([]float32, columns), make([]float32, columns)
	for range 4 {
		var sums [tileRows]int32
		for i := range rows {
			rows[i] = int8(random.next()%255) - 127
			sums[i/columns] += int32(rows[i])
		}
		for i := range panel {
			panel[i] = byte(int8(random.next()%255) - 127)
		}
		var want, got tile
		portable.multiply(&want, rows, columns, &sums, panel)
		k.multiply(&got, rows, columns, &sums, panel)
		if want != got {
			return false
		}
		for _, numbers := range [][]float32{x, y, gain, shift} {
			for i := range numbers {
				numbers[i] = float32(int32(random.next()))/(1<<31)*8 + 0.001
			}
		}
		if !sameFloats(k, x, y, gain, shift, &want) {
			return false
		}
	}
	return true
}

// sameFloats compares what two kernels compute in floating point.
func sameFloats(k kernel, x, y, gain, shift []float32, sums *tile) bool {
	results := func(k kernel) (floats []float32, ints []int8, scale float32, sum [3]int32) {
		floats = make([]float32, tileRows*panelRows+2*len(x))
		tileOut, normOut, geluOut := floats[:tileRows*panelRows], floats[tileRows*panelRows:], floats[tileRows*panelRows+len(x):]
		k.rescale(tileOut, panelRows, sums, (*[tileRows]float32)(x), (*[panelRows]float32)(gain), (*[panelRows]float32)(shift))
		normOut = normOut[:copy(normOut[:len(x)], x)]
		k.normalise(normOut, y, gain, shift)
		copy(geluOut, x)
		k.gelu(geluOut)
		ints = make([]int8, 3*len(x))
		scale, sum[0] = k.quantise(ints[:len(x)], x)
		sum[1], sum[2] = k.softmax(ints[len(x):2*len(x)], ints[2*len(x):], y)
		return floats, ints, scale, sum
	}
	floats, ints, scale, sum := results(portable)
	floats2, ints2, scale2, sum2 := results(k)
	same := scale == scale2 && sum == sum2
	for i := range floats {
		same = same && floats[i] == floats2[i]
	}
	for i := range ints {
		same = same && ints[i] == ints2[i]
	}
	return same
}

// generator is a fixed sequence of numbers that look random (SplitMix64).
type generator uint64

func (g *generator) next() uint32 {
	*g += 0x9E3779B97F4A7C15
	z := uint64(*g)
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return uint32(z >> 32)
}
