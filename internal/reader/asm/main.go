// Command asm writes the assembly of internal/reader: go generate ./internal/reader. It is a module of its own, so that
// the program does not depend on the generator's libraries.
package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64")
	widen()
	multiplyAVX2()
	multiplyVNNI()
	for _, w := range []vectors{{"AVX2", 8}, {"AVX512", 16}} {
		w.largest()
		w.round()
		w.rescale()
		w.gelu()
		w.softmax()
	}
	roundPlanes()
	normalise()
	mostOfColumns()
	columns()
	key()
	Generate()
	arm64("../kernel_arm64.s")
}

// function begins a function that keeps no pointer.
func function(name, signature, doc string) {
	TEXT(name, NOSPLIT, signature)
	Pragma("noescape")
	Doc(name + " " + doc)
}

func pointer(name string) Register { return Load(Param(name), GP64()) }

var constants = map[uint32]Mem{}

// words returns a constant of sixteen times the same 32 bits, in memory.
func words(bits uint32) Mem {
	if m, found := constants[bits]; found {
		return m
	}
	m := GLOBL(fmt.Sprintf("words%08x", bits), RODATA|NOPTR)
	for i := range 16 {
		DATA(4*i, U32(bits))
	}
	constants[bits] = m
	return m
}

// floats returns a constant of sixteen times the same number, in memory.
func floats(value float32) Mem { return words(math.Float32bits(value)) }

// at returns the memory a number of bytes after a pointer.
func at(base Register, bytes int) Mem { return Mem{Base: base, Disp: bytes} }

// loop repeats body, which consumes step numbers, until n numbers are done. n is a multiple of step, and not 0.
func loop(label string, n Register, step int, body func()) {
	Label(label)
	body()
	SUBQ(Imm(uint64(step)), n)
	JNZ(LabelRef(label))
}
