package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The constants of float.go in internal/reader.
const (
	roundBias  = 3 << 22
	lowBits    = 7
	mostWeight = 127 << lowBits
	log2E      = 1.44269504
	ln2High    = 0.693359375
	ln2Low     = -2.12194440e-4
	leastExp   = -87
	mostErf    = 5.5
	lanes      = 8 // of a sum in floating point
)

var (
	expP = []float32{0.001395084778778255, 0.00836909655481577, 0.04166620224714279, 0.16666516661643982, 0.5}
	erfP = []float32{-3.37016707874227e-08, 1.1845904737128876e-05, 0.0009387595928274095, 0.013032438233494759,
		0.13199855387210846, 0.7978859543800354}
	erfQ = []float32{0.00015605540829710662, 0.003622679738327861, 0.04668986424803734, 0.3321044147014618, 1}
)

// polynomial leaves the polynomial of x in y, whose highest coefficient comes first. Each product is rounded.
func polynomial(coefficients []float32, x, y VecVirtual) {
	VMULPS(floats(coefficients[0]), x, y)
	VADDPS(floats(coefficients[1]), y, y)
	for _, c := range coefficients[2:] {
		VMULPS(x, y, y)
		VADDPS(floats(c), y, y)
	}
}

// halves joins eight lanes to one, the first of the result: the upper half with the lower, again and again.
func halves(join func(m, x, y Op), y VecVirtual) {
	other := XMM()
	VEXTRACTF128(Imm(1), y.AsY(), other)
	join(other, y.AsX(), y.AsX())
	VPERMILPS(Imm(0x4E), y.AsX(), other)
	join(other, y.AsX(), y.AsX())
	VPERMILPS(Imm(0xB1), y.AsX(), other)
	join(other, y.AsX(), y.AsX())
}

func join(instruction func(ops ...Op)) func(m, x, y Op) {
	return func(m, x, y Op) { instruction(m, x, y) }
}

// ReturnTo returns where a result of four bytes is stored.
func ReturnTo(name string) Mem {
	component, err := Return(name).Resolve()
	if err != nil {
		panic(err)
	}
	return component.Addr
}

// vectors are registers of eight or of sixteen numbers of 32 bits. What is written with them gives the same for each
// number; only sums of integers and the largest number are joined, whose order does not matter.
type vectors struct {
	name  string // what names of functions end with
	lanes int
}

func (w vectors) wide() bool { return w.lanes == 16 }

func (w vectors) register() VecVirtual {
	if w.wide() {
		return ZMM()
	}
	return YMM()
}

func (w vectors) bytes() int { return 4 * w.lanes }

func (w vectors) zero(y VecVirtual) {
	if w.wide() {
		VPXORD(y, y, y)
	} else {
		VPXOR(y, y, y)
	}
}

func (w vectors) and(m, x, y Op) {
	if w.wide() {
		VPANDD(m, x, y)
	} else {
		VPAND(m, x, y)
	}
}

// join joins all lanes to the first.
func (w vectors) join(join func(m, x, y Op), y VecVirtual) {
	if w.wide() {
		upper := YMM()
		VEXTRACTI64X4(Imm(1), y, upper)
		join(upper, y.AsY(), y.AsY())
	}
	halves(join, y)
}

// sum returns the sum of all lanes, integers, under a name.
func (w vectors) sum(y VecVirtual, name string) {
	w.join(join(VPADDD), y)
	result := GP32()
	VMOVD(y.AsX(), result)
	MOVL(result, ReturnTo(name))
}

// storeWide writes sixteen numbers as 16 bits. They have no more, so that nothing is saturated.
func storeWide(first, second VecVirtual, to Mem) {
	VPACKSSDW(second, first, first)
	VPERMQ(Imm(0xD8), first, first)
	VMOVDQU(first, to)
}

func (w vectors) largest() {
	function("largest"+w.name, "func(x *float32, n int) (most float32)", "returns the largest absolute value of n numbers.")
	x, n := pointer("x"), pointer("n")
	most, second, mask := w.register(), w.register(), w.register()
	w.zero(most)
	w.zero(second)
	if w.wide() {
		VMOVDQU32(words(0x7FFFFFFF), mask)
	} else {
		VMOVDQU(words(0x7FFFFFFF), mask)
	}
	loop("next", n, 2*w.lanes, func() {
		for i, m := range []VecVirtual{most, second} {
			v := w.register()
			w.and(at(x, i*w.bytes()), mask, v)
			VMAXPS(v, m, m)
		}
		ADDQ(U32(2*w.bytes()), x)
	})
	VMAXPS(second, most, most)
	w.join(join(VMAXPS), most)
	VMOVSS(most.AsX(), ReturnTo("most"))
	VZEROUPPER()
	RET()
}

// round writes numbers of 16 bits with AVX2, and of 8 bits, whose sum it returns, with AVX-512.
func (w vectors) round() {
	name, doc := "round"+w.name, "writes n numbers times inverse, rounded half to even"
	if w.wide() {
		function(name, "func(q *int8, x *float32, n int, inverse float32) (sum int32)", doc+", and returns their sum.")
	} else {
		function(name, "func(q *int16, x *float32, n int, inverse float32)", doc+".")
	}
	q, x, n := pointer("q"), pointer("x"), pointer("n")
	inverse, total := w.register(), w.register()
	VBROADCASTSS(NewParamAddr("inverse", 24), inverse)
	w.zero(total)
	loop("next", n, 2*w.lanes, func() {
		v := [2]VecVirtual{w.register(), w.register()}
		for i := range v {
			VMULPS(at(x, i*w.bytes()), inverse, v[i])
			VCVTPS2DQ(v[i], v[i])
			if w.wide() {
				VPADDD(v[i], total, total)
				VPMOVDB(v[i], at(q, i*w.lanes))
			}
		}
		if !w.wide() {
			storeWide(v[0], v[1], at(q, 0))
		}
		ADDQ(U32(2*w.bytes()), x)
		ADDQ(Imm(32), q)
	})
	if w.wide() {
		w.sum(total, "sum")
	}
	VZEROUPPER()
	RET()
}

// roundPlanes writes numbers of 13 bits as a high plane with the sign, and a low one of 7 bits.
func roundPlanes() {
	w := vectors{"AVX512", 16}
	function("roundPlanesAVX512", "func(high, low *int8, x *float32, n int, inverse float32) (sumHigh, sumLow int32)",
		"writes n numbers times inverse, rounded half to even, in two planes, and returns the sums of these.")
	high, low, x, n := pointer("high"), pointer("low"), pointer("x"), pointer("n")
	inverse, mask, total, totalLow := w.register(), w.register(), w.register(), w.register()
	VBROADCASTSS(NewParamAddr("inverse", 32), inverse)
	VMOVDQU32(words(1<<lowBits-1), mask)
	w.zero(total)
	w.zero(totalLow)
	loop("next", n, w.lanes, func() {
		v, lower := w.register(), w.register()
		VMULPS(at(x, 0), inverse, v)
		VCVTPS2DQ(v, v)
		w.and(mask, v, lower)
		VPSRAD(Imm(lowBits), v, v)
		VPADDD(v, total, total)
		VPADDD(lower, totalLow, totalLow)
		VPMOVDB(v, at(high, 0))
		VPMOVDB(lower, at(low, 0))
		ADDQ(U32(w.bytes()), x)
		ADDQ(Imm(uint64(w.lanes)), high)
		ADDQ(Imm(uint64(w.lanes)), low)
	})
	w.sum(total, "sumHigh")
	w.sum(totalLow, "sumLow")
	VZEROUPPER()
	RET()
}

func (w vectors) rescale() {
	function("rescale"+w.name, "func(out *float32, stride int, sums *int32, rows, columns, bias *float32)",
		"writes the numbers of a tile. The stride is in bytes.")
	out, stride, sums := pointer("out"), pointer("stride"), pointer("sums")
	rows, columns, bias := pointer("rows"), pointer("columns"), pointer("bias")
	scale, shift := make([]VecVirtual, panelRows/w.lanes), make([]VecVirtual, panelRows/w.lanes)
	for c := range scale {
		scale[c], shift[c] = w.register(), w.register()
		VMOVUPS(at(columns, w.bytes()*c), scale[c])
		VMOVUPS(at(bias, w.bytes()*c), shift[c])
	}
	for r := range tileRows {
		row := w.register()
		VBROADCASTSS(at(rows, 4*r), row)
		for c := range scale {
			v := w.register()
			VCVTDQ2PS(at(sums, r*tileLine+w.bytes()*c), v)
			VMULPS(row, v, v)
			VMULPS(scale[c], v, v)
			VADDPS(shift[c], v, v)
			VMOVUPS(v, at(out, w.bytes()*c))
		}
		ADDQ(stride, out)
	}
	VZEROUPPER()
	RET()
}

func (w vectors) gelu() {
	function("gelu"+w.name, "func(x *float32, n int)", "replaces n numbers x by x·Φ(x).")
	x, n := pointer("x"), pointer("n")
	loop("next", n, w.lanes, func() {
		v, half, u, p, q := w.register(), w.register(), w.register(), w.register(), w.register()
		VMOVUPS(at(x, 0), v)
		VMULPS(floats(0.5), v, half)
		VMAXPS(floats(-mostErf), v, v)
		VMINPS(floats(mostErf), v, v)
		VMULPS(v, v, u)
		polynomial(erfP, u, p)
		polynomial(erfQ, u, q)
		VMULPS(v, p, p)
		VDIVPS(q, p, p)
		VMULPS(half, p, p)
		VADDPS(half, p, p)
		VMOVUPS(p, at(x, 0))
		ADDQ(Imm(uint64(w.bytes())), x)
	})
	VZEROUPPER()
	RET()
}

func normalise() {
	function("normaliseAVX2", "func(x, residual, gain, shift *float32, n int, width float32)",
		"adds residual to n numbers x, and normalises them. width is n.")
	x, residual, gain, shift := pointer("x"), pointer("residual"), pointer("gain"), pointer("shift")
	total, squares, width := YMM(), YMM(), XMM()
	VMOVSS(NewParamAddr("width", 40), width)
	VXORPS(total, total, total)
	VXORPS(squares, squares, squares)
	number, begin := pointer("n"), GP64()
	MOVQ(x, begin)
	loop("add", number, lanes, func() {
		v := YMM()
		VMOVUPS(at(x, 0), v)
		VADDPS(at(residual, 0), v, v)
		VADDPS(v, total, total)
		VMOVUPS(v, at(x, 0))
		ADDQ(Imm(32), x)
		ADDQ(Imm(32), residual)
	})
	halves(join(VADDPS), total)
	VDIVSS(width, total.AsX(), total.AsX())
	VBROADCASTSS(total.AsX(), total)
	number = pointer("n")
	MOVQ(begin, x)
	loop("centre", number, lanes, func() {
		v, square := YMM(), YMM()
		VMOVUPS(at(x, 0), v)
		VSUBPS(total, v, v)
		VMOVUPS(v, at(x, 0))
		VMULPS(v, v, square)
		VADDPS(square, squares, squares)
		ADDQ(Imm(32), x)
	})
	halves(join(VADDPS), squares)
	VDIVSS(width, squares.AsX(), squares.AsX())
	VADDSS(floats(1e-12), squares.AsX(), squares.AsX())
	VSQRTSS(squares.AsX(), squares.AsX(), squares.AsX())
	one := XMM()
	VMOVSS(floats(1), one)
	VDIVSS(squares.AsX(), one, squares.AsX())
	VBROADCASTSS(squares.AsX(), squares)
	number = pointer("n")
	MOVQ(begin, x)
	loop("scale", number, lanes, func() {
		v := YMM()
		VMULPS(at(x, 0), squares, v)
		VMULPS(at(gain, 0), v, v)
		VADDPS(at(shift, 0), v, v)
		VMOVUPS(v, at(x, 0))
		for _, p := range []Register{x, gain, shift} {
			ADDQ(Imm(32), p)
		}
	})
	VZEROUPPER()
	RET()
}

// exp leaves in p e^v for v of at most 0, times mostWeight, rounded to an integer.
func (w vectors) exp(v, p VecVirtual) {
	power, r, whole, product := w.register(), w.register(), w.register(), w.register()
	VMAXPS(floats(leastExp), v, v)
	VMULPS(floats(log2E), v, power)
	VADDPS(floats(roundBias), power, power)
	VSUBPS(floats(roundBias), power, whole)
	VMULPS(floats(ln2High), whole, product)
	VSUBPS(product, v, r)
	VMULPS(floats(ln2Low), whole, product)
	VSUBPS(product, r, r)
	polynomial(expP, r, p)
	VMULPS(r, r, product)
	VMULPS(product, p, p)
	VADDPS(r, p, p)
	VADDPS(floats(1), p, p)
	VPADDD(words(127), power, power)
	VPSLLD(Imm(23), power, power)
	VMULPS(power, p, p)
	VMULPS(floats(mostWeight), p, p)
	VCVTPS2DQ(p, p)
}

// softmax writes weights as numbers of 16 bits with AVX2, and in two planes of 7 bits with AVX-512.
func (w vectors) softmax() {
	name, doc := "softmax"+w.name, "writes n numbers e^x as weights"
	if w.wide() {
		function(name, "func(high, low *int8, x *float32, n int) (sumHigh, sumLow int32)",
			doc+" in two planes, and returns the sums of these.")
	} else {
		function(name, "func(q *int16, x *float32, n int) (sum int32)", doc+", and returns their sum.")
	}
	var q, low Register
	if w.wide() {
		q, low = pointer("high"), pointer("low")
	} else {
		q = pointer("q")
	}
	x, n, begin := pointer("x"), pointer("n"), GP64()
	MOVQ(x, begin)
	most, total, totalLow := w.register(), w.register(), w.register()
	VMOVUPS(at(x, 0), most)
	loop("most", n, w.lanes, func() {
		VMAXPS(at(x, 0), most, most)
		ADDQ(Imm(uint64(w.bytes())), x)
	})
	w.join(join(VMAXPS), most)
	VBROADCASTSS(most.AsX(), most)
	w.zero(total)
	w.zero(totalLow)
	MOVQ(begin, x)
	n = pointer("n")
	if w.wide() {
		loop("next", n, w.lanes, func() {
			v, p, lower := w.register(), w.register(), w.register()
			VMOVUPS(at(x, 0), v)
			VSUBPS(most, v, v)
			w.exp(v, p)
			w.and(words(1<<lowBits-1), p, lower)
			VPSRLD(Imm(lowBits), p, p)
			VPADDD(p, total, total)
			VPADDD(lower, totalLow, totalLow)
			VPMOVDB(p, at(q, 0))
			VPMOVDB(lower, at(low, 0))
			ADDQ(Imm(uint64(w.bytes())), x)
			ADDQ(Imm(uint64(w.lanes)), q)
			ADDQ(Imm(uint64(w.lanes)), low)
		})
		w.sum(total, "sumHigh")
		w.sum(totalLow, "sumLow")
	} else {
		loop("next", n, 2*w.lanes, func() {
			var p [2]VecVirtual
			for i := range p {
				v := w.register()
				p[i] = w.register()
				VMOVUPS(at(x, i*w.bytes()), v)
				VSUBPS(most, v, v)
				w.exp(v, p[i])
				VPADDD(p[i], total, total)
			}
			storeWide(p[0], p[1], at(q, 0))
			ADDQ(U32(2*w.bytes()), x)
			ADDQ(Imm(32), q)
		})
		w.sum(total, "sum")
	}
	VZEROUPPER()
	RET()
}

// mostOfColumns goes through rows with 32 columns in four registers.
func mostOfColumns() {
	function("mostAVX2", "func(most, x *float32, stride, rows int)",
		"writes the largest absolute value of each of 32 columns. The stride is in bytes.")
	to, x, stride, rows := pointer("most"), pointer("x"), pointer("stride"), pointer("rows")
	var most [4]VecVirtual
	mask := YMM()
	VMOVDQU(words(0x7FFFFFFF), mask)
	for c := range most {
		most[c] = YMM()
		VPXOR(most[c], most[c], most[c])
	}
	loop("row", rows, 1, func() {
		for c := range most {
			v := YMM()
			VPAND(at(x, 32*c), mask, v)
			VMAXPS(v, most[c], most[c])
		}
		ADDQ(stride, x)
	})
	for c := range most {
		VMOVUPS(most[c], at(to, 32*c))
	}
	VZEROUPPER()
	RET()
}

// columns joins the lowest bytes of four rows to one number of 32 bits for each column.
func columns() {
	function("columnsAVX2", "func(panel *byte, x *float32, stride, quads int, inverses *float32)",
		"writes a panel of the numbers of 32 columns times their inverses, rounded half to even. The stride is in bytes.")
	panel, x, stride, quads := pointer("panel"), pointer("x"), pointer("stride"), pointer("quads")
	inverses, triple := pointer("inverses"), GP64()
	LEAQ(Mem{Base: stride, Index: stride, Scale: 2}, triple)
	var inverse [4]VecVirtual
	for c := range inverse {
		inverse[c] = YMM()
		VMOVUPS(at(inverses, 32*c), inverse[c])
	}
	mask := YMM()
	VMOVDQU(words(0xFF), mask)
	loop("quad", quads, 1, func() {
		for c := range inverse {
			joined := YMM()
			for r := range 4 {
				source := Mem{Base: x, Disp: 32 * c}
				switch r {
				case 1:
					source.Index, source.Scale = stride, 1
				case 2:
					source.Index, source.Scale = stride, 2
				case 3:
					source.Index, source.Scale = triple, 1
				}
				v := YMM()
				VMULPS(source, inverse[c], v)
				VCVTPS2DQ(v, v)
				switch r {
				case 0:
					VPAND(mask, v, joined)
					continue
				case 1, 2:
					VPAND(mask, v, v)
				}
				VPSLLD(Imm(uint64(8*r)), v, v)
				VPOR(v, joined, joined)
			}
			VMOVDQU(joined, at(panel, 32*c))
		}
		LEAQ(Mem{Base: x, Index: stride, Scale: 4}, x)
		ADDQ(U32(quadsBytes), panel)
	})
	VZEROUPPER()
	RET()
}

// key writes the eight quads of 32 numbers, which stand one line of the panel apart.
func key() {
	function("keyAVX2", "func(panel *byte, x *float32, n int, inverse float32)",
		"writes n numbers times inverse, rounded half to even, into a panel, as one of its rows.")
	panel, x, n := pointer("panel"), pointer("x"), pointer("n")
	inverse, order := YMM(), YMM()
	VBROADCASTSS(NewParamAddr("inverse", 24), inverse)
	places := GLOBL("quadsInOrder", RODATA|NOPTR)
	for i, place := range []int{0, 4, 1, 5, 2, 6, 3, 7} {
		DATA(4*i, U32(place))
	}
	VMOVDQU(places, order)
	loop("next", n, panelRows, func() {
		var v [4]VecVirtual
		for i := range v {
			v[i] = YMM()
			VMULPS(at(x, 32*i), inverse, v[i])
			VCVTPS2DQ(v[i], v[i])
		}
		VPACKSSDW(v[1], v[0], v[0])
		VPACKSSDW(v[3], v[2], v[2])
		VPACKSSWB(v[2], v[0], v[0])
		VPERMD(v[0], order, v[0])
		upper := XMM()
		VEXTRACTI128(Imm(1), v[0], upper)
		for half, register := range []Register{v[0].AsX(), upper} {
			for i := range 4 {
				VPEXTRD(Imm(uint64(i)), register, at(panel, (4*half+i)*quadsBytes))
			}
		}
		ADDQ(U32(8*quadsBytes), panel)
		ADDQ(U32(4*panelRows), x)
	})
	VZEROUPPER()
	RET()
}
