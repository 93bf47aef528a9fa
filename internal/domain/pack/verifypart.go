package pack

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"strings"
)

// VerifyProof checks the proof of one leaf. It needs the key, which a proof does not contain.
func VerifyProof(data []byte, trust Trust) *Report {
	r := &partReport{trust: trust}
	p, err := ParseProof(data)
	if !r.note(CheckForm, err, "") || !r.signed(&p.DSSE) {
		return r.done()
	}
	if s, shown, err := p.Verify(trust.Key); r.note(CheckContent, err, "the proof leads to the root that was signed") {
		r.PackID, r.Digest = s.Predicate.PackID, s.SHA256(FileJSON)
		r.Checks[len(r.Checks)-1].Detail = clean(fmt.Sprintf("%s %s, leaf %d of %d", shown.Kind, shown.ID, p.Index+1,
			p.Size))
	}
	return r.done()
}

// VerifyRedacted checks a redacted copy. Like VerifyProof, it needs the key.
func VerifyRedacted(data []byte, trust Trust) *Report {
	r := &partReport{trust: trust}
	c, err := ParseRedacted(data)
	if !r.note(CheckForm, err, "") || !r.signed(&c.DSSE) {
		return r.done()
	}
	if s, out, err := c.Verify(trust.Key); r.note(CheckContent, err, "") {
		r.PackID, r.Digest = s.Predicate.PackID, s.SHA256(FileJSON)
		r.Checks[len(r.Checks)-1].Detail = fmt.Sprintf("%d leaves left out, with their reasons", out)
	}
	return r.done()
}

// partReport is the report about a part of a pack, which has three checks.
type partReport struct {
	Report
	trust Trust
}

// note adds a check and reports whether it holds.
func (r *partReport) note(name string, err error, detail string) bool {
	v := verification{found: map[string]Check{}}
	v.note(name, err, detail)
	r.Checks = append(r.Checks, v.found[name])
	return err == nil
}

// signed checks the signature, and reports whether it holds.
func (r *partReport) signed(e *Envelope) bool {
	r.KeyID = e.KeyID()
	v := verification{envelope: e}
	key, err := v.key(r.trust)
	if key == nil && err == nil {
		return false
	}
	if err == nil {
		var s *Statement
		if s, err = e.Statement(key); err == nil {
			err = same(s.Predicate.KeyID, r.KeyID)
		}
	}
	return r.note(CheckSignature, err, r.KeyID)
}

// done names the checks that could not be made and derives the verdict.
func (r *partReport) done() *Report {
	r.Verdict = Verified
	for _, name := range []string{CheckForm, CheckSignature, CheckContent} {
		switch r.Status(name) {
		case Failed:
			r.Verdict = Refused
		case NotChecked:
			detail := ""
			if name == CheckSignature && r.Verdict != Refused {
				detail = "no key: give the tenant's public key"
			}
			r.Checks = append(r.Checks, Check{name, NotChecked, detail})
			if r.Verdict != Refused {
				r.Verdict = Incomplete
			}
		case OK:
		}
	}
	return &r.Report
}

// CheckFingerprint reports whether a text has the form of a Fingerprint.
func CheckFingerprint(s string) bool {
	digits, ok := strings.CutPrefix(s, "SHA256:")
	sum, err := base64.RawStdEncoding.Strict().DecodeString(digits)
	// without line breaks, which Strict accepts
	return ok && err == nil && len(sum) == ed25519.PublicKeySize && len(digits) == 43
}
