package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const (
	tileRows   = 8
	panelRows  = 32
	quadsBytes = 4 * panelRows // of a panel: four columns
	tileLine   = 4 * panelRows // bytes of a row of a tile
)

const multiplySignature = "func(out *int32, rows *int8, stride int, sums *int32, panel *byte, quads int)"

// multiplyAVX2 widens to 16 bits, multiplies and adds pairs to 32 bits. A register of sums has four columns twice: of the
// first and of the last two numbers of each quad. Two rows and 16 columns are computed at a time.
func multiplyAVX2() {
	function("multiplyAVX2", multiplySignature, "computes a tile with AVX2: see multiply.")
	out, rows, stride := pointer("out"), pointer("rows"), pointer("stride")
	for row := 0; row < tileRows; row += 2 {
		for half := range 2 {
			label := "pair" + string(rune('0'+row)) + "half" + string(rune('0'+half))
			panel, quads := pointer("panel"), pointer("quads")
			if half == 1 {
				ADDQ(Imm(quadsBytes/2), panel)
			}
			first := GP64()
			MOVQ(rows, first)
			var sums [2][4]VecVirtual
			for r := range sums {
				for c := range sums[r] {
					sums[r][c] = YMM()
					VPXOR(sums[r][c], sums[r][c], sums[r][c])
				}
			}
			Label(label)
			left := [2]VecVirtual{YMM(), YMM()}
			for r, source := range []Mem{{Base: first}, {Base: first, Index: stride, Scale: 1}} {
				VPBROADCASTD(source, left[r].AsX())
				VPMOVSXBW(left[r].AsX(), left[r])
			}
			for c := range 4 {
				right, product := YMM(), YMM()
				VPMOVSXBW(at(panel, 16*c), right)
				VPMADDWD(right, left[0], product)
				VPADDD(product, sums[0][c], sums[0][c])
				VPMADDWD(right, left[1], right)
				VPADDD(right, sums[1][c], sums[1][c])
			}
			ADDQ(Imm(4), first)
			ADDQ(Imm(quadsBytes), panel)
			DECQ(quads)
			JNZ(LabelRef(label))
			for r := range sums {
				for c := 0; c < 4; c += 2 {
					VPHADDD(sums[r][c+1], sums[r][c], sums[r][c])
					VPERMQ(Imm(0xD8), sums[r][c], sums[r][c])
					VMOVDQU(sums[r][c], at(out, (row+r)*tileLine+half*tileLine/2+16*c))
				}
			}
		}
		if row+2 < tileRows {
			LEAQ(Mem{Base: rows, Index: stride, Scale: 2}, rows)
		}
	}
	VZEROUPPER()
	RET()
}

// multiplyVNNI uses the instruction that multiplies unsigned by signed numbers. Weights become unsigned by an offset of 128;
// the sums begin with what the offset adds, subtracted.
func multiplyVNNI() {
	function("multiplyVNNI", multiplySignature, "computes a tile with AVX-512 VNNI: see multiply.")
	out, rows, stride := pointer("out"), pointer("rows"), pointer("stride")
	panel, quads, rowSums := pointer("panel"), pointer("quads"), pointer("sums")
	var sums [tileRows][2]VecVirtual
	for r := range sums {
		correction := GP32()
		MOVL(at(rowSums, 4*r), correction)
		SHLL(Imm(7), correction)
		NEGL(correction)
		for c := range sums[r] {
			sums[r][c] = ZMM()
			VPBROADCASTD(correction, sums[r][c])
		}
	}
	offset, bits := ZMM(), GP32()
	MOVL(U32(0x80808080), bits)
	VPBROADCASTD(bits, offset)
	triple, fifth := GP64(), GP64()
	LEAQ(Mem{Base: stride, Index: stride, Scale: 2}, triple)
	LEAQ(Mem{Base: rows, Index: stride, Scale: 4}, fifth)
	Label("quad")
	right := [2]VecVirtual{ZMM(), ZMM()}
	for c := range right {
		VPXORD(at(panel, 64*c), offset, right[c])
	}
	for r := range sums {
		source := Mem{Base: rows}
		if r >= 4 {
			source.Base = fifth
		}
		switch r % 4 {
		case 1:
			source.Index, source.Scale = stride, 1
		case 2:
			source.Index, source.Scale = stride, 2
		case 3:
			source.Index, source.Scale = triple, 1
		}
		left := ZMM()
		VPBROADCASTD(source, left)
		for c := range right {
			VPDPBUSD(left, right[c], sums[r][c])
		}
	}
	ADDQ(Imm(4), rows)
	ADDQ(Imm(4), fifth)
	ADDQ(Imm(quadsBytes), panel)
	DECQ(quads)
	JNZ(LabelRef("quad"))
	for r := range sums {
		for c := range sums[r] {
			VMOVDQU32(sums[r][c], at(out, r*tileLine+64*c))
		}
	}
	VZEROUPPER()
	RET()
}
