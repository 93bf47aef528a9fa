package audit_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/transparency-dev/merkle/proof"
	"github.com/transparency-dev/merkle/rfc6962"
	"golang.org/x/mod/sumdb/tlog"

	"sanad/internal/domain/audit"
)

// TestProofsVerifyInAnotherLibrary checks roots, inclusion and consistency with transparency-dev/merkle.
func TestProofsVerifyInAnotherLibrary(t *testing.T) {
	const size = 100
	l := newLog(t, size)
	var tree audit.Tree
	roots := [][]byte{rfc6962.DefaultHasher.EmptyRoot()}
	for _, e := range l.entries {
		tree.Append(audit.LeafHash(e.row.Bytes))
		root := tree.Root()
		roots = append(roots, root[:])
	}
	signed := roots[size]
	for i, e := range l.entries {
		p, err := audit.Prove(int64(i), l.head.Checkpoint, l.reader())
		require.NoError(t, err)
		read, err := audit.ParseProof(p.String())
		require.NoError(t, err)
		require.Equal(t, p, read)
		c, err := read.Verify(e.row.Bytes, []audit.Key{l.key})
		require.NoError(t, err)
		require.Equal(t, l.head.Size, c.Size)
		require.NoError(t, proof.VerifyInclusion(rfc6962.DefaultHasher, uint64(i), size,
			rfc6962.DefaultHasher.HashLeaf(e.row.Bytes), raw(read.Hashes), signed))

		bad := append([]byte{}, e.row.Bytes...)
		bad[i%len(bad)] ^= 1
		_, err = read.Verify(bad, []audit.Key{l.key})
		require.Error(t, err)
		_, err = read.Verify(e.row.Bytes, nil)
		require.Error(t, err)
		read.Index = (read.Index + 1) % size
		_, err = read.Verify(e.row.Bytes, []audit.Key{l.key})
		require.Error(t, err)
	}
	for old := 1; old <= size; old++ {
		p, err := tlog.ProveTree(size, int64(old), l.reader())
		require.NoError(t, err)
		require.NoError(t, proof.VerifyConsistency(rfc6962.DefaultHasher, uint64(old), size, raw(p), roots[old],
			signed))
	}
	_, err := audit.Prove(size, l.head.Checkpoint, l.reader())
	require.Error(t, err)
}

func raw(hashes []audit.Hash) [][]byte {
	out := make([][]byte, len(hashes))
	for i := range hashes {
		out[i] = hashes[i][:]
	}
	return out
}

func TestLoadTree(t *testing.T) {
	l := newLog(t, 100)
	var want audit.Tree
	for size := range 100 {
		edge, err := l.reader()(audit.Edge(int64(size)))
		require.NoError(t, err)
		got := audit.LoadTree(int64(size), edge)
		require.Equal(t, want.Root(), got.Root(), size)
		leaf := audit.LeafHash(l.entries[size].row.Bytes)
		require.Equal(t, l.entries[size].hashes, want.Append(leaf))
		copied := got.Clone()
		got.Append(leaf)
		require.Equal(t, want.Root(), got.Root())
		require.Equal(t, int64(size), copied.Size())
	}
}

func TestParseProofRefuses(t *testing.T) {
	l := newLog(t, 10)
	p, err := audit.Prove(3, l.head.Checkpoint, l.reader())
	require.NoError(t, err)
	good := p.String()
	withExtra := strings.Replace(good, "\nindex", "\nextra "+base64.StdEncoding.EncodeToString([]byte("x"))+"\nindex",
		1)
	got, err := audit.ParseProof(withExtra)
	require.NoError(t, err)
	require.Equal(t, p, got)
	for name, text := range map[string]string{
		"empty": "", "other header": strings.Replace(good, "@v1", "@v2", 1),
		"no index":      strings.Replace(good, "index 3\n", "", 1),
		"leading zero":  strings.Replace(good, "index 3", "index 03", 1),
		"plus":          strings.Replace(good, "index 3", "index +3", 1),
		"negative":      strings.Replace(good, "index 3", "index -3", 1),
		"no checkpoint": good[:strings.Index(good, "\n\n")],
		"short hash":    strings.Replace(good, p.Hashes[0].String(), "AAAA", 1),
		"extra alone":   "c2sp.org/tlog-proof@v1\nextra AAAA\n\nx",
		"many hashes": strings.Replace(good, "index 3\n", "index 3\n"+strings.Repeat(p.Hashes[0].String()+"\n", 64),
			1),
		"loose base64": strings.Replace(good, p.Hashes[0].String(), strings.TrimRight(p.Hashes[0].String(), "="), 1),
	} {
		_, err := audit.ParseProof(text)
		require.Error(t, err, name)
	}
}
