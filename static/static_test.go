package static

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"regexp"
	"strings"
	"testing"
)

func TestURLNamesContent(t *testing.T) {
	want := regexp.MustCompile(`^/static/base\.css\?v=[0-9a-f]{12}$`)
	if got := URL("base.css"); !want.MatchString(got) {
		t.Errorf("URL(base.css) = %q, want it to match %s", got, want)
	}
}

func TestURLOfUnknownFilePanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("URL of an unknown file did not panic")
		}
	}()
	URL("no-such-file.css")
}

// The policy of verify.html lets its own style and script run and no others; whoever edits either is told the new hash.
func TestVerifyPageHasItsHashes(t *testing.T) {
	for directive, tag := range map[string]string{"style-src": "style", "script-src": "script"} {
		parts := regexp.MustCompile("(?s)<"+tag+">(.*?)</"+tag+">").FindAllSubmatch(VerifyPage, -1)
		if len(parts) != 1 {
			t.Fatalf("verify.html has %d %s elements, want 1", len(parts), tag)
		}
		sum := sha256.Sum256(parts[0][1])
		want := directive + " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "';"
		if !strings.Contains(VerifyPolicy(), want) {
			t.Errorf("verify.html needs %s in its policy", want)
		}
	}
	if !strings.HasPrefix(VerifyPolicy(), "default-src 'none';") || strings.Contains(VerifyPolicy(), "unsafe") {
		t.Errorf("the policy is too wide: %s", VerifyPolicy())
	}
	for _, outside := range []string{"http:", "src=", "href=", "url(", "@import", "fetch(", "XMLHttpRequest",
		"innerHTML", "eval("} {
		if bytes.Contains(VerifyPage, []byte(outside)) {
			t.Errorf("verify.html has %q: it must be one file and write texts as texts", outside)
		}
	}
}

// Weak evidence is amber at every confidence: green would read as support.
func TestWeakIsNeverGreen(t *testing.T) {
	css, err := FS.ReadFile("components.css")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for line := range strings.SplitSeq(string(css), "\n") {
		if !strings.Contains(line, "badge-weak") {
			continue
		}
		found++
		if !strings.Contains(line, "var(--amber") || strings.Contains(line, "green") {
			t.Errorf("not amber: %s", line)
		}
	}
	if found == 0 {
		t.Error("no rule for .badge-weak found")
	}
}
