package interop

import (
	_ "embed"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	//go:embed mcp/package.json
	mcpPackage []byte
	//go:embed mcp/client.mjs
	mcpScript []byte
)

// TestMCPClient has the official TypeScript client list and call the tools, of sanad mcp and of the server's /mcp.
func TestMCPClient(t *testing.T) {
	Need(t, "go", "node", "npm")
	w := buildWeb(t)
	tokens := map[string]string{}
	for _, role := range []string{"viewer", "reviewer"} {
		tokens[role] = strings.TrimSpace(w.says("", "token", "add", "--name", role, "--role", role))
	}
	fields := strings.Fields(w.serve())
	base := fields[len(fields)-1]
	kept := filepath.Join(t.TempDir(), "token")
	require.NoError(t, os.WriteFile(kept, []byte(tokens["reviewer"]), 0o600))
	node := startLines(t, "node", filepath.Join(installNPM(t, "mcp",
		map[string][]byte{"package.json": mcpPackage, "client.mjs": mcpScript}), "client.mjs"))
	type object = map[string]any
	verify := object{"name": "verify_answer", "arguments": object{
		"answer":    "يحق للموظفين إجازة سنوية مدتها 15 يوماً. The notice period is 60 days.",
		"documents": []object{{"title": "HR", "text": "يحق للموظفين إجازة سنوية مدتها 15 يوماً.\n\nThe notice period is 30 days."}}}}
	calls := []object{verify, {"name": "search_evidence", "arguments": object{"query": "notice"}},
		{"name": "get_ledger", "arguments": object{"session_id": "none"}}, {"name": "pack_sources", "arguments": object{"candidates": []object{{"item_id": "a"}}}}}
	ask := func(how object) (got struct {
		Fault            string
		Tools, Templates []string
		Cancelled        bool
		Answers          []struct {
			IsError           bool
			Content           []struct{ Text string }
			StructuredContent json.RawMessage
		}
	}) {
		how["calls"] = calls
		answer := node.ask(how)
		require.NoError(t, json.Unmarshal([]byte(answer), &got), answer)
		return got
	}
	for name, how := range map[string]object{
		"http":  {"url": base + "/mcp", "token": tokens["reviewer"]},
		"stdio": {"command": w.bin, "args": []string{"mcp", "--server", base, "--token-file", kept}},
	} {
		got := ask(how)
		require.Empty(t, got.Fault, name)
		require.ElementsMatch(t, []string{"verify_answer", "get_ledger", "search_evidence", "resolve_citation", "search_library", "build_bundle",
			"pack_sources", "draft_pack"}, got.Tools, name)
		require.Len(t, got.Templates, 3, name)
		require.True(t, got.Cancelled, name)
		require.False(t, got.Answers[0].IsError, name)
		text := string(got.Answers[0].StructuredContent)
		require.Contains(t, text, "15 يوماً", name)
		require.Contains(t, text, `"verdict":"supported"`, name)
		require.Contains(t, text, `"verdict":"contradicted"`, name)
		require.False(t, got.Answers[1].IsError, name)
		require.True(t, got.Answers[2].IsError, name)
		require.Contains(t, got.Answers[2].Content[0].Text, "Nothing has the id or the citation", name)
		require.False(t, got.Answers[3].IsError, name)
	}
	viewers := ask(object{"url": base + "/mcp", "token": tokens["viewer"]})
	require.True(t, viewers.Answers[0].IsError)
	require.Equal(t, "This needs the role reviewer.", viewers.Answers[0].Content[0].Text)
	require.False(t, viewers.Answers[1].IsError)
	require.Contains(t, ask(object{"url": base + "/mcp", "token": "wrong"}).Fault, "valid token")
}
