package main

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/e2e/interop"
)

func file(t *testing.T, content string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(name, []byte(content), 0o600))
	return name
}

// An operator's mistake is reported with the name of its flag, before anything is opened or created.
func TestServeRefusesWrongFlags(t *testing.T) {
	cert, key, _ := interop.NewCertificate(t, t.TempDir(), 1)
	_, otherKey, _ := interop.NewCertificate(t, t.TempDir(), 2)
	none := filepath.Join(t.TempDir(), "none")
	for name, c := range map[string]struct {
		code int
		says string
		args []string
	}{
		"certificate alone":    {exitUsage, "--tls-cert and --tls-key go together", []string{"--tls-cert", cert}},
		"key alone":            {exitUsage, "--tls-cert and --tls-key go together", []string{"--tls-key", key}},
		"no such certificate":  {exitFailed, none, []string{"--tls-cert", none, "--tls-key", key}},
		"no certificate in it": {exitFailed, "--tls-cert", []string{"--tls-cert", file(t, "x"), "--tls-key", key}},
		"key of another":       {exitFailed, "does not match", []string{"--tls-cert", cert, "--tls-key", otherKey}},
		"plain name for TLS": {exitUsage, "speaks https",
			[]string{"--tls-cert", cert, "--tls-key", key, "--public-url", "http://a.test"}},
		"public without scheme":  {exitUsage, "--public-url", []string{"--public-url", "sanad.test"}},
		"public of another kind": {exitUsage, "--public-url", []string{"--public-url", "ftp://sanad.test"}},
		"public with a path":     {exitUsage, "--public-url", []string{"--public-url", "https://sanad.test/app"}},
		"public with a user":     {exitUsage, "--public-url", []string{"--public-url", "https://me@sanad.test"}},
		"public with a query":    {exitUsage, "--public-url", []string{"--public-url", "https://sanad.test?x=1"}},
		"public without a host":  {exitUsage, "--public-url", []string{"--public-url", "https://:8443"}},
		"host with a port":       {exitUsage, "--host", []string{"--host", "sanad.test:80"}},
		"host with a scheme":     {exitUsage, "--host", []string{"--host", "https://sanad.test"}},
		"host of any name":       {exitUsage, "--host", []string{"--host", "*.sanad.test"}},
		"no public for OIDC": {exitUsage, "needs --public-url",
			[]string{"--oidc-issuer", "https://id.test", "--oidc-client-id", "x"}},
		"no issuer": {exitUsage, "--oidc-issuer is needed", []string{"--oidc-client-id", "x"}},
		"no client id": {exitUsage, "--oidc-client-id",
			[]string{"--public-url", "https://a.test", "--oidc-issuer", "https://id.test"}},
		"issuer in the clear": {exitUsage, "--oidc-issuer must begin with https",
			[]string{"--public-url", "https://a.test", "--oidc-client-id", "x", "--oidc-issuer", "http://id.test"}},
		"no such secret": {exitFailed, none,
			[]string{"--public-url", "https://a.test", "--oidc-client-id", "x", "--oidc-issuer", "https://id.test",
				"--oidc-client-secret-file", none}},
		"no such token":   {exitFailed, none, []string{"--metrics-token-file", none}},
		"an empty token":  {exitFailed, "is empty", []string{"--metrics-token-file", file(t, "\n")}},
		"a guessed token": {exitFailed, "16 characters", []string{"--metrics-token-file", file(t, "hunter2\n")}},
		"half of OpenFGA": {exitUsage, "--openfga-url is needed",
			[]string{"--openfga-store", "01ARZ3NDEKTSV4RRFFQ69G5FAV"}},
		"address":             {exitUsage, "HOST:PORT", []string{"--addr", "here"}},
		"no document":         {exitUsage, "--max-document", []string{"--max-document", "-1"}},
		"negative rate":       {exitUsage, "--rate-limit", []string{"--rate-limit", "-1"}},
		"no login in a burst": {exitUsage, "--login-burst", []string{"--login-burst", "0"}},
		"negative login rate": {exitUsage, "--login-rate", []string{"--login-rate", "-1"}},
		"little work memory":  {exitUsage, "--work-memory", []string{"--work-memory", "255"}},
		"person over tenant":  {exitUsage, "--work-person", []string{"--work-person", "60"}},
		"tenant over all":     {exitUsage, "--work-tenant", []string{"--work-tenant", "101"}},
		"rate of nothing":     {exitUsage, "--rate-burst", []string{"--rate-limit", "5", "--rate-burst", "0"}},
		"huge documents":      {exitUsage, "--max-document", []string{"--max-document", "129"}},
	} {
		t.Run(name, func(t *testing.T) {
			data := filepath.Join(t.TempDir(), "data")
			code, out, errs := call(t, "",
				append([]string{"serve", "--data", data, "--addr", "127.0.0.1:0"}, c.args...)...)
			require.Equal(t, c.code, code, errs)
			require.Empty(t, out)
			require.Contains(t, errs, c.says)
			require.NotContains(t, errs, "hunter2")
			require.NoDirExists(t, data)
		})
	}
}

func TestReach(t *testing.T) {
	cert, key, _ := interop.NewCertificate(t, t.TempDir(), 1)
	for name, c := range map[string]struct {
		flags reachFlags
		want  reach
	}{
		"nothing": {reachFlags{}, reach{}},
		"a proxy": {reachFlags{trustProxy: true, publicURL: "https://Sanad.Test/"},
			reach{public: "https://sanad.test", hosts: []string{"sanad.test"}, secure: true, trustProxy: true}},
		"a port": {reachFlags{publicURL: "http://sanad.test:81", hosts: []string{"b.test"}},
			reach{public: "http://sanad.test:81", hosts: []string{"sanad.test", "b.test"}}},
		"an IPv6 address": {reachFlags{publicURL: "https://[::1]:8443"},
			reach{public: "https://[::1]:8443", hosts: []string{"::1"}, secure: true}},
		"TLS": {reachFlags{cert: cert, key: key}, reach{secure: true}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := c.flags.read()
			require.NoError(t, err)
			require.Equal(t, c.flags.cert != "", got.certificate != nil)
			got.certificate = nil
			require.Equal(t, c.want, got)
		})
	}
}

// A server that others can reach without TLS warns once in the log and once on the terminal; a safe one does not warn.
func TestWarnsAboutUnencryptedPasswords(t *testing.T) {
	for _, c := range []struct {
		addr  string
		r     reach
		warns bool
	}{
		{"0.0.0.0:0", reach{}, true},
		{"[::]:0", reach{public: "http://sanad.test"}, true},
		{"127.0.0.1:0", reach{}, false},
		{"0.0.0.0:0", reach{trustProxy: true}, false},
		{"0.0.0.0:0", reach{secure: true}, false},
	} {
		l, err := listen(c.addr)
		require.NoError(t, err)
		var log, errs bytes.Buffer
		c.r.warn(l, slog.New(slog.NewJSONHandler(&log, nil)), &errs)
		require.NoError(t, l.Close())
		for _, said := range []string{log.String(), errs.String()} {
			if !c.warns {
				require.Empty(t, said, c.addr)
				continue
			}
			for _, word := range []string{"in the clear", "--tls-cert", "--trust-proxy"} {
				require.Contains(t, said, word, c.addr)
			}
		}
	}
}
