package handlers_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
)

// call is one request of the scenario below.
type call struct {
	who, method, path, body string
	headers                 []string
}

// Every operation is called until each of its successes has been seen, and each answer is as it is described (server.serve).
func TestEveryOperationAnswersAsDescribed(t *testing.T) {
	w := newWorld(t)
	w.names["next"] = w.signed("dec_next").PackID
	w.names["back"] = w.inReview("dec_back", "A2").PackID
	w.names["old"] = w.signed("dec_old").PackID
	w.names["kept"] = w.signed("dec_kept").PackID
	w.names["large"] = w.as("reviewer").largeAnswer()
	large, err := w.store.Session(context.Background(), w.tenant.ID, w.names["large"])
	require.NoError(t, err)
	w.names["older"] = large.Documents[0].ID
	w.names["reviewer"] = w.person("reviewer").ID
	sent := `{"format":"zip"}`
	const newBundle = `{"job_input":{"extra_params":{"evidence":[{"text":"Leave is 16 days."}]}}}`
	calls := []call{
		{"", "GET", "/openapi.json", "", nil}, {"", "GET", "/openapi.json", "", []string{"If-None-Match", "*"}},
		{"viewer", "GET", "/sessions?status=open&sort=title&dir=asc&limit=1", "", nil},
		{"reviewer", "POST", "/sessions", leave, nil}, {"reviewer", "POST", "/sessions", strings.Replace(leave, "hr-42", "hr-43", 1), nil},
		{"viewer", "GET", "/sessions/{session}/ledger", "", nil}, {"viewer", "GET", "/sessions/{session}/ledger", "", []string{"If-None-Match", "*"}},
		{"reviewer", "POST", "/sessions/{session}/ledger/export", `{"format":"markdown"}`, nil},
		{"reviewer", "POST", "/sessions/{session}/claims/1/reviews", `{"action":"override","verdict":"supported","reason":"Seen."}`, []string{"If-Match", "*"}},
		{"reviewer", "POST", "/sessions/{session}/judge", `{"judge":"lexical"}`, []string{"If-Match", "*"}}, {"viewer", "GET", "/sessions/{session}/runs", "", nil},
		{"viewer", "GET", "/sessions/{session}/runs/1/claims", "", nil}, {"viewer", "GET", "/sessions/{session}/runs/2/changes", "", nil},
		{"reviewer", "POST", "/sessions/{large}/judge", "", []string{"If-Match", "*"}},
		{"reviewer", "POST", "/documents/{document}/withdraw", `{"reason":"It was a draft."}`, []string{"If-Match", "*"}},
		{"reviewer", "POST", "/documents/{older}/replace", `{"reason":"Of 2026.","filename":"HR-2026.txt","text":"Leave is 20 days."}`, []string{"If-Match", "*"}},
		{"viewer", "GET", "/sessions/{session}", "", nil},
		{"reviewer", "POST", "/sessions/{session}/reviews:bulk", `{"action":"confirm","filter":{"unsettled":true}}`, []string{"If-Match", "*"}},
		{"admin", "POST", "/sessions/{session}/reviewers", `{"second_review":"open"}`, nil}, {"viewer", "GET", "/sessions/{session}", "", nil},
		{"reviewer", "POST", "/sessions/{session}/reviewers", `{"first_reviewer":"{reviewer}"}`, nil},
		{"reviewer", "POST", "/sessions/{session}/close", `{"reason":"Enough."}`, nil}, {"reviewer", "POST", "/sessions/{session}/reopen", "", nil},
		{"reviewer", "POST", "/sessions", toJudge("hr-44", 1001), nil}, {"viewer", "GET", "/jobs?limit=1", "", nil}, {"viewer", "GET", "/jobs/{job}", "", nil},
		{"reviewer", "POST", "/jobs/{job}/cancel", "", nil},
		{"viewer", "GET", "/search?q=days&limit=1", "", nil}, {"viewer", "GET", "/search?q=days&kind=passage&state=new", "", nil}, {"viewer", "GET", "/search?q=seen&kind=note&verdict=supported", "", nil},
		{"viewer", "GET", "/citations/{hash}", "", nil}, {"viewer", "GET", "/stats?days=30", "", nil}, {"viewer", "GET", "/stats", "", nil},
		{"viewer", "POST", "/evidence-maps", `{"chunks":[{"source_root":"r","document_uri":"u","chunk_idx":0,"chunk_root":"c","span":"Leave is 15 days."}],"claims":[{"text":"x","pointer_ids":["E1"]}]}`, nil},
		{"viewer", "POST", "/sources:pack", `{"candidates":[{"item_id":"hr","title":"HR","score":0.9,"metadata":{"lang":"en"}}],"evidence_chunks":[{"item_id":"hr","text":"15 days"}],"options":{"debug":true,"snippets_per_source":2}}`, nil},
		{"reviewer", "POST", "/decisions", decisionOf("dec_x", "A2"), nil}, {"reviewer", "POST", "/decisions", decisionOf("dec_x", "A2"), nil},
		{"viewer", "GET", "/decisions?missing=true&level=mandatory&limit=1", "", nil}, {"viewer", "GET", "/decisions/dec_signed", "", nil},
		{"viewer", "GET", "/packs?status=signed_off&limit=1", "", nil}, {"reviewer", "POST", "/packs", `{"decision_id":"dec_x"}`, nil},
		{"viewer", "GET", "/packs/{pack}", "", nil}, {"viewer", "GET", "/packs/{draft}", "", nil}, {"viewer", "GET", "/packs/{pack}", "", []string{"If-None-Match", "*"}},
		{"reviewer", "PATCH", "/packs/{draft}", `{"memo":{"title_en":"Fit"}}`, []string{"If-Match", "*"}},
		{"reviewer", "POST", "/packs/{draft}/submit", "", nil}, {"approver", "POST", "/packs/{review}/approve", approval, nil},
		{"approver", "POST", "/packs/{back}/return", `{"reason":"Name it."}`, nil}, {"reviewer", "POST", "/packs/{next}/versions", "{}", nil},
		{"viewer", "GET", "/packs/{pack}/versions", "", nil}, {"viewer", "GET", "/packs/{pack}/changes?from={pack}", "", nil},
		{"viewer", "GET", "/packs/{pack}/dsse", "", nil}, {"approver", "GET", "/packs/{pack}/proofs/excerpt/E1", "", nil},
		{"approver", "POST", "/packs/{pack}/redacted", `{"redactions":[` + redaction("excerpt", "E1") + "," + redaction("memo", "body_en") + "," + redaction("memo", "body_ar") + `]}`, nil},
		{"approver", "POST", "/packs/{pack}/export", sent, nil}, {"viewer", "POST", "/packs/{pack}/export", `{"format":"markdown","reason":"for the board"}`, nil},
		{"viewer", "GET", "/pack-exports?limit=2", "", nil}, {"approver", "POST", "/pack-exports/{asked}/grant", `{"password":"` + password + `"}`, nil},
		{"approver", "POST", "/pack-exports/{refuse}/refuse", `{"reason":"No."}`, nil}, {"viewer", "POST", "/pack-exports/{granted}/link", "", nil},
		{"admin", "POST", "/packs/{pack}/hold", `{"reason":"A case."}`, nil}, {"admin", "POST", "/packs/{pack}/hold/lift", `{"reason":"Closed."}`, nil},
		{"reviewer", "PUT", "/lake/docs/leave.md", "15 days", nil}, {"reviewer", "PUT", "/lake/docs/leave.md", "15 days", nil}, {"viewer", "GET", "/lake/docs/leave.md", "", nil},
		{"reviewer", "POST", "/bundles", newBundle, nil}, {"reviewer", "POST", "/bundles", newBundle, nil},
		{"viewer", "GET", "/bundles?limit=1", "", nil}, {"viewer", "GET", "/bundles/{bundle}", "", nil},
		{"reviewer", "POST", "/bundles/{bundle}/runs", `{"run_id":"judge/7"}`, nil}, {"reviewer", "POST", "/bundles/{bundle}/runs", `{"run_id":"judge/7"}`, nil},
		{"admin", "GET", "/webhooks", "", nil}, {"admin", "POST", "/webhooks", `{"url":"https://hooks.example/x","kinds":["pack.purged"]}`, nil},
		{"admin", "GET", "/webhooks/{hook}", "", nil}, {"admin", "PATCH", "/webhooks/{hook}", `{"kinds":["pack.signed_off"]}`, []string{"If-Match", "*"}},
		{"admin", "POST", "/webhooks/{hook}/rotate", "", nil}, {"admin", "POST", "/webhooks/{hook}/test", "", nil},
		{"admin", "GET", "/webhooks/{hook}/deliveries?limit=1", "", nil}, {"admin", "DELETE", "/webhooks/{hookapi}", "", nil},
	}
	seen := map[string]bool{}
	for _, c := range calls {
		w.see(seen, c)
	}
	w.seePurges(seen)
	for _, o := range described().operations {
		for status := range o.operation["responses"].(map[string]any) {
			if status < "400" {
				require.True(t, seen[o.id+" "+status], "%s never answered %s", o.id, status)
			}
		}
	}
}

func redaction(kind, id string) string {
	return `{"kind":"` + kind + `","id":"` + id + `","reason":"Personal","rule":"PDPL 10"}`
}

// see makes a call and notes what it was answered.
func (w *world) see(seen map[string]bool, c call) string {
	w.t.Helper()
	path := w.fill("/api/v1" + c.path)
	res := w.as(c.who).do(c.method, path, w.fill(c.body), c.headers...)
	require.Less(w.t, res.Code, 400, "%s %s: %s", c.method, path, res.Body.String())
	o := described().find(request(c.method, path, ""))
	require.NotNil(w.t, o, path)
	seen[fmt.Sprint(o.id, " ", res.Code)] = true
	return res.Body.String()
}

// seePurges asks for two purges when packs may go, refuses one and confirms the other.
func (w *world) seePurges(seen map[string]bool) {
	w.clock.move(8 * 365 * 24 * 3600e9)
	for _, who := range []string{"approver", "admin"} { // the tokens of before have run out
		p := w.person(who)
		p.token = w.newToken(p.ID, w.tenant.ID, domain.Role(who))
	}
	ids := []string{}
	for _, name := range []string{"old", "kept"} {
		body := w.see(seen, call{"admin", "POST", "/packs/{" + name + "}/purge", "", nil})
		ids = append(ids, between(body, `"purge_id":"`, `"`))
	}
	w.see(seen, call{"approver", "GET", "/pack-purges", "", nil})
	w.see(seen, call{"approver", "POST", "/pack-purges/" + ids[0] + "/refuse", "", nil})
	w.see(seen, call{"approver", "POST", "/pack-purges/" + ids[1] + "/confirm", `{"password":"` + password + `"}`, nil})
	w.see(seen, call{"approver", "GET", "/pack-purges", "", nil})
}

func between(s, before, after string) string {
	_, s, _ = strings.Cut(s, before)
	s, _, _ = strings.Cut(s, after)
	return s
}

// Every POST and PATCH that stores something says so by taking an Idempotency-Key; those that only compute take none.
func TestEveryWriteIsIdempotent(t *testing.T) {
	without := map[string]bool{"makeEvidenceMap": true, "packSources": true, "redactPack": true, "writeArtifact": true, // whose path is its key
		"createWebhook": true, "rotateWebhook": true} // their answers hold a secret, which is not kept
	for _, o := range described().operations {
		takes := false
		parameters, _ := o.operation["parameters"].([]any)
		for _, p := range parameters {
			ref, _ := p.(map[string]any)["$ref"].(string)
			takes = takes || ref == "#/components/parameters/IdempotencyKey"
		}
		require.Equal(t, o.method != http.MethodGet && !without[o.id], takes, o.id)
	}
}
