package pack

import (
	"crypto"
	"crypto/ed25519"
	"fmt"
	"time"

	"sanad/internal/domain/canonical"
)

// ErasedFormat names the format of what is kept of an erased pack.
const ErasedFormat = "sanad.erased_pack/v1"

// Erased is a copy of a signed pack whose content was erased: each leaf of the content root is replaced by its hash
// (rule P-27). With the signed Statement it proves that a pack with this content root was signed, by whom and when, but
// not what it said.
type Erased struct {
	Format string       `json:"format"`
	PackID string       `json:"pack_id"`
	Leaves []ErasedLeaf `json:"leaves"` // in the order of the tree
	DSSE   Envelope     `json:"dsse"`   // of the Statement
	Record Envelope     `json:"record"` // of an ErasureRecord
}

// ErasedLeaf is a leaf by its hash.
type ErasedLeaf struct {
	Kind string `json:"kind"`
	Hash string `json:"leaf_hash"`
}

// ErasureRecordType is the payload type of the envelope in which a tenant's key signs an ErasureRecord.
const ErasureRecordType = "application/vnd.sanad.erasure.v1+json"

// ErasureRecord says that a tenant erased a pack, and when.
type ErasureRecord struct {
	PackID      string `json:"pack_id"`
	ErasedAt    string `json:"erased_at"`
	ContentRoot string `json:"content_root"`
	Leaves      int    `json:"leaves"`
	// SHA-256 of the canonical list of leaves: the content root does not hold their kinds
	LeavesSHA256 string `json:"leaves_sha256"`
}

var (
	envelopeForm, _ = fields.Envelope.(map[string]any)
	erasedForm      = map[string]any{
		"format": "s", "pack_id": "s", "leaves": []any{map[string]any{"kind": "s", "leaf_hash": "s"}},
		"dsse": envelopeForm, "record": envelopeForm,
	}
	erasureRecordForm = map[string]any{"pack_id": "s", "erased_at": "s", "content_root": "s", "leaves": "i",
		"leaves_sha256": "s"}
)

// Erase returns the copy of a signed pack that is kept when its content is erased at a time, with the record signed by
// a key of the tenant.
func Erase(f *Frozen, signed *Envelope, at time.Time, by crypto.Signer) (*Erased, error) {
	leaves, err := f.leaves()
	if err != nil {
		return nil, err
	}
	e := &Erased{Format: ErasedFormat, PackID: f.Content.PackID, DSSE: *signed}
	for _, l := range leaves {
		e.Leaves = append(e.Leaves, ErasedLeaf{l.Kind, hexOf(l.Hash)})
	}
	sum, err := e.leavesDigest()
	if err != nil {
		return nil, err
	}
	payload, err := canonical.JSON(ErasureRecord{
		PackID: e.PackID, ErasedAt: stampOf(at), ContentRoot: f.Content.ContentRoot, Leaves: len(leaves),
		LeavesSHA256: sum,
	})
	if err != nil {
		return nil, notCanonical("pack.Erase", err)
	}
	record, err := signAs(ErasureRecordType, payload, by)
	if err != nil {
		return nil, err
	}
	e.Record = *record
	return e, nil
}

// leavesDigest returns the SHA-256 of the list of leaves in hex.
func (e *Erased) leavesDigest() (string, error) {
	data, err := canonical.JSON(e.Leaves)
	if err != nil {
		return "", notCanonical("pack.Erase", err)
	}
	return Digest(data), nil
}

// Bytes returns the copy as a file.
func (e *Erased) Bytes() ([]byte, error) { return canonical.JSON(e) }

// erasedPacks is the format of the copy.
var erasedPacks = versioned[Erased]{field: "format", name: "sanad.erased_pack/v", now: ErasedFormat, read: readErased}

// ParseErased reads what is kept of an erased pack.
func ParseErased(data []byte) (*Erased, error) { return erasedPacks.parse(data) }

func readErased(data []byte) (*Erased, error) {
	var e Erased
	if err := exact(data, erasedForm, &e); err != nil {
		return nil, err
	}
	return &e, nil
}

// Verify checks that a key has signed the Statement of the pack, and that the leaves' hashes are those of the content
// root and of the claims that it names.
func (e *Erased) Verify(public ed25519.PublicKey) (*Statement, error) {
	s, err := e.DSSE.Statement(public)
	if err != nil {
		return nil, err
	}
	var leaves []hashed
	var claims []string
	for _, l := range e.Leaves {
		h, ok := hashFrom(l.Hash)
		if !ok {
			return nil, malformed("refused_leaf_hash", nil)
		}
		leaves = append(leaves, hashed{Kind: l.Kind, Hash: h})
		if l.Kind == LeafClaim {
			claims = append(claims, l.Hash)
		}
	}
	same := rootOf(leaves) == s.Predicate.ContentRoot && int64(len(leaves)) == s.Predicate.ContentLeaves &&
		e.PackID == s.Predicate.PackID && len(claims) == len(s.Predicate.Entries)
	for i := range claims {
		same = same && claims[i] == s.Predicate.Entries[i].SHA256
	}
	if !same {
		return nil, malformed("refused_kept_signed", nil)
	}
	return s, nil
}

// VerifyRecord returns the record of the erasure if a key has signed it for this pack.
func (e *Erased) VerifyRecord(public ed25519.PublicKey, s *Statement) (*ErasureRecord, error) {
	payload, err := e.Record.verifyAs(ErasureRecordType, public)
	if err != nil {
		return nil, err
	}
	var r ErasureRecord
	if err := exact(payload, erasureRecordForm, &r); err != nil {
		return nil, err
	}
	sum, err := e.leavesDigest()
	if err != nil {
		return nil, err
	}
	if r.PackID != e.PackID || r.ContentRoot != s.Predicate.ContentRoot || r.Leaves != len(e.Leaves) ||
		r.LeavesSHA256 != sum {
		return nil, malformed("refused_record_about_another", nil)
	}
	return &r, nil
}

// CheckErasure is the check of a tenant's record that it erased a pack.
const CheckErasure = "erasure_record"

// VerifyErased checks what is kept of an erased pack. Like VerifyProof, it needs the key.
func VerifyErased(data []byte, trust Trust) *Report {
	r := &partReport{trust: trust}
	e, err := ParseErased(data)
	if !r.note(CheckForm, err, "") || !r.signed(&e.DSSE, "") {
		return r.done()
	}
	s, err := e.Verify(r.key)
	if !r.note(CheckContent, err, "") {
		return r.done()
	}
	r.PackID, r.Digest = s.Predicate.PackID, s.SHA256(FileJSON)
	record, err := e.VerifyRecord(trust.Key, s)
	if err != nil && e.Record.KeyID() != e.DSSE.KeyID() {
		r.Checks = append(r.Checks, Check{CheckErasure, NotChecked, "signed by another key: " + clean(e.Record.KeyID())})
		return r.doneUnless(Incomplete)
	}
	if !r.note(CheckErasure, err, "") {
		return r.doneUnless(Refused)
	}
	r.Checks[len(r.Checks)-1].Detail = fmt.Sprintf("erased on %s: %d leaves by hash; files' digests not checkable",
		clean(record.ErasedAt), record.Leaves)
	return r.done()
}
