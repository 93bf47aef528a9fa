package web

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
)

// Compressing a page takes as long as making it, and most of a ledger's page is the same for whoever reads it: its
// answer, its rows, what the frame says to everybody. So pages are compressed in pieces, and a piece is kept by the
// digest of its bytes: it cannot be another's, and nothing has to be thrown away when something changes.

// pieceStarts are where the pieces of a ledger's page begin, in the order of the page.
var pieceStarts = [][]byte{
	[]byte("<header class=\"top\">"), []byte("<main "), []byte("<section class=\"bench-answer\""), []byte("<section id=\"ledger\""),
	[]byte("<tbody>"), []byte("</tbody>"), []byte("<div class=\"bench-case\">"), []byte("<div id=\"toasts\""),
}

// leastPiece is how many bytes a piece has at the least: to a smaller one its digest costs as much as compressing it, and
// each begins without the words of the piece before.
const leastPiece = 3000

// cutPieces calls each with the pieces of a page, or of a part of one, in order.
func cutPieces(html []byte, each func(piece []byte)) {
	from, at := 0, 0
	for _, start := range pieceStarts {
		i := bytes.Index(html[at:], start)
		if i < 0 {
			continue
		}
		if at += i; at-from >= leastPiece && len(html)-at >= leastPiece {
			each(html[from:at])
			from = at
		}
	}
	each(html[from:])
}

// keptPiece is a piece as deflate blocks that begin with an empty window and end at a byte.
type keptPiece []byte

func (p keptPiece) size() int { return len(p) + 256 }

// deflate appends html to out as such blocks, none of them the last.
func (k *keptPages) deflate(out *bytes.Buffer, html []byte) {
	cutPieces(html, func(piece []byte) {
		sum := sha256.Sum256(piece)
		key := append(make([]byte, 0, 1+len(sum)), 0) // keyOf never begins with 0
		key = append(key, sum[:]...)
		packed, ok := k.get(key).(keptPiece)
		if !ok {
			packed = deflated(piece)
			k.put(key, packed)
		}
		out.Write(packed)
	})
}

func deflated(piece []byte) keptPiece {
	w := packers.Get().(*flate.Writer)
	defer packers.Put(w)
	var out bytes.Buffer
	w.Reset(&out)
	_, _ = w.Write(piece) // a Buffer takes everything
	_ = w.Flush()
	return bytes.Clone(out.Bytes())
}
