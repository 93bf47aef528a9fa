package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/e2e/interop"
)

// served is a running server.
type served struct {
	t    *testing.T
	url  string
	http *http.Client
}

// serveWith runs sanad serve on a free port until the test ends; the server must then stop without an error. trust is
// the pool that its certificate is verified with.
func serveWith(t *testing.T, trust *x509.CertPool, args ...string) served {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	out, in := io.Pipe()
	done := make(chan int, 1)
	all := append([]string{"serve", "--addr", "127.0.0.1:0", "--data", dbtest.Dir(t), "--rate-limit", "0"}, args...)
	go func() {
		done <- run(ctx, onEngine(all...), streams{in: strings.NewReader(""), out: in, err: io.Discard})
		_ = in.Close()
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	go io.Copy(io.Discard, out) //nolint:errcheck // nobody reads on
	t.Cleanup(func() {
		stop()
		select {
		case code := <-done:
			require.Zero(t, code)
		case <-time.After(15 * time.Second):
			t.Error("the server did not stop")
		}
	})
	fields := strings.Fields(line)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trust, MinVersion: tls.VersionTLS12},
		ForceAttemptHTTP2: true}
	t.Cleanup(transport.CloseIdleConnections)
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	s := served{t, fields[len(fields)-1], &http.Client{Transport: transport, CheckRedirect: stay}}
	s.ask("GET", "/healthz") // it says its address before the store is open
	return s
}

// ask sends a request; headers are name, value pairs, and Host among them is the host's name.
func (s served) ask(method, path string, headers ...string) (*http.Response, string) {
	s.t.Helper()
	req, err := http.NewRequest(method, s.url+path, nil)
	require.NoError(s.t, err)
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	if host := req.Header.Get("Host"); host != "" {
		req.Host = host
	}
	res, err := s.http.Do(req)
	require.NoError(s.t, err)
	defer res.Body.Close() //nolint:errcheck // only read
	body, err := io.ReadAll(res.Body)
	require.NoError(s.t, err)
	return res, string(body)
}

func TestServesTLS(t *testing.T) {
	dir := t.TempDir()
	cert, key, trust := interop.NewCertificate(t, dir, 1)
	s := serveWith(t, trust, "--tls-cert", cert, "--tls-key", key)
	require.True(t, strings.HasPrefix(s.url, "https://127.0.0.1:"), s.url)
	res, _ := s.ask("GET", "/login")
	require.Equal(t, 200, res.StatusCode)
	require.Equal(t, 2, res.ProtoMajor, "HTTP/2 is spoken")
	require.NotEmpty(t, res.Header.Get("Strict-Transport-Security"))
	head, body := s.ask("HEAD", "/login")
	require.Equal(t, 200, head.StatusCode)
	require.Empty(t, body)

	_, err := tls.Dial("tcp", strings.TrimPrefix(s.url, "https://"),
		&tls.Config{RootCAs: trust, MaxVersion: tls.VersionTLS11})
	require.Error(t, err, "TLS 1.1 is too old")

	// a renewed certificate is used without a restart, a broken one is not used
	require.NoError(t, os.WriteFile(cert, []byte("half a"), 0o600))
	aged(t, time.Minute, cert, key)
	require.EqualValues(t, 1, serial(t, s, trust))
	_, _, renewed := interop.NewCertificate(t, dir, 2)
	aged(t, 2*time.Minute, cert, key)
	require.EqualValues(t, 2, serial(t, s, renewed))
	require.NoError(t, os.Remove(cert))
	require.EqualValues(t, 2, serial(t, s, renewed))
}

// By TLS 1.2 the server speaks with the suites that have forward secrecy and authenticate, and no others (ASVS 12.1.2).
func TestSuitesOfTLS12(t *testing.T) {
	cert, key, trust := interop.NewCertificate(t, t.TempDir(), 1)
	s := serveWith(t, trust, "--tls-cert", cert, "--tls-key", key)
	var taken []string
	for _, suite := range append(tls.CipherSuites(), tls.InsecureCipherSuites()...) {
		if !slices.Contains(suite.SupportedVersions, tls.VersionTLS12) {
			continue
		}
		conn, err := tls.Dial("tcp", strings.TrimPrefix(s.url, "https://"), &tls.Config{RootCAs: trust,
			MinVersion: tls.VersionTLS12, MaxVersion: tls.VersionTLS12, CipherSuites: []uint16{suite.ID}})
		if err == nil {
			require.Equal(t, suite.ID, conn.ConnectionState().CipherSuite)
			require.NoError(t, conn.Close())
			taken = append(taken, suite.Name)
		}
	}
	require.ElementsMatch(t, []string{"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
		"TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256"}, taken,
		"the certificate's key is for ECDSA")
}

// aged sets the modification time of files explicitly, because file systems have coarse clocks.
func aged(t *testing.T, ahead time.Duration, files ...string) {
	t.Helper()
	for _, f := range files {
		at := time.Now().Add(ahead)
		require.NoError(t, os.Chtimes(f, at, at))
	}
}

// serial is the serial number of the certificate that a new connection gets.
func serial(t *testing.T, s served, trust *x509.CertPool) int64 {
	t.Helper()
	conn, err := tls.Dial("tcp", strings.TrimPrefix(s.url, "https://"),
		&tls.Config{RootCAs: trust, MinVersion: tls.VersionTLS12})
	require.NoError(t, err)
	defer conn.Close() //nolint:errcheck // only looked at
	return conn.ConnectionState().PeerCertificates[0].SerialNumber.Int64()
}

// With the flags for a proxy, its headers, the host names and the public address are used; without them they are not.
func TestServesBehindAProxy(t *testing.T) {
	const hsts = "Strict-Transport-Security"
	plain := serveWith(t, nil)
	res, _ := plain.ask("GET", "/login", "Host", "sanad.test", "X-Forwarded-Proto", "https")
	require.Equal(t, 421, res.StatusCode)
	res, _ = plain.ask("GET", "/login", "X-Forwarded-Proto", "https")
	require.Equal(t, 200, res.StatusCode)
	require.Empty(t, res.Header.Get(hsts))

	proxied := serveWith(t, nil, "--trust-proxy", "--host", "a.test,b.test", "--host", "c.test")
	for _, host := range []string{"a.test", "B.test:8080", "c.test"} {
		res, _ = proxied.ask("GET", "/login", "Host", host, "X-Forwarded-Proto", "https")
		require.Equal(t, 200, res.StatusCode, host)
		require.NotEmpty(t, res.Header.Get(hsts))
	}
	res, _ = proxied.ask("GET", "/login")
	require.Empty(t, res.Header.Get(hsts), "the proxy said http")

	public := serveWith(t, nil, "--public-url", "https://sanad.test", "--oidc-issuer", "https://id.test",
		"--oidc-client-id", "x", "--oidc-name", "Ministry")
	res, page := public.ask("GET", "/login", "Host", "sanad.test")
	require.Equal(t, 200, res.StatusCode)
	require.Equal(t, "max-age=31536000", res.Header.Get(hsts), "hosts below it may be other people's")
	require.Contains(t, page, "Ministry")
	all := serveWith(t, nil, "--public-url", "https://sanad.test", "--hsts-subdomains")
	res, _ = all.ask("GET", "/login", "Host", "sanad.test")
	require.Equal(t, "max-age=31536000; includeSubDomains", res.Header.Get(hsts))
}

func TestServesMetrics(t *testing.T) {
	const token = "twenty-four-characters-ok"
	t.Setenv("SANAD_METRICS_TOKEN_FILE", file(t, token+"\n"))
	s := serveWith(t, nil)
	res, _ := s.ask("GET", "/metrics")
	require.Equal(t, 401, res.StatusCode)
	res, text := s.ask("GET", "/metrics", "Authorization", "Bearer "+token)
	require.Equal(t, 200, res.StatusCode)
	require.Contains(t, text, "sanad_ready 1")
}

// While OpenFGA is down, Sanad starts, denies every action, and reports the reason.
func TestServesWhileOpenFGAIsDown(t *testing.T) {
	l, err := listen("127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close()) // nothing listens there
	s := serveWith(t, nil, "--openfga-url", "http://"+l.Addr().String(), "--openfga-store",
		"01ARZ3NDEKTSV4RRFFQ69G5FAV")
	res, why := s.ask("GET", "/readyz")
	require.Equal(t, 503, res.StatusCode)
	require.Contains(t, why, "OpenFGA")
	res, _ = s.ask("GET", "/healthz")
	require.Equal(t, 200, res.StatusCode)
}
