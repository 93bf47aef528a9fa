package evidence

import (
	"bytes"
	"encoding/hex"
	"slices"

	"github.com/transparency-dev/merkle/compact"
	"github.com/transparency-dev/merkle/proof"
	"github.com/transparency-dev/merkle/rfc6962"

	"sanad/internal/domain"
	"sanad/internal/words"
)

// Proof proves that an evidence id is in the map with a given root, without the rest of the map. Exported.
type Proof struct {
	EvidenceID string   `json:"evidence_id"`
	Index      int      `json:"index"`  // of the leaf among the sorted leaves
	Size       int      `json:"size"`   // leaves in the tree
	Hashes     []string `json:"hashes"` // hex, from the leaf up
}

// Prove returns the inclusion proofs of evidence ids in a map, in the form of RFC 6962 §2.1.1; Invalid if the map does
// not have one of them.
func Prove(objs []Object, evidenceIDs ...string) ([]Proof, error) {
	leaves := mapLeaves(objs)
	nodes := map[compact.NodeID][]byte{}
	treeRoot(leaves, func(id compact.NodeID, hash []byte) { nodes[id] = hash })
	out := make([]Proof, len(evidenceIDs))
	for i, evidenceID := range evidenceIDs {
		index, ok := slices.BinarySearchFunc(leaves, leafOf(evidenceID), bytes.Compare)
		if !ok {
			return nil, domain.Refuse(domain.Invalid, "prove", "refused_evidence_map", "Name", words.Quoted(evidenceID))
		}
		need, err := proof.Inclusion(uint64(index), uint64(len(leaves)))
		if err != nil {
			return nil, &domain.Error{Op: "evidence.Prove", Err: err}
		}
		path := make([][]byte, len(need.IDs))
		for k, id := range need.IDs {
			path[k] = nodes[id]
		}
		path, err = need.Rehash(path, rfc6962.DefaultHasher.HashChildren)
		if err != nil {
			return nil, &domain.Error{Op: "evidence.Prove", Err: err}
		}
		out[i] = Proof{EvidenceID: evidenceID, Index: index, Size: len(leaves), Hashes: hexAll(path)}
	}
	return out, nil
}

// Verify returns nil if the proof leads from its evidence id to the root.
func (p Proof) Verify(root string) error {
	want, err := hex.DecodeString(root)
	if err != nil {
		return domain.Refuse(domain.Invalid, "root", "refused_not_hex")
	}
	path := make([][]byte, len(p.Hashes))
	for i, h := range p.Hashes {
		if path[i], err = hex.DecodeString(h); err != nil {
			return domain.Refuse(domain.Invalid, "hashes", "refused_hash_hex", "N", i)
		}
	}
	if p.Index < 0 || p.Size < 0 {
		return domain.Refuse(domain.Invalid, "index", "refused_negative")
	}
	err = proof.VerifyInclusion(rfc6962.DefaultHasher, uint64(p.Index), uint64(p.Size), leafOf(p.EvidenceID), path, want)
	if err != nil {
		return &domain.Error{Kind: domain.Invalid, Op: "evidence.Verify", Message: words.Msg("refused_proof_does_lead"),
			Err: err}
	}
	return nil
}

func hexAll(hashes [][]byte) []string {
	out := make([]string, len(hashes))
	for i, h := range hashes {
		out[i] = hex.EncodeToString(h)
	}
	return out
}
