package interop

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The provider: npm oidc-provider and a short script that starts it.
var (
	//go:embed oidc/package.json
	oidcPackage []byte
	//go:embed oidc/provider.mjs
	oidcScript []byte
)

// OIDCCallback is the path to which the provider redirects people, on this machine and any port.
const OIDCCallback = "/login/oidc/callback"

// OIDCProvider is a running provider with one client. It accepts every login name with any password; accounts whose
// name begins with "unverified" have an unverified email address.
type OIDCProvider struct {
	Address                string // where it listens
	Issuer                 string
	ClientID, ClientSecret string
}

// StartOIDCProvider starts a provider on loopback until the test ends; outside make thorough it skips the test.
func StartOIDCProvider(t testing.TB) OIDCProvider {
	t.Helper()
	return startOIDCProvider(t, "")
}

// startOIDCProvider starts a provider that uses issuer as its name, or its own address if that is "".
func startOIDCProvider(t testing.TB, issuer string) OIDCProvider {
	t.Helper()
	Need(t, "node", "npm")
	dir := installNPM(t, "oidc", map[string][]byte{"package.json": oidcPackage, "provider.mjs": oidcScript})
	p := OIDCProvider{Issuer: issuer, ClientID: "sanad", ClientSecret: "a secret: of tests & 100 % odd/+=?"}
	p.Address = runNode(t, filepath.Join(dir, "provider.mjs"), map[string]any{
		"clients": []map[string]any{{
			"client_id": p.ClientID, "client_secret": p.ClientSecret, "application_type": "native",
			"redirect_uris": []string{"http://127.0.0.1" + OIDCCallback, "http://localhost" + OIDCCallback},
		}},
		"issuer": emptyIsNull(issuer),
	})
	if p.Issuer == "" {
		p.Issuer = p.Address
	}
	return p
}

func emptyIsNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// runNode starts a script, writes its configuration as the first line of its standard input, and returns the line that
// it prints once it listens. The script ends with its standard input, so also when the tests are killed.
func runNode(t testing.TB, script string, config any) string {
	t.Helper()
	line, err := json.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	var words bytes.Buffer
	cmd := exec.Command("node", script)
	cmd.Stderr = &words
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("%s: %s", filepath.Base(script), words.String())
		}
	})
	if _, err := in.Write(append(line, '\n')); err != nil {
		t.Fatal(err)
	}
	stuck := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer stuck.Stop()
	answer, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		_ = in.Close()
		_ = cmd.Wait()
		t.Fatalf("%s did not start: %v\n%s", filepath.Base(script), err, words.String())
	}
	return strings.TrimSpace(answer)
}
