package reader

import "golang.org/x/sys/cpu"

//go:generate go run -C asm . -out ../kernel_amd64.s -stubs ../stubs_amd64.go -pkg reader

// The functions in assembly take what they read and write as pointers. Nothing checks bounds there: the methods here
// do. Lengths are multiples of 32.

// avx2 multiplies numbers of 16 bits; weights are widened, a panel at a time.
var avx2 = kernel{
	name: "avx2",
	wide: true,
	multiply: func(out []tile, left *quantised, row int, panel []byte, s *spare) {
		grow(&s.wide, len(panel))
		quads := len(panel) / (panelRows * quad)
		widenAVX2(&s.wide[0], &panel[0], quads)
		rows := left.wide[row*left.width:]
		_ = rows[(len(out)*tileRows-1)*left.width+quads*quad-1]
		multiplyAVX2(&out[0][0], &rows[0], 2*left.width, &s.wide[0], quads, len(out)*tileRows/4)
	},
	quantise: func(q *quantised, row int, x []float32) {
		wide := q.wideRow(row)
		_ = wide[len(x)-1]
		scale, inverse := scales(largestAVX2(&x[0], len(x)), q.most())
		roundAVX2(&wide[0], &x[0], len(x), inverse)
		q.scales[row] = scale
	},
	softmax: func(q *quantised, row int, x []float32) {
		wide := q.wideRow(row)
		_ = wide[len(x)-1]
		q.scales[row] = 1 / float32(softmaxAVX2(&wide[0], &x[0], len(x)))
	},
	key: func(panel []byte, x []float32) float32 {
		_ = panel[(len(x)/quad-1)*panelRows*quad+quad-1]
		scale, inverse := scales(largestAVX2(&x[0], len(x)), mostQuantised)
		keyAVX2(&panel[0], &x[0], len(x), inverse)
		return scale
	},
	columns: func(panel []byte, x []float32, stride, rows int, scale, inverse *[panelRows]float32) {
		_, _ = panel[(rows+quad-1)/quad*quad*panelRows-1], x[((rows+quad-1)/quad*quad-1)*stride+panelRows-1]
		mostAVX2(&scale[0], &x[0], 4*stride, rows)
		for i, most := range scale {
			scale[i], inverse[i] = scales(most, mostQuantised)
		}
		columnsAVX2(&panel[0], &x[0], 4*stride, (rows+quad-1)/quad, &inverse[0])
	},
	rescale: func(out []float32, stride int, sums *tile, rows *[tileRows]float32, columns, bias *[panelRows]float32) {
		_ = out[(tileRows-1)*stride+panelRows-1]
		rescaleAVX2(&out[0], 4*stride, &sums[0], &rows[0], &columns[0], &bias[0])
	},
	gelu: func(x []float32) { geluAVX2(&x[0], len(x)) },
	normalise: func(x, residual, gain, shift []float32) {
		last := len(x) - 1
		_, _, _ = residual[last], gain[last], shift[last]
		normaliseAVX2(&x[0], &residual[0], &gain[0], &shift[0], len(x), float32(len(x)))
	},
}

// vnni multiplies numbers of 8 bits.
var vnni = kernel{
	name: "avx512-vnni",
	multiply: func(out []tile, left *quantised, row int, panel []byte, _ *spare) {
		quads := len(panel) / (panelRows * quad)
		for i := range out {
			first := row + i*tileRows
			rows, sums := left.rows[first*left.width:], left.sums[first:first+tileRows]
			_ = rows[(tileRows-1)*left.width+quads*quad-1]
			multiplyVNNI(&out[i][0], &rows[0], left.width, &sums[0], &panel[0], quads, 0)
			if left.twoPlanes {
				rows, sums = left.low[first*left.width:], left.lowSums[first:first+tileRows]
				_ = rows[(tileRows-1)*left.width+quads*quad-1]
				multiplyVNNI(&out[i][0], &rows[0], left.width, &sums[0], &panel[0], quads, 1)
			}
		}
	},
	quantise: func(q *quantised, row int, x []float32) {
		numbers, low := q.row(row)
		_ = numbers[len(x)-1]
		scale, inverse := scales(largestAVX512(&x[0], len(x)), q.most())
		if q.twoPlanes {
			_ = low[len(x)-1]
			q.scales[row] = scale
			q.sums[row], q.lowSums[row] = roundPlanesAVX512(&numbers[0], &low[0], &x[0], len(x), inverse)
			return
		}
		q.scales[row], q.sums[row] = scale, roundAVX512(&numbers[0], &x[0], len(x), inverse)
	},
	softmax: func(q *quantised, row int, x []float32) {
		high, low := q.row(row)
		_, _ = high[len(x)-1], low[len(x)-1]
		sumHigh, sumLow := softmaxAVX512(&high[0], &low[0], &x[0], len(x))
		q.sums[row], q.lowSums[row] = sumHigh, sumLow
		q.scales[row] = 1 / float32(sumHigh<<lowBits+sumLow)
	},
	key:     avx2.key,
	columns: avx2.columns,
	rescale: func(out []float32, stride int, sums *tile, rows *[tileRows]float32, columns, bias *[panelRows]float32) {
		_ = out[(tileRows-1)*stride+panelRows-1]
		rescaleAVX512(&out[0], 4*stride, &sums[0], &rows[0], &columns[0], &bias[0])
	},
	gelu:      func(x []float32) { geluAVX512(&x[0], len(x)) },
	normalise: avx2.normalise,
}

// kernels returns what the machine can run, the fastest first.
func kernels() []kernel {
	var found []kernel
	if hasVNNI() {
		found = append(found, vnni)
	}
	if cpu.X86.HasAVX2 {
		found = append(found, avx2)
	}
	return append(found, portable)
}

// lacking returns the names of kernels of this architecture that the machine cannot run.
func lacking() []string {
	var names []string
	if !hasVNNI() {
		names = append(names, vnni.name)
	}
	if !cpu.X86.HasAVX2 {
		names = append(names, avx2.name)
	}
	return names
}

func hasVNNI() bool {
	return cpu.X86.HasAVX2 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512VNNI
}
