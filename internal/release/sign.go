package release

import (
	"crypto"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"sanad/internal/domain/pack"
)

// ParseKey reads the private key that signs releases: Ed25519 in PEM, as openssl genpkey writes it (PKCS #8).
func ParseKey(text []byte) (ed25519.PrivateKey, error) {
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, errors.New("this is no private key in PEM")
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	private, ok := key.(ed25519.PrivateKey)
	if err != nil || !ok {
		return nil, errors.New("this is no Ed25519 private key (openssl genpkey -algorithm ed25519)")
	}
	return private, nil
}

// Sign writes SHA256SUMS of all files in a folder, and the signed statement about them.
func Sign(dir string, about About, by crypto.Signer) error {
	names, err := filesOf(dir)
	if err != nil {
		return err
	}
	var sums strings.Builder
	var subjects []pack.Subject
	add := func(name string) error {
		digest, err := digestOf(filepath.Join(dir, name))
		subjects = append(subjects, pack.NewSubject(name, digest))
		return err
	}
	for _, name := range names {
		if name == FileSums || isSignature(name) {
			continue
		}
		if err := add(name); err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%s  %s\n", subjects[len(subjects)-1].Digest.SHA256, name)
	}
	if len(subjects) == 0 {
		return errors.New("there is nothing to release")
	}
	if err := os.WriteFile(filepath.Join(dir, FileSums), []byte(sums.String()), 0o644); err != nil { //nolint:gosec // public
		return err
	}
	if err := add(FileSums); err != nil {
		return err
	}
	payload, err := newStatement(subjects, about)
	if err != nil {
		return err
	}
	envelope, err := pack.Sign(payload, by)
	if err != nil {
		return err
	}
	for name, write := range map[string]func() ([]byte, error){
		FileProvenance: envelope.Bytes, FileBundle: pack.NewBundle(envelope).Bytes,
	} {
		data, err := write()
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil { //nolint:gosec // public
			return err
		}
	}
	return nil
}

// isSignature reports whether a file holds the statement, which cannot speak of itself.
func isSignature(name string) bool { return name == FileProvenance || name == FileBundle }

// filesOf returns the names in a folder, sorted. Anything but a file is an error.
func filesOf(dir string) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !e.Type().IsRegular() {
			return nil, fmt.Errorf("%s: a release has files only", e.Name())
		}
		names = append(names, e.Name())
	}
	return names, nil
}

// digestOf returns the SHA-256 of a file, in hex.
func digestOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close() //nolint:errcheck // opened for reading only
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
