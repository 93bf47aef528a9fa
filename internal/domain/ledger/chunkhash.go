package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
)

// HashDigits is the number of digits of a chunk's digest in an anchor.
const HashDigits = 8

// ChunkDigest returns the full SHA-256 hex of a chunk's text in lower case, with white space collapsed and trimmed,
// both as ECMAScript defines them (rule L-10; pinned by vectors/ledger.json).
func ChunkDigest(s string) string {
	out, ok := folded(s)
	if !ok {
		out = foldedInContext(s)
	}
	sum := sha256.Sum256(out)
	return hex.EncodeToString(sum[:])
}

// folded returns what ChunkDigest hashes, computed letter by letter; false if a letter's lower case depends on its
// neighbours (Σ) or is more than one letter (İ), or if s is invalid UTF-8.
func folded(s string) ([]byte, bool) {
	out, gap := make([]byte, 0, len(s)), false
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			if r, size = utf8.DecodeRuneInString(s[i:]); r == 'Σ' || r == 'İ' || r == utf8.RuneError && size == 1 {
				return nil, false
			}
		}
		i += size
		if isECMASpace(r) {
			gap = len(out) > 0
			continue
		}
		if gap {
			out, gap = append(out, ' '), false
		}
		switch {
		case r >= 'A' && r <= 'Z':
			out = append(out, byte(r)+'a'-'A')
		case r < utf8.RuneSelf:
			out = append(out, byte(r))
		case r >= 0x590 && r < 0x10A0: // from Hebrew and Arabic to Burmese, letters have no case
			out = append(out, s[i-size:i]...)
		default:
			out = utf8.AppendRune(out, unicode.ToLower(r))
		}
	}
	return out, true
}

// foldedInContext is folded for any text, by full case mapping, as toLowerCase: final sigma, dotted I. It is slow.
func foldedInContext(s string) []byte {
	lower := cases.Lower(language.Und).String(s)
	return []byte(strings.Join(strings.FieldsFunc(lower, isECMASpace), " "))
}

// ChunkHash returns the prefix of ChunkDigest that citations use.
func ChunkHash(s string) string { return ChunkDigest(s)[:HashDigits] }

// TextDigest returns the SHA-256 hex of s.
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
