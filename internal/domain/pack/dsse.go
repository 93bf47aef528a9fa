package pack

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"encoding/pem"
	"fmt"

	"sanad/internal/domain"
	"sanad/internal/domain/canonical"
	"sanad/internal/words"
)

// PayloadType is the payload type of our envelopes (rule F-8).
const PayloadType = "application/vnd.in-toto+json"

// Envelope is a DSSE envelope with one signature: pure Ed25519 over PAE.
type Envelope struct {
	Payload     string      `json:"payload"` // base64
	PayloadType string      `json:"payloadType"`
	Signatures  []Signature `json:"signatures"`
}

// Signature is a signature and the OpenSSH fingerprint of its key.
type Signature struct {
	KeyID string `json:"keyid"`
	Sig   string `json:"sig"` // base64
}

// PAE is DSSE's pre-authentication encoding: the bytes that are signed.
func PAE(payloadType string, body []byte) []byte {
	return fmt.Appendf(nil, "DSSEv1 %d %s %d %s", len(payloadType), payloadType, len(body), body)
}

// Sign returns an envelope of a Statement. by must be an Ed25519 key.
func Sign(payload []byte, by crypto.Signer) (*Envelope, error) {
	return signAs(PayloadType, payload, by)
}

// signAs returns an envelope of a payload of any type.
func signAs(payloadType string, payload []byte, by crypto.Signer) (*Envelope, error) {
	public, ok := by.Public().(ed25519.PublicKey)
	if !ok {
		return nil, &domain.Error{Op: "pack.Sign", Message: words.Msg("refused_key_ed25519_key")}
	}
	sig, err := by.Sign(nil, PAE(payloadType, payload), crypto.Hash(0)) // Ed25519 needs no randomness
	if err != nil {
		return nil, &domain.Error{Op: "pack.Sign", Message: words.Msg("refused_pack_could_signed"), Err: err}
	}
	e := NewEnvelope(payload, sig, Fingerprint(public))
	e.PayloadType = payloadType
	return e, nil
}

// NewEnvelope returns the envelope of a payload with its signature by a key: Ed25519 over PAE.
func NewEnvelope(payload, signature []byte, keyID string) *Envelope {
	return &Envelope{
		Payload: base64.StdEncoding.EncodeToString(payload), PayloadType: PayloadType,
		Signatures: []Signature{{keyID, base64.StdEncoding.EncodeToString(signature)}},
	}
}

// Bytes returns pack.dsse.json.
func (e *Envelope) Bytes() ([]byte, error) { return canonical.JSON(e) }

// ParseEnvelope reads pack.dsse.json. It accepts only the bytes that Bytes returns.
func ParseEnvelope(data []byte) (*Envelope, error) {
	var e Envelope
	if err := exact(data, fields.Envelope, &e); err != nil {
		return nil, err
	}
	return &e, e.check()
}

func (e *Envelope) check() error { return e.checkAs(PayloadType) }

func (e *Envelope) checkAs(payloadType string) error {
	if e.PayloadType != payloadType || len(e.Signatures) != 1 {
		return malformed("refused_envelope_holds", nil, "Type", payloadType)
	}
	if _, err := e.payload(); err != nil {
		return err
	}
	_, err := decode64(e.Signatures[0].Sig)
	return err
}

func (e *Envelope) payload() ([]byte, error) { return decode64(e.Payload) }

// decode64 decodes base64 in its one canonical spelling: no line breaks, no non-zero spare bits.
func decode64(s string) ([]byte, error) {
	data, err := base64.StdEncoding.Strict().DecodeString(s)
	if err != nil || base64.StdEncoding.EncodeToString(data) != s {
		return nil, malformed("refused_base64", err)
	}
	return data, nil
}

// KeyID returns the key fingerprint that the envelope names.
func (e *Envelope) KeyID() string {
	if len(e.Signatures) == 0 {
		return ""
	}
	return e.Signatures[0].KeyID
}

// Verify returns the payload if the key has signed it.
func (e *Envelope) Verify(public ed25519.PublicKey) ([]byte, error) {
	return e.verifyAs(PayloadType, public)
}

// verifyAs is Verify for an envelope of another type of payload.
func (e *Envelope) verifyAs(payloadType string, public ed25519.PublicKey) ([]byte, error) {
	if err := e.checkAs(payloadType); err != nil {
		return nil, err
	}
	payload, _ := e.payload() // check has decoded it already
	sig, _ := decode64(e.Signatures[0].Sig)
	if len(public) != ed25519.PublicKeySize || e.KeyID() != Fingerprint(public) || !ed25519.Verify(public,
		PAE(e.PayloadType, payload), sig) {
		return nil, malformed("refused_signature_key", nil)
	}
	return payload, nil
}

// Statement returns the envelope's Statement if the key has signed it.
func (e *Envelope) Statement(public ed25519.PublicKey) (*Statement, error) {
	payload, err := e.Verify(public)
	if err != nil {
		return nil, err
	}
	return ParseStatement(payload)
}

// Fingerprint returns the id of a public key as OpenSSH and cosign write it: SHA256: and the unpadded base64 of the
// SHA-256 of the ssh wire form (rule F-8). internal/keys has the same function for storage; a test compares the two.
func Fingerprint(public ed25519.PublicKey) string {
	var wire []byte
	for _, part := range [][]byte{[]byte("ssh-ed25519"), public} {
		wire = binary.BigEndian.AppendUint32(wire, uint32(len(part)))
		wire = append(wire, part...)
	}
	sum := sha256.Sum256(wire)
	return "SHA256:" + base64.RawStdEncoding.EncodeToString(sum[:])
}

// PEM returns a public key in the form of tenant.pub.
func PEM(public ed25519.PublicKey) ([]byte, error) {
	der, err := x509.MarshalPKIXPublicKey(public)
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}), err
}

// ParsePublic reads a public key in PEM (tenant.pub).
func ParsePublic(text []byte) (ed25519.PublicKey, error) {
	block, _ := pem.Decode(text)
	if block == nil || block.Type != "PUBLIC KEY" {
		return nil, malformed("refused_public_key_pem", nil)
	}
	key, err := x509.ParsePKIXPublicKey(block.Bytes)
	public, ok := key.(ed25519.PublicKey)
	if !ok {
		return nil, malformed("refused_ed25519_public_key_2", err)
	}
	return public, nil
}

// Carries reports whether data is the payload of the envelope.
func (e *Envelope) Carries(data []byte) bool {
	payload, err := e.payload()
	return err == nil && bytes.Equal(payload, data)
}
