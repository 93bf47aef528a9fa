package pack

import (
	"crypto"
	"crypto/ed25519"
	"slices"

	"sanad/internal/domain/canonical"
)

// RedactionsType is the payload type of the envelope in which a tenant's key signs what was left out of a copy.
const RedactionsType = "application/vnd.sanad.redactions.v1+json"

// redactions is that payload: for which pack, and each leaf that is left out with its reason and rule, in the order of
// the tree.
type redactions struct {
	PackID      string        `json:"pack_id"`
	ContentRoot string        `json:"content_root"`
	Redactions  []redactedOne `json:"redactions"`
}

type redactedOne struct {
	Kind   string `json:"kind"`
	Hash   string `json:"leaf_hash"`
	Reason string `json:"reason"`
	Rule   string `json:"rule"`
}

// redactions returns what the copy says of the leaves that are left out.
func (r *Redacted) redactions() ([]byte, error) {
	salts := Salts{Salts: r.Salts}
	leaves, err := leavesOf(r.Pack, salts.look())
	if err != nil {
		return nil, err
	}
	out := redactions{Redactions: []redactedOne{}}
	out.PackID, _ = r.Pack["pack_id"].(string)
	out.ContentRoot, _ = r.Pack["content_root"].(string)
	for _, l := range leaves {
		if l.Bytes == nil {
			out.Redactions = append(out.Redactions, redactedOne{
				Kind: l.Kind, Hash: hexOf(l.Hash), Reason: l.Reason, Rule: l.Rule,
			})
		}
	}
	return canonical.JSON(out)
}

// Sign signs the reasons and rules of the copy with a key of the tenant.
func (r *Redacted) Sign(by crypto.Signer) error {
	payload, err := r.redactions()
	if err != nil {
		return err
	}
	e, err := signAs(RedactionsType, payload, by)
	if err == nil {
		r.Reasons = *e
	}
	return err
}

// VerifyReasons checks that a key has signed the reasons and rules as the copy has them.
func (r *Redacted) VerifyReasons(public ed25519.PublicKey) error {
	payload, err := r.Reasons.verifyAs(RedactionsType, public)
	if err != nil {
		return err
	}
	want, err := r.redactions()
	if err != nil {
		return err
	}
	if !slices.Equal(payload, want) {
		return malformed("refused_reasons_those_signed", nil)
	}
	return nil
}
