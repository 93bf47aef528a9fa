package audit

import (
	"math/bits"
	"slices"

	"golang.org/x/mod/sumdb/tlog"
)

// Tree is an append-only Merkle tree. It keeps only the roots of its complete subtrees, one for each set bit of its
// size, which is all that Append and Root need. The zero Tree is empty.
type Tree struct {
	size  int64
	roots []Hash // the largest subtree first
}

// Edge returns the tlog indexes of the stored hashes that LoadTree needs.
func Edge(size int64) []int64 {
	var out []int64
	for rest, at := size, int64(0); rest > 0; {
		level := bits.Len64(uint64(rest)) - 1
		out = append(out, tlog.StoredHashIndex(level, at>>level))
		at += 1 << level
		rest -= 1 << level
	}
	return out
}

// LoadTree returns the tree of that size, given the hashes that Edge lists.
func LoadTree(size int64, edge []Hash) Tree { return Tree{size, edge} }

// Size is the number of leaves.
func (t *Tree) Size() int64 { return t.size }

// Clone returns an independent copy.
func (t *Tree) Clone() Tree { return Tree{t.size, slices.Clone(t.roots)} }

// Append adds a leaf and returns the hashes to store for it: the leaf's, and those of the subtrees that it completes.
// Their tlog indexes begin at tlog.StoredHashCount of the size before.
func (t *Tree) Append(leaf Hash) []Hash {
	out := []Hash{leaf}
	for range bits.TrailingZeros64(uint64(t.size + 1)) {
		last := len(t.roots) - 1
		out = append(out, tlog.NodeHash(t.roots[last], out[len(out)-1]))
		t.roots = t.roots[:last]
	}
	t.roots = append(t.roots, out[len(out)-1])
	t.size++
	return out
}

// Root is the RFC 6962 hash of the whole tree.
func (t *Tree) Root() Hash {
	if t.size == 0 {
		empty, _ := tlog.TreeHash(0, nil) // reads nothing and cannot fail
		return empty
	}
	last := len(t.roots) - 1
	h := t.roots[last]
	for _, left := range slices.Backward(t.roots[:last]) {
		h = tlog.NodeHash(left, h)
	}
	return h
}
