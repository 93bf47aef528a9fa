package sources

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"sanad/internal/domain/text"
)

// maxValue is the longest value of the safe subset, in code points.
const maxValue = 256

// filter decides which metadata is shown (rule S-6).
type filter struct {
	include map[string]bool // nil for the safe subset
	exclude map[string]bool
}

func newFilter(include, exclude []string) filter {
	f := filter{exclude: set(exclude)}
	if include != nil {
		f.include = set(include)
	}
	return f
}

func set(keys []string) map[string]bool {
	out := make(map[string]bool, len(keys))
	for _, k := range keys {
		out[k] = true
	}
	return out
}

// apply returns what may be shown, in a new map that is never nil. Values requested by key are shown unchanged, unless
// they are not JSON.
func (f filter) apply(metadata map[string]json.RawMessage) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	for key, value := range metadata {
		shown := f.include[key]
		if f.include == nil {
			shown = safeKey(key) && safeValue(value)
		}
		if shown && !f.exclude[key] && utf8.ValidString(key) && utf8.Valid(value) && json.Valid(value) {
			out[key] = value
		}
	}
	return out
}

// safeValue reports whether raw is a short scalar: a text of at most maxValue code points, a number, true, false, null.
func safeValue(raw json.RawMessage) bool {
	s := strings.TrimSpace(string(raw))
	if s == "" || s[0] == '{' || s[0] == '[' {
		return false
	}
	if s[0] == '"' {
		var v string
		if json.Unmarshal([]byte(s), &v) != nil {
			return false
		}
		s = v
	}
	return !longer(s, maxValue)
}

// revealing are substrings that no safe key contains: names of secrets, whole texts and vectors. The list is broad on
// purpose: callers who need `context` or `token_count` name it in include.
var revealing = []string{
	"password", "passwd", "passphrase", "passcode", "secret", "token", "credential", "authorization", "bearer",
	"cookie",
	"apikey", "accesskey", "privatekey", "signingkey", "encryptionkey", "sharedkey", "masterkey", "accountkey",
	"sshkey",
	"content", "text", "embedding", "vector", "markdown", "transcript", "base64",
	text.Fold("كلمةالمرور"), text.Fold("كلمةالسر"), text.Fold("الرمزالسري"), text.Fold("المحتوى"),
}

// revealingWords are words that reveal something only as whole words: "auth" but not "author", "body" but not
// "somebody".
var revealingWords = set([]string{"auth", "oauth", "jwt", "otp", "pwd", "pass", "pin", "cvv", "body", "html", "raw",
	"blob", text.Fold("النص")})

// safeKey reports whether a key looks neither like a secret nor like content, in any spelling: api_key, API-Key,
// apiKey.
func safeKey(key string) bool {
	words := wordsOf(key)
	joined := strings.Join(words, "")
	for _, part := range revealing {
		if strings.Contains(joined, part) {
			return false
		}
	}
	for _, w := range words {
		if revealingWords[w] {
			return false
		}
	}
	return true
}

// wordsOf splits a key where letters or digits end and where a capital follows a small letter, and folds each word.
func wordsOf(key string) []string {
	var spaced strings.Builder
	before := ' '
	for _, r := range valid(key) {
		switch {
		case unicode.IsMark(r), unicode.Is(unicode.Cf, r): // removed by Fold
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			r = ' '
		case unicode.IsUpper(r) && unicode.IsLower(before):
			spaced.WriteByte(' ')
		}
		spaced.WriteRune(r)
		before = r
	}
	return strings.Fields(text.Fold(spaced.String()))
}
