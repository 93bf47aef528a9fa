// Package keys holds the master key, the one secret outside the database, and seals what the database stores in
// confidence: signing keys, log keys, TOTP secrets (rule SEC-13).
package keys

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"
)

// MasterSize is the length of a master key in bytes.
const MasterSize = 32

// ErrWrongKey means that data was sealed with another key or for another use; the two cannot be told apart.
var ErrWrongKey = errors.New("the key does not open this secret")

// Box seals and opens secrets with the master key. It is safe for concurrent use.
type Box struct {
	seal cipher.AEAD // AES-256-GCM, a random nonce before each text
	mac  []byte
}

// New returns a box for a master key of 32 bytes. Sealing and MAC each use their own subkey (HKDF-SHA256), so that
// neither reveals anything about the other.
func New(master []byte) (*Box, error) {
	if len(master) != MasterSize {
		return nil, fmt.Errorf("the master key must have %d bytes, but has %d", MasterSize, len(master))
	}
	sealing, err := hkdf.Key(sha256.New, master, nil, "sanad/seal/v1", 32)
	if err != nil {
		return nil, err
	}
	mac, err := hkdf.Key(sha256.New, master, nil, "sanad/mac/v1", 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(sealing)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, err
	}
	return &Box{seal: aead, mac: mac}, nil
}

// sealVersion is the first byte of sealed data, so that another format can be added later.
const sealVersion = 1

// Seal encrypts a secret for one use. context names the use ("totp/<user id>"); Open needs the same context.
func (b *Box) Seal(context string, secret []byte) ([]byte, error) {
	//nolint:gosec // this AEAD draws its own random nonce
	return b.seal.Seal([]byte{sealVersion}, nil, secret, sealed(context)), nil
}

// Open decrypts what Seal returned. The error is ErrWrongKey if the master key or the context differs, or if a bit of
// the data was changed.
func (b *Box) Open(context string, data []byte) ([]byte, error) {
	if len(data) == 0 || data[0] != sealVersion {
		return nil, ErrWrongKey
	}
	out, err := b.seal.Open(nil, nil, data[1:], sealed(context))
	if err != nil {
		return nil, ErrWrongKey
	}
	return out, nil
}

// sealed returns the additional authenticated data. It includes the version, so that no later format can pass for this.
func sealed(context string) []byte { return append([]byte{sealVersion}, context...) }

// MAC returns a keyed hash (HMAC-SHA256, hex) of a text for one use, so that a name can be looked up but is not stored.
func (b *Box) MAC(context, text string) string {
	h := b.NewMAC(context)
	_, _ = io.WriteString(h, text) // writing to a hash never fails
	return hex.EncodeToString(h.Sum(nil))
}

// NewMAC returns the hash that MAC uses, for text that is written to it piece by piece.
func (b *Box) NewMAC(context string) hash.Hash { return newMAC(b.mac, context) }

func newMAC(key []byte, context string) hash.Hash {
	h := hmac.New(sha256.New, key)
	fmt.Fprintf(h, "%d:%s", len(context), context) // the length keeps (ab, c) and (a, bc) apart
	return h
}

// Generate returns a new master key as text that Parse reads.
func Generate(random io.Reader) (string, error) {
	key := make([]byte, MasterSize)
	if _, err := io.ReadFull(random, key); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(key), nil
}

// Parse reads a master key: exactly 32 bytes as base64 (either alphabet) or hex; surrounding white space is ignored.
// The error never contains the text.
func Parse(text string) ([]byte, error) {
	text = strings.TrimSpace(text)
	if key, err := hex.DecodeString(text); err == nil && len(key) == MasterSize {
		return key, nil
	}
	plain := strings.TrimRight(text, "=")
	for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		if key, err := encoding.DecodeString(plain); err == nil && len(key) == MasterSize {
			return key, nil
		}
	}
	return nil, fmt.Errorf("the master key is not %d bytes in base64 or hex (it has %d characters)", MasterSize,
		len(text))
}
