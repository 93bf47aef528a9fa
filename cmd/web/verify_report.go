package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"

	"sanad/internal/domain/pack"
	"sanad/internal/packfiles"
)

// verifyReport is the output of sanad verify.
type verifyReport struct {
	Kind string `json:"kind"`
	*pack.Report
	Unsigned []string `json:"unsigned_files,omitempty"` // in the folder, but covered by no signature
}

// verifyPack verifies a file of any supported kind.
func verifyPack(file *packfiles.File, trust pack.Trust) verifyReport {
	r := verifyReport{Kind: file.Kind, Unsigned: file.Other}
	switch file.Kind {
	case packfiles.Proof:
		r.Report = pack.VerifyProof(file.Data, trust)
	case packfiles.Redacted:
		r.Report = pack.VerifyRedacted(file.Data, trust)
	case packfiles.Erased:
		r.Report = pack.VerifyErased(file.Data, trust)
	default:
		r.Report = pack.Verify(file.Files, trust)
	}
	return r
}

// checkWords explains each check.
var checkWords = map[string]string{
	pack.CheckForm:        "the file is in its one form",
	pack.CheckExcerpts:    "each excerpt has its hash",
	pack.CheckEvidenceMap: "the evidence gives its root",
	pack.CheckContent:     "the contents give the content root",
	pack.CheckDigest:      "the statement is about this pack",
	pack.CheckApprovals:   "enough approved exactly this pack.json",
	pack.CheckRendered:    "pack.md and pack.pdf are those signed",
	pack.CheckSignature:   "the key has signed the statement",
	pack.CheckBundle:      "the Sigstore bundle holds the same",
	pack.CheckLog:         "the approval is in the audit log",
	pack.CheckReasons:     "the key has signed the reasons",
	pack.CheckErasure:     "the key has signed the erasure",
}

func (r *verifyReport) print(w io.Writer, asJSON bool) error {
	if asJSON {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(r)
	}
	var b strings.Builder
	for _, line := range [][2]string{{"pack", r.PackID}, {"sha256", r.Digest}, {"key", printable(r.KeyID)}} {
		if line[1] != "" {
			fmt.Fprintf(&b, "%-12s  %s\n", line[0], line[1])
		}
	}
	for _, c := range r.Checks {
		line := fmt.Sprintf("%-12s  %-17s  %-38s  %s", strings.ReplaceAll(string(c.Status), "_", " "), c.Name,
			checkWords[c.Name], printable(c.Detail))
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	for _, name := range r.Unsigned {
		fmt.Fprintf(&b, "%-12s  %q is in the folder and no signature covers it\n", "note", name)
	}
	if r.Kind == packfiles.Zip || r.Kind == packfiles.Folder {
		fmt.Fprintf(&b, "%-12s  no signature covers VERIFY.md and verify.html; take that page from elsewhere\n", "note")
	}
	fmt.Fprintln(&b, r.Words())
	_, err := io.WriteString(w, b.String())
	return err
}

// printable makes text from a possibly hostile file safe to print on a terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, s)
}
