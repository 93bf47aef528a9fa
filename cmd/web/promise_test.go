package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/thorough"
)

// unavailable skips a test for which this machine lacks something; in make thorough it fails the test.
func unavailable(t *testing.T, format string, args ...any) {
	t.Helper()
	if thorough.On() {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}

// builtIn is the folder of the built programs, which TestMain removes; "" if none was built.
var builtIn string

// builtFolder makes it.
var builtFolder = sync.OnceValue(func() (err error) {
	builtIn, err = os.MkdirTemp("", "sanad-web-")
	return err
})

// builtWhole is the program with its reader, built once as .ci/build does.
var builtWhole = sync.OnceValues(func() (string, error) {
	return buildWeb("whole", "-tags", "grpcnotrace", "-ldflags", "-s -w")
})

// builtPlain is the program without its reader, built once.
var builtPlain = sync.OnceValues(func() (string, error) { return buildWeb("plain", "-tags", "noreader") })

func buildWeb(name string, flags ...string) (string, error) {
	if err := builtFolder(); err != nil {
		return "", err
	}
	binary := filepath.Join(builtIn, name)
	build := exec.Command("go", append(append([]string{"build"}, flags...), "-o", binary, ".")...)
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as make builds it, so that nothing is compiled again
	out, err := build.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, out)
	}
	return binary, err
}

// wholeBinary is the program with its reader, for benchmarks only. Reading takes its time, and one package has the
// tests that read (TestShippedWeightsRunInOnePackage).
func wholeBinary(b *testing.B) string {
	b.Helper()
	binary, err := builtWhole()
	require.NoError(b, err)
	return binary
}

// webBinary is the program without its reader.
func webBinary(t testing.TB) string {
	t.Helper()
	binary, err := builtPlain()
	require.NoError(t, err)
	return binary
}

// writer is somebody who writes by the API.
type writer struct {
	url, token string
	http       *http.Client
}

// writerToken makes an API token in a data folder.
func writerToken(t *testing.T, dir string) string {
	t.Helper()
	out := desk{t, dir}.does("", "token", "add", "--name", "writer", "--role", "reviewer")
	token := regexp.MustCompile(`sanad_\w+`).FindString(out)
	require.NotEmpty(t, token, out)
	return token
}

// send sends one request; an error means that the answer was missing or incomplete.
func (w *writer) send(method, path, body string,
	headers ...string) (status int, answer []byte, header http.Header, err error) {
	req, err := http.NewRequestWithContext(context.Background(), method, w.url+path, strings.NewReader(body))
	if err != nil {
		return 0, nil, nil, err
	}
	req.Header.Set("Authorization", "Bearer "+w.token)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := w.http.Do(req)
	if err != nil {
		return 0, nil, nil, err
	}
	var whole bytes.Buffer
	_, err = io.Copy(&whole, res.Body)
	_ = res.Body.Close() // the server may be gone
	return res.StatusCode, whole.Bytes(), res.Header, err
}

// post imports a small session and returns its id, "" if the import was not acknowledged. words lengthens the session.
func (w *writer) post(name string, words int) (id string, status int, err error) {
	text := "Leave is 15 days." + strings.Repeat(" More words.", words)
	body := fmt.Sprintf(`{"format":"sanad.session/v1","session":{"external_id":%q,"answer":"Leave is 15 days."},"documents":[{"id":"d","text":%q}]}`, name, name+" "+text)
	status, data, _, err := w.send("POST", "/api/v1/sessions", body)
	if err != nil {
		return "", 0, err
	}
	if status != http.StatusCreated {
		return "", status, nil
	}
	var answer struct {
		ID string `json:"session_id"`
	}
	err = json.Unmarshal(data, &answer)
	return answer.ID, status, err
}

// requireLogsVerify runs sanad audit verify on a data folder.
func requireLogsVerify(t *testing.T, dir string) {
	t.Helper()
	code, out, errs := call(t, "", "audit", "verify", "--data", dir)
	require.Zero(t, code, "%s%s", out, errs)
}
