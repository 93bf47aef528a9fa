package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const (
	tileRows   = 8
	panelRows  = 32
	quadsBytes = 4 * panelRows // of a panel: four columns
	tileLine   = 4 * panelRows // bytes of a row of a tile
	lineGroups = 4             // of a tile's columns, that AVX2 computes one after the other
	turn       = 2             // quads in one turn of the loop
)

// widen writes a panel's weights as numbers of 16 bits, eight columns of the tile after the other, so that what is read
// together stands together.
func widen() {
	function("widenAVX2", "func(wide *int16, panel *byte, quads int)",
		"writes the weights of a panel as multiplyAVX2 reads them.")
	wide, panel, quads := pointer("wide"), pointer("panel"), pointer("quads")
	group, triple := GP64(), GP64()
	MOVQ(quads, group)
	SHLQ(Imm(6), group) // bytes that eight columns have
	LEAQ(Mem{Base: group, Index: group, Scale: 2}, triple)
	Label("quad")
	PREFETCHT0(at(panel, 2048))
	PREFETCHT0(at(panel, 2048+64))
	for g := range lineGroups {
		to := Mem{Base: wide}
		switch g {
		case 1:
			to.Index, to.Scale = group, 1
		case 2:
			to.Index, to.Scale = group, 2
		case 3:
			to.Index, to.Scale = triple, 1
		}
		for c := range 2 {
			v := YMM()
			VPMOVSXBW(at(panel, 32*g+16*c), v)
			to.Disp = 32 * c
			VMOVDQU(v, to)
		}
	}
	ADDQ(Imm(64), wide)
	ADDQ(U32(quadsBytes), panel)
	DECQ(quads)
	JNZ(LabelRef("quad"))
	VZEROUPPER()
	RET()
}

// multiplyAVX2 multiplies numbers of 16 bits and adds pairs to 32 bits. A register of sums has four columns twice: of
// the first and of the last two numbers of each quad. Four rows and eight columns are computed at a time, and two quads
// in one turn.
func multiplyAVX2() {
	function("multiplyAVX2", "func(out *int32, rows *int16, stride int, panel *int16, quads, fours int)",
		"computes four rows of tiles at a time, from widened numbers: see multiply. The stride is in bytes.")
	rows, stride, panel := pointer("rows"), pointer("stride"), pointer("panel")
	out := pointer("out")
	triple := GP64()
	LEAQ(Mem{Base: stride, Index: stride, Scale: 2}, triple)
	for group := range lineGroups {
		four, quad := fmt.Sprint("four", group), fmt.Sprint("quad", group)
		fours, first, to := pointer("fours"), GP64(), GP64()
		MOVQ(rows, first)
		LEAQ(at(out, 32*group), to)
		weights := GP64()
		Label(four)
		quads, left := pointer("quads"), GP64()
		MOVQ(first, left)
		MOVQ(panel, weights)
		var sums [4][2]VecVirtual
		for r := range sums {
			for c := range sums[r] {
				sums[r][c] = YMM()
				VPXOR(sums[r][c], sums[r][c], sums[r][c])
			}
		}
		Label(quad)
		for q := range turn {
			right := [2]VecVirtual{YMM(), YMM()}
			for c := range right {
				VMOVDQU(at(weights, 64*q+32*c), right[c])
			}
			for r := range sums {
				source := Mem{Base: left, Disp: 8 * q}
				switch r {
				case 1:
					source.Index, source.Scale = stride, 1
				case 2:
					source.Index, source.Scale = stride, 2
				case 3:
					source.Index, source.Scale = triple, 1
				}
				row := YMM()
				VPBROADCASTQ(source, row)
				for c := range right {
					product := YMM()
					VPMADDWD(right[c], row, product)
					VPADDD(product, sums[r][c], sums[r][c])
				}
			}
		}
		ADDQ(Imm(8*turn), left)
		ADDQ(U32(64*turn), weights)
		SUBQ(Imm(turn), quads)
		JNZ(LabelRef(quad))
		for r := range sums {
			VPHADDD(sums[r][1], sums[r][0], sums[r][0])
			VPERMQ(Imm(0xD8), sums[r][0], sums[r][0])
			VMOVDQU(sums[r][0], at(to, r*tileLine))
		}
		LEAQ(Mem{Base: first, Index: stride, Scale: 4}, first)
		ADDQ(U32(4*tileLine), to)
		DECQ(fours)
		JNZ(LabelRef(four))
		MOVQ(weights, panel)
	}
	VZEROUPPER()
	RET()
}

// multiplyVNNI uses the instruction that multiplies unsigned by signed numbers. Weights become unsigned by an offset of
// 128; the sums begin with what the offset adds, subtracted.
func multiplyVNNI() {
	function("multiplyVNNI", "func(out *int32, rows *int8, stride int, sums *int32, panel *byte, quads, more int)",
		"computes a tile with AVX-512 VNNI: see multiply. If more is 1, it adds to 128 times what is there.")
	out, rows, stride := pointer("out"), pointer("rows"), pointer("stride")
	panel, quads, rowSums, more := pointer("panel"), pointer("quads"), pointer("sums"), pointer("more")
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
	TESTQ(more, more)
	JZ(LabelRef("begin"))
	for r := range sums {
		for c := range sums[r] {
			before := ZMM()
			VPSLLD(Imm(lowBits), at(out, r*tileLine+64*c), before)
			VPADDD(before, sums[r][c], sums[r][c])
		}
	}
	Label("begin")
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
	ADDQ(U32(quadsBytes), panel)
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
