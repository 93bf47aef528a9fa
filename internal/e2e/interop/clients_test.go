package interop

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// busy answers the first of every request that is the same with 503, and passes the others on. It notes the keys of
// both.
type busy struct {
	next http.Handler
	mu   sync.Mutex
	seen map[string]int
}

func (b *busy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	id := r.Method + " " + r.URL.Path + " " + r.Header.Get("Idempotency-Key")
	b.seen[id]++
	first := b.seen[id] == 1
	b.mu.Unlock()
	if first {
		w.Header().Set("Retry-After", "0")
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	b.next.ServeHTTP(w, r)
}

// serveBusy runs a server behind busy, and returns the environment of a client.
func serveBusy(t *testing.T, w web) (env []string, b *busy) {
	t.Helper()
	token := strings.TrimSpace(w.says("", "token", "add", "--name", "reviewer", "--role", "reviewer"))
	fields := strings.Fields(w.serve())
	to, err := url.Parse(fields[len(fields)-1])
	require.NoError(t, err)
	b = &busy{next: httputil.NewSingleHostReverseProxy(to), seen: map[string]int{}}
	front := httptest.NewServer(b)
	t.Cleanup(front.Close)
	return append(os.Environ(), "SANAD="+front.URL, "SANAD_TOKEN="+token), b
}

// example returns the example of docs/clients.md in a language.
func example(t *testing.T, language string) string {
	t.Helper()
	doc, err := os.ReadFile("../../../docs/clients.md")
	require.NoError(t, err)
	found := regexp.MustCompile("(?s)```" + language + "\n(.*?)```").FindSubmatch(doc)
	require.NotNil(t, found)
	return string(found[1])
}

// said is what both examples print first.
const said = "supported Employees are entitled to 15 days of annual leave\ncontradicted\nleave.md\n201 None\n" +
	"415 sessions[1].format\n404 There is nothing at this address.\n2\n"

// checkRepeats checks that each call was sent twice, those that store something with the same key.
func checkRepeats(t *testing.T, b *busy) {
	t.Helper()
	posts := 0
	for id, n := range b.seen {
		if require.GreaterOrEqual(t, n, 2, id); strings.HasPrefix(id, "POST ") {
			posts++
			require.False(t, strings.HasSuffix(id, " "), "%s has no key", id)
		}
	}
	require.Equal(t, 4, posts)
}

// TestPythonClient runs the example of docs/clients.md against a server that refuses every call once.
func TestPythonClient(t *testing.T) {
	Need(t, "go", "python3")
	env, b := serveBusy(t, buildWeb(t))
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "example.py"), []byte(example(t, "python")), 0o600))
	module, err := filepath.Abs("../../../clients/python")
	require.NoError(t, err)
	cmd := exec.Command("python3", "-B", "example.py")
	cmd.Dir, cmd.Env = dir, append(env, "PYTHONPATH="+module)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, said+"1\n", string(out))
	checkRepeats(t, b)
}

// TestTypeScriptClient compiles the package and the example of docs/clients.md, and runs it as the test above. The
// types are those that the generator makes of the description.
func TestTypeScriptClient(t *testing.T) {
	Need(t, "go", "node", "npm")
	w := buildWeb(t)
	const source = "../../../clients/typescript/"
	files := map[string][]byte{}
	for _, name := range []string{"package.json", "tsconfig.json", "src/index.ts", "src/openapi.ts"} {
		data, err := os.ReadFile(source + name)
		require.NoError(t, err)
		files[name] = data
	}
	installed := installNPM(t, "clients", map[string][]byte{"package.json": files["package.json"]})
	dir := t.TempDir()
	require.NoError(t, os.Symlink(filepath.Join(installed, "node_modules"), filepath.Join(dir, "node_modules")))
	files["src/example.ts"] = []byte(strings.ReplaceAll(example(t, "ts"), `"sanad-client"`, `"./index.js"`))
	files["src/node.d.ts"] = []byte("declare const process: { env: Record<string, string | undefined> };\n")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "src"), 0o700))
	for name, data := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o600))
	}
	bin := filepath.Join(installed, "node_modules", ".bin")

	description := filepath.Join(dir, "openapi.json")
	require.NoError(t, os.WriteFile(description, []byte(w.says("", "openapi")), 0o600))
	types, err := exec.Command(filepath.Join(bin, "openapi-typescript"), description).Output()
	require.NoError(t, err)
	_, kept, _ := strings.Cut(string(files["src/openapi.ts"]), "\n")
	if kept != string(types) { // the difference would be thousands of lines
		t.Fatal("clients/typescript/src/openapi.ts is not what the generator makes; run make clients")
	}

	build := exec.Command(filepath.Join(bin, "tsc"), "-p", ".")
	build.Dir = dir
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	env, b := serveBusy(t, w)
	cmd := exec.Command("node", filepath.Join("dist", "example.js"))
	cmd.Dir, cmd.Env = dir, env
	out, err = cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, said, string(out))
	checkRepeats(t, b)

	cmd = exec.Command("node", "--input-type=module", "-e", `import { createSanad } from "./dist/index.js";
		createSanad({ baseUrl: "https://sanad.example/api/v1/", token: "t" });`)
	cmd.Dir = dir
	out, err = cmd.CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "baseUrl ends with /api/v1, which calls add themselves: leave it out")

	cmd = exec.Command("node", "--input-type=module", "-e", `import { createSanad, SanadUnreachable } from "./dist/index.js";
		const sanad = createSanad({ baseUrl: "http://127.0.0.1:1", token: "t", retries: 1, longestWait: 1 });
		await sanad.GET("/api/v1/sessions").catch((e) =>
			console.log(e instanceof SanadUnreachable, e.name, e.message, e.cause instanceof Error));`)
	cmd.Dir = dir
	out, err = cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, "true SanadUnreachable GET http://127.0.0.1:1/api/v1/sessions: the server did not answer true\n", string(out))
}
