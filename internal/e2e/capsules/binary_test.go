package capsules

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// binary returns the path of the binary under test: SANAD_BINARY, else this tree's, which is built once.
var binary = sync.OnceValues(func() (string, error) {
	if given := os.Getenv("SANAD_BINARY"); given != "" {
		return filepath.Abs(given)
	}
	path := filepath.Join(scratch, "sanad")
	build := exec.Command("go", "build", "-o", path, "sanad/cmd/web")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return path, nil
})

// scratch is a folder for what all tests share.
var scratch string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "sanad-capsules-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	scratch = dir
	code := m.Run()
	_ = os.RemoveAll(dir) // temporary files
	os.Exit(code)
}

// call runs the binary under test and returns its exit code and what it printed.
func call(t *testing.T, stdin string, args ...string) (code int, out, errs string) {
	t.Helper()
	return run(t, "", stdin, args...)
}

// run runs a program, the binary under test if program is "".
func run(t *testing.T, program, stdin string, args ...string) (code int, out, errs string) {
	t.Helper()
	cmd := exec.Command(orTested(t, program), args...)
	cmd.Env = environment()
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	return cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()
}

// orTested returns the path of a program, that of the binary under test if it is "".
func orTested(t *testing.T, program string) string {
	t.Helper()
	if program != "" {
		return program
	}
	path, err := binary()
	require.NoError(t, err)
	return path
}

// environment returns the environment of the tests without Sanad's settings.
func environment() []string {
	var out []string
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "SANAD_") {
			out = append(out, v)
		}
	}
	return out
}

// place is a data folder with its master key.
type place struct {
	t         *testing.T
	data, key string
	database  string // on PostgreSQL; "" is the file in data
	program   string // that opens it; "" is the binary under test
}

// flags returns the flags of every command that opens the data folder.
func (p place) flags() []string {
	flags := []string{"--data", p.data, "--master-key-file", p.key}
	if p.database != "" {
		flags = append(flags, "--database", p.database)
	}
	return flags
}

// does runs a command on the data folder, requires success, and returns its output.
func (p place) does(stdin string, args ...string) string {
	p.t.Helper()
	code, out, errs := run(p.t, p.program, stdin, append(args, p.flags()...)...)
	require.Zero(p.t, code, "%s: %s%s", strings.Join(args, " "), out, errs)
	return out
}

// token creates an API token that acts as a person.
func (p place) token(login, role string) string {
	p.t.Helper()
	return tokenIn(p.t, p.does("", "token", "add", "--name", "capsule", "--user", login, "--role", role))
}

func tokenIn(t *testing.T, out string) string {
	t.Helper()
	token := regexp.MustCompile(`sanad_\w+`).FindString(out)
	require.NotEmpty(t, token, out)
	return token
}

// server is a running server.
type server struct {
	t   *testing.T
	url string
	cmd *exec.Cmd
	out *output
}

// output is the output of a process, readable while it runs.
type output struct {
	sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.Lock()
	defer o.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.Lock()
	defer o.Unlock()
	return o.text.String()
}

var listening = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// serve starts a server on the data folder and waits until it is ready. It is stopped by stop or when the test ends.
func (p place) serve(command string, args ...string) *server {
	p.t.Helper()
	s := &server{t: p.t, out: &output{}}
	args = append([]string{command, "--addr", "127.0.0.1:0", "--data", p.data}, args...)
	if p.key != "" {
		args = append(args, "--master-key-file", p.key)
	}
	if p.database != "" {
		args = append(args, "--database", p.database)
	}
	s.cmd = exec.Command(orTested(p.t, p.program), args...)
	s.cmd.Env, s.cmd.Stdout, s.cmd.Stderr = environment(), s.out, s.out
	require.NoError(p.t, s.cmd.Start())
	p.t.Cleanup(s.stop)
	require.Eventually(p.t, func() bool {
		s.url = listening.FindString(s.out.String())
		return s.url != "" && s.ready()
	}, time.Minute, 50*time.Millisecond, "no server: %s", s.out)
	return s
}

func (s *server) ready() bool {
	res, err := http.Get(s.url + "/readyz")
	if err != nil {
		return false
	}
	_ = res.Body.Close() // nothing is written
	return res.StatusCode == http.StatusOK
}

// stop ends the server in an orderly way, so that the database is one file again.
func (s *server) stop() {
	if s.cmd.ProcessState != nil {
		return
	}
	_ = s.cmd.Process.Signal(syscall.SIGTERM) // Wait reports how it ended
	if err := s.cmd.Wait(); err != nil {
		s.t.Errorf("the server ended with %v: %s", err, s.out)
	}
}

// visitor is a client of a server: with a token at the API, or signed in at the pages.
type visitor struct {
	t          *testing.T
	url, token string
	client     *http.Client
}

// bearer returns a client of the API.
func (s *server) bearer(token string) visitor {
	return visitor{t: s.t, url: s.url, token: token, client: &http.Client{Timeout: time.Minute}}
}

// signIn signs in at the pages.
func (s *server) signIn(login, password string) visitor {
	s.t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(s.t, err)
	v := visitor{t: s.t, url: s.url, client: &http.Client{Timeout: time.Minute, Jar: jar}}
	code, page, _ := v.send("POST", "/login", "application/x-www-form-urlencoded",
		[]byte(url.Values{"login": {login}, "password": {password}}.Encode()))
	require.Equal(s.t, http.StatusOK, code, "%s", page)
	require.NotEmpty(s.t, jar.Cookies(mustParse(s.t, s.url)), "%s is not signed in", login)
	return v
}

func mustParse(t *testing.T, address string) *url.URL {
	t.Helper()
	u, err := url.Parse(address)
	require.NoError(t, err)
	return u
}

func (v visitor) send(method, path, mediaType string, body []byte, headers ...string) (int, []byte, http.Header) {
	v.t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), method, v.url+path, bytes.NewReader(body))
	require.NoError(v.t, err)
	if v.token != "" {
		req.Header.Set("Authorization", "Bearer "+v.token)
	}
	if mediaType != "" {
		req.Header.Set("Content-Type", mediaType)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := v.client.Do(req)
	require.NoError(v.t, err)
	defer res.Body.Close() //nolint:errcheck // only read
	data, err := io.ReadAll(res.Body)
	require.NoError(v.t, err)
	return res.StatusCode, data, res.Header
}

// get returns the answer to a GET, which must be 200.
func (v visitor) get(path string) []byte {
	v.t.Helper()
	code, data, _ := v.send("GET", path, "", nil)
	require.Equal(v.t, http.StatusOK, code, "GET %s: %.600s", path, data)
	return data
}

// post sends JSON, requires success, and returns the answer. It overwrites concurrent changes (If-Match: *).
func (v visitor) post(path string, body any) (answer map[string]any, data []byte) {
	v.t.Helper()
	return v.change("POST", path, body)
}

func (v visitor) change(method, path string, body any) (answer map[string]any, data []byte) {
	v.t.Helper()
	given := []byte(nil)
	if body != nil {
		var err error
		given, err = json.Marshal(body)
		require.NoError(v.t, err)
	}
	code, data, _ := v.send(method, path, "application/json", given, "If-Match", "*")
	require.Equal(v.t, 2, code/100, "%s %s: %d %.600s", method, path, code, data)
	if json.Unmarshal(data, &answer) != nil {
		answer = nil
	}
	return answer, data
}

// export exports a pack and returns the file.
func (v visitor) export(pack, format string) []byte {
	v.t.Helper()
	answer, _ := v.post("/api/v1/packs/"+pack+"/export", map[string]any{"format": format})
	link, _ := answer["download_url"].(string)
	require.NotEmpty(v.t, link)
	return v.get(link)
}
