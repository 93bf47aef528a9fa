// Package keys holds the one secret that is outside the database, the master key, and seals with it what the database
// keeps: signing keys, log keys, TOTP secrets (rule SEC-13).
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

// ErrWrongKey is the error of opening with another key or for another use than was sealed with. Nobody can tell which.
var ErrWrongKey = errors.New("this key does not open it")

// Box seals and opens secrets with the master key. It is safe for concurrent use.
type Box struct {
	seal cipher.AEAD // AES-256-GCM, a random nonce before each text
	mac  []byte
}

// New makes a box of a master key of 32 bytes. Sealing and MAC get a subkey each (HKDF-SHA256), so that neither use
// tells anything of the other's.
func New(master []byte) (*Box, error) {
	if len(master) != MasterSize {
		return nil, fmt.Errorf("a master key has %d bytes, this has %d", MasterSize, len(master))
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

// sealVersion is the first byte of what Seal makes, for the day that there is another way.
const sealVersion = 1

// Seal encrypts secret for one use; context names that use ("totp/<user id>"), and opening asks for the same one.
func (b *Box) Seal(context string, secret []byte) ([]byte, error) {
	return b.seal.Seal([]byte{sealVersion}, nil, secret, sealed(context)), nil //nolint:gosec // the nonce is drawn at random by seal
}

// Open decrypts what Seal made. ErrWrongKey where the master key or the context is another, or a bit was changed.
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

// sealed is what is authenticated beside the secret: the version too, so that no later one can be mistaken for this.
func sealed(context string) []byte { return append([]byte{sealVersion}, context...) }

// MAC is a keyed hash (HMAC-SHA256, hex) of text for a use, so that a name can be looked up without being stored.
func (b *Box) MAC(context, text string) string {
	h := b.NewMAC(context)
	_, _ = io.WriteString(h, text) // a hash takes everything
	return hex.EncodeToString(h.Sum(nil))
}

// NewMAC is MAC for a text that is written to it.
func (b *Box) NewMAC(context string) hash.Hash {
	h := hmac.New(sha256.New, b.mac)
	fmt.Fprintf(h, "%d:%s", len(context), context) // the length keeps (ab, c) and (a, bc) apart
	return h
}

// Generate makes a master key as text that Parse reads.
func Generate(random io.Reader) (string, error) {
	key := make([]byte, MasterSize)
	if _, err := io.ReadFull(random, key); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(key), nil
}

// Parse reads a master key: exactly 32 bytes as base64 (either alphabet) or hex, white space around it ignored. The error
// never holds the text.
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
	return nil, fmt.Errorf("the master key is not %d bytes in base64 or hex (it has %d characters)", MasterSize, len(text))
}
