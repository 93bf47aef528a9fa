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

// around turns the function in docs/api.md into a program with the arguments SECRET HEADER BODY LATER.
const around = `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
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
	for a := os.Args[2:]; len(a) >= 3; a = a[3:] {
		fmt.Println(verify(a[0], a[1], []byte(a[2]), now))
	}
}

`

// The verification function in docs/api.md accepts what we send, and nothing else.
func TestVerificationCodeInDocs(t *testing.T) {
	page, err := os.ReadFile("../../docs/api.md")
	require.NoError(t, err)
	_, snippet, found := strings.Cut(string(page), "```go\n")
	require.True(t, found)
	snippet, _, found = strings.Cut(snippet, "```")
	require.True(t, found)
	program := filepath.Join(t.TempDir(), "main.go")
	require.NoError(t, os.WriteFile(program, []byte(around+snippet), 0o600))

	p := newFixture(t)
	r := receive(t, nil)
	w, secret := p.hook(r.URL)
	p.happen(1)
	p.run()
	p.attempted(w.ID, 1)
	got := r.all()[0]
	header, body := got.header.Get("Sanad-Signature"), string(got.body)
	check := func(at time.Time, triples ...string) string {
		cmd := exec.Command("go", append([]string{"run", program, at.Format(time.RFC3339)}, triples...)...)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		return strings.Join(strings.Fields(string(out)), " ")
	}
	stamp, mac, _ := strings.Cut(header, ",")
	require.Equal(t, "true false false false false false false", check(start,
		secret, header, body,
		secret+"x", header, body,
		secret, header, body+" ",
		secret, header[:len(header)-1], body,
		secret, "t=1700000000,"+mac, body,
		secret, stamp, body,
		secret, "", body,
	))
	require.Equal(t, "true", check(start.Add(4*time.Minute), secret, header, body))
	require.Equal(t, "false", check(start.Add(6*time.Minute), secret, header, body), "an old message is refused")
	require.Equal(t, "false", check(start.Add(-6*time.Minute), secret, header, body))
}

// docs/api.md names every kind.
func TestDocsNameEveryKind(t *testing.T) {
	page, err := os.ReadFile("../../docs/api.md")
	require.NoError(t, err)
	for _, kind := range webhook.Kinds {
		require.Contains(t, string(page), "`"+kind+"`")
	}
}
