// Package static holds the style sheets, scripts and icon the pages load, and
// names each by an address that changes with its content. What is vendored has
// its licence beside it.
package static

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
)

// FS holds the files, served under /static/.
//
//go:embed *.css *.js *.svg
var FS embed.FS

var urls = addresses(FS)

// URL returns the address of the named file, with the start of its SHA-256, so
// that it may be cached for ever. It panics on an unknown name: a page that
// names a file we do not ship must fail in its first test.
func URL(name string) string {
	url, ok := urls[name]
	if !ok {
		panic(fmt.Sprintf("static: no file %q", name))
	}
	return url
}

func addresses(files embed.FS) map[string]string {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err)
	}
	found := make(map[string]string, len(entries))
	for _, entry := range entries {
		content, err := fs.ReadFile(files, entry.Name())
		if err != nil {
			panic(err)
		}
		sum := sha256.Sum256(content)
		found[entry.Name()] = "/static/" + entry.Name() + "?v=" + hex.EncodeToString(sum[:])[:12]
	}
	return found
}
