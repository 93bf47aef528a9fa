package webhooks_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/webhook"
)

// around turns the functions in docs/api.md into a program. Its arguments are the time, and for each question verify
// SECRET HEADER BODY or standard SECRET ID STAMP SIGNATURE BODY.
const around = `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	now, err := time.Parse(time.RFC3339, os.Args[1])
	if err != nil {
		panic(err)
	}
	for a := os.Args[2:]; len(a) > 0; {
		if a[0] == "verify" {
			fmt.Println(verify(a[1], a[2], []byte(a[3]), now))
			a = a[4:]
			continue
		}
		h := http.Header{}
		h.Set("webhook-id", a[2])
		h.Set("webhook-timestamp", a[3])
		h.Set("webhook-signature", a[4])
		fmt.Println(verifyStandard(a[1], h, []byte(a[5]), now))
		a = a[6:]
	}
}

`

// codeInDocs writes the program of the functions in docs/api.md, and returns how to run it.
func codeInDocs(t *testing.T) func(at time.Time, args ...string) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/api.md")
	require.NoError(t, err)
	code := around
	blocks := strings.Split(string(page), "```go\n")[1:]
	require.Len(t, blocks, 2)
	for _, block := range blocks {
		function, _, _ := strings.Cut(block, "```")
		code += function
	}
	program := filepath.Join(t.TempDir(), "main.go")
	require.NoError(t, os.WriteFile(program, []byte(code), 0o600))
	return func(at time.Time, args ...string) string {
		cmd := exec.Command("go", append([]string{"run", program, at.Format(time.RFC3339)}, args...)...)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0") // as make builds, so that nothing is compiled again
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		return strings.Join(strings.Fields(string(out)), " ")
	}
}

// The verification functions in docs/api.md accept what we send, and nothing else.
func TestVerificationCodeInDocs(t *testing.T) {
	check := codeInDocs(t)
	p := newFixture(t)
	r := receive(t, nil)
	w, secret := p.hook(r.URL)
	p.happen(1)
	p.run()
	p.attempted(w.ID, 1)
	got := r.all()[0]
	header, body := got.header.Get("Sanad-Signature"), string(got.body)
	stamp, mac, _ := strings.Cut(header, ",")
	require.Equal(t, "true false false false false false false", check(start,
		"verify", secret, header, body,
		"verify", secret+"x", header, body,
		"verify", secret, header, body+" ",
		"verify", secret, header[:len(header)-1], body,
		"verify", secret, "t=1700000000,"+mac, body,
		"verify", secret, stamp, body,
		"verify", secret, "", body,
	))
	id, at, sent := got.header.Get("webhook-id"), got.header.Get("webhook-timestamp"), got.header.Get("webhook-signature")
	require.Equal(t, "true true false false false false false", check(start,
		"standard", secret, id, at, sent, body,
		"standard", secret, id, at, "v1a,other "+sent, body,
		"standard", "whsec_"+strings.Repeat("A", 43)+"=", id, at, sent, body,
		"standard", secret, id+"x", at, sent, body,
		"standard", secret, id, "1700000000", sent, body,
		"standard", secret, id, at, "", body,
		"standard", secret, id, at, sent, body+" ",
	))
	both := []string{"verify", secret, header, body, "standard", secret, id, at, sent, body}
	require.Equal(t, "true true", check(start.Add(4*time.Minute), both...))
	require.Equal(t, "false false", check(start.Add(6*time.Minute), both...), "an old message is refused")
	require.Equal(t, "false false", check(start.Add(-6*time.Minute), both...))
}

// docs/api.md names every kind.
func TestDocsNameEveryKind(t *testing.T) {
	page, err := os.ReadFile("../../docs/api.md")
	require.NoError(t, err)
	for _, kind := range webhook.Kinds {
		require.Contains(t, string(page), "`"+kind+"`")
	}
}
