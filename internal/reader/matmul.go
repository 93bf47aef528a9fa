package reader

// All products of matrices are computed in tiles of 8 rows and 32 columns: the sums of products of integers, exact in int32.
// Each kernel gives the same tile, whatever its instructions.
const (
	tileRows  = 8
	panelRows = 32 // rows of a matrix that a panel has: columns of the tile
	quad      = 4  // columns of a matrix that stand together in a panel
)

// tile has sums, one row of the left side after the other.
type tile [tileRows * panelRows]int32

// multiply computes tiles of the product of quantised rows, from a row on, with a panel, which has len(panel)/32 columns.
type multiply func(out []tile, left *quantised, row int, panel []byte, s *spare)

// quantised has rows of numbers: of 8 bits, or of 14 bits and a sign that is not used, in two planes of 7 bits. Kernels that
// multiply numbers of 16 bits have both as such. Rows are filled up to whole tiles; what is there does not matter.
type quantised struct {
	width         int
	rows, low     []int8 // low is empty if numbers have 8 bits
	wide          []int16
	scales        []float32
	sums, lowSums []int32 // of rows, and of low: what the kernel for unsigned numbers needs to correct its result
}

// resize makes room for rows of a width, whose contents are lost.
func (q *quantised) resize(k *kernel, rows, width int, twoPlanes bool) {
	rows = wholeTiles(rows)
	q.width = width
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

// row returns the numbers of a row, and their lower planes, if they have them.
func (q *quantised) row(index int) (numbers, low []int8) {
	from, to := index*q.width, (index+1)*q.width
	if len(q.low) != 0 {
		low = q.low[from:to]
	}
	return q.rows[from:to], low
}

// wideRow returns the numbers of a row as 16 bits.
func (q *quantised) wideRow(index int) []int16 { return q.wide[index*q.width : (index+1)*q.width] }

// spare is memory that kernels need while they multiply.
type spare struct {
	wide  []int16
	pairs []int64
}

// grow makes a buffer at least as long as asked, and cuts it to that length.
func grow[T any](buffer *[]T, length int) {
	if cap(*buffer) < length {
		*buffer = make([]T, length)
	}
	*buffer = (*buffer)[:length]
}

func wholeTiles(rows int) int { return (rows + tileRows - 1) &^ (tileRows - 1) }

// multiplyPortable is the reference. It adds the products of two columns of the tile in one integer of 64 bits, the second
// 32 bits higher; their sums are below 31 bits, so that the first can be told from the second.
func multiplyPortable(out []tile, left *quantised, row int, panel []byte, s *spare) {
	grow(&s.pairs, left.width)
	for column := 0; column < panelRows; column += 2 {
		for k := range s.pairs {
			at := k/quad*panelRows*quad + column*quad + k%quad
			s.pairs[k] = int64(int8(panel[at])) + int64(int8(panel[at+quad]))<<32
		}
		for at := 0; at < len(out)*tileRows; at += fourRows {
			from := (row + at) * left.width
			sums := multiplyPairs(left.rows[from:], s.pairs)
			if len(left.low) != 0 {
				for i, low := range multiplyPairs(left.low[from:], s.pairs) {
					sums[i] = sums[i]<<lowBits + low
				}
			}
			line := out[at/tileRows][at%tileRows*panelRows+column:]
			for i, sum := range sums {
				line[i*panelRows] = int32(sum)
				line[i*panelRows+1] = int32((sum - int64(int32(sum))) >> 32)
			}
		}
	}
}

// fourRows are multiplied at a time, so that their sums stay in registers.
const fourRows = 4

func multiplyPairs(rows []int8, pairs []int64) (sums [fourRows]int64) {
	width := len(pairs)
	a, b, c, d := rows[:width], rows[width:2*width], rows[2*width:3*width], rows[3*width:4*width]
	var sum0, sum1, sum2, sum3 int64
	for k, pair := range pairs {
		sum0 += int64(a[k]) * pair
		sum1 += int64(b[k]) * pair
		sum2 += int64(c[k]) * pair
		sum3 += int64(d[k]) * pair
	}
	return [fourRows]int64{sum0, sum1, sum2, sum3}
}
