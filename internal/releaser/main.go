// Command releaser makes the archives of a release and signs it; .ci/release builds what goes in.
//
//	releaser archive FILE.tar.gz|FILE.zip FOLDER SECONDS PROGRAM FILE…   all dated SECONDS since 1970
//	releaser sign FOLDER VERSION COMMIT                                  key: SANAD_RELEASE_KEY_FILE, or SANAD_RELEASE_KEY
//	releaser key FILE                                                    makes a key; prints the public one
package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"sanad/internal/keys"
	"sanad/internal/release"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "releaser:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) >= 5 && args[0] == "archive":
		return archive(args[1], args[2], args[3], args[4:])
	case len(args) == 4 && args[0] == "sign":
		return sign(args[1], release.About{Version: args[2], Commit: args[3], Go: runtime.Version()})
	case len(args) == 2 && args[0] == "key":
		return makeKey(args[1])
	}
	return errors.New("usage: archive, sign or key; see its source")
}

func archive(path, folder, seconds string, from []string) error {
	at, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return err
	}
	var files []release.File
	for i, name := range from {
		files = append(files, release.File{From: name, Name: filepath.Base(name), Program: i == 0})
	}
	return release.Archive(path, folder, files, time.Unix(at, 0))
}

func sign(dir string, about release.About) error {
	text := []byte(os.Getenv("SANAD_RELEASE_KEY"))
	if name := os.Getenv("SANAD_RELEASE_KEY_FILE"); name != "" {
		var err error
		if text, err = os.ReadFile(name); err != nil {
			return err
		}
	}
	if len(text) == 0 {
		return errors.New("no key: set SANAD_RELEASE_KEY_FILE, or SANAD_RELEASE_KEY to its text")
	}
	key, err := release.ParseKey(text)
	if err != nil {
		return err
	}
	if err := release.Sign(dir, about, key); err != nil {
		return err
	}
	fmt.Println("signed by", keys.Fingerprint(key.Public().(ed25519.PublicKey)))
	return nil
}

func makeKey(path string) error {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(pem.Encode(f, &pem.Block{Type: "PRIVATE KEY", Bytes: der}), f.Close()); err != nil {
		return err
	}
	text, err := keys.PEM(key.Public().(ed25519.PublicKey))
	fmt.Print(text)
	return err
}
