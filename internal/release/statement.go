// Package release says what a release of Sanad consists of, signs it, and checks one: the archives and whatever lies
// beside them, SHA256SUMS, and a signed in-toto statement of how they were built (SLSA provenance v1).
package release

import (
	"sanad/internal/domain/canonical"
	"sanad/internal/domain/pack"
)

// The files of a release beside its archives, and the types of its statement. They are signed: another form needs
// another type.
const (
	FileSums       = "SHA256SUMS"
	FileProvenance = "provenance.dsse.json"     // the signed statement, in a DSSE envelope
	FileBundle     = "provenance.sigstore.json" // the same envelope in a Sigstore bundle, for cosign
	PredicateType  = "https://slsa.dev/provenance/v1"
	BuildType      = "urn:sanad:build:v1"
	builderID      = "urn:sanad:builder:make-release"
)

// About is what the statement says about the build. It has no time, so that the same commit gives the same statement.
type About struct {
	Version string // as the program prints it
	Commit  string // of git, in hex; "" if it is not known
	Go      string // the version of the Go toolchain
}

// statement is an in-toto Statement v1 with SLSA provenance v1.
type statement struct {
	Type          string         `json:"_type"`
	Subject       []pack.Subject `json:"subject"`
	PredicateType string         `json:"predicateType"`
	Predicate     predicate      `json:"predicate"`
}

type predicate struct {
	BuildDefinition struct {
		BuildType          string            `json:"buildType"`
		ExternalParameters map[string]string `json:"externalParameters"`
		InternalParameters map[string]string `json:"internalParameters"`
		Dependencies       []dependency      `json:"resolvedDependencies"`
	} `json:"buildDefinition"`
	RunDetails struct {
		Builder struct {
			ID string `json:"id"`
		} `json:"builder"`
	} `json:"runDetails"`
}

type dependency struct {
	Name   string            `json:"name"`
	URI    string            `json:"uri,omitempty"`
	Digest map[string]string `json:"digest,omitempty"`
}

// newStatement returns the statement about files and their digests, in the order given.
func newStatement(subjects []pack.Subject, about About) ([]byte, error) {
	s := statement{Type: pack.StatementType, Subject: subjects, PredicateType: PredicateType}
	d := &s.Predicate.BuildDefinition
	d.BuildType = BuildType
	d.ExternalParameters = map[string]string{"version": about.Version}
	d.InternalParameters = map[string]string{"command": ".ci/release", "go": about.Go}
	source := dependency{Name: "source"}
	if about.Commit != "" {
		source.Digest = map[string]string{"gitCommit": about.Commit}
	}
	d.Dependencies = []dependency{source, {Name: "go", URI: "pkg:golang/stdlib@" + about.Go}}
	s.Predicate.RunDetails.Builder.ID = builderID
	return canonical.JSON(&s)
}
