package mcp

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// postedTo sends a message over HTTP, in a version of the protocol if it is given.
func postedTo(t *testing.T, message, version string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), "POST", "https://sanad.example/mcp", strings.NewReader(message))
	r.Header.Set("Content-Type", "application/json")
	if version != "" {
		r.Header.Set("Mcp-Protocol-Version", version)
	}
	app := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) })
	w := httptest.NewRecorder()
	Handler(app, func(*http.Request) string { return "https://sanad.example" }, nil, "1").ServeHTTP(w, r)
	return w
}

// Arguments that do not fit are told with their place and what to give, in no words of a schema or a program.
func TestFaultyArgumentsAreToldPlainly(t *testing.T) {
	for _, c := range [][3]string{
		{"get_ledger", `{"session_id":7}`, "session_id: give a text, not a number."},
		{"get_ledger", `{}`, "session_id is missing; give it."},
		{"get_ledger", `null`, "session_id is missing; give it."},
		{"get_ledger", `{"session_id":null}`, "session_id: give a text, not null."},
		{"get_ledger", `{"session_id":"x","limit":"5"}`, "limit: give a whole number, not a text."},
		{"get_ledger", `{"session_id":"x","limit":1.5}`, "limit: give a whole number, not a number."},
		{"get_ledger", `{"session_id":"x","verdicts":"weak"}`, "verdicts: give a list, not a text."},
		{"get_ledger", `{"session_id":"x","verdicts":["weak",3]}`, "verdicts[1]: give a text, not a number."},
		{"get_ledger", `{"session_id":"x","y":1,"x":1}`, "x is not known here; take it out. There are: session_id, verdicts, citation, "},
		{"search_evidence", `{"query":"` + strings.Repeat("x", maxAddress+1) + `"}`,
			"At most 64 KiB are taken here; shorten it. (at query)"},
		{"get_ledger", `[1]`, "arguments: give an object, not a list."},
		{"verify_answer", `{"answer":"a","documents":[{"text":"x"},{"text":true}]}`, "documents[1].text: give a text, not true or false."},
		{"verify_answer", `{"answer":"a","documents":[7]}`, "documents[0]: give an object, not a number."},
		{"bundle_evidence", `{"policy":"x"}`, ""},
	} {
		body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + c[0] + `","arguments":` + c[1] + `}}`
		w := postedTo(t, body, "")
		require.Equal(t, 200, w.Code)
		require.NotContains(t, w.Body.String(), "validating", c[1])
		require.NotContains(t, w.Body.String(), "Go ", c[1])
		var got struct {
			Result struct {
				IsError bool
				Content []struct{ Text string }
			}
		}
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &got))
		if c[2] != "" {
			require.True(t, got.Result.IsError)
			require.True(t, strings.HasPrefix(got.Result.Content[0].Text, c[2]), got.Result.Content[0].Text)
		}
	}
}

// What is no call that can be read is an error of JSON-RPC in plain words. An unknown method has the status that the
// protocol's version gives it, so that clients take the answer for one.
func TestFaultyMessagesAreErrorsOfJSONRPC(t *testing.T) {
	check := func(message, version string, status int, answer string) {
		w := postedTo(t, message, version)
		require.Equal(t, status, w.Code, "%s: %s", message, w.Body.String())
		require.Contains(t, w.Body.String(), answer, message)
		require.NotContains(t, w.Body.String(), "Go ", message)
	}
	check(`{"jsonrpc":"2.0","id":1,"method":"x/y"}`, "", 200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"There is no method \"x/y\" here."}}`)
	check(`{"jsonrpc":"2.0","id":"a","method":"x/y"}`, "2025-06-18", 200, `{"jsonrpc":"2.0","id":"a","error":{"code":-32601,"message":"There is no method \"x/y\" here."}}`)
	check(`{"jsonrpc":"2.0","id":1,"method":"x/y"}`, "2026-07-28", 404, `"code":-32601`)
	check(`{"jsonrpc":"2.0","method":"x/y"}`, "", 400, "not handled") // a notification is not answered
	check(`{"jsonrpc":"2.0","id":1,"method":7}`, "", 400, `"message":"method: give a text, not a number."`)
	check(`7`, "", 400, `"code":-32600`)
	check(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}`, "", 200, `"code":-32602,"message":"params.name: give a text, not a number."`)
	check(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}`, "", 200, `"params: give an object, not a list."`)
	check(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":{}}}`, "", 200, `"params.uri: give a text, not an object."`)
	check(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}`, "", 200, `unknown tool`)
	check(`{"jsonrpc":"2.0","id":1,"method":"ping"}`, "", 200, `"result":{}`)
}

// Over standard input the same is said.
func TestFaultyLinesAreToldPlainly(t *testing.T) {
	msg, fault := decode([]byte(`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":7}}`))
	require.Nil(t, msg)
	require.Equal(t, `{"jsonrpc":"2.0","id":"a","error":{"code":-32602,"message":"params.name: give a text, not a number."}}`, string(fault))
}
