package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
)

// TestMCP has an agent call sanad mcp over standard input and output.
func TestMCP(t *testing.T) {
	d := desk{t, dbtest.Dir(t)}
	token := d.does("", "token", "add", "--name", "agent", "--role", "reviewer")
	kept := file(t, token)
	s := serveWith(t, nil, "--data", d.dir)
	theirs, out := io.Pipe()
	in, ours := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan int, 1)
	go func() {
		done <- run(ctx, []string{"mcp", "--server", s.url, "--token-file", kept}, streams{in: in, out: out, err: io.Discard})
	}()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx,
		&sdk.IOTransport{Reader: theirs, Writer: ours}, nil)
	require.NoError(t, err)
	res, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "verify_answer", Arguments: map[string]any{
		"answer": "Leave is 15 days.", "documents": []map[string]any{{"text": "Leave is 15 days."}}}})
	require.NoError(t, err)
	text := res.Content[0].(*sdk.TextContent).Text
	require.False(t, res.IsError, text)
	require.Contains(t, text, `"verdict":"supported"`)
	require.Contains(t, text, s.url+"/sessions/")
	stop()
	require.Zero(t, <-done)
}

// TestMCPAnswersAllOfAFile has the command read a conversation from a file, which ends before the first call is
// answered, with lines in it that are no messages.
func TestMCPAnswersAllOfAFile(t *testing.T) {
	d := desk{t, dbtest.Dir(t)}
	kept := file(t, d.does("", "token", "add", "--name", "agent", "--role", "reviewer"))
	s := serveWith(t, nil, "--data", d.dir)
	talk := []string{`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
		`"clientInfo":{"name":"test","version":"1"}}}`, `{"jsonrpc":"2.0","method":"notifications/initialized"}`}
	for i := range 6 {
		talk = append(talk, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"verify_answer",`+
			`"arguments":{"answer":"Leave is %d days.","documents":[{"text":"Leave is %d days."}]}}}`, i+1, i, i))
	}
	talk = append(talk, `{"jsonrpc":"2.0","id":7,"method":"resources/templates/list"}`) // without a newline
	cmd := exec.Command(webBinary(t), "mcp", "--server", s.url, "--token-file", kept)
	cmd.Stdin = strings.NewReader("no JSON\n\n[]\n{\"id\":1}\n" + strings.Join(talk, "\n"))
	out, err := cmd.Output()
	require.NoError(t, err, "%s", out)
	ids, codes := map[string]bool{}, []int{}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		var got struct {
			ID     json.RawMessage
			Error  *struct{ Code int }
			Result json.RawMessage
		}
		require.NoError(t, json.Unmarshal([]byte(line), &got), line)
		if got.Error != nil {
			require.Equal(t, "null", string(got.ID), line)
			codes = append(codes, got.Error.Code)
			continue
		}
		require.NotContains(t, string(got.Result), `"isError":true`)
		ids[string(got.ID)] = true
	}
	require.Equal(t, []int{-32700, -32600, -32600}, codes)
	require.Len(t, ids, 8, "%s", out)
}

func TestMCPRefusesItsFlags(t *testing.T) {
	good := file(t, "a-secret-of-mine\n")
	for name, c := range map[string]struct {
		code int
		want string
		args []string
	}{
		"no token":          {exitUsage, "--token-file is required", nil},
		"no file":           {exitFailed, "no such file", []string{"--token-file", filepath.Join(t.TempDir(), "none")}},
		"an empty file":     {exitFailed, "is empty", []string{"--token-file", file(t, " \n")}},
		"two lines":         {exitFailed, "something else", []string{"--token-file", file(t, "a-secret-of-mine\nb\n")}},
		"in the clear":      {exitUsage, "use https", []string{"--token-file", good, "--server", "http://sanad.example"}},
		"not an address":    {exitUsage, "address of a Sanad server", []string{"--token-file", good, "--server", "sanad.example"}},
		"a path of the API": {exitUsage, "no path", []string{"--token-file", good, "--server", "https://sanad.example/api/v1"}},
	} {
		code, out, errs := call(t, "", append([]string{"mcp"}, c.args...)...)
		require.Equal(t, c.code, code, name)
		require.Empty(t, out, name)
		require.Contains(t, errs, c.want, name)
		require.NotContains(t, errs, "a-secret-of-mine", name)
	}
}

// TestExamplesOfMCP runs the examples of docs/mcp.md against sanad serve, and reads its configurations.
func TestExamplesOfMCP(t *testing.T) {
	data, err := os.ReadFile("../../docs/mcp.md")
	require.NoError(t, err)
	for _, b := range regexp.MustCompile("(?s)```json\n(.*?)```").FindAllStringSubmatch(string(data), -1) {
		require.True(t, json.Valid([]byte(b[1])), b[1])
	}
	blocks := regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(data), -1)
	require.Len(t, blocks, 3)
	d := desk{t, dbtest.Dir(t)}
	line := regexp.MustCompile(`sanad (token add .*) > agent\.token`).FindStringSubmatch(blocks[0][1])
	require.NotNil(t, line)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "agent.token"), []byte(d.does("", strings.Fields(line[1])...)), 0o600))
	s := serveWith(t, nil, "--data", d.dir)
	require.NoError(t, os.Symlink(webBinary(t), filepath.Join(dir, "sanad")))
	for _, block := range blocks[1:] {
		cmd := exec.Command("bash", "-c", "set -euo pipefail\nPATH=$PWD:$PATH\n"+block[1])
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "SANAD="+s.url)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Contains(t, string(out), `"verdict": "supported"`)
		require.Contains(t, string(out), `"verdict": "contradicted"`)
	}
}
