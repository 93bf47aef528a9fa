package interop

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// web is the built binary with its own data folder. Its judge compares words only.
type web struct {
	t   *testing.T
	bin string
	env []string
}

func buildWeb(t *testing.T) web {
	t.Helper()
	dir := t.TempDir()
	bin := filepath.Join(dir, "web")
	out, err := exec.Command("go", "build", "-tags", "noreader", "-o", bin, "sanad/cmd/web").CombinedOutput()
	require.NoError(t, err, "%s", out)
	w := web{t, bin, append(os.Environ(), "SANAD_DATA="+filepath.Join(dir, "data"),
		"SANAD_MASTER_KEY_FILE="+filepath.Join(dir, "master.key"))}
	w.does("", "key", "init", filepath.Join(dir, "master.key"))
	return w
}

func (w web) does(stdin string, args ...string) {
	w.t.Helper()
	cmd := exec.Command(w.bin, args...)
	cmd.Env, cmd.Stdin = w.env, strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	require.NoError(w.t, err, "%v: %s", args, out)
}

// serve runs sanad serve until the test ends, and returns the line that it prints once it listens.
func (w web) serve(args ...string) string {
	w.t.Helper()
	cmd := exec.Command(w.bin, append([]string{"serve", "--addr", "127.0.0.1:0"}, args...)...)
	cmd.Env = w.env
	out, err := cmd.StdoutPipe()
	require.NoError(w.t, err)
	require.NoError(w.t, cmd.Start())
	w.t.Cleanup(func() {
		require.NoError(w.t, cmd.Process.Signal(syscall.SIGTERM))
		require.NoError(w.t, cmd.Wait())
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(w.t, err)
	return strings.TrimSpace(line)
}

// signedIn returns the cookies of a login, of which the second knows the browser again (rule SEC-3).
func signedIn(t *testing.T, at string, trust *x509.CertPool, login, password string) string {
	t.Helper()
	client := http.Client{
		Transport:     &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trust, MinVersion: tls.VersionTLS12}},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	res, err := client.PostForm(at+"/login", url.Values{"login": {login}, "password": {password}})
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, http.StatusSeeOther, res.StatusCode)
	require.Len(t, res.Cookies(), 2)
	var all []string
	for _, c := range res.Cookies() {
		all = append(all, c.Name+"="+c.Value)
	}
	return strings.Join(all, "; ")
}
