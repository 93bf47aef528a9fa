package pack

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"sanad/internal/domain/canonical"
)

// Sealed replaces content that may not be stored: its location, and SHA-256(salt ‖ content) (rule P-10).
type Sealed struct {
	URI    string `json:"uri"`
	SHA256 string `json:"sha256"` // "sha256:" and hex
}

// SealRestricted replaces the S3 texts of a decision (excerpts, inputs, outputs) by URI and salted hash. It must run
// before anything is stored or logged. Each salt is Salt of the place in the decision; secret is the tenant's and never
// in a pack, so that the same decision sent twice has the same result. What is already sealed is unchanged. Unsalted
// hashes given with S3 content are removed too: they would let anybody verify a guess.
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

// SealRestricted seals the S3 texts that were written into a draft.
func (c *Content) SealRestricted(secret []byte) {
	d := Decision{Header: c.Header, Evidence: slices.Clone(c.Sources), ToolCalls: slices.Clone(c.ToolCalls)}
	SealRestricted(&d, secret)
	for i := range d.Evidence {
		if d.Evidence[i].S3() {
			d.Evidence[i] = d.Evidence[i].promote()
		}
	}
	c.Sources, c.ToolCalls = d.Evidence, d.ToolCalls
	c.EvidenceMapRoot = c.mapRoot()
}

// SealCall seals the inputs and outputs of an S3 tool call that arrives apart from its decision; its id is its place.
func SealCall(decisionID string, t *ToolCallRecord, secret []byte) {
	if t.S3() {
		place := decisionID + "\x00" + t.ID
		t.Inputs = sealJSON(secret, place, "inputs", 0, t.Inputs)
		t.Outputs = sealJSON(secret, place, "outputs", 0, t.Outputs)
	}
}

func seal(secret []byte, decision, field string, i int, content []byte) string {
	salt := Salt(secret, "s3", decision+"\x00"+field+"\x00"+strconv.Itoa(i))
	return Hash(append([]byte(salt), content...))
}

// sealJSON seals a JSON value by its canonical form, so that white space and key order don't matter.
func sealJSON(secret []byte, decision, field string, i int, raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 || isSealed(raw) {
		return raw
	}
	var given struct{ URI string }
	_ = json.Unmarshal(raw, &given) // not an object: no URI
	if !pointer(given.URI) {
		given.URI = ""
	}
	content := []byte(raw)
	if one, err := canonical.JSON(raw); err == nil {
		content = one
	}
	out, _ := json.Marshal(Sealed{given.URI, seal(secret, decision, field, i, content)}) // two strings
	return out
}

// isSealed reports whether a value is exactly a Sealed: no other fields, no duplicates, and its URI is not prose.
func isSealed(raw json.RawMessage) bool {
	var s Sealed
	if json.Unmarshal(raw, &s) != nil || bare(s.SHA256) == "" || s.URI != "" && !pointer(s.URI) {
		return false
	}
	given, err1 := canonical.JSON(raw)
	want, err2 := canonical.JSON(s)
	return err1 == nil && err2 == nil && bytes.Equal(given, want)
}

// pointer reports whether a text can be a URI: it has a scheme, no white space, and is not long.
func pointer(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Scheme != "" && len(s) <= MaxURI && !strings.ContainsFunc(s,
		func(r rune) bool { return r <= ' ' || unicode.IsSpace(r) })
}

// Salt derives a salt from a secret: HMAC-SHA256 of kind, a zero byte and id, as hex.
func Salt(secret []byte, kind, id string) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(kind + "\x00" + id))
	return hex.EncodeToString(mac.Sum(nil))
}
