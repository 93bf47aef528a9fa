package audit

import (
	"maps"
	"slices"

	"golang.org/x/mod/sumdb/tlog"
)

// PageSize is how many hashes a page of a StateTree holds: small, because a change writes a page of each level.
const PageSize = 64

// PageID is a page's place in a StateTree. Pages of level 0 hold the leaves' digests; pages of level n + 1 hold the
// roots of those of level n.
type PageID struct{ Level, Page int }

// StateTree is a Merkle tree as in RFC 6962 whose leaves can change. It is stored in pages of PageSize hashes, so that
// a change of one leaf reads and writes one page of each level. A page that is not stored has zero digests only.
type StateTree struct {
	size  int
	old   int // leaves when the pages were stored
	load  func(PageID) ([]byte, error)
	pages map[PageID][]Hash
	dirty map[PageID]bool

	proven map[PageID]bool // pages that lead to the root
}

// NewStateTree returns the tree of size leaves whose pages load reads, nil for a page that is not stored. It may have
// grown since they were stored, when it had stored leaves.
func NewStateTree(size, stored int, load func(PageID) ([]byte, error)) *StateTree {
	t := &StateTree{size: size, old: stored, load: load, pages: map[PageID][]Hash{}, dirty: map[PageID]bool{},
		proven: map[PageID]bool{}}
	if stored > 0 && stored < size {
		t.dirty[PageID{0, (stored - 1) / PageSize}] = true
	}
	return t
}

// entries is how many hashes a level has. It ends for every level: a stored page may claim any.
func (t *StateTree) entries(level int) int {
	n := t.size
	for ; level > 0 && n > 1; level-- {
		n = pagesOf(n)
	}
	return n
}

// pagesOf is how many pages hold n hashes.
func pagesOf(n int) int { return (n + PageSize - 1) / PageSize }

// page returns a page with all its hashes.
func (t *StateTree) page(id PageID) ([]Hash, error) {
	if p := t.pages[id]; p != nil {
		return p, nil
	}
	var data []byte
	width := PageSize
	for range id.Level {
		width *= PageSize
	}
	if id.Page*width < t.old {
		var err error
		if data, err = t.load(id); err != nil {
			return nil, err
		}
	}
	out := make([]Hash, min(PageSize, t.entries(id.Level)-id.Page*PageSize))
	have := 0
	for ; have < len(out) && len(data) >= len(Hash{}); have++ {
		data = data[copy(out[have][:], data):]
	}
	if id.Level > 0 {
		for i := have; i < len(out); i++ {
			h, err := t.root(PageID{id.Level - 1, id.Page*PageSize + i})
			if err != nil {
				return nil, err
			}
			out[i] = h
		}
	}
	t.pages[id] = out
	return out, nil
}

// root returns the root of a page.
func (t *StateTree) root(id PageID) (Hash, error) {
	p, err := t.page(id)
	if err != nil {
		return Hash{}, err
	}
	if id.Level > 0 {
		return treeRoot(slices.Clone(p)), nil
	}
	if len(p) == PageSize && !slices.ContainsFunc(p, func(h Hash) bool { return h != Hash{} }) {
		return zeroPage, nil
	}
	return LeafDigest(p), nil
}

var zeroPage = LeafDigest(make([]Hash, PageSize))

// Leaf returns the digest of a leaf.
func (t *StateTree) Leaf(i int) (Hash, error) {
	p, err := t.page(PageID{0, i / PageSize})
	if err != nil {
		return Hash{}, err
	}
	return p[i%PageSize], nil
}

// Proven returns the stored digest of a leaf; ok is false if the stored pages do not lead from it to the root, in hex.
func (t *StateTree) Proven(i int, root string) (digest Hash, ok bool, err error) {
	id := PageID{0, i / PageSize}
	p, err := t.page(id)
	if err != nil {
		return Hash{}, false, err
	}
	digest = p[i%PageSize]
	var way []PageID
	for want := ""; !t.proven[id]; id = (PageID{id.Level + 1, id.Page / PageSize}) {
		h, err := t.root(id)
		if err != nil {
			return Hash{}, false, err
		}
		if t.entries(id.Level) <= PageSize {
			want = root
		} else {
			parent, err := t.page(PageID{id.Level + 1, id.Page / PageSize})
			if err != nil {
				return Hash{}, false, err
			}
			want = Hex(parent[id.Page%PageSize])
		}
		if Hex(h) != want {
			return digest, false, nil
		}
		if way = append(way, id); t.entries(id.Level) <= PageSize {
			break
		}
	}
	for _, id := range way {
		t.proven[id] = true
	}
	return digest, true, nil
}

// Set changes the digest of a leaf.
func (t *StateTree) Set(i int, digest Hash) error {
	return t.set(PageID{0, i / PageSize}, i%PageSize, digest)
}

func (t *StateTree) set(id PageID, i int, h Hash) error {
	p, err := t.page(id)
	if err == nil && p[i] != h {
		p[i] = h
		t.dirty[id] = true
	}
	return err
}

// Root returns the RFC 6962 root of the leaves' digests.
func (t *StateTree) Root() (Hash, error) {
	if t.size == 0 {
		return tlog.TreeHash(0, nil)
	}
	level := 0
	for ; t.entries(level) > PageSize; level++ {
		for _, id := range t.changedAt(level) {
			h, err := t.root(id)
			if err != nil {
				return Hash{}, err
			}
			parent := PageID{level + 1, id.Page / PageSize}
			if err := t.set(parent, id.Page%PageSize, h); err != nil {
				return Hash{}, err
			}
			t.dirty[parent] = true
		}
	}
	return t.root(PageID{level, 0})
}

func (t *StateTree) changedAt(level int) []PageID {
	var out []PageID
	for id := range t.dirty {
		if id.Level == level {
			out = append(out, id)
		}
	}
	slices.SortFunc(out, func(a, b PageID) int { return a.Page - b.Page })
	return out
}

// Changed returns the pages to store after Root, by their places.
func (t *StateTree) Changed() (ids []PageID, pages [][]byte) {
	ids = slices.SortedFunc(maps.Keys(t.dirty), func(a, b PageID) int {
		if a.Level != b.Level {
			return a.Level - b.Level
		}
		return a.Page - b.Page
	})
	for _, id := range ids {
		var data []byte
		for _, h := range t.pages[id] {
			data = append(data, h[:]...)
		}
		pages = append(pages, data)
	}
	return ids, pages
}

// FirstDifference compares the tree, after Root, with all stored pages of it; a page of a higher level is stored once a
// leaf below it was set. It returns the first leaf whose digest differs; if none does, the first leaf below a page of a
// higher level that differs; or -1.
func (t *StateTree) FirstDifference(stored map[PageID][]byte) int {
	first := -1
	below := func(leaf int) {
		if first < 0 || leaf < first {
			first = leaf
		}
	}
	for level, width := 0, 1; level == 0 || t.entries(level-1) > PageSize; level, width = level+1, width*PageSize {
		if level == 1 && first >= 0 {
			return first // the pages above it differ too, and say less
		}
		for page := range pagesOf(t.entries(level)) {
			id := PageID{level, page}
			want, err := t.page(id)
			got, there := stored[id]
			for i := range want {
				var h Hash
				if len(got) >= (i+1)*len(h) {
					copy(h[:], got[i*len(h):])
				}
				if err != nil || h != want[i] && (level == 0 || there || t.dirty[id]) {
					below((page*PageSize + i) * width)
					break
				}
			}
			if there && len(got) != len(want)*len(Hash{}) {
				below(page * PageSize * width)
			}
		}
	}
	for id := range stored {
		if id.Level < 0 || id.Page < 0 || pagesOf(t.entries(max(id.Level, 0))) <= id.Page ||
			id.Level > 0 && t.entries(id.Level-1) <= PageSize {
			below(0)
		}
	}
	return first
}
