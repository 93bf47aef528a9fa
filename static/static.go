// Package static holds the style sheets, scripts and icon the pages load, and
// names each by an address that changes with its content. What is vendored has
// its licence beside it.
package static

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// FS holds the files, served under /static/.
//
//go:embed *.css *.js *.mjs *.svg
var FS embed.FS

// VerifyPage is the page that checks an evidence pack in a browser, without a network (rule WEB-15). It goes into every
// download, and carries its style, its script and its own content security policy.
//
//go:embed verify.html
var VerifyPage []byte

// VerifyPolicy returns the content security policy that VerifyPage carries: it names style and script by their hashes.
var VerifyPolicy = sync.OnceValue(func() string { return policyOf(VerifyPage) })

var policyTag = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]+)">`)

func policyOf(page []byte) string {
	found := policyTag.FindSubmatch(page)
	if found == nil {
		panic("static: verify.html has no content security policy")
	}
	return string(found[1])
}

// urls holds the address of each file. It is made when first used: most commands show no page.
var urls = sync.OnceValue(func() map[string]string { return addresses(FS) })

// URL returns the address of the named file, with the start of its SHA-256, so
// that it may be cached for ever. It panics on an unknown name: a page that
// names a file we do not ship must fail in its first test.
func URL(name string) string {
	url, ok := urls()[name]
	if !ok {
		panic(fmt.Sprintf("static: no file %q", name))
	}
	return url
}

// Version returns the part of URL that changes with the content, "" for a file we do not ship.
func Version(name string) string {
	_, version, _ := strings.Cut(urls()[name], "?v=")
	return version
}

func addresses(files embed.FS) map[string]string {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err)
	}
	found := make(map[string]string, len(entries))
	for _, entry := range entries {
		content, err := Served.ReadFile(entry.Name()) // as it is sent
		if err != nil {
			panic(err)
		}
		sum := sha256.Sum256(content)
		found[entry.Name()] = "/static/" + entry.Name() + "?v=" + hex.EncodeToString(sum[:])[:12]
	}
	return found
}
