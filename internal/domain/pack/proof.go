package pack

import (
	"crypto/ed25519"
	"encoding/json"
	"slices"

	"golang.org/x/mod/sumdb/tlog"

	"sanad/internal/domain"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/canonical"
	"sanad/internal/domain/ledger"
	"sanad/internal/words"
)

// ProofFormat names the format of a proof.
const ProofFormat = "sanad.pack_proof/v2"

// Proof proves that one claim (or excerpt, memo field, tool call) is in a signed pack, without the rest of the pack:
// its leaf, the path to the content root, and the envelope (rule P-15).
type Proof struct {
	Format string          `json:"format"`
	Leaf   json.RawMessage `json:"leaf"` // {salt, kind, id, value}
	Index  int64           `json:"index"`
	Size   int64           `json:"size"`   // leaves in the tree
	Hashes []string        `json:"hashes"` // hex, from the leaf up
	DSSE   Envelope        `json:"dsse"`

	// PublicKey is tenant.pub, the key of the signature. Like a pack's, it comes from whoever made the file: a reader
	// who knows its fingerprint from elsewhere needs no other file.
	PublicKey string `json:"public_key"`
}

// Prove returns the proof of a leaf of a signed pack; public is the pack's tenant.pub.
func Prove(f *Frozen, signed *Envelope, public []byte, kind, id string) (*Proof, error) {
	leaves, err := f.leaves()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(leaves, func(l hashed) bool { return l.Kind == kind && l.ID == id })
	if i < 0 || kind == LeafBlind {
		return nil, domain.Refuse(domain.NotFound, "", "refused_pack", "Name", kind, "Other", id)
	}
	path, err := pathOf(leaves, i)
	if err != nil {
		return nil, &domain.Error{Op: "pack.Prove", Message: words.Msg("refused_proof_could_made"), Err: err}
	}
	p := &Proof{Format: ProofFormat, Leaf: leaves[i].Bytes, Index: int64(i), Size: int64(len(leaves)),
		Hashes: []string{}, DSSE: *signed, PublicKey: string(public)}
	for _, h := range path {
		p.Hashes = append(p.Hashes, hexOf(h))
	}
	return p, nil
}

// Bytes returns the proof as a file.
func (p *Proof) Bytes() ([]byte, error) { return canonical.JSON(p) }

// proofs is the format of a proof.
var proofs = versioned[Proof]{field: "format", name: "sanad.pack_proof/v", now: ProofFormat, read: readProof}

// ParseProof reads a proof. It accepts only the bytes that Bytes returns.
func ParseProof(data []byte) (*Proof, error) { return proofs.parse(data) }

func readProof(data []byte) (*Proof, error) {
	var p Proof
	if err := exact(data, fields.Proof, &p); err != nil {
		return nil, err
	}
	return &p, nil
}

// Shown is what a proof reveals: a leaf's kind, id and value.
type Shown struct {
	Kind  string          `json:"kind"`
	ID    string          `json:"id"`
	Value json.RawMessage `json:"value"`
	Salt  string          `json:"salt"`
}

// maxPath exceeds the path length of any of our trees.
const maxPath = 63

// Verify checks that a key has signed a pack with the leaf, and returns the Statement and the content of the leaf.
func (p *Proof) Verify(public ed25519.PublicKey) (*Statement, *Shown, error) {
	s, err := p.DSSE.Statement(public)
	if err != nil {
		return nil, nil, err
	}
	if text, err := PEM(public); err != nil || p.PublicKey != string(text) {
		return nil, nil, malformed("refused_key_proof_holds", err)
	}
	var shown Shown
	if err := exact(p.Leaf, fields.Shown, &shown); err != nil {
		return nil, nil, err
	}
	root, ok := hashFrom(s.Predicate.ContentRoot)
	ok = ok && p.Format == ProofFormat && p.Size == s.Predicate.ContentLeaves && len(p.Hashes) <= maxPath
	path := make(tlog.RecordProof, len(p.Hashes))
	for i, digits := range p.Hashes {
		h, is := hashFrom(digits)
		path[i], ok = h, ok && is
	}
	hash := audit.LeafHash(p.Leaf)
	if !ok || p.Index < 0 || p.Index >= p.Size || tlog.CheckRecord(path, p.Size, root, p.Index, hash) != nil {
		return nil, nil, malformed("refused_proof_does_lead_signed", nil)
	}
	if shown.Kind == LeafClaim && !s.lists(&shown, hash) {
		return nil, nil, malformed("refused_statement_does_list", nil)
	}
	return s, &shown, nil
}

// lists reports whether the Statement has a claim's leaf with the claim's own verdict.
func (s *Statement) lists(claim *Shown, hash audit.Hash) bool {
	var says struct {
		Verdict ledger.Verdict `json:"verdict"`
	}
	if json.Unmarshal(claim.Value, &says) != nil {
		return false
	}
	return slices.Contains(s.Predicate.Entries, StatementEntry{claim.ID, says.Verdict, hexOf(hash)})
}
