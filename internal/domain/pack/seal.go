package pack

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"sanad/internal/domain"
)

// Sealed stands for content that may not be kept: where it is, and SHA-256(salt ‖ content) (rule P-10).
type Sealed struct {
	URI    string `json:"uri"`
	SHA256 string `json:"sha256"` // "sha256:" and hex
}

// SealRestricted replaces the S3 texts of a decision (excerpts, inputs, outputs) by URI and salted hash. It stands
// before everything that stores or logs. The salt of each is Salt of its place in the decision: secret is the tenant's
// and never in a pack, so that the same decision sent twice is the same. What is sealed already stays as it is. Hashes
// without salt that were given with S3 content go too: they would tell it to who can guess it.
func SealRestricted(d *Decision, secret []byte) {
	for i := range d.Evidence {
		s := &d.Evidence[i]
		if !s.S3() {
			continue
		}
		hash := s.ExcerptHash
		if s.Excerpt != "" {
			hash = seal(secret, d.DecisionID, "excerpt", i, []byte(s.Excerpt))
		}
		s.Quote = Quote{ExcerptHash: hash}
	}
	for i := range d.ToolCalls {
		if t := &d.ToolCalls[i]; t.S3() {
			t.Inputs = sealJSON(secret, d.DecisionID, "inputs", i, t.Inputs)
			t.Outputs = sealJSON(secret, d.DecisionID, "outputs", i, t.Outputs)
		}
	}
}

func seal(secret []byte, decision, field string, i int, content []byte) string {
	salt := Salt(secret, "s3", decision+"\x00"+field+"\x00"+strconv.Itoa(i))
	return Hash(append([]byte(salt), content...))
}

// sealJSON seals a JSON value by its canonical form, so that spaces and the order of keys don't matter.
func sealJSON(secret []byte, decision, field string, i int, raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 || isSealed(raw) {
		return raw
	}
	var given struct{ URI string }
	_ = json.Unmarshal(raw, &given) // no object: no URI
	if !pointer(given.URI) {
		given.URI = ""
	}
	content := []byte(raw)
	if canonical, err := domain.Canonical(raw); err == nil {
		content = canonical
	}
	out, _ := json.Marshal(Sealed{given.URI, seal(secret, decision, field, i, content)}) // two strings
	return out
}

// isSealed reports whether a value is a Sealed and nothing more: no other field, none twice, no prose for a URI.
func isSealed(raw json.RawMessage) bool {
	var s Sealed
	if json.Unmarshal(raw, &s) != nil || bare(s.SHA256) == "" || s.URI != "" && !pointer(s.URI) {
		return false
	}
	given, err1 := domain.Canonical(raw)
	want, err2 := domain.Canonical(s)
	return err1 == nil && err2 == nil && bytes.Equal(given, want)
}

// pointer reports whether a text can be a URI: a scheme, no white space, not long.
func pointer(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Scheme != "" && len(s) <= MaxURI && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || unicode.IsSpace(r) })
}

// Salt derives a salt from a secret: HMAC-SHA256 of kind, a zero byte and id, as hex.
func Salt(secret []byte, kind, id string) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(kind + "\x00" + id))
	return hex.EncodeToString(mac.Sum(nil))
}
