package pack

import (
	"bytes"
	"crypto/ed25519"
	"slices"
	"strings"
)

// Files are the files of an exported pack, nil for each that is missing. The pack.json attached to a PDF goes into
// Pack, extracted by the caller.
type Files struct {
	Pack      []byte // pack.json
	Markdown  []byte // pack.md
	PDF       []byte // pack.pdf
	Envelope  []byte // pack.dsse.json
	Bundle    []byte // pack.sigstore.json
	LogProof  []byte // pack.tlog-proof
	Salts     []byte // salts.json
	PublicKey []byte // tenant.pub: may come from whoever made the files, so it is not trusted
	Whole     bool   // the files came as one zip, which must contain all of them
}

// Trust is what the reader knows about the signer from another source: a key, a fingerprint, or neither.
type Trust struct {
	Key         ed25519.PublicKey
	Fingerprint string // "SHA256:…"
}

// Status is the outcome of one check.
type Status string

// The three outcomes (rule P-19).
const (
	OK         Status = "ok"
	Failed     Status = "failed"
	NotChecked Status = "not_checked"
)

// The checks, in the order of the report.
const (
	CheckForm        = "pack_json"         // pack.json is in canonical form
	CheckExcerpts    = "excerpt_hashes"    // each excerpt matches its hash
	CheckEvidenceMap = "evidence_map_root" // the evidence ids give the root
	CheckContent     = "content_root"      // the leaves, with their salts, give the root
	CheckDigest      = "digest"            // the signed statement is about this pack.json and says what it says
	CheckApprovals   = "approvals"         // enough different people, all for this digest
	CheckPolicy      = "policy"            // the sign-off policy was kept
	CheckRendered    = "rendered_files"    // pack.md and pack.pdf are the signed ones
	CheckSignature   = "signature"         // the key has signed the statement
	CheckBundle      = "sigstore_bundle"   // the bundle holds the same envelope
	CheckLog         = "log_proof"         // the approval is in the log that the statement names
)

// Checks lists them.
var Checks = []string{CheckForm, CheckExcerpts, CheckEvidenceMap, CheckContent, CheckDigest, CheckApprovals,
	CheckPolicy, CheckRendered, CheckSignature, CheckBundle, CheckLog}

// alwaysNeeded are the checks without which nothing is verified, whatever files were given.
var alwaysNeeded = []string{CheckForm, CheckExcerpts, CheckEvidenceMap, CheckDigest, CheckApprovals, CheckPolicy,
	CheckSignature}

// Check is the outcome of one check, with an explanation for operators.
type Check struct {
	Name   string `json:"name"`
	Status Status `json:"status"`
	Detail string `json:"detail,omitempty"`
}

// Verdict is the overall result of the checks.
type Verdict string

// The five verdicts.
const (
	Verified   Verdict = "verified"   // everything holds, and the signer is the trusted one
	Consistent Verdict = "consistent" // everything holds, but the signer is not established
	Incomplete Verdict = "incomplete" // something needed is missing
	Newer      Verdict = "newer"      // signed with the trusted key, in a newer format than this verifier reads
	Refused    Verdict = "failed"     // something does not hold
)

// Report is what Verify found.
type Report struct {
	Verdict Verdict  `json:"verdict"`
	PackID  string   `json:"pack_id,omitempty"`
	Digest  string   `json:"digest,omitempty"` // of the pack.json that was given
	KeyID   string   `json:"keyid,omitempty"`  // that the envelope names
	Checks  []Check  `json:"checks"`
	Content *Content `json:"-"` // nil if pack.json could not be read
	Faults  []string `json:"-"` // if the verdict is Refused: files that are not as signed, and other faults
}

// OK reports whether everything that could be checked holds and nothing needed is missing.
func (r *Report) OK() bool { return r.Verdict == Verified || r.Verdict == Consistent }

// Words returns the verdict as it is shown (rule P-19).
func (v Verdict) Words() string {
	switch v {
	case Verified:
		return "verified"
	case Consistent:
		return "consistent, signer not established"
	case Incomplete:
		return "incomplete: something needed is missing"
	case Newer:
		return "signed, made by a newer version: contents not checked"
	case Refused:
	}
	return "failed"
}

// Status returns the outcome of a check.
func (r *Report) Status(name string) Status {
	for _, c := range r.Checks {
		if c.Name == name {
			return c.Status
		}
	}
	return NotChecked
}

// Verify checks the files of an exported pack as an outsider can: with only these files and what the reader trusts.
func Verify(f Files, trust Trust) *Report {
	v := verification{files: f, found: map[string]Check{}}
	v.read()
	if v.unreleased != nil {
		return v.madeBefore()
	}
	v.signature(trust)
	if v.madeLater() {
		v.filesAlone(trust)
		return v.report(trust)
	}
	if v.content != nil {
		v.excerpts()
		v.note(CheckEvidenceMap, same(v.content.mapRoot(), v.content.EvidenceMapRoot), "")
		v.contentRoot()
	}
	v.about()
	v.policy()
	v.rendered()
	v.bundle()
	v.log()
	return v.report(trust)
}

// report lists the checks in order and derives the verdict.
func (v *verification) report(trust Trust) *Report {
	r := &Report{Verdict: Consistent, Content: v.content}
	if trust.Key != nil || trust.Fingerprint != "" {
		r.Verdict = Verified
	}
	if v.content != nil {
		r.PackID, r.Digest = v.content.PackID, Digest(v.files.Pack)
	}
	if v.madeLater() && v.files.Pack != nil {
		r.Digest = Digest(v.files.Pack)
	}
	if v.envelope != nil {
		r.KeyID = v.envelope.KeyID()
	}
	for _, name := range Checks {
		c, done := v.found[name]
		if !done {
			c = Check{name, NotChecked, v.why[name]}
		}
		r.Checks = append(r.Checks, c)
		needed := v.files.Whole || slices.Contains(alwaysNeeded, name)
		switch {
		case c.Status == Failed:
			r.Verdict = Refused
		case c.Status == NotChecked && needed && r.Verdict != Refused:
			r.Verdict = Incomplete
		}
	}
	if v.madeLater() && r.Verdict != Refused {
		r.Verdict = Newer
	}
	if r.Verdict == Refused {
		r.Faults = v.faults(r, trust)
	}
	return r
}

// madeBefore reports a pack from before the first release, of which nothing is checked.
func (v *verification) madeBefore() *Report {
	v.note(CheckForm, v.unreleased, "")
	r := &Report{Verdict: Refused, Faults: []string{FaultUnreleased}}
	for _, name := range Checks {
		c, done := v.found[name]
		if !done {
			c = Check{name, NotChecked, ErrUnreleased.Error()}
		}
		r.Checks = append(r.Checks, c)
	}
	return r
}

// bundle checks that the Sigstore bundle holds the same envelope.
func (v *verification) bundle() {
	if v.files.Bundle == nil {
		v.lacks(CheckBundle, "no pack.sigstore.json")
		return
	}
	b, err := ParseBundle(v.files.Bundle)
	if err == nil && v.envelope != nil {
		var data []byte
		if data, err = b.DSSEEnvelope.Bytes(); err == nil && !bytes.Equal(data, v.files.Envelope) {
			err = malformed("refused_holds_another_envelope", nil)
		}
	}
	v.note(CheckBundle, err, "")
}

func same(got, want string) error {
	if got != want {
		return malformed("refused_it_is_not", nil, "Got", got, "Wanted", want)
	}
	return nil
}

// clean makes a text safe for a terminal: it may come from a hostile file.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
}
