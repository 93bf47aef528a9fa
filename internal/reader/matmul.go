package reader

// All products of matrices are computed in tiles of 8 rows and 32 columns: the sums of products of integers, exact in
// int32. Each kernel gives the same tile, whatever its instructions.
const (
	tileRows  = 8
	panelRows = 32 // rows of a matrix that a panel has: columns of the tile
	quad      = 4  // columns of a matrix that stand together in a panel
)

// tile has sums, one row of the left side after the other.
type tile [tileRows * panelRows]int32

// multiply computes tiles of the product of quantised rows, from a row on, with a panel, which has len(panel)/32
// columns.
type multiply func(out []tile, left *quantised, row int, panel []byte, s *spare)

// quantised has rows of numbers, of 8 bits or, in two planes, of up to 14: a high plane, and a low one of 7 bits.
// Kernels that multiply numbers of 16 bits have both as such. Rows are filled up to whole tiles; what is there does not
// matter.
type quantised struct {
	width         int
	twoPlanes     bool
	rows, low     []int8
	wide          []int16
	scales        []float32
	sums, lowSums []int32 // of rows, and of low: what the kernel for unsigned numbers needs to correct its result
}

// resize makes room for rows of a width, whose contents are lost.
func (q *quantised) resize(k *kernel, rows, width int, twoPlanes bool) {
	rows = wholeTiles(rows)
	q.width, q.twoPlanes = width, twoPlanes
	grow(&q.scales, rows)
	if k.wide {
		grow(&q.wide, rows*width)
		return
	}
	grow(&q.rows, rows*width)
	grow(&q.sums, rows)
	if twoPlanes {
		grow(&q.low, rows*width)
		grow(&q.lowSums, rows)
	}
}

// most is what the largest number of a row becomes.
func (q *quantised) most() float32 {
	if q.twoPlanes {
		return mostFine
	}
	return mostQuantised
}

// row returns the numbers of a row, and their lower planes, if they have them.
func (q *quantised) row(index int) (numbers, low []int8) {
	from, to := index*q.width, (index+1)*q.width
	if q.twoPlanes {
		low = q.low[from:to]
	}
	return q.rows[from:to], low
}

// wideRow returns the numbers of a row as 16 bits.
func (q *quantised) wideRow(index int) []int16 { return q.wide[index*q.width : (index+1)*q.width] }

// spare is memory that kernels need while they multiply.
type spare struct {
	wide        []int16
	pairs, rows []float64
}

// grow makes a buffer at least as long as asked, and cuts it to that length.
func grow[T any](buffer *[]T, length int) {
	if cap(*buffer) < length {
		*buffer = make([]T, length)
	}
	*buffer = (*buffer)[:length]
}

func wholeTiles(rows int) int { return (rows + tileRows - 1) &^ (tileRows - 1) }

// multiplyPortable is the reference. It adds the products of two columns of the tile in one float64, the second times
// pairShift. All sums are integers below 2^53, hence exact in whatever order, fused or not: of at most 4096 products
// each is below pairShift/2.
func multiplyPortable(out []tile, left *quantised, row int, panel []byte, s *spare) {
	s.setPairs(panel, left.width)
	for at := 0; at < len(out)*tileRows; at += fourRows {
		from := (row + at) * left.width
		line := out[at/tileRows][at%tileRows*panelRows:]
		s.multiplyRows(line, left.rows[from:], left.width)
		if left.twoPlanes {
			high := [fourRows * panelRows]int32(line)
			s.multiplyRows(line, left.low[from:], left.width)
			for i, sum := range high {
				line[i] += sum << lowBits
			}
		}
	}
}

const (
	fourRows  = 4 // that are multiplied at a time
	pairBits  = 27
	pairShift = 1 << pairBits
)

// setPairs joins columns 0 and 1 of a panel, 2 and 3, and so on: one column after the other, width numbers each.
func (s *spare) setPairs(panel []byte, width int) {
	grow(&s.pairs, panelRows/2*width)
	for pair := range panelRows / 2 {
		to := s.pairs[pair*width : (pair+1)*width]
		for k := 0; k < width; k += quad {
			weights := panel[k*panelRows+pair*2*quad:][:2*quad]
			for i := range quad {
				to[k+i] = float64(int64(int8(weights[i])) + int64(int8(weights[quad+i]))*pairShift)
			}
		}
	}
}

// multiplyRows writes four rows of a tile.
func (s *spare) multiplyRows(out []int32, rows []int8, width int) {
	grow(&s.rows, fourRows*width)
	for i, number := range rows[:fourRows*width] {
		s.rows[i] = float64(number)
	}
	for column := 0; column < panelRows; column += 4 {
		pairs := s.pairs[column/2*width:]
		for i, sum := range multiplyPairs(s.rows, pairs[:width], pairs[width:2*width]) {
			whole := int64(sum)
			first := (whole+pairShift/2)&(pairShift-1) - pairShift/2
			at := i/2*panelRows + column + i%2*2
			out[at], out[at+1] = int32(first), int32((whole-first)>>pairBits)
		}
	}
}

// multiplyPairs returns the sums of products of four rows with two pairs of columns.
func multiplyPairs(rows, p, q []float64) [2 * fourRows]float64 {
	width := len(p)
	q = q[:width]
	a, b, c, d := rows[:width], rows[width:2*width], rows[2*width:3*width], rows[3*width:4*width]
	var ap, aq, bp, bq, cp, cq, dp, dq float64
	for k, first := range p {
		second := q[k]
		ap += a[k] * first
		aq += a[k] * second
		bp += b[k] * first
		bq += b[k] * second
		cp += c[k] * first
		cq += c[k] * second
		dp += d[k] * first
		dq += d[k] * second
	}
	return [2 * fourRows]float64{ap, aq, bp, bq, cp, cq, dp, dq}
}
