package clients_test

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/clients"
	"sanad/internal/handlers"
)

var update = flag.Bool("update", false, "rewrite clients/python/sanad.py")

const (
	pythonFile     = "../../clients/python/sanad.py"
	typescriptFile = "../../clients/typescript/src/openapi.ts"
)

// The clients are those of the API's description as it is now; `make clients` generates them again.
func TestClientsAreUpToDate(t *testing.T) {
	made, err := clients.Python(handlers.OpenAPI())
	require.NoError(t, err)
	if *update {
		require.NoError(t, os.WriteFile(pythonFile, made, 0o644))
		require.NoError(t, os.WriteFile("../../bin/openapi.json", handlers.OpenAPI(), 0o644)) // for .ci/clients
		return
	}
	kept, err := os.ReadFile(pythonFile)
	require.NoError(t, err)
	if string(kept) != string(made) { // the difference would be thousands of lines
		t.Fatalf("%s is not of this description; run make clients", pythonFile)
	}

	types, err := os.ReadFile(typescriptFile)
	require.NoError(t, err)
	first, _, _ := strings.Cut(string(types), "\n")
	require.Equal(t, fmt.Sprintf("// Of the description with SHA-256 %x.", sha256.Sum256(handlers.OpenAPI())), first,
		"%s is not of this description; run make clients", typescriptFile)
}

// A name that Python keeps for itself, an object within others, and a list of types become Python that can be loaded.
func TestPythonOfUnusualSchemas(t *testing.T) {
	made, err := clients.Python([]byte(`{"paths":{"/api/v1/x/{id}:y":{"get":{"operationId":"readABTest","summary":"Read \"it\"",
		"parameters":[{"name":"id","in":"path","required":true,"schema":{"type":"string"}},{"name":"from","in":"query","schema":{"type":"integer"}}],
		"responses":{"200":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/X"}}}},"404":{}}}}},
		"components":{"schemas":{"X":{"type":"object","required":["from"],"properties":{"from":{"type":["string","null"]},
		"15m":{"type":"object","properties":{"a":{"enum":["b",null]}}},"all":{"type":"object","additionalProperties":{"type":"number"}}}},
		"Y":{"anyOf":[{"$ref":"#/components/schemas/X"},{"type":"array","items":{}}]}}}}`))
	require.NoError(t, err)
	text := string(made)
	for _, want := range []string{
		`def read_ab_test(self, id: str, *, from_: Optional[int] = None) -> Answer[X]:`, `"""Read 'it'."""`,
		`"/api/v1/x/%s:y" % (_segment(id), ), {"from": from_}, {}, None, "", True)`, `{"from": 'Union[str, None]', }`,
		`class X15m(TypedDict, total=False):`, `    a: Literal["b", None]`, `"all": 'Dict[str, float]', `, `Y = Union["X", List[Any]]`,
	} {
		require.Contains(t, text, want)
	}
	loads(t, made)
}

// loads has Python load the module, where there is a Python; make thorough needs one.
func loads(t *testing.T, module []byte) {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Log("no python3: not loaded")
		return
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "sanad.py"), module, 0o600))
	cmd := exec.Command(python, "-c", "import sanad, typing; [typing.get_type_hints(m) for n, m in vars(sanad.Client).items() if n[0] != '_']")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

func TestThePythonClientLoads(t *testing.T) {
	kept, err := os.ReadFile(pythonFile)
	require.NoError(t, err)
	loads(t, kept)
}

// TestThePythonClientRefusesWhatCannotBe: an address or a token that cannot be is refused when the client is made,
// naming what to give, and without repeating the secret.
func TestThePythonClientRefusesWhatCannotBe(t *testing.T) {
	python, err := exec.LookPath("python3")
	require.NoError(t, err, "make test installs it")
	script := `import sanad
for base in ["", " ", "/", "sanad.example", "sanad.example:8080", "ftp://sanad.example", "https://", "https:///x", "https://a b.example",
             "https://x.example\n/y", "https://x.example:no", "https://me:swordfish@x.example", "https://x.example?a=1", "https://x.example/#a",
             "https://x.example/api/v1/", None]:
    try:
        sanad.Client(base, "t")
    except ValueError as wrong:
        assert "base" in str(wrong) and "swordfish" not in str(wrong), wrong
    else:
        raise SystemExit("not refused: %r" % base)
for token in ["", "swordfish\n", "sword fish", "s\r\nX: y", "Tüken", None]:
    try:
        sanad.Client("https://x.example", token)
    except ValueError as wrong:
        assert "token" in str(wrong) and "sword" not in str(wrong), wrong
    else:
        raise SystemExit("not refused: %r" % token)
for base in ["https://x.example", "http://127.0.0.1:8080/", "HTTPS://X.example/sanad/", "http://[::1]:8080", " https://x.example\n"]:
    sanad.Client(base, "sanad_0123")
`
	cmd := exec.Command(python, "-c", script)
	cmd.Dir = filepath.Dir(pythonFile)
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

func TestADescriptionThatIsNone(t *testing.T) {
	for _, data := range []string{"", "[]", `{"paths":`} {
		_, err := clients.Python([]byte(data))
		require.Error(t, err, data)
	}
}
