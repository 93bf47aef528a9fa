package interop

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAGeneratedClientDoesTheWholeFlow runs the whole flow against the real binary, with a client that a third-party
// generator made from openapi.json.
func TestAGeneratedClientDoesTheWholeFlow(t *testing.T) {
	Need(t, "go")
	w := buildWeb(t)
	driver := apiClient(t, []byte(w.says("", "openapi")))
	const password = "correct horse battery"
	env := append(os.Environ(), "PASSWORD="+password, "DECISION=../../../cmd/web/demo/decision-hospital-fit.json")
	for _, role := range []string{"reviewer", "approver"} {
		email := role + "@example.org"
		w.does(password+"\n", "user", "add", "--email", email, "--role", role, "--password-stdin")
		token := strings.TrimSpace(w.says("", "token", "add", "--name", role, "--role", role, "--user", email))
		env = append(env, strings.ToUpper(role)+"="+token)
	}
	fields := strings.Fields(w.serve())
	cmd := exec.Command(driver)
	cmd.Env = append(env, "BASE="+fields[len(fields)-1])
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	var seen map[string]any
	require.NoError(t, json.Unmarshal(out, &seen), "%s", out)
	require.Len(t, seen["digest"], 64)
	require.NotEmpty(t, seen["session"])
	delete(seen, "digest")
	delete(seen, "session")
	require.Equal(t, map[string]any{
		"replayed": true, "claims": 1.0, "verdict": "supported", "reviewed": "weak", "stale": 412.0, "exported": true,
		"level": "mandatory", "submitted": "in_review", "refused": 403.0, "approved": "signed_off", "signed": true,
	}, seen)
}

// says runs a command and returns its output.
func (w web) says(stdin string, args ...string) string {
	w.t.Helper()
	cmd := exec.Command(w.bin, args...)
	cmd.Env, cmd.Stdin = w.env, strings.NewReader(stdin)
	out, err := cmd.Output()
	require.NoError(w.t, err, "%v", args)
	return string(out)
}
