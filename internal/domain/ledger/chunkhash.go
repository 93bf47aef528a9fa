package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
)

// HashDigits is how many digits of a chunk's digest an anchor shows.
const HashDigits = 8

// ChunkDigest is the full SHA-256 hex of a chunk's text lower-cased, white space folded to one space and trimmed, in
// ECMAScript's sense of both (spec page 1 "Chunk hash"; pinned by vectors/ledger.json).
func ChunkDigest(s string) string {
	lower := cases.Lower(language.Und).String(s) // full case mapping, as toLowerCase: final sigma, dotted I
	sum := sha256.Sum256([]byte(strings.Join(strings.FieldsFunc(lower, isECMASpace), " ")))
	return hex.EncodeToString(sum[:])
}

// ChunkHash is the citable prefix of ChunkDigest.
func ChunkHash(s string) string { return ChunkDigest(s)[:HashDigits] }

// TextDigest is the SHA-256 hex of s as it is.
func TextDigest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// isECMASpace is ECMAScript's \s. It differs from unicode.IsSpace in U+FEFF (in) and U+0085 (out).
func isECMASpace(r rune) bool {
	switch {
	case r >= '\t' && r <= '\r', r == ' ', r == 0xA0, r == 0x1680, r >= 0x2000 && r <= 0x200A:
		return true
	case r == 0x2028, r == 0x2029, r == 0x202F, r == 0x205F, r == 0x3000, r == 0xFEFF:
		return true
	}
	return false
}
