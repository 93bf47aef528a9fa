package audit_test

import (
	"crypto/sha256"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/tlog"

	"sanad/internal/domain/audit"
	"sanad/internal/domain/canonical"
)

var table = audit.NewTable("claims", "text verdict note? weight at? zeta.é")

// TestRowDigest checks the digest against the definition, SHA-256(salt ‖ JCS(row)), with the JCS of a library.
func TestRowDigest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	salt := []byte("0123456789abcdef0123456789abcdef")
	texts := []string{"", "x", "قال \"نعم\"", "\x00\x1f\\/\b\f\n\r\t\u2028<&>", "😀"}
	numbers := []float64{0.5, -1, 1e-7, 1.5e300, 5e-324, 123456789012345680000, 0.1, 1e21, 4503599627370496.5}
	var buffer []byte
	for range 2_000 {
		values := []any{nil, nil, texts[r.IntN(len(texts))], texts[r.IntN(len(texts))], nil, int64(r.IntN(5))}
		if r.IntN(2) == 0 { // at? note? text verdict weight zeta.é in the order of the names
			values[0], values[1] = int64(0), ""
		}
		values[4] = numbers[r.IntN(len(numbers))] * float64(1-2*r.IntN(2))
		row := map[string]any{}
		for i, name := range table.Names() {
			v := values[i]
			if v == nil || i > 1 && (v == "" || v == int64(0)) {
				continue
			}
			row[name] = v
		}
		if w := row["weight"].(float64); math.Abs(w) > 1<<53 { // canonical.JSON refuses them
			values[4], row["weight"] = 0.25, 0.25
		}
		want, err := canonical.JSON(map[string]any{"table": "claims", "row": row})
		require.NoError(t, err)
		require.Equal(t, audit.Hash(sha256.Sum256(append(salt[:len(salt):len(salt)], want...))),
			table.RowDigest(salt, values, &buffer), "%s", want)
	}
}

// TestRowDigestTellsValuesApart checks that no two rows that a database can hold have one digest, also where JSON has
// no form for a value.
func TestRowDigestTellsValuesApart(t *testing.T) {
	t.Parallel()
	one := audit.NewTable("t", "a?")
	seen := map[audit.Hash]any{}
	var buffer []byte
	for _, v := range []any{
		nil, int64(0), "", "0", "\xff", "\xfe", "\ufffd", int64(1) << 60, int64(1)<<60 + 1, -(int64(1) << 60), 0.5, 1.5e300,
		math.Inf(1), math.Inf(-1), "a\"", `a\"`, []byte{1},
	} {
		h := one.RowDigest(nil, []any{v}, &buffer)
		require.NotContains(t, seen, h, "%v and %v", v, seen[h])
		seen[h] = v
	}
}

// TestNewColumnLeavesOldRows checks that a column that is added with an empty value changes no digest.
func TestNewColumnLeavesOldRows(t *testing.T) {
	t.Parallel()
	var buffer []byte
	old, more := audit.NewTable("t", "b"), audit.NewTable("t", "a b c?")
	require.Equal(t, old.RowDigest(nil, []any{"x"}, &buffer), more.RowDigest(nil, []any{int64(0), "x", nil}, &buffer))
	require.NotEqual(t, old.RowDigest(nil, []any{"x"}, &buffer), more.RowDigest(nil, []any{int64(0), "x", ""}, &buffer))
}

// TestStateTree compares the paged tree with the tree of RFC 6962 over all leaves, as it grows and changes.
func TestStateTree(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	stored := map[audit.PageID][]byte{}
	load := func(id audit.PageID) ([]byte, error) { return stored[id], nil }
	var leaves []audit.Hash
	for step, size := range []int{0, 1, 2, 255, 256, 257, 257, 600, 70_000, 70_000, 70_001, 131_073} {
		tree := audit.NewStateTree(size, len(leaves), load)
		for len(leaves) < size {
			leaves = append(leaves, audit.Hash{})
		}
		for range min(size, 40) {
			i := r.IntN(size)
			leaves[i] = audit.LeafHash(fmt.Appendf(nil, "%d %d", step, i))
			if r.IntN(9) == 0 {
				leaves[i] = audit.Hash{}
			}
			require.NoError(t, tree.Set(i, leaves[i]))
		}
		root, err := tree.Root()
		require.NoError(t, err)
		require.Equal(t, wholeRoot(t, leaves), root, "%d leaves", size)
		ids, pages := tree.Changed()
		for i, id := range ids {
			stored[id] = pages[i]
		}
		if size > 0 {
			got, err := audit.NewStateTree(size, size, load).Leaf(size - 1)
			require.NoError(t, err)
			require.Equal(t, leaves[size-1], got)
		}
	}
	tree := audit.NewStateTree(len(leaves), len(leaves), load)
	require.NoError(t, tree.Set(100_000, audit.Hash{1}))
	_, err := tree.Root()
	require.NoError(t, err)
	ids, _ := tree.Changed()
	require.Len(t, ids, 3, "a change of one leaf writes a page of each level")
}

func wholeRoot(t *testing.T, leaves []audit.Hash) audit.Hash {
	t.Helper()
	var tree audit.Tree
	for i := range leaves {
		tree.Append(tlog.RecordHash(leaves[i][:]))
	}
	return tree.Root()
}

// TestStateRoot checks that sections without a leaf are not part of the state.
func TestStateRoot(t *testing.T) {
	t.Parallel()
	some := []audit.Section{{Name: "session", Size: 1, Root: "aa"}, {Name: "run \"<é>\u2028\n", Size: 3, Root: "bb"}}
	a, err := audit.StateRoot(some)
	require.NoError(t, err)
	var tree audit.Tree
	for _, s := range some {
		form, err := canonical.JSON(s)
		require.NoError(t, err)
		tree.Append(tlog.RecordHash(form))
	}
	require.Equal(t, tree.Root(), a)
	b, err := audit.StateRoot([]audit.Section{some[0], {Name: "reviews"}, some[1]})
	require.NoError(t, err)
	require.Equal(t, a, b)
	some[1].Size = 4
	c, err := audit.StateRoot(some)
	require.NoError(t, err)
	require.NotEqual(t, a, c)
}

// A stored page that claims a place outside the tree is named at once, however far outside: whoever changes the
// database can write any number there.
func TestPagesOutsideTheTreeAreNamed(t *testing.T) {
	tree := audit.NewStateTree(1, 0, func(audit.PageID) ([]byte, error) { return nil, nil })
	require.NoError(t, tree.Set(0, audit.Hash{1}))
	_, err := tree.Root()
	require.NoError(t, err)
	first := audit.Hash{1}
	own := audit.PageID{Level: 0, Page: 0}
	require.Equal(t, -1, tree.FirstDifference(map[audit.PageID][]byte{own: first[:]}))
	for name, id := range map[string]audit.PageID{
		"next page": {Level: 0, Page: 1}, "last page": {Level: 0, Page: math.MaxInt},
		"page that overflows": {Level: 0, Page: math.MaxInt/audit.PageSize + 1}, "page before": {Level: 0, Page: -1},
		"next level": {Level: 1, Page: 0}, "far level": {Level: 1 << 40, Page: 0}, "last level": {Level: math.MaxInt, Page: 0},
		"level before": {Level: -1, Page: 0},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, 0, tree.FirstDifference(map[audit.PageID][]byte{own: first[:], id: first[:]}))
		})
	}
}
