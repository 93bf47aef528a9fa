package reader

import "encoding/binary"

// All products of matrices are computed in tiles of 8 rows and 32 columns: the sums of products of int8 numbers, exact in
// int32. Each kernel gives the same tile, whatever its instructions.
const (
	tileRows  = 8
	panelRows = 32 // rows of a matrix that a panel has: columns of the tile
	quad      = 4  // columns of a matrix that stand together in a panel
)

// tile has sums, one row of the left side after the other.
type tile [tileRows * panelRows]int32

// multiply computes a tile of the product of 8 quantised rows, which begin stride bytes apart, with the panel that has
// len(panel)/32 columns. sums are the sums of the rows' numbers: what the kernel for unsigned numbers needs to correct its
// result.
type multiply func(out *tile, rows []int8, stride int, sums *[tileRows]int32, panel []byte)

// multiplyPortable is the reference. It adds the products of two columns of the tile in one integer of 64 bits, the second
// 32 bits higher; their sums are far below 31 bits, so that the first can be told from the second.
func multiplyPortable(out *tile, rows []int8, stride int, _ *[tileRows]int32, panel []byte) {
	const half = tileRows / 2
	for column := 0; column < panelRows; column += 2 {
		for first := 0; first < tileRows; first += half {
			var sum0, sum1, sum2, sum3 int64
			row0, row1 := rows[first*stride:], rows[(first+1)*stride:]
			row2, row3 := rows[(first+2)*stride:], rows[(first+3)*stride:]
			for at, quadAt := 0, column*quad; quadAt < len(panel); at, quadAt = at+quad, quadAt+panelRows*quad {
				both := binary.LittleEndian.Uint64(panel[quadAt:])
				pair0 := pair(both, 0)
				pair1 := pair(both, 8)
				pair2 := pair(both, 16)
				pair3 := pair(both, 24)
				a, b, c, d := row0[at:at+quad], row1[at:at+quad], row2[at:at+quad], row3[at:at+quad]
				sum0 += int64(a[0])*pair0 + int64(a[1])*pair1 + int64(a[2])*pair2 + int64(a[3])*pair3
				sum1 += int64(b[0])*pair0 + int64(b[1])*pair1 + int64(b[2])*pair2 + int64(b[3])*pair3
				sum2 += int64(c[0])*pair0 + int64(c[1])*pair1 + int64(c[2])*pair2 + int64(c[3])*pair3
				sum3 += int64(d[0])*pair0 + int64(d[1])*pair1 + int64(d[2])*pair2 + int64(d[3])*pair3
			}
			for i, sum := range [half]int64{sum0, sum1, sum2, sum3} {
				at := (first+i)*panelRows + column
				out[at] = int32(sum)
				out[at+1] = int32((sum - int64(int32(sum))) >> 32)
			}
		}
	}
}

// pair returns the weight at a bit of the lower half of both and, 32 bits higher, that of the upper half.
func pair(both uint64, bit int) int64 {
	return int64(int8(both>>bit)) + int64(int8(both>>(bit+32)))<<32
}
