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
	VEXTRACTF128(Imm(1), y, other)
	join(other, y.AsX(), y.AsX())
	VPERMILPS(Imm(0x4E), y.AsX(), other)
	join(other, y.AsX(), y.AsX())
	VPERMILPS(Imm(0xB1), y.AsX(), other)
	join(other, y.AsX(), y.AsX())
}

func join(instruction func(ops ...Op)) func(m, x, y Op) {
	return func(m, x, y Op) { instruction(m, x, y) }
}

// gather has the places of the lowest bytes of four numbers.
var gather Mem

// storeBytes writes the lowest bytes of eight numbers of 32 bits.
func storeBytes(y VecVirtual, to Mem) {
	if gather.Symbol.Name == "" {
		gather = GLOBL("lowestBytes", RODATA|NOPTR)
		for half := range 2 {
			DATA(16*half, U64(0x808080800C080400))
			DATA(16*half+8, U64(0x8080808080808080))
		}
	}
	upper := XMM()
	VPSHUFB(gather, y, y)
	VEXTRACTI128(Imm(1), y, upper)
	VPUNPCKLDQ(upper, y.AsX(), y.AsX())
	VMOVQ(y.AsX(), to)
}

// sum returns the sum of eight numbers of 32 bits under a name.
func sum(y VecVirtual, name string) {
	halves(join(VPADDD), y)
	result := GP32()
	VMOVD(y.AsX(), result)
	MOVL(result, ReturnTo(name))
}

// ReturnTo returns where a result of four bytes is stored.
func ReturnTo(name string) Mem {
	component, err := Return(name).Resolve()
	if err != nil {
		panic(err)
	}
	return component.Addr
}

func largest() {
	function("largestAVX2", "func(x *float32, n int) (most float32)", "returns the largest absolute value of n numbers.")
	x, n := pointer("x"), pointer("n")
	most, mask := YMM(), YMM()
	VXORPS(most, most, most)
	VMOVUPS(words(0x7FFFFFFF), mask)
	loop("next", n, func() {
		v := YMM()
		VANDPS(at(x, 0), mask, v)
		VMAXPS(v, most, most)
		ADDQ(Imm(32), x)
	})
	halves(join(VMAXPS), most)
	VMOVSS(most.AsX(), ReturnTo("most"))
	VZEROUPPER()
	RET()
}

func round() {
	function("roundAVX2", "func(q *int8, x *float32, n int, inverse float32) (sum int32)",
		"writes n numbers times inverse, rounded half to even, and returns their sum.")
	q, x, n := pointer("q"), pointer("x"), pointer("n")
	inverse, total := YMM(), YMM()
	VBROADCASTSS(NewParamAddr("inverse", 24), inverse)
	VPXOR(total, total, total)
	loop("next", n, func() {
		v := YMM()
		VMULPS(at(x, 0), inverse, v)
		VCVTPS2DQ(v, v)
		VPADDD(v, total, total)
		storeBytes(v, at(q, 0))
		ADDQ(Imm(32), x)
		ADDQ(Imm(8), q)
	})
	sum(total, "sum")
	VZEROUPPER()
	RET()
}

func rescale() {
	function("rescaleAVX2", "func(out *float32, stride int, sums *int32, rows, columns, bias *float32)",
		"writes the numbers of a tile. The stride is in bytes.")
	out, stride, sums := pointer("out"), pointer("stride"), pointer("sums")
	rows, columns, bias := pointer("rows"), pointer("columns"), pointer("bias")
	var scale, shift [4]VecVirtual
	for c := range scale {
		scale[c], shift[c] = YMM(), YMM()
		VMOVUPS(at(columns, 32*c), scale[c])
		VMOVUPS(at(bias, 32*c), shift[c])
	}
	for r := range tileRows {
		row := YMM()
		VBROADCASTSS(at(rows, 4*r), row)
		for c := range scale {
			v := YMM()
			VCVTDQ2PS(at(sums, r*tileLine+32*c), v)
			VMULPS(row, v, v)
			VMULPS(scale[c], v, v)
			VADDPS(shift[c], v, v)
			VMOVUPS(v, at(out, 32*c))
		}
		ADDQ(stride, out)
	}
	VZEROUPPER()
	RET()
}

func gelu() {
	function("geluAVX2", "func(x *float32, n int)", "replaces n numbers x by x·Φ(x).")
	x, n := pointer("x"), pointer("n")
	loop("next", n, func() {
		v, half, u, p, q := YMM(), YMM(), YMM(), YMM(), YMM()
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
		ADDQ(Imm(32), x)
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
	loop("add", number, func() {
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
	loop("centre", number, func() {
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
	loop("scale", number, func() {
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

func softmax() {
	function("softmaxAVX2", "func(high, low *int8, x *float32, n int) (sumHigh, sumLow int32)",
		"writes n numbers e^x as weights in two planes, and returns the sums of these.")
	high, low, x, n := pointer("high"), pointer("low"), pointer("x"), pointer("n")
	begin := GP64()
	MOVQ(x, begin)
	most, total, totalLow := YMM(), YMM(), YMM()
	VMOVUPS(at(x, 0), most)
	loop("most", n, func() {
		VMAXPS(at(x, 0), most, most)
		ADDQ(Imm(32), x)
	})
	halves(join(VMAXPS), most)
	VBROADCASTSS(most.AsX(), most)
	VPXOR(total, total, total)
	VPXOR(totalLow, totalLow, totalLow)
	MOVQ(begin, x)
	n = pointer("n")
	loop("next", n, func() {
		v, power, r, p := YMM(), YMM(), YMM(), YMM()
		VMOVUPS(at(x, 0), v)
		VSUBPS(most, v, v)
		VMAXPS(floats(leastExp), v, v)
		VMULPS(floats(log2E), v, power)
		VADDPS(floats(roundBias), power, power)
		whole, product := YMM(), YMM()
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
		VPAND(words(1<<lowBits-1), p, product)
		VPSRLD(Imm(lowBits), p, p)
		VPADDD(p, total, total)
		VPADDD(product, totalLow, totalLow)
		storeBytes(p, at(high, 0))
		storeBytes(product, at(low, 0))
		ADDQ(Imm(32), x)
		ADDQ(Imm(8), high)
		ADDQ(Imm(8), low)
	})
	sum(total, "sumHigh")
	sum(totalLow, "sumLow")
	VZEROUPPER()
	RET()
}
