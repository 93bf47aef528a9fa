package handlers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/handlers/webtest"
)

// withToken sends a token with each request.
type withToken string

func (t withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(t))
	return http.DefaultTransport.RoundTrip(r)
}

// agent is a client of POST /mcp with somebody's token.
type agent struct {
	t *testing.T
	*sdk.ClientSession
}

func connect(t *testing.T, address, token string) agent {
	t.Helper()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(),
		&sdk.StreamableClientTransport{Endpoint: address + "/mcp", HTTPClient: &http.Client{Transport: withToken(token)}}, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return agent{t, session}
}

// call calls a tool and returns what it answers, and its error as text.
func (a agent) call(name string, arguments any) (out map[string]any, fault string) {
	a.t.Helper()
	res, err := a.CallTool(a.t.Context(), &sdk.CallToolParams{Name: name, Arguments: arguments})
	require.NoError(a.t, err)
	require.NotEmpty(a.t, res.Content)
	text := res.Content[0].(*sdk.TextContent).Text
	if res.IsError {
		return nil, text
	}
	require.NoError(a.t, json.Unmarshal([]byte(text), &out), text)
	structured, err := json.Marshal(res.StructuredContent)
	require.NoError(a.t, err)
	require.JSONEq(a.t, text, string(structured))
	return out, ""
}

type object = map[string]any

// leave is an answer in Arabic with one claim that its document supports, and one that it contradicts.
var leave = object{
	"answer":   "يحق للموظفين الدائمين إجازة سنوية مدفوعة الأجر مدتها 15 يوماً. مدة الإشعار 60 يوماً.",
	"question": "كم مدة الإجازة؟", "title": "سياسة الإجازات",
	"documents": []object{{"filename": "لائحة.pdf", "text": "يحق للموظفين الدائمين إجازة سنوية مدفوعة الأجر مدتها 15 يوماً.\n\nمدة الإشعار 30 يوماً."}},
}

func TestAgents(t *testing.T) {
	s := webtest.NewServer(t)
	server := httptest.NewServer(s.Handler)
	t.Cleanup(server.Close)
	reviewer := connect(t, server.URL, s.Person("reviewer").Token)
	viewer := connect(t, server.URL, s.Person("viewer").Token)

	t.Run("list", func(t *testing.T) {
		tools, err := reviewer.ListTools(t.Context(), nil)
		require.NoError(t, err)
		var names []string
		for _, tool := range tools.Tools {
			names = append(names, fmt.Sprint(tool.Name, " ", tool.Annotations.ReadOnlyHint))
			require.Greater(t, len(tool.Description), 60, tool.Name)
		}
		require.ElementsMatch(t, []string{"verify_answer false", "get_ledger true", "search_evidence true", "resolve_citation true", "search_library true",
			"build_bundle false", "pack_sources true", "draft_pack false"}, names, "no tool signs, exports or erases")
		templates, err := reviewer.ListResourceTemplates(t.Context(), nil)
		require.NoError(t, err)
		require.Len(t, templates.ResourceTemplates, 3)
	})

	out, fault := reviewer.call("verify_answer", leave)
	require.Empty(t, fault)
	id := out["session_id"].(string)
	claims := out["claims"].([]any)
	require.Len(t, claims, 2)
	first := claims[0].(object)
	require.Equal(t, "supported", first["verdict"])
	require.Contains(t, leave["answer"], first["text"], "Arabic comes back as it was sent")
	require.Equal(t, "لائحة.pdf", first["evidence"].(object)["document"])
	require.Contains(t, first["evidence"].(object)["snippet"], "15 يوماً")
	require.Equal(t, "contradicted", claims[1].(object)["verdict"])
	require.Contains(t, claims[1].(object)["evidence"].(object)["snippet"], "30 يوماً")
	require.Contains(t, claims[1].(object)["note"], "30")
	require.EqualValues(t, 2, out["summary"].(object)["total_claims"])
	require.Equal(t, server.URL+"/sessions/"+id, out["address"])
	again, _ := reviewer.call("verify_answer", leave)
	require.Equal(t, id, again["session_id"], "the same answer is stored once")

	t.Run("library", func(t *testing.T) {
		body := `{"name":"Leave rules","folder":"HR","tags":["leave"],"filename":"leave.md","text":"Leave is 15 days."}`
		kept := webtest.Get[struct{ ID string }](t, s.As("approver").Do("POST", "/api/v1/library", body), 201).ID
		found, fault := reviewer.call("search_library", object{"query": "RULES hr"})
		require.Empty(t, fault)
		d := found["documents"].([]any)[0].(object)
		require.Equal(t, []any{kept, "Leave rules", server.URL + "/library/" + kept}, []any{d["id"], d["name"], d["address"]})
		found, _ = reviewer.call("search_library", object{"tag": "pension"})
		require.Empty(t, found["documents"])
		checked := func(document object) (out object, fault string) {
			return reviewer.call("verify_answer", object{"answer": "Leave is 15 days.", "documents": []object{document}})
		}
		out, fault := checked(object{"library": kept})
		require.Empty(t, fault)
		first := out["claims"].([]any)[0].(object)
		require.Equal(t, []any{"supported", "leave.md"}, []any{first["verdict"], first["evidence"].(object)["document"]})
		for says, document := range map[string]object{
			"(at documents[0].library)":         {"library": kept, "library_version": 2},
			"(at documents[0].library_version)": {"text": "x", "library_version": 2},
			"documents[0].text is missing":      {"title": "x"},
		} {
			_, fault := checked(document)
			require.Contains(t, fault, says)
		}
		resource, err := reviewer.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "sanad://library/" + kept})
		require.NoError(t, err)
		require.Contains(t, resource.Contents[0].Text, `"sha256"`)
		_, fault = viewer.call("search_library", object{})
		require.Equal(t, "This needs the role reviewer.", fault)
	})
	t.Run("roles", func(t *testing.T) {
		_, fault := viewer.call("verify_answer", leave)
		require.Equal(t, "This needs the role reviewer.", fault)
		_, fault = viewer.call("build_bundle", object{"texts": []object{{"text": "x"}}})
		require.Equal(t, "This needs the role reviewer.", fault)
		out, fault := viewer.call("get_ledger", object{"session_id": id, "verdicts": []string{"contradicted"}})
		require.Empty(t, fault)
		require.Len(t, out["claims"], 1)
	})
	t.Run("other tenants", func(t *testing.T) {
		foreign := connect(t, server.URL, s.Person("foreign").Token)
		_, theirs := foreign.call("get_ledger", object{"session_id": id})
		_, nowhere := foreign.call("get_ledger", object{"session_id": "00000000-0000-4000-8000-000000000000"})
		require.NotEmpty(t, theirs)
		require.Equal(t, nowhere, theirs)
		found, _ := foreign.call("search_evidence", object{"query": "الإشعار"})
		require.Empty(t, found["results"])
	})
	t.Run("narrowed token", func(t *testing.T) {
		secret := "narrowed-to-reading-0123456789abcdef"
		_, err := s.Store.AddToken(context.Background(), access.AtCommandLine(s.Tenant.ID), access.Token{Name: "n", Role: access.Reviewer,
			Hash: db.HashToken(secret), ExpiresAt: s.Clock.Now().Add(time.Hour), Scopes: access.ParseScopes("read")})
		require.NoError(t, err)
		_, fault := connect(t, server.URL, secret).call("verify_answer", leave)
		require.Contains(t, fault, "needs the scope import")
	})
	t.Run("nobody", func(t *testing.T) {
		for _, headers := range [][]string{nil, {"Authorization", "Bearer wrong"}, {"Cookie", "sanad=" + s.Person("admin").Cookie}} {
			res := s.As("").Do("POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, headers...)
			require.Equal(t, 401, res.Code)
			require.Contains(t, res.Header().Get("WWW-Authenticate"), "Bearer")
			require.Equal(t, "application/problem+json", res.Header().Get("Content-Type"))
		}
		require.Equal(t, 405, s.As("viewer").Do("GET", "/mcp", "").Code)
		require.Equal(t, 403, s.As("viewer").Do("POST", "/mcp", `{}`, "Origin", "https://elsewhere.example").Code)
	})
	t.Run("bad input", func(t *testing.T) {
		for name, c := range map[string]struct {
			tool string
			in   any
			want string
		}{
			"nothing":          {"verify_answer", object{"answer": "", "documents": []object{}}, "no answer and no claim"},
			"no documents":     {"verify_answer", object{"answer": "x"}, "documents"},
			"unknown argument": {"verify_answer", object{"answer": "x", "documents": []object{}, "approve": true}, "approve"},
			"language":         {"verify_answer", object{"answer": "x y z", "documents": []object{}, "language": "?"}, "(at language)"},
			"an id of nothing": {"get_ledger", object{"session_id": ""}, "give session_id"},
			"another path":     {"get_ledger", object{"session_id": "../packs"}, "Nothing has the id or the citation"},
			"verdict":          {"get_ledger", object{"session_id": id, "verdicts": []string{"true"}}, `"true" is none of`},
			"citation filter":  {"get_ledger", object{"session_id": id, "citation": "maybe"}, "citation"},
			"citation":         {"resolve_citation", object{"citation": "xyz"}, "Nothing has the id or the citation"},
			"no words":         {"search_evidence", object{"query": " "}, "Give the words to look for. (at query)"},
			"no decision":      {"draft_pack", object{}, "give either"},
			"a decision":       {"draft_pack", object{"decision": object{"decision_id": "x"}}, "- decision.agent_name: "},
			"unknown decision": {"draft_pack", object{"decision_id": "none"}, ""},
			"policy":           {"build_bundle", object{"policy": object{"max_nonsense": 1}}, "policy"},
		} {
			_, fault := reviewer.call(c.tool, c.in)
			require.NotEmpty(t, fault, name)
			require.Contains(t, strings.ToLower(fault), strings.ToLower(c.want), name)
		}
	})
	t.Run("other tools", func(t *testing.T) {
		found, fault := viewer.call("search_evidence", object{"query": "الإشعار", "kind": "passage"})
		require.Empty(t, fault)
		require.NotEmpty(t, found["results"])
		require.Contains(t, found["results"].([]any)[0].(object)["address"], server.URL+"/")
		hash := first["evidence"].(object)["chunk_hash"].(string)
		place, fault := viewer.call("resolve_citation", object{"citation": "[cite:" + hash + "]"})
		require.Empty(t, fault)
		require.Equal(t, true, place["resolved"])
		packed, fault := viewer.call("pack_sources", object{"candidates": []object{{"item_id": "hr", "title": "لائحة", "score": 0.9}},
			"evidence_chunks": []object{{"item_id": "hr", "text": "15 يوماً"}}, "options": object{"max_sources": 1, "prefer_chunk_snippets": true, "debug": true}})
		require.Empty(t, fault)
		require.Contains(t, fmt.Sprint(packed), "15 يوماً")
		bundle, fault := reviewer.call("build_bundle", object{"texts": []object{{"text": "Leave is 15 days.", "source_uri": "hr"}}, "lake_text": []string{"missing.md"}})
		require.Empty(t, fault)
		require.NotEmpty(t, bundle["bundle_id"])
		require.Len(t, bundle["items"], 1)
		require.Len(t, bundle["failed_sources"], 1)
		read, err := viewer.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "sanad://ledgers/" + id})
		require.NoError(t, err)
		require.Contains(t, read.Contents[0].Text, "60 يوماً")
		require.Equal(t, "private", read.CacheScope, "it needs a token")
		for _, address := range []string{"packs/none", "ledgers/none", "ledgers/00000000-0000-4000-8000-000000000000"} {
			_, err = viewer.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "sanad://" + address})
			var fault *jsonrpc.Error
			require.ErrorAs(t, err, &fault, address)
			require.Equal(t, int64(jsonrpc.CodeInvalidParams), fault.Code, address)
			require.Equal(t, "Resource not found", fault.Message)
		}
	})
	t.Run("wrong marks", func(t *testing.T) {
		out, fault := reviewer.call("verify_answer", object{"documents": []object{{"id": "1", "text": "Leave is 15 days a year."}},
			"answer": "Leave is 15 days a year [1]. Notice is two months [cite:deadbeef]. The policy says \"nobody may ever work on a Friday evening\"."})
		require.Empty(t, fault)
		claims := out["claims"].([]any)
		require.NotContains(t, claims[0], "citations", claims)
		require.Equal(t, []any{object{"text": "[cite:deadbeef]", "status": "unresolved"}}, claims[1].(object)["citations"])
		require.Equal(t, "not_found", claims[2].(object)["quotations"].([]any)[0].(object)["status"])
	})
	t.Run("a draft", func(t *testing.T) {
		var decision object
		require.NoError(t, json.Unmarshal([]byte(webtest.DecisionOf("dec_agent", "A2")), &decision))
		decision["mood"] = "good"
		for _, name := range []string{"tool_calls", "evidence", "prompts", "trace_id"} {
			delete(decision, name)
		}
		out, fault := reviewer.call("draft_pack", object{"decision": decision})
		require.Empty(t, fault)
		require.Equal(t, "draft", out["status"])
		require.Equal(t, "dec_agent", out["decision_id"])
		lacks := out["validation"].([]any)
		require.NotEmpty(t, lacks)
		require.Positive(t, lacks[0].(object)["rule"])
		require.NotEmpty(t, lacks[0].(object)["detail"])
		policy := out["policy_broken"].([]any)[0].(object)
		require.Equal(t, "claims_checked", policy["rule"])
		require.Equal(t, "broken", policy["outcome"])
		require.Contains(t, policy["message"], "No claim was checked")
		require.Contains(t, fmt.Sprint(out["warnings"]), "decision.mood: ")
		id := out["pack_id"].(string)
		require.Equal(t, server.URL+"/packs/"+id, out["address"])
		read, err := viewer.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "sanad://packs/" + id})
		require.NoError(t, err)
		var kept object
		require.NoError(t, json.Unmarshal([]byte(read.Contents[0].Text), &kept))
		require.Equal(t, id, kept["pack_id"])
	})
	t.Run("a large answer is bounded", func(t *testing.T) {
		var answer strings.Builder
		for i := range 400 {
			fmt.Fprintf(&answer, "Department %d may carry over %d days of leave %s. ", i, i, strings.Repeat("of the year ", 100))
		}
		out, fault := reviewer.call("verify_answer", object{"answer": answer.String(), "documents": []object{{"text": strings.Repeat("A long document. ", 100_000)}}})
		require.Empty(t, fault)
		told, left := out["claims"].([]any), out["claims_left_out"].(float64)
		require.EqualValues(t, out["summary"].(object)["total_claims"], len(told)+int(left))
		data, err := json.Marshal(out)
		require.NoError(t, err)
		require.Less(t, len(data), 80<<10)
		rest, _ := reviewer.call("get_ledger", object{"session_id": out["session_id"], "from": out["next_from"], "limit": 3})
		require.Equal(t, out["next_from"], rest["claims"].([]any)[0].(object)["number"])
		res := s.As("reviewer").Do("POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"x":"`+strings.Repeat("x", 9<<20)+`"}}`)
		require.Equal(t, 413, res.Code)
	})
}

// A message holds memory while its tool's request asks for more: both together count as that request.
func TestAgentsShareMemory(t *testing.T) {
	s, _ := shared(t, 256, 128, 64)
	server := httptest.NewServer(s.Handler)
	t.Cleanup(server.Close)
	_, fault := connect(t, server.URL, s.Person("reviewer").Token).call("verify_answer", object{
		"answer":    "The notice period is 30 days.",
		"documents": []object{{"filename": "hr.txt", "text": strings.Repeat("The notice period is 30 days.\n\n", 10_000)}},
	})
	require.Empty(t, fault)
}

// A list of messages, whose calls would all run at once, is refused; each alone is answered.
func TestAgentsSendOneMessage(t *testing.T) {
	s := webtest.NewServer(t).As("viewer")
	one := `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`
	res := s.Do("POST", "/mcp", " \n["+one+","+one+"]")
	require.Equal(t, 400, res.Code)
	require.Contains(t, res.Body.String(), "Send one message in a request")
	require.Equal(t, 200, s.Do("POST", "/mcp", "\n "+one).Code)
}

// TestAgentsSendJSON: a body that is not JSON is error -32700 of JSON-RPC, as over standard input.
func TestAgentsSendJSON(t *testing.T) {
	s := webtest.NewServer(t).As("viewer")
	for _, body := range []string{"{", "", "hello", `{"jsonrpc":"2.0",}`, "\xff"} {
		res := s.Do("POST", "/mcp", body)
		require.Equal(t, 400, res.Code, body)
		require.Equal(t, "application/json", res.Header().Get("Content-Type"))
		require.JSONEq(t, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"The body is not JSON; send one message."}}`,
			res.Body.String(), body)
	}
}

// TestAgentsAreToldTheFields: the objects that a tool hands on are described, and a value of another kind is told by its
// place; a field that is not described is handed on.
func TestAgentsAreToldTheFields(t *testing.T) {
	s := webtest.NewServer(t)
	server := httptest.NewServer(s.Handler)
	t.Cleanup(server.Close)
	reviewer := connect(t, server.URL, s.Person("reviewer").Token)
	tools, err := reviewer.ListTools(t.Context(), nil)
	require.NoError(t, err)
	at := slices.IndexFunc(tools.Tools, func(tool *sdk.Tool) bool { return tool.Name == "draft_pack" })
	decision := tools.Tools[at].InputSchema.(object)["properties"].(object)["decision"].(object)["properties"].(object)
	require.Contains(t, decision["approval_class"].(object)["description"], "A0 (no approval) to A3 (two approvers)")
	require.Contains(t, decision["evidence"].(object)["items"].(object)["properties"], "retrieved_at")
	_, fault := reviewer.call("draft_pack", object{"decision": object{"confidence": "high"}})
	require.Equal(t, "decision.confidence: give a number, not a text.", fault)
	_, fault = reviewer.call("draft_pack", object{"decision": object{"evidence": []any{object{"source": 7}}}})
	require.Equal(t, "decision.evidence[0].source: give a text, not a number.", fault)
	_, fault = reviewer.call("draft_pack", object{"decision": object{"mood": "good"}})
	require.Contains(t, fault, "decision.agent_name")
	require.NotContains(t, fault, "decision.mood: is not known")
	_, fault = reviewer.call("draft_pack", object{"decision": object{"trace_id": nil, "memo": object{"title_en": nil},
		"evidence":   []any{object{"excerpt_hash": "sha256:00", "chunk_root": nil, "colour": "red"}},
		"tool_calls": []any{object{"sensitivity_class": "S3", "error": nil}}}})
	require.Contains(t, fault, "decision.agent_name", "the API answers, not the door")
	require.NotContains(t, fault, "take it out")
	_, fault = reviewer.call("build_bundle", object{"policy": object{"max_items": "many"}})
	require.Equal(t, "policy.max_items: give a whole number, not a text.", fault)
}

// TestAgentsRefusedOverHTTP: what is refused before a message is read is answered as everywhere else.
func TestAgentsRefusedOverHTTP(t *testing.T) {
	s := webtest.NewServer(t)
	server := httptest.NewServer(s.Handler)
	t.Cleanup(server.Close)
	token := s.Person("viewer").Token
	const one = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`
	for name, c := range map[string]struct {
		method, body string
		headers      object // that differ from the right ones
		status       int
		says         string
	}{
		"not JSON-RPC":          {method: "POST", body: `{"a":1}`, status: 400, says: ""},
		"another content type":  {method: "POST", body: one, headers: object{"Content-Type": "text/plain"}, status: 415, says: "application/json"},
		"another version":       {method: "POST", body: one, headers: object{"MCP-Protocol-Version": "1999-01-01"}, status: 400, says: "protocol version"},
		"another method":        {method: "PUT", body: one, status: 405, says: "method"},
		"no token":              {method: "POST", body: one, headers: object{"Authorization": ""}, status: 401, says: ""},
		"a token that is wrong": {method: "POST", body: one, headers: object{"Authorization": "Bearer sanad_none"}, status: 401, says: ""},
		"too much": {method: "POST", body: `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"a":"` +
			strings.Repeat("a", 60<<20) + `"}}`, status: 413, says: "exceeds"},
	} {
		t.Run(name, func(t *testing.T) {
			req, err := http.NewRequestWithContext(t.Context(), c.method, server.URL+"/mcp", strings.NewReader(c.body))
			require.NoError(t, err)
			for k, v := range map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
				"Authorization": "Bearer " + token} {
				req.Header.Set(k, v)
			}
			for k, v := range c.headers {
				req.Header.Set(k, v.(string))
			}
			res, err := http.DefaultClient.Do(req)
			require.NoError(t, err)
			defer res.Body.Close() //nolint:errcheck // only read
			require.Equal(t, c.status, res.StatusCode)
			require.Equal(t, "application/problem+json", res.Header.Get("Content-Type"))
			require.Equal(t, []string{"nosniff"}, res.Header.Values("X-Content-Type-Options"))
			var is struct {
				Status int
				Detail string
			}
			require.NoError(t, json.NewDecoder(res.Body).Decode(&is))
			require.Equal(t, c.status, is.Status)
			require.Contains(t, is.Detail, c.says)
			require.NotEmpty(t, is.Detail)
		})
	}
}
