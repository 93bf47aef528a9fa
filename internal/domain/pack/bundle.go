package pack

import "sanad/internal/domain/canonical"

// BundleType is the media type of the Sigstore bundle that is written beside the envelope (rule F-10).
const BundleType = "application/vnd.dev.sigstore.bundle.v0.3+json"

// Bundle is a Sigstore bundle v0.3 of an envelope that was signed with a self-managed key: cosign and @sigstore/verify
// read it.
type Bundle struct {
	MediaType            string               `json:"mediaType"`
	VerificationMaterial VerificationMaterial `json:"verificationMaterial"`
	DSSEEnvelope         Envelope             `json:"dsseEnvelope"`
}

// VerificationMaterial names the key. The signature is in no public log, so tlogEntries is empty.
type VerificationMaterial struct {
	PublicKey   PublicKeyHint `json:"publicKey"`
	TlogEntries []struct{}    `json:"tlogEntries"`
}

// PublicKeyHint is the key's fingerprint.
type PublicKeyHint struct {
	Hint string `json:"hint"`
}

// NewBundle returns the bundle of an envelope.
func NewBundle(e *Envelope) *Bundle {
	return &Bundle{BundleType, VerificationMaterial{PublicKeyHint{e.KeyID()}, []struct{}{}}, *e}
}

// Bytes returns pack.sigstore.json.
func (b *Bundle) Bytes() ([]byte, error) { return canonical.JSON(b) }

// ParseBundle reads pack.sigstore.json. It accepts only the bytes that Bytes returns.
func ParseBundle(data []byte) (*Bundle, error) {
	var b Bundle
	if err := exact(data, fields.Bundle, &b); err != nil {
		return nil, err
	}
	if err := b.DSSEEnvelope.check(); err != nil {
		return nil, err
	}
	if b.MediaType != BundleType || b.VerificationMaterial.PublicKey.Hint != b.DSSEEnvelope.KeyID() ||
		len(b.VerificationMaterial.TlogEntries) != 0 {
		return nil, malformed("refused_bundle_form_application", nil)
	}
	return &b, nil
}
