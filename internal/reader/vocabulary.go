package reader

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// vocabulary finds the pieces that words are made of. It keeps the text of the weights file and 8 bytes a piece, no map
// of strings: finding a piece allocates nothing.
type vocabulary struct {
	pieces  string   // one after the other
	ends    []uint32 // ends[id] is where piece id ends in pieces
	slots   []int32  // open addressing by hash: id+1, 0 where free
	longest int      // of the pieces, in bytes

	unknown, begin, separator int32 // ids of the marks; of BERT they are [UNK], [CLS] and [SEP]
}

// continuation begins a piece that continues a word.
const continuation = "##"

// hidden begins a piece that no text has: a mark of a model of the operator's choice, which finds it by its id.
const hidden = "\x00"

// Bounds of a vocabulary.
const (
	mostPieces   = 1 << 18
	longestPiece = 255 // bytes
	longestWord  = 100 // code points; a longer one is unknown to BERT
)

// newVocabulary reads the pieces of BERT. It refuses what newPieces refuses, and a vocabulary that lacks one of the
// marks.
func newVocabulary(lines string) (*vocabulary, error) {
	v, err := newPieces(lines)
	if err != nil {
		return nil, err
	}
	for name, id := range map[string]*int32{"[UNK]": &v.unknown, "[CLS]": &v.begin, "[SEP]": &v.separator} {
		slot, found := v.slot(hash(hashBasis, name), "", []byte(name))
		if !found {
			return nil, errors.New("reader: the vocabulary lacks " + name)
		}
		*id = v.slots[slot] - 1
	}
	return v, nil
}

// newPieces reads pieces that are separated by line feeds, in the order of their ids. It refuses one that has a piece
// twice, or a piece that is empty, too long or not UTF-8.
func newPieces(lines string) (*vocabulary, error) {
	count := strings.Count(lines, "\n")
	if count == 0 || count > mostPieces || !strings.HasSuffix(lines, "\n") {
		return nil, fmt.Errorf("reader: the vocabulary has %d lines; from 1 to %d are possible", count, mostPieces)
	}
	slots := 1
	for slots < 2*count {
		slots *= 2
	}
	v := &vocabulary{pieces: lines, ends: make([]uint32, count), slots: make([]int32, slots)}
	begin := 0
	for id := range v.ends {
		end := begin + strings.IndexByte(lines[begin:], '\n')
		v.ends[id] = uint32(end)
		piece := lines[begin:end]
		if piece == "" || len(piece) > longestPiece || !utf8.ValidString(piece) {
			return nil, fmt.Errorf("reader: piece %d of the vocabulary is empty, too long or not UTF-8", id)
		}
		if strings.HasPrefix(piece, hidden) {
			begin = end + 1
			continue
		}
		slot, taken := v.slot(hash(hashBasis, piece), "", []byte(piece))
		if taken {
			return nil, fmt.Errorf("reader: the vocabulary has %q twice", piece)
		}
		v.slots[slot] = int32(id) + 1
		v.longest = max(v.longest, len(piece))
		begin = end + 1
	}
	return v, nil
}

// piece returns the text of a piece.
func (v *vocabulary) piece(id int32) string {
	begin := uint32(0)
	if id > 0 {
		begin = v.ends[id-1] + 1
	}
	return v.pieces[begin:v.ends[id]]
}

// prefix returns the longest piece that word begins with and its length in bytes, 0 if none. With continues it is a
// piece that continues a word.
func (v *vocabulary) prefix(word []byte, continues bool) (id int32, length int) {
	sum, before := uint32(hashBasis), ""
	if continues {
		sum, before = hashContinuation, continuation
	}
	for i := range min(len(word), v.longest) {
		sum = (sum ^ uint32(word[i])) * hashPrime
		if slot, found := v.slot(sum, before, word[:i+1]); found {
			id, length = v.slots[slot]-1, i+1
		}
	}
	return id, length
}

// slot returns where the piece before+text stands, or the free slot where it would.
func (v *vocabulary) slot(sum uint32, before string, text []byte) (slot int, found bool) {
	mask := len(v.slots) - 1
	for slot = int(sum^sum>>15) & mask; v.slots[slot] != 0; slot = (slot + 1) & mask {
		piece := v.piece(v.slots[slot] - 1)
		if len(piece) == len(before)+len(text) && piece[:len(before)] == before && piece[len(before):] == string(text) {
			return slot, true
		}
	}
	return slot, false
}

// FNV-1a, which can be continued byte by byte.
const (
	hashBasis = 2166136261
	hashPrime = 16777619
)

// hashContinuation is the hash of the prefix of a continuation.
var hashContinuation = hash(hashBasis, continuation)

func hash(sum uint32, text string) uint32 {
	for i := range len(text) {
		sum = (sum ^ uint32(text[i])) * hashPrime
	}
	return sum
}
