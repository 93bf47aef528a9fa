package release

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sanad/internal/domain/pack"
)

// most bounds the files that are read into memory: the statement and SHA256SUMS.
const most = 4 << 20

// Report is what Verify found in a folder.
type Report struct {
	Version string   `json:"version"`           // that the statement names
	Commit  string   `json:"commit"`            // that it names
	Checked []string `json:"checked"`           // files that are those of the release
	Missing []string `json:"missing,omitempty"` // files of the release that are not here
	Faults  []string `json:"faults,omitempty"`  // what is wrong
}

// OK reports whether nothing is wrong and something was checked. Files that are not here are not a fault of those that
// are: whoever needs them all looks at Missing.
func (r *Report) OK() bool { return len(r.Faults) == 0 && len(r.Checked) > 0 }

// Verify checks the files of a release in a folder with nothing but the public key: that it has signed the statement,
// that each file is the one that the statement names, that there is no other, and that SHA256SUMS says the same. An
// error means that nothing could be checked, for there is no statement of this key.
func Verify(dir string, public ed25519.PublicKey) (*Report, error) {
	s, err := statementIn(dir, public)
	if err != nil {
		return nil, err
	}
	r := &Report{Version: s.Predicate.BuildDefinition.ExternalParameters["version"]}
	for _, d := range s.Predicate.BuildDefinition.Dependencies {
		if d.Name == "source" {
			r.Commit = d.Digest["gitCommit"]
		}
	}
	digests := map[string]string{}
	for _, subject := range s.Subject {
		if subject.Name != filepath.Base(subject.Name) || digests[subject.Name] != "" {
			return nil, fmt.Errorf("the statement names %q, which is no name of a file or there twice", subject.Name)
		}
		digests[subject.Name] = subject.Digest.SHA256
		r.file(dir, subject)
	}
	names, err := filesOf(dir)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if digests[name] == "" && !isSignature(name) {
			r.Faults = append(r.Faults, name+": it is no file of this release")
		}
	}
	r.sums(dir, digests)
	return r, nil
}

// statementIn returns the statement of the folder's envelope if the key has signed it. The Sigstore bundle, if it is
// there, must hold the same envelope.
func statementIn(dir string, public ed25519.PublicKey) (*statement, error) {
	data, err := read(filepath.Join(dir, FileProvenance))
	if err != nil {
		return nil, err
	}
	envelope, err := pack.ParseEnvelope(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", FileProvenance, err)
	}
	payload, err := envelope.Verify(public)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", FileProvenance, err)
	}
	switch data, err := read(filepath.Join(dir, FileBundle)); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	default:
		want, err := pack.NewBundle(envelope).Bytes()
		if err != nil || !bytes.Equal(want, data) {
			return nil, errors.New(FileBundle + ": it is not the bundle of " + FileProvenance)
		}
	}
	var s statement
	d := json.NewDecoder(bytes.NewReader(payload))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return nil, fmt.Errorf("%s: %w", FileProvenance, err)
	}
	if s.Type != pack.StatementType || s.PredicateType != PredicateType ||
		s.Predicate.BuildDefinition.BuildType != BuildType {
		return nil, errors.New(FileProvenance + ": it is no statement about a release of Sanad")
	}
	return &s, nil
}

func (r *Report) file(dir string, subject pack.Subject) {
	digest, err := digestOf(filepath.Join(dir, subject.Name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.Missing = append(r.Missing, subject.Name)
	case err != nil:
		r.Faults = append(r.Faults, fmt.Sprintf("%s: %v", subject.Name, err))
	case digest != subject.Digest.SHA256:
		r.Faults = append(r.Faults, subject.Name+": it is not the file that was released")
	default:
		r.Checked = append(r.Checked, subject.Name)
	}
}

// sums compares SHA256SUMS with the statement, so that who uses only sha256sum learns the same.
func (r *Report) sums(dir string, digests map[string]string) {
	if !slices.Contains(r.Checked, FileSums) {
		return
	}
	data, err := read(filepath.Join(dir, FileSums))
	if err != nil {
		r.Faults = append(r.Faults, err.Error())
		return
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	for _, line := range lines {
		if digest, name, ok := strings.Cut(line, "  "); !ok || digests[name] != digest {
			r.Faults = append(r.Faults, fmt.Sprintf("%s: the line %q is not what the statement says", FileSums, line))
		}
	}
	if len(lines) != len(digests)-1 {
		r.Faults = append(r.Faults, FileSums+": it does not name all files")
	}
}

func read(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // opened for reading only
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && len(data) > most {
		err = fmt.Errorf("%s: it is too large", filepath.Base(path))
	}
	return data, err
}
