package weights_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCheckPageRuns runs the commands of docs/check.md with the built program, one after the other, and compares what
// the first prints with the page; -update writes it there.
func TestCheckPageRuns(t *testing.T) {
	const name = "../../../docs/check.md"
	page, err := os.ReadFile(name)
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	require.Len(t, blocks, 2)
	bin := t.TempDir()
	build := exec.Command("go", "build", "-o", filepath.Join(bin, "sanad"), "sanad/cmd/web")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as make builds it, so that nothing is compiled again
	log, err := build.CombinedOutput()
	require.NoError(t, err, string(log))
	work := t.TempDir()
	shell := func(script string) (out []byte, code int) {
		cmd := exec.Command("bash", "-euc", script)
		cmd.Dir, cmd.Env = work, append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
		out, _ = cmd.Output()
		return out, cmd.ProcessState.ExitCode()
	}
	out, code := shell(blocks[0][1])
	require.Zero(t, code)
	require.Contains(t, string(out), "exit code 1\n")
	printed := regexp.MustCompile("(?s)```text\n(.*?)```")
	if *update {
		page = printed.ReplaceAllLiteral(page, []byte("```text\n"+string(out)+"```"))
		require.NoError(t, os.WriteFile(name, page, 0o644))
	}
	require.Equal(t, string(printed.FindSubmatch(page)[1]), string(out))

	good := `{"user_input":"q","retrieved_contexts":["Leave is 15 days."],"response":"Leave is 15 days."}`
	for _, c := range []struct {
		name, before string
		code         int
	}{
		{name: "a failing answer", code: 1},
		{name: "passing answers", before: "echo '" + good + "' > answers.jsonl\n", code: 0},
		{name: "an unreadable file", before: "echo '{' > answers.jsonl\n", code: 2},
	} {
		out, code = shell(c.before + blocks[1][1])
		require.Equal(t, c.code, code, c.name)
		require.ElementsMatch(t, []string{"check.xml", "check.sarif"}, strings.Fields(string(out)), c.name)
		left, err := os.ReadDir(work)
		require.NoError(t, err)
		require.Len(t, left, 3, "no temporary file remains")
	}
}
