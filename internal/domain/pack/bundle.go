package pack

import "sanad/internal/domain"

// BundleType is the media type of the Sigstore bundle that is written beside the envelope (rule F-10).
const BundleType = "application/vnd.dev.sigstore.bundle.v0.3+json"

// Bundle is a Sigstore bundle v0.3 of an envelope signed with a key of one's own: cosign and @sigstore/verify read it.
type Bundle struct {
	MediaType            string               `json:"mediaType"`
	VerificationMaterial VerificationMaterial `json:"verificationMaterial"`
	DSSEEnvelope         Envelope             `json:"dsseEnvelope"`
}

// VerificationMaterial names the key. There is no public log of it, so tlogEntries is empty.
type VerificationMaterial struct {
	PublicKey   PublicKeyHint `json:"publicKey"`
	TlogEntries []struct{}    `json:"tlogEntries"`
}

// PublicKeyHint is the key's fingerprint.
type PublicKeyHint struct {
	Hint string `json:"hint"`
}

// NewBundle makes the bundle of an envelope.
func NewBundle(e *Envelope) *Bundle {
	return &Bundle{BundleType, VerificationMaterial{PublicKeyHint{e.KeyID()}, []struct{}{}}, *e}
}

// Bytes is pack.sigstore.json.
func (b *Bundle) Bytes() ([]byte, error) { return domain.Canonical(b) }

// ParseBundle reads pack.sigstore.json: the bytes that Bytes makes and no others.
func ParseBundle(data []byte) (*Bundle, error) {
	var b Bundle
	if err := exact(data, fields[0].Bundle, &b); err != nil {
		return nil, err
	}
	if err := b.DSSEEnvelope.check(); err != nil {
		return nil, err
	}
	if b.MediaType != BundleType || b.VerificationMaterial.PublicKey.Hint != b.DSSEEnvelope.KeyID() || len(b.VerificationMaterial.TlogEntries) != 0 {
		return nil, malformed("This is not a bundle of the form "+BundleType+".", nil)
	}
	return &b, nil
}
