package pack

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
)

// VerifyProof checks the proof of one leaf, with the trusted key or the one that it holds.
func VerifyProof(data []byte, trust Trust) *Report {
	r := &partReport{trust: trust}
	p, err := ParseProof(data)
	if !r.note(CheckForm, err, "") || !r.signed(&p.DSSE, p.PublicKey) {
		return r.done()
	}
	if s, shown, err := p.Verify(r.key); r.note(CheckContent, err, "the proof leads to the root that was signed") {
		r.PackID, r.Digest = s.Predicate.PackID, s.SHA256(FileJSON)
		r.Checks[len(r.Checks)-1].Detail = clean(fmt.Sprintf("%s %s, leaf %d of %d", shown.Kind, shown.ID, p.Index+1,
			p.Size))
	}
	return r.done()
}

// VerifyRedacted checks a redacted copy. It needs the key, which a copy does not hold.
func VerifyRedacted(data []byte, trust Trust) *Report {
	r := &partReport{trust: trust}
	c, err := ParseRedacted(data)
	if !r.note(CheckForm, err, "") || !r.signed(&c.DSSE, "") {
		return r.done()
	}
	if s, out, err := c.Verify(r.key); r.note(CheckContent, err, "") {
		r.PackID, r.Digest = s.Predicate.PackID, s.SHA256(FileJSON)
		r.Checks[len(r.Checks)-1].Detail = fmt.Sprintf("%d leaves left out, with their reasons", out)
		return r.reasons(c)
	}
	return r.done()
}

// CheckReasons is the check that the tenant's key has signed the reasons and rules of a redacted copy.
const CheckReasons = "redaction_reasons"

// reasons checks the signature over the reasons.
func (r *partReport) reasons(c *Redacted) *Report {
	if c.Reasons.KeyID() != c.DSSE.KeyID() {
		r.Checks = append(r.Checks, Check{CheckReasons, NotChecked, "signed by another key: " + clean(c.Reasons.KeyID())})
		return r.doneUnless(Incomplete)
	}
	if !r.note(CheckReasons, c.VerifyReasons(r.key), "") {
		return r.doneUnless(Refused)
	}
	return r.done()
}

// doneUnless is done, with another verdict where that would be Verified.
func (r *partReport) doneUnless(other Verdict) *Report {
	if r.done(); r.Verdict == Verified {
		r.Verdict = other
	}
	r.fault()
	return &r.Report
}

// partReport is the report about a part of a pack, which has three checks.
type partReport struct {
	Report
	trust Trust
	key   ed25519.PublicKey // that the signature holds under

	before bool // made before the first release
}

// note adds a check and reports whether it holds.
func (r *partReport) note(name string, err error, detail string) bool {
	v := verification{found: map[string]Check{}}
	v.note(name, err, detail)
	r.before = r.before || errors.Is(err, ErrUnreleased)
	r.Checks = append(r.Checks, v.found[name])
	return err == nil
}

// signed checks the signature, and reports whether it holds. public is the key that the part holds, "" for none.
func (r *partReport) signed(e *Envelope, public string) bool {
	r.KeyID = e.KeyID()
	v := verification{envelope: e}
	if public != "" {
		v.files.PublicKey = []byte(public)
	}
	key, err := v.key(r.trust)
	if err == nil {
		err = v.ownKey(key)
	}
	if key == nil && err == nil {
		return false
	}
	if r.key = key; err == nil {
		var s *Statement
		if s, err = e.Statement(key); err == nil {
			err = same(s.Predicate.KeyID, r.KeyID)
		}
	}
	return r.note(CheckSignature, err, r.KeyID)
}

// done names the checks that could not be made and derives the verdict.
func (r *partReport) done() *Report {
	r.Verdict = Consistent
	if r.trust.Key != nil || r.trust.Fingerprint != "" {
		r.Verdict = Verified
	}
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
	r.fault()
	return &r.Report
}

// fault names what is not as it was signed, if a check failed.
func (r *partReport) fault() {
	known := r.trust.Fingerprint
	if known == "" && r.trust.Key != nil {
		known = Fingerprint(r.trust.Key)
	}
	switch {
	case r.Verdict != Refused:
		r.Faults = nil
	case r.before:
		r.Faults = []string{FaultUnreleased}
	case known != "" && r.KeyID != "" && r.KeyID != known:
		r.Faults = []string{FaultKey}
	default:
		r.Faults = []string{FaultPart}
	}
}

// CheckFingerprint reports whether a text has the form of a Fingerprint.
func CheckFingerprint(s string) bool {
	digits, ok := strings.CutPrefix(s, "SHA256:")
	sum, err := base64.RawStdEncoding.Strict().DecodeString(digits)
	// without line breaks, which Strict accepts
	return ok && err == nil && len(sum) == ed25519.PublicKeySize && len(digits) == 43
}
