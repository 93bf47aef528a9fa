package auth

import (
	"crypto/rand"
	"encoding/base32"
	"strings"
)

// TokenPrefix begins every API token, so that secret scanners find a leaked one.
const TokenPrefix = "sanad_"

// base32Text encodes bytes in lower-case letters and the digits 2 to 7: a double click selects it, nothing is escaped.
var base32Text = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// readable leaves out characters that are easily confused when read aloud or written by hand: i, l, o, 0, 1.
const readable = "abcdefghjkmnpqrstuvwxyz23456789"

// NewSecret returns a random value for a cookie: 160 bits as text.
func NewSecret() string { return base32Text.EncodeToString(random(20)) }

// NewToken returns a new API token: TokenPrefix and 160 random bits.
func NewToken() string { return TokenPrefix + NewSecret() }

// NewLink returns the secret of an invitation by link: 256 random bits as text.
func NewLink() string { return base32Text.EncodeToString(random(32)) }

// secretGroups is how many groups of four a secret has that people type: at least 128 bits (rule SEC-2).
const secretGroups = 7

// RandomPassword returns a password for a new account, easy to read aloud and type: seven groups of four, 138 bits.
func RandomPassword() string { return grouped(pick(readable, secretGroups*4)) }

// grouped separates a secret into groups of four characters.
func grouped(secret string) string {
	var groups []string
	for ; len(secret) > 4; secret = secret[4:] {
		groups = append(groups, secret[:4])
	}
	return strings.Join(append(groups, secret), "-")
}

// pick returns n characters of alphabet (ASCII, at most 32 of them), each equally likely.
func pick(alphabet string, n int) string {
	out := make([]byte, 0, n)
	for len(out) < n {
		for _, b := range random(n) {
			if i := int(b & 31); i < len(alphabet) && len(out) < n {
				out = append(out, alphabet[i])
			}
		}
	}
	return string(out)
}

// random is the only source of randomness in this package. The system's source does not fail; if it did, Go would end
// the program.
func random(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b)
	return b
}
