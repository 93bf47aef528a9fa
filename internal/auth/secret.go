package auth

import (
	"crypto/rand"
	"encoding/base32"
	"strings"
)

// TokenPrefix begins every API token, so that a leaked one is found by those who search for such.
const TokenPrefix = "sanad_"

// base32Text writes random bytes in lower case letters and the digits 2 to 7: one word for a double click, no escaping.
var base32Text = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// readable leaves out what is taken for something else when read aloud or by hand: i, l, o, 0, 1.
const readable = "abcdefghjkmnpqrstuvwxyz23456789"

// NewSecret makes the value of a cookie: 160 random bits as text. NewToken makes that of an API token.
func NewSecret() string { return base32Text.EncodeToString(random(20)) }

// NewToken makes an API token: TokenPrefix and 160 random bits.
func NewToken() string { return TokenPrefix + NewSecret() }

// RandomPassword makes one for a new account, easy to read aloud and type: five groups of four, 99 bits.
func RandomPassword() string {
	groups := make([]string, 5)
	for i := range groups {
		groups[i] = pick(readable, 4)
	}
	return strings.Join(groups, "-")
}

// pick makes n characters of alphabet (at most 32 of them, ASCII), each as likely as any other.
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

// random is the one place of this package where randomness comes from. The system's source does not fail; if it did, Go
// ends the program.
func random(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b)
	return b
}
