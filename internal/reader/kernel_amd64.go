package reader

import "golang.org/x/sys/cpu"

//go:generate go run -C asm . -out ../kernel_amd64.s -stubs ../stubs_amd64.go -pkg reader

// The functions in assembly take what they read and write as pointers, and lengths that are multiples of eight. Nothing
// checks bounds there: the methods here do.

var avx2 = kernel{
	name: "avx2",
	multiply: func(out *tile, rows []int8, stride int, sums *[tileRows]int32, panel []byte) {
		quads := len(panel) / (panelRows * quad)
		_ = rows[(tileRows-1)*stride+quads*quad-1]
		multiplyAVX2(&out[0], &rows[0], stride, &sums[0], &panel[0], quads)
	},
	quantise: func(q []int8, x []float32) (scale float32, sum int32) {
		_ = q[len(x)-1]
		scale, inverse := scales(largestAVX2(&x[0], len(x)))
		return scale, roundAVX2(&q[0], &x[0], len(x), inverse)
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
	softmax: func(high, low []int8, x []float32) (sumHigh, sumLow int32) {
		_, _ = high[len(x)-1], low[len(x)-1]
		return softmaxAVX2(&high[0], &low[0], &x[0], len(x))
	},
}

// vnni is avx2 with another product.
var vnni = func() kernel {
	k := avx2
	k.name = "avx512-vnni"
	k.multiply = func(out *tile, rows []int8, stride int, sums *[tileRows]int32, panel []byte) {
		quads := len(panel) / (panelRows * quad)
		_ = rows[(tileRows-1)*stride+quads*quad-1]
		multiplyVNNI(&out[0], &rows[0], stride, &sums[0], &panel[0], quads)
	}
	return k
}()

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
