package main

import (
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// dangerousPackages is what no file of the program imports, except those named, and why. A name that ends with / stands
// for a folder.
var dangerousPackages = map[string]struct {
	why    string
	except []string
}{
	"unsafe": {"memory stays safe", []string{"internal/reader/weights.go", "internal/reader/published/map_unix.go",
		"internal/strictjson/share.go"}}, // weights are read where they lie; parts of a large file share its memory
	"C":             {why: "no cgo (rule H-8)"},
	"plugin":        {why: "no code is loaded"},
	"crypto/md5":    {"broken", []string{"internal/exporters/typeset/catalog.go", "internal/s3/s3test/"}}, // checksums that PDF and S3 prescribe
	"crypto/sha1":   {why: "broken; one-time codes come from a library"},
	"crypto/des":    {why: "broken"},
	"crypto/rc4":    {why: "broken"},
	"crypto/aes":    {"sealing is in one place", []string{"internal/keys/keys.go"}},
	"crypto/cipher": {"sealing is in one place", []string{"internal/keys/keys.go"}},
	"math/rand":     {why: "can be guessed"},
	"math/rand/v2": {"can be guessed", []string{"cmd/web/webhooks.go", "cmd/web/serve.go", "cmd/web/modeltest.go",
		"cmd/web/judge_models.go", "internal/app/modelrun.go", "internal/exporters/exporttest/", "internal/fit/", "internal/reader/readertest/", "internal/thorough/"}}, // when to try again; figures; samples of tests
	"text/template": {"templates of pages are compiled by templ",
		[]string{"internal/clients/python.go"}}, // writes a source file, for developers
	"html/template":  {why: "templates are compiled by templ"},
	"net/smtp":       {why: "internal/mails has a library that is kept"},
	"net/http/pprof": {why: "no profiler is served"},
	"expvar":         {why: "no variables are served"},
	"encoding/gob": {"only between our own processes",
		[]string{"internal/app/form.go", "internal/documents/parse.go", "internal/ocr/told.go",
			"internal/pdftext/isolated.go"}},
	"os/exec": {"programs are started in few places", []string{"cmd/web/masterkey.go", "cmd/web/doctor_reading.go",
		"internal/isolated/", "internal/ocr/isolated.go", "internal/pdftext/isolated.go", "internal/e2e/interop/", "internal/ratios/run.go",
		"internal/db/dbtest/kill.go", "internal/exporters/exporttest/", "internal/reader/compare/"}},
}

// programFiles returns the Go files that the program, or a command for developers, is made of: no tests.
func programFiles(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for name, text := range ourFiles(t) {
		if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			out[name] = text
		}
	}
	require.Greater(t, len(out), 300)
	return out
}

func TestDangerousPackages(t *testing.T) {
	used := map[string]bool{}
	for name, text := range programFiles(t) {
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		require.NoError(t, err)
		for _, spec := range f.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			d, dangerous := dangerousPackages[imported]
			if !dangerous {
				continue
			}
			at := slices.IndexFunc(d.except, func(e string) bool { return e == name || e == path.Dir(name)+"/" })
			require.GreaterOrEqual(t, at, 0, "%s imports %s: %s", name, imported, d.why)
			used[imported+" "+d.except[at]] = true
		}
	}
	for imported, d := range dangerousPackages {
		for _, e := range d.except {
			require.True(t, used[imported+" "+e], "%s does not import %s any more", e, imported)
		}
	}
}

// Certificates of other servers are always checked, except for the health check of our own machine.
func TestCertificatesAreChecked(t *testing.T) {
	var found []string
	for name, text := range programFiles(t) {
		if strings.Contains(text, "InsecureSkipVerify") {
			found = append(found, name)
		}
	}
	require.Equal(t, []string{"cmd/web/healthcheck.go"}, found)
}

// dangerousScripts is what none of our scripts has, nor a page: code made of text, markup made of text, messages of
// other windows, what is stored for good or sent without the server's asking, comparisons that convert.
var dangerousScripts = map[string]*regexp.Regexp{
	"code from text":     regexp.MustCompile(`\beval\(|new Function\b|set(?:Timeout|Interval)\(["'` + "`" + `]`),
	"markup from text":   regexp.MustCompile(`\.(?:inner|outer)HTML\s*\+?=[^=]|insertAdjacentHTML|document\.write|srcdoc`),
	"messages":           regexp.MustCompile(`postMessage|window\.(?:onmessage|addEventListener\("message")`),
	"storage":            regexp.MustCompile(`indexedDB|document\.cookie|caches\.open`),
	"loose comparison":   regexp.MustCompile(`[^=!<>]==[^=]|!=[^=]`),
	"hindering of paste": regexp.MustCompile(`onpaste|"paste"`),
}

// keptInBrowser is what scripts store in a browser: switches, a language, places on a page, times and addresses.
var keptInBrowser = regexp.MustCompile(`(?:local|session)Storage\.setItem\(([^)]*)\)`)

func TestDangerousScripts(t *testing.T) {
	base64 := regexp.MustCompile(`"[A-Za-z0-9+/]{40,}=*"`) // whose end looks like a comparison
	scripts, kept := 0, []string{}
	for name, text := range ourFiles(t) {
		ours := path.Dir(name) == "static" && (strings.HasSuffix(name, ".js") || name == "static/verify.html")
		if !ours || strings.HasSuffix(name, "_nowasm_fallback.js") || strings.Contains(name, ".min.") {
			continue
		}
		scripts++
		text = base64.ReplaceAllString(text, `""`)
		for what, form := range dangerousScripts {
			require.Empty(t, form.FindString(text), "%s: %s", name, what)
		}
		for _, m := range keptInBrowser.FindAllStringSubmatch(text, -1) {
			kept = append(kept, m[1])
		}
	}
	require.Greater(t, scripts, 6)
	slices.Sort(kept)
	require.Equal(t, []string{`"sanad-claim:" + location.pathname, location.search`,
		`"sanad-list:" + location.pathname, list`, `"sanad-opened", [place, ...known].slice(0, 10`, "changed, Date.now(", `ended, "1"`, "languageKey, lang", "memory(", `off, "1"`, `onward, "1"`,
		`remembered, "1"`}, kept, "each is a switch, a language, a place on the page, a time or an address, and no text of a page")
	for what, bad := range map[string]string{"code from text": `eval(x)`, "markup from text": `a.innerHTML = b`,
		"messages": `window.addEventListener("message", f)`, "storage": `document.cookie = "a"`,
		"loose comparison": `a == b`, "hindering of paste": `f.onpaste = g`} {
		require.Regexp(t, dangerousScripts[what], bad)
	}
}
