package interop

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The server and its version, so that new releases can't change the result of the tests.
const (
	fgaModule  = "github.com/openfga/openfga/cmd/openfga"
	fgaVersion = "v1.22.1"
	fgaKey     = "a-key-for-this-test"
)

// fgaServer is a running OpenFGA with its data in a file, so that it can be killed and restarted.
type fgaServer struct {
	binary, address, url string
	data                 string // URI of its database
	process              *exec.Cmd
	exited               chan struct{}
}

func startOpenFGA(t testing.TB) *fgaServer {
	t.Helper()
	address := freeAddress(t)
	s := &fgaServer{
		binary: goBinary(t, fgaModule, fgaVersion), address: address, url: "http://" + address,
		data: "file:" + filepath.Join(t.TempDir(), "openfga.db"),
	}
	out, err := exec.Command(s.binary, "migrate", "--datastore-engine", "sqlite", "--datastore-uri",
		s.data).CombinedOutput()
	require.NoError(t, err, "%s", out)
	s.start(t)
	t.Cleanup(func() { s.kill(t) })
	return s
}

// start runs the server and waits until it answers.
func (s *fgaServer) start(t testing.TB) {
	t.Helper()
	var said bytes.Buffer
	s.process = exec.Command(s.binary, "run", "--http-addr", s.address, "--grpc-addr", freeAddress(t),
		"--datastore-engine", "sqlite", "--datastore-uri", s.data, "--authn-method", "preshared",
		"--authn-preshared-keys", fgaKey,
		"--playground-enabled=false", "--metrics-enabled=false", "--log-level", "error")
	s.process.Stdout, s.process.Stderr = &said, &said
	require.NoError(t, s.process.Start())
	s.exited = make(chan struct{})
	go func(p *exec.Cmd, exited chan struct{}) {
		_ = p.Wait() // it is killed
		close(exited)
	}(s.process, s.exited)
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		select {
		case <-s.exited:
			t.Fatalf("openfga ended: %s", said.String())
		default:
		}
		if resp, err := http.Get(s.url + "/healthz"); err == nil {
			_ = resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return
			}
		}
	}
	t.Fatal("openfga does not answer")
}

// kill ends the server like a crash.
func (s *fgaServer) kill(t testing.TB) {
	t.Helper()
	_ = s.process.Process.Kill() // it may have been killed before
	<-s.exited
}

func freeAddress(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close() //nolint:errcheck // only needed to find a free port
	return l.Addr().String()
}

// writeStricterModel writes the store's newest model again with a relation "blocked" that removes users from another
// relation, and returns the new model's id.
func (s *fgaServer) writeStricterModel(t testing.TB, store, kind, relation string) string {
	t.Helper()
	type object = map[string]any
	var newest struct {
		Models []struct {
			Types []struct {
				Type      string `json:"type"`
				Relations object `json:"relations"`
				Metadata  object `json:"metadata"`
			} `json:"type_definitions"`
		} `json:"authorization_models"`
	}
	s.call(t, http.MethodGet, "/stores/"+store+"/authorization-models?page_size=1", nil, &newest)
	types := newest.Models[0].Types
	for _, d := range types {
		if d.Type == kind {
			blocked := object{"computedUserset": object{"relation": "blocked"}}
			d.Relations[relation] = object{"difference": object{"base": d.Relations[relation], "subtract": blocked}}
			d.Relations["blocked"] = object{"this": object{}}
			d.Metadata["relations"].(object)["blocked"] = object{"directly_related_user_types": []object{{"type": "user"}}}
		}
	}
	var made struct {
		ID string `json:"authorization_model_id"`
	}
	s.call(t, http.MethodPost, "/stores/"+store+"/authorization-models",
		object{"schema_version": "1.1", "type_definitions": types}, &made)
	return made.ID
}

func (s *fgaServer) writeTuple(t testing.TB, store, model, user, relation, object string) {
	t.Helper()
	tuple := map[string]string{"user": user, "relation": relation, "object": object}
	s.call(t, http.MethodPost, "/stores/"+store+"/write",
		map[string]any{"authorization_model_id": model, "writes": map[string]any{"tuple_keys": []any{tuple}}}, nil)
}

// call sends an operator's request without our client.
func (s *fgaServer) call(t testing.TB, method, path string, in, out any) {
	t.Helper()
	data, err := json.Marshal(in)
	require.NoError(t, err)
	req, err := http.NewRequest(method, s.url+path, bytes.NewReader(data))
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+fgaKey)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close() //nolint:errcheck // only read
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Less(t, resp.StatusCode, 300, "%s %s: %s", method, path, body)
	if out != nil {
		require.NoError(t, json.Unmarshal(body, out))
	}
}
