package pack

import (
	"encoding/hex"

	"golang.org/x/mod/sumdb/tlog"

	"sanad/internal/domain/audit"
)

// rootOf is the RFC 6962 root over the leaves, in hex.
func rootOf(leaves []hashed) string {
	var tree audit.Tree
	for _, l := range leaves {
		tree.Append(l.Hash)
	}
	root := tree.Root()
	return hex.EncodeToString(root[:])
}

// pathOf is the RFC 6962 inclusion path of one leaf.
func pathOf(leaves []hashed, index int) ([]audit.Hash, error) {
	var tree audit.Tree
	var stored []audit.Hash
	for _, l := range leaves {
		stored = append(stored, tree.Append(l.Hash)...)
	}
	return tlog.ProveRecord(int64(len(leaves)), int64(index),
		tlog.HashReaderFunc(func(at []int64) ([]audit.Hash, error) {
			out := make([]audit.Hash, len(at))
			for i, n := range at {
				out[i] = stored[n]
			}
			return out, nil
		}))
}

func hexOf(h audit.Hash) string { return hex.EncodeToString(h[:]) }

// hashFrom reads 64 lower-case hex digits.
func hashFrom(digits string) (audit.Hash, bool) {
	var h audit.Hash
	b, err := hex.DecodeString(digits)
	if err != nil || len(b) != len(h) || hex.EncodeToString(b) != digits {
		return h, false
	}
	return audit.Hash(b), true
}
