package keys

import (
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"encoding/pem"
	"io"

	"golang.org/x/mod/sumdb/note"
)

// NewSigning returns an Ed25519 key made from 32 random bytes.
func NewSigning(random io.Reader) (ed25519.PrivateKey, error) {
	seed := make([]byte, ed25519.SeedSize)
	if _, err := io.ReadFull(random, seed); err != nil {
		return nil, err
	}
	return ed25519.NewKeyFromSeed(seed), nil
}

// Fingerprint returns the id of a public key as OpenSSH and cosign write it: "SHA256:" and the unpadded base64 of the
// SHA-256 of the SSH wire form (rule F-8).
func Fingerprint(public ed25519.PublicKey) string {
	var wire []byte
	for _, part := range [][]byte{[]byte("ssh-ed25519"), public} {
		wire = binary.BigEndian.AppendUint32(wire, uint32(len(part)))
		wire = append(wire, part...)
	}
	sum := sha256.Sum256(wire)
	return "SHA256:" + base64.RawStdEncoding.EncodeToString(sum[:])
}

// PEM encodes a public key as openssl and cosign read it (SPKI).
func PEM(public ed25519.PublicKey) (string, error) {
	der, err := x509.MarshalPKIXPublicKey(public)
	if err != nil {
		return "", err
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})), nil
}

// NoteVerifier returns a verifier of C2SP signed notes. The name must have no spaces and no plus sign.
func NoteVerifier(name string, public ed25519.PublicKey) (note.Verifier, error) {
	text, err := note.NewEd25519VerifierKey(name, public)
	if err != nil {
		return nil, err
	}
	return note.NewVerifier(text)
}

// NoteSigner returns a signer of C2SP signed notes.
func NoteSigner(name string, key ed25519.PrivateKey) (note.Signer, error) {
	v, err := NoteVerifier(name, key.Public().(ed25519.PublicKey))
	if err != nil {
		return nil, err
	}
	return noteSigner{v, key}, nil
}

// noteSigner takes its name and key hash from the matching verifier.
type noteSigner struct {
	note.Verifier
	key ed25519.PrivateKey
}

func (s noteSigner) Sign(msg []byte) ([]byte, error) { return ed25519.Sign(s.key, msg), nil }
