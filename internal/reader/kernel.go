package reader

import (
	"math"
	"slices"
)

// A kernel is a set of functions for one kind of processor. All kernels give the same bits.
type kernel struct {
	name      string
	wide      bool // rows have numbers of 16 bits
	multiply  multiply
	quantise  func(q *quantised, row int, x []float32)
	softmax   func(q *quantised, row int, x []float32)
	key       func(panel []byte, x []float32) (scale float32)
	columns   func(panel []byte, x []float32, stride, rows int, scale, inverse *[panelRows]float32)
	rescale   func(out []float32, stride int, sums *tile, rows *[tileRows]float32, columns, bias *[panelRows]float32)
	gelu      func(x []float32)
	normalise func(x, residual, gain, shift []float32)
}

// portable runs everywhere, and is the reference for all others.
var portable = kernel{
	name:      "portable",
	multiply:  multiplyPortable,
	quantise:  quantisePortable,
	softmax:   softmaxPortable,
	key:       keyPortable,
	columns:   columnsPortable,
	rescale:   rescalePortable,
	gelu:      geluPortable,
	normalise: normalisePortable,
}

// choose returns the first of the machine's kernels, the fastest. If it does not compute what the portable one does, it
// returns that one and the name of the one that failed.
func choose(kernels []kernel) (best kernel, failed string) {
	best = kernels[0]
	if !sameAsPortable(best) {
		return portable, best.name
	}
	return best, ""
}

// sameAsPortable compares a kernel with the portable one on fixed blocks of numbers, function by function.
func sameAsPortable(k kernel) bool {
	random := generator(34)
	for range 3 {
		b := block{rows: make([]float32, 2*tileRows*blockColumns), panel: make([]byte, panelRows*blockColumns)}
		for i := range b.rows {
			b.rows[i] = float32(int32(random.next()))/(1<<31)*8 + 0.001
		}
		for i := range b.panel {
			b.panel[i] = byte(int8(random.next()%255) - mostQuantised)
		}
		if !slices.Equal(b.results(&portable), b.results(&k)) {
			return false
		}
	}
	return true
}

// blockColumns is how many columns a block for comparing kernels has.
const blockColumns = 96

// block is what kernels are compared on: two tiles of rows.
type block struct {
	rows  []float32
	panel []byte
}

// results returns the bits of all that a kernel computes of a block.
func (b *block) results(k *kernel) (bits []uint32) {
	floats := func(x []float32) {
		for _, v := range x {
			bits = append(bits, math.Float32bits(v))
		}
	}
	row := func(index int) []float32 { return b.rows[index*blockColumns : (index+1)*blockColumns] }
	tileScales, gain := (*[tileRows]float32)(b.rows), (*[panelRows]float32)(row(1))
	out := make([]float32, tileRows*blockColumns)
	var q quantised
	var s spare
	var scale, inverse [panelRows]float32
	// in one plane, then in two; products end what quantise and softmax began
	for i, set := range []func(q *quantised, row int, x []float32){k.quantise, k.quantise, k.softmax} {
		q.resize(k, 2*tileRows, blockColumns, i > 0)
		for r := range 2 * tileRows {
			set(&q, r, row(r))
		}
		floats(q.scales)
		tiles := make([]tile, 2)
		k.multiply(tiles, &q, 0, b.panel, &s)
		for i := range tiles {
			k.rescale(out[panelRows:], blockColumns, &tiles[i], tileScales, gain, gain)
			floats(out)
			for _, sum := range tiles[i] {
				bits = append(bits, uint32(sum))
			}
		}
		// the numbers themselves: a panel that has 1 once in each column
		for from := 0; from < blockColumns; from += panelRows {
			unit := make([]byte, len(b.panel))
			for c := range panelRows {
				unit[(from+c)/quad*panelRows*quad+c*quad+(from+c)%quad] = 1
			}
			k.multiply(tiles[:1], &q, tileRows, unit, &s)
			for _, number := range tiles[0] {
				bits = append(bits, uint32(number))
			}
		}
	}
	panel := make([]byte, 2*tileRows*panelRows)
	k.columns(panel, b.rows[panelRows:], blockColumns, 2*tileRows-3, &scale, &inverse)
	floats(scale[:])
	for row := range 2*tileRows - 3 {
		for c := range panelRows {
			bits = append(bits, uint32(panel[row/quad*panelRows*quad+c*quad+row%quad]))
		}
	}
	panel = make([]byte, panelRows*panelRows)
	scale[0] = k.key(panel[(panelRows-1)*quad:], row(7)[:panelRows])
	floats(scale[:1])
	for _, number := range panel {
		bits = append(bits, uint32(number))
	}
	x := slices.Clone(row(2))
	k.gelu(x)
	floats(x)
	x = slices.Clone(row(3))
	k.normalise(x, row(4), row(5), row(6))
	floats(x)
	return bits
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
