package evidence

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/transparency-dev/merkle/compact"
	"github.com/transparency-dev/merkle/rfc6962"

	"sanad/internal/domain"
)

// ZeroRoot is the root of an empty map: 64 zeros (rule E-5).
var ZeroRoot = strings.Repeat("0", 64)

// factory hashes nodes as RFC 6962 does: SHA-256(0x01 ‖ left ‖ right).
var factory = &compact.RangeFactory{Hash: rfc6962.DefaultHasher.HashChildren}

// Root returns the Merkle root of a map over the sorted SHA-256 of its evidence ids (rule E-5): ZeroRoot for none, the
// leaf itself for one. It does not depend on the order of the objects. The leaves are not hashed again with RFC 6962's
// leaf prefix.
func Root(objs []Object) string {
	return treeRoot(mapLeaves(objs), nil)
}

// DocumentRoot returns the Merkle root of a document over its chunk leaves in order, built like Root; a leaf is the
// bytes of a chunk_root, which must be 64 hex digits.
func DocumentRoot(chunkRoots []string) (string, error) {
	leaves := make([][]byte, len(chunkRoots))
	for i, root := range chunkRoots {
		leaf, err := hex.DecodeString(root)
		if err != nil || len(leaf) != sha256.Size {
			return "", domain.Refuse(domain.Invalid, "", "refused_chunk_root_64", "N", i)
		}
		leaves[i] = leaf
	}
	return treeRoot(leaves, nil), nil
}

// mapLeaves returns the sorted leaves of a map.
func mapLeaves(objs []Object) [][]byte {
	leaves := make([][]byte, len(objs))
	for i := range objs {
		leaves[i] = leafOf(objs[i].EvidenceID)
	}
	slices.SortFunc(leaves, bytes.Compare)
	return leaves
}

func leafOf(evidenceID string) []byte {
	h := sha256.Sum256([]byte(evidenceID))
	return h[:]
}

// treeRoot builds the tree over the leaves and calls visit, if not nil, for each node.
func treeRoot(leaves [][]byte, visit compact.VisitFn) string {
	if len(leaves) == 0 {
		return ZeroRoot
	}
	tree := factory.NewEmptyRange(0)
	for _, leaf := range leaves {
		if err := tree.Append(leaf, visit); err != nil {
			panic(err) // a range that was grown from empty by Append alone is never corrupt
		}
	}
	root, err := tree.GetRootHash(visit)
	if err != nil {
		panic(err) // it begins at 0
	}
	return hex.EncodeToString(root)
}
