package pack

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// Files of a pack besides those that are signed by name.
const (
	fileEnvelope  = "pack.dsse.json"
	fileBundle    = "pack.sigstore.json"
	fileLogProof  = "pack.tlog-proof"
	fileSalts     = "salts.json"
	filePublicKey = "tenant.pub"
)

// Faults that are no file: the others of Report.Faults are names of files, or of checks.
const (
	FaultKey        = "other_key"  // signed with another key than the trusted one
	FaultNewer      = "newer"      // of a newer version, and no trusted key has signed it
	FaultUnreleased = "unreleased" // from before the first release; nothing of it is checked
	FaultContents   = "contents"   // signed as it is, but it contradicts itself
	FaultPart       = "part"       // a proof or copy that is not what the key signed
)

// faultWords explains the faults that are no file. verify.html says the same.
var faultWords = map[string]string{
	FaultKey:        "signed with a different key from the one that you gave",
	FaultNewer:      "made by a newer version, and no trusted key has signed it",
	FaultUnreleased: "made before the first release, in a format that is no longer supported",
	FaultContents:   "the contents contradict each other",
	FaultPart:       "this file is not what the key signed",
	CheckDigest:     "the signed statement says something other than pack.json",
	CheckApprovals:  "fewer people approved than are needed",
	CheckPolicy:     "the sign-off policy was not kept",
	CheckContent:    "the contents do not give the root that is stated",
	CheckLog:        "a review is not in the log before the approval",
}

// faults names what is not as it was signed, if a check failed. What follows from a changed envelope or pack.json is
// not named again: the checks' lines say it.
func (v *verification) faults(r *Report, trust Trust) (out []string) {
	failed := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return r.Status(name) == Failed })
	}
	add := func(is bool, what string) {
		if is && !slices.Contains(out, what) {
			out = append(out, what)
		}
	}
	if failed(CheckSignature) {
		add(true, v.signatureFault(trust))
	}
	said := v.said
	if said == nil {
		said = v.newerSaid
	}
	if slices.Contains(out, fileEnvelope) {
		said = nil // whoever changed it may have changed what it says
	}
	differs := func(name string, data []byte) bool {
		return said != nil && data != nil && said.SHA256(name) != Digest(data)
	}
	changed := differs(FileJSON, v.files.Pack)
	signed := said != nil && !changed // pack.json is the file that the statement names
	alone := failed(CheckForm, CheckExcerpts, CheckEvidenceMap)
	add(v.newerPack && failed(CheckForm), FaultNewer)
	add(changed || alone && !signed && !v.newerPack, FileJSON)
	add(differs(FileMarkdown, v.files.Markdown), FileMarkdown)
	add(differs(FilePDF, v.files.PDF), FilePDF)
	add(failed(CheckContent) && signed, fileSalts)
	add(failed(CheckBundle) && !slices.Contains(out, fileEnvelope), fileBundle)
	proven := said == nil || v.files.LogProof == nil || v.said == nil || checkLog(string(v.files.LogProof), v.said) == nil
	add(!proven, fileLogProof)
	add(alone && signed && !v.newerPack, FaultContents)
	add(failed(CheckContent) && len(out) == 0, CheckContent)
	for _, name := range []string{CheckDigest, CheckApprovals, CheckPolicy} {
		add(failed(name) && signed, name)
	}
	add(failed(CheckLog) && signed && proven, CheckLog)
	return out
}

// signatureFault names what makes the signature fail.
func (v *verification) signatureFault(trust Trust) string {
	known := trust.Fingerprint
	if trust.Key != nil {
		known = Fingerprint(trust.Key)
	}
	switch {
	case trust.Key != nil && trust.Fingerprint != "" && trust.Fingerprint != known:
		return FaultKey
	case v.said == nil && v.newerSaid == nil, v.said != nil && v.said.Predicate.KeyID != v.envelope.KeyID():
		return fileEnvelope
	case known != "" && known != v.envelope.KeyID():
		return FaultKey
	case v.files.PublicKey != nil && v.ownFingerprint() != v.envelope.KeyID():
		return filePublicKey
	case v.unsigned:
		return FaultNewer
	}
	return fileEnvelope
}

// ownFingerprint returns the fingerprint of tenant.pub, "" if it is no key in its one form.
func (v *verification) ownFingerprint() string {
	key, err := ParsePublic(v.files.PublicKey)
	if err != nil {
		return ""
	}
	if text, err := PEM(key); err != nil || !bytes.Equal(text, v.files.PublicKey) {
		return ""
	}
	return Fingerprint(key)
}

// Unmade returns the names of the checks that were not made.
func (r *Report) Unmade() (names []string) {
	for _, c := range r.Checks {
		if c.Status == NotChecked {
			names = append(names, c.Name)
		}
	}
	return names
}

// Words returns the result in one line: the verdict, and what failed or was not checked (rule P-19).
func (r *Report) Words() string {
	unmade := r.Unmade()
	rest := strconv.Itoa(len(unmade)) + " of " + strconv.Itoa(len(r.Checks)) + " checks were not made: " +
		strings.Join(unmade, ", ")
	switch {
	case r.Verdict == Refused:
		return r.faultLine()
	case r.Verdict == Newer:
		return r.Verdict.Words()
	case r.Verdict == Verified && len(unmade) == 0:
		return "verified: every check passed"
	case r.Verdict == Verified:
		return "signed and unchanged; " + rest
	case len(unmade) > 0:
		return r.Verdict.Words() + "; " + rest
	}
	return r.Verdict.Words()
}

// faultLine says what failed.
func (r *Report) faultLine() string {
	var files, says []string
	for _, f := range r.Faults {
		if words, ok := faultWords[f]; ok {
			says = append(says, words)
		} else {
			files = append(files, f)
		}
	}
	switch len(files) {
	case 0:
		if len(says) == 0 {
			return Refused.Words()
		}
		return "failed: " + strings.Join(says, "; ")
	case 1:
		says = append([]string{files[0] + " was changed"}, says...)
	default:
		says = append([]string{strings.Join(files, ", ") + " were changed"}, says...)
	}
	return "failed, not as signed: " + strings.Join(says, "; ")
}
