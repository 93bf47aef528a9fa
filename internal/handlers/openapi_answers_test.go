package handlers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
	"sanad/internal/domain/model"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/webtest"
)

// call is one request of the scenario below.
type call struct {
	who, method, path, body string
	headers                 []string
}

// Every operation is called until each of its success statuses has been seen. webtest.Server.Serve checks that each
// answer is as described.
func TestEveryOperationAnswersAsDescribed(t *testing.T) {
	w := webtest.NewWorld(t)
	w.Names["next"] = w.Signed("dec_next").PackID
	w.Names["back"] = w.InReview("dec_back", "A2").PackID
	w.Names["old"] = w.Signed("dec_old").PackID
	w.Names["kept"] = w.Signed("dec_kept").PackID
	w.Names["large"] = w.As("reviewer").LargeAnswer()
	large, err := w.Store.Session(context.Background(), w.Tenant.ID, w.Names["large"])
	require.NoError(t, err)
	w.Names["older"] = large.Documents[0].ID
	w.Names["reviewer"] = w.Person("reviewer").ID
	_, err = w.Store.AddModelEndpoint(context.Background(), access.Actor{Tenant: w.Tenant.ID, ID: w.Person("admin").ID, Role: access.Admin}, model.Endpoint{
		Name: "Small", Kind: model.OpenAI, URL: "https://models.example/v1", Model: "small-1", Parallel: 8, Timeout: time.Minute,
	}, "")
	require.NoError(t, err)
	sent := `{"format":"zip"}`
	const newBundle = `{"job_input":{"extra_params":{"evidence":[{"text":"Leave is 16 days."}]}}}`
	calls := []call{
		{
			method: "GET", path: "/openapi.json",
		}, {method: "GET", path: "/openapi.json", headers: []string{"If-None-Match", "*"}},
		{who: "viewer", method: "GET", path: "/sessions?state=open&sort=title&dir=asc&limit=1"},
		{
			who: "reviewer", method: "POST", path: "/sessions", body: webtest.LeavePolicy,
		}, {who: "reviewer", method: "POST", path: "/sessions",
			body: strings.Replace(webtest.LeavePolicy, "hr-42", "hr-43", 1)},
		{
			who: "reviewer", method: "POST", path: "/sessions:batch",
			body: `{"sessions":[` + webtest.LeavePolicy + `,{"format":"?"}]}`,
		},
		{
			who: "viewer", method: "GET", path: "/sessions/{session}/ledger",
		}, {
			who: "viewer", method: "GET", path: "/sessions/{session}/ledger",
			headers: []string{"If-None-Match", "*"},
		},
		{who: "reviewer", method: "POST", path: "/sessions/{session}/ledger/export", body: `{"format":"markdown"}`},
		{
			who: "reviewer", method: "POST", path: "/sessions/{session}/claims/1/reviews",
			body:    `{"action":"override","verdict":"supported","reason":"Seen."}`,
			headers: []string{"If-Match", "*"},
		},
		{
			who: "reviewer", method: "POST", path: "/sessions/{session}/judge", body: `{"judge":"lexical"}`,
			headers: []string{"If-Match", "*"},
		}, {who: "reviewer", method: "GET", path: "/sessions/{session}/judge/estimate?judge=Small&scope=all"},
		{who: "viewer", method: "GET", path: "/sessions/{session}/runs"},
		{
			who: "viewer", method: "GET", path: "/sessions/{session}/runs/1/claims",
		}, {who: "viewer", method: "GET", path: "/sessions/{session}/runs/2/changes"},
		{
			who: "viewer", method: "GET", path: "/sessions/{session}/opinions?limit=2",
		}, {who: "viewer", method: "GET", path: "/sessions/{session}/agreement"},
		{who: "viewer", method: "GET", path: "/stats/models"},
		{who: "reviewer", method: "POST", path: "/sessions/{large}/claims:reword",
			body: `{"claims":[1],"texts":["Leave is 15 days."]}`, headers: []string{"If-Match", "*"}},
		{who: "reviewer", method: "POST", path: "/sessions/{large}/judge", headers: []string{"If-Match", "*"}},
		{
			who: "reviewer", method: "POST", path: "/sessions/{session}/claims/1/passages",
			body:    `{"document_id":"{document}","start":0,"end":5}`,
			headers: []string{"If-Match", "*"},
		},
		{
			who: "reviewer", method: "POST", path: "/sessions/{session}/documents",
			body: `{"documents":[{"text":"Leave is 20 days."}]}`, headers: []string{"If-Match", "*"},
		},
		{
			who: "reviewer", method: "POST", path: "/sessions/{session}/answers",
			body: `{"answer":"Leave is 20 days."}`, headers: []string{"If-Match", "*"},
		},
		{
			who: "reviewer", method: "POST", path: "/sessions/{session}/answers",
			body: `{"answer":"Leave is 20 days."}`, headers: []string{"If-Match", "*"},
		},
		{
			who: "reviewer", method: "POST", path: "/sessions/{large}/answers",
			body: `{"answer":"Leave is 20 days."}`, headers: []string{"If-Match", "*"},
		},
		{who: "viewer", method: "GET", path: "/sessions/{session}/answers"},
		{who: "admin", method: "POST", path: "/sessions:assign?state=closed", body: `{"how":"nobody","dry_run":true}`},
		{who: "reviewer", method: "GET", path: "/sessions/{session}/answers.pdf?language=ar"},
		{who: "viewer", method: "GET", path: "/sessions/{session}/answers/2/changes"},
		{
			who: "reviewer", method: "POST", path: "/sessions/{large}/documents",
			body: `{"documents":[{"text":"Leave is 20 days."}]}`, headers: []string{"If-Match", "*"},
		},
		{
			who: "reviewer", method: "POST", path: "/documents/{document}/withdraw",
			body: `{"reason":"It was a draft."}`, headers: []string{"If-Match", "*"},
		},
		{
			who: "reviewer", method: "POST", path: "/documents/{older}/replace",
			body:    `{"reason":"Of 2026.","filename":"HR-2026.txt","text":"Leave is 20 days."}`,
			headers: []string{"If-Match", "*"},
		},
		{who: "viewer", method: "GET", path: "/sessions/{session}"},
		{who: "viewer", method: "GET", path: "/account/tokens"},
		{who: "viewer", method: "GET", path: "/account/changes"},
		{who: "viewer", method: "GET", path: "/account/title"},
		{who: "viewer", method: "PUT", path: "/account/title", body: `{"title":"Auditor"}`},
		{who: "viewer", method: "GET", path: "/account/mail"},
		{who: "viewer", method: "PUT", path: "/account/mail", body: `{"choices":[{"kind":"due","when":"off"}]}`},
		{
			who: "viewer", method: "POST", path: "/account/tokens",
			body: `{"name":"Nightly","days":7,"password":"` + webtest.Password + `"}`,
		},
		{who: "spare", method: "DELETE", path: "/account/tokens/{token}"},
		{who: "viewer", method: "GET", path: "/policy"},
		{who: "viewer", method: "GET", path: "/traces"},
		{who: "admin", method: "GET", path: "/trace-rules"},
		{who: "admin", method: "PUT", path: "/trace-rules", headers: []string{"If-Match", "*"},
			body: `{"rules":[{"service":"*","only_with_retrieval":true,"share_percent":50,"becomes":"session"}]}`},
		{who: "admin", method: "PUT", path: "/policy", body: anyPolicy(t), headers: []string{"If-Match", "*"}},
		{
			who: "reviewer", method: "POST", path: "/sessions/{session}/reviews:bulk",
			body: `{"action":"confirm","filter":{"unsettled":true}}`, headers: []string{"If-Match", "*"},
		},
		{
			who: "admin", method: "POST", path: "/sessions/{session}/reviewers",
			body: `{"second_review":"open"}`,
		}, {who: "viewer", method: "GET", path: "/sessions/{session}"},
		{
			who: "reviewer", method: "POST", path: "/sessions/{session}/reviewers",
			body: `{"first_reviewer":"{reviewer}"}`,
		},
		{
			who: "reviewer", method: "POST", path: "/sessions/{session}/close", body: `{"reason":"Enough."}`,
		}, {who: "reviewer", method: "POST", path: "/sessions/{session}/reopen"},
		{
			who: "reviewer", method: "POST", path: "/sessions", body: webtest.ToJudge("hr-44", 1001),
		}, {who: "viewer", method: "GET", path: "/jobs?limit=1"}, {who: "viewer", method: "GET", path: "/jobs/{job}"},
		{who: "reviewer", method: "POST", path: "/jobs/{job}/cancel"},
		{
			who: "viewer", method: "GET", path: "/search?q=days&limit=1",
		}, {
			who: "viewer", method: "GET", path: "/search?q=days&kind=passage&state=new",
		}, {who: "viewer", method: "GET", path: "/search?q=seen&kind=note&verdict=supported"},
		{
			who: "viewer", method: "GET", path: "/citations/{hash}",
		}, {who: "viewer", method: "GET", path: "/stats?days=30"}, {who: "viewer", method: "GET", path: "/stats"},
		{
			who: "reviewer", method: "POST", path: "/evidence-maps/answers",
			body: `{"chunks":[],"claims":[{"text":"Leave is 15 days","evidence_ids":["E1"]}]}`,
		},
		{
			who: "reviewer", method: "POST", path: "/evidence-maps/answers",
			body: `{"chunks":[],"claims":[{"text":"Leave is 15 days","evidence_ids":["E1"]}]}`,
		},
		{
			who: "viewer", method: "POST", path: "/evidence-maps",
			body: `{"chunks":[{"source_root":"r","document_uri":"u","chunk_idx":0,"chunk_root":"c","span":"Leave is 15 days."}],"claims":[{"text":"x","pointer_ids":["E1"]}],"prove":["E5fdc1dd0"]}`,
		},
		{
			who: "viewer", method: "POST", path: "/sources:pack",
			body: `{"candidates":[{"item_id":"hr","title":"HR","score":0.9,"metadata":{"lang":"en"}}],"evidence_chunks":[{"item_id":"hr","text":"15 days"}],"options":{"debug":true,"snippets_per_source":2}}`,
		},
		{
			who: "reviewer", method: "POST", path: "/decisions", body: webtest.DecisionOf("dec_x", "A2"),
		}, {who: "reviewer", method: "POST", path: "/decisions", body: webtest.DecisionOf("dec_x", "A2")},
		{
			who: "viewer", method: "GET", path: "/decisions?missing=true&level=mandatory&limit=1",
		}, {who: "viewer", method: "GET", path: "/decisions/dec_signed"},
		{
			who: "viewer", method: "GET", path: "/packs?state=signed_off&limit=1",
		}, {who: "reviewer", method: "POST", path: "/packs", body: `{"decision_id":"dec_x"}`},
		{
			who: "viewer", method: "GET", path: "/packs/{pack}",
		}, {
			who: "viewer", method: "GET", path: "/packs/{draft}",
		}, {who: "viewer", method: "GET", path: "/packs/{pack}", headers: []string{"If-None-Match", "*"}},
		{
			who: "reviewer", method: "PATCH", path: "/packs/{draft}", body: `{"memo":{"title_en":"Fit"}}`,
			headers: []string{"If-Match", "*"},
		},
		{
			who: "reviewer", method: "POST", path: "/decisions/dec_x/tool-calls", body: callApart,
		}, {who: "reviewer", method: "POST", path: "/decisions/dec_x/tool-calls", body: callApart},
		{who: "reviewer", method: "PUT", path: "/packs/{draft}/session", body: `{"session_id":"{session}","reason":"x"}`},
		{
			who: "reviewer", method: "POST", path: "/packs/{draft}/attachments", body: `{"name":"a.txt","content":"YQ=="}`,
		}, {who: "reviewer", method: "DELETE", path: "/packs/{draft}/attachments?reason=x&sha256=ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"},
		{
			who: "reviewer", method: "PATCH", path: "/packs/{draft}", body: `{"tool_calls":[` + callApart + `]}`,
			headers: []string{"If-Match", "*"},
		}, {
			who: "reviewer", method: "POST", path: "/packs/{draft}/departures",
			body: `{"tool_call":1,"departed":false,"reason":"The same record."}`,
		},
		{who: "reviewer", method: "GET", path: "/packs/{draft}/draft.pdf?language=ar"},
		{who: "approver", method: "GET", path: "/packs/{pack}/reading.pdf?language=en"},
		{who: "approver", method: "GET", path: "/packs/{pack}/compare.pdf?with={pack}"},
		{who: "viewer", method: "GET", path: "/packs/{review}/waits"},
		{who: "reviewer", method: "POST", path: "/packs/{broken}/discard", body: `{"reason":"Decided by hand."}`},
		{
			who: "reviewer", method: "POST", path: "/packs/{draft}/submit",
		}, {who: "approver", method: "POST", path: "/packs/{review}/approve", body: webtest.Approval},
		{
			who: "approver", method: "POST", path: "/packs/{back}/return", body: `{"reason":"Name it."}`,
		}, {who: "reviewer", method: "POST", path: "/packs/{next}/versions", body: "{}"},
		{
			who: "viewer", method: "GET", path: "/packs/{pack}/versions",
		}, {who: "viewer", method: "GET", path: "/packs/{pack}/changes?from={pack}"},
		{
			who: "viewer", method: "GET", path: "/packs/{pack}/dsse",
		}, {who: "approver", method: "GET", path: "/packs/{pack}/proofs/excerpt/E1"},
		{
			who: "approver", method: "POST", path: "/packs/{pack}/redacted",
			body: `{"redactions":[` + redaction("excerpt", "E1") + "," + redaction("memo", "body_en") + "," +
				redaction("memo", "body_ar") + `]}`,
		},
		{
			who: "approver", method: "POST", path: "/packs/{pack}/export", body: sent,
		}, {
			who: "viewer", method: "POST", path: "/packs/{pack}/export",
			body: `{"format":"markdown","reason":"for the board"}`,
		},
		{
			who: "viewer", method: "GET", path: "/pack-exports?limit=2",
		}, {
			who: "approver", method: "POST", path: "/pack-exports/{asked}/grant",
			body: `{"password":"` + webtest.Password + `"}`,
		},
		{
			who: "approver", method: "POST", path: "/pack-exports/{refuse}/refuse", body: `{"reason":"No."}`,
		}, {who: "viewer", method: "POST", path: "/pack-exports/{granted}/link"},
		{
			who: "admin", method: "POST", path: "/packs/{pack}/hold", body: `{"reason":"A case."}`,
		}, {who: "admin", method: "POST", path: "/packs/{pack}/hold/lift", body: `{"reason":"Closed."}`},
		{
			who: "reviewer", method: "PUT", path: "/lake/docs/leave.md", body: "15 days",
		}, {
			who: "reviewer", method: "PUT", path: "/lake/docs/leave.md", body: "15 days",
		}, {who: "viewer", method: "GET", path: "/lake/docs/leave.md"},
		{
			who: "reviewer", method: "POST", path: "/bundles", body: newBundle,
		}, {who: "reviewer", method: "POST", path: "/bundles", body: newBundle},
		{
			who: "viewer", method: "GET", path: "/bundles?limit=1",
		}, {who: "viewer", method: "GET", path: "/bundles/{bundle}"},
		{who: "viewer", method: "GET", path: "/bundles/{bundle}/replay"},
		{who: "viewer", method: "POST", path: "/bundles/{bundle}/replay", body: webtest.InlineBundle},
		{
			who: "reviewer", method: "POST", path: "/bundles/{bundle}/runs", body: `{"run_id":"judge/7"}`,
		}, {who: "reviewer", method: "POST", path: "/bundles/{bundle}/runs", body: `{"run_id":"judge/7"}`},
		{who: "viewer", method: "GET", path: "/bundles/{bundle}/runs"},
		{
			who: "admin", method: "POST", path: "/trusted-keys", body: trustedBody,
		}, {who: "admin", method: "GET", path: "/trusted-keys"}, {
			who: "admin", method: "DELETE", path: "/trusted-keys?id=" + trustedID,
		}, {
			who: "admin", method: "GET", path: "/models",
		}, {
			who: "admin", method: "POST", path: "/models",
			body: `{"name":"n","kind":"openai","url":"https://models.example/v1","model":"m","key":"k"}`,
		}, {
			who: "admin", method: "GET", path: "/models/{model}",
		}, {
			who: "admin", method: "PATCH", path: "/models/{model}", body: `{"enabled":false,"day_cost":0}`,
			headers: []string{"If-Match", "*"},
		}, {
			who: "admin", method: "POST", path: "/models/{model}/test",
		}, {who: "admin", method: "DELETE", path: "/models/{modelapi}"}, {
			who: "admin", method: "GET", path: "/webhooks",
		}, {
			who: "admin", method: "POST", path: "/webhooks",
			body: `{"url":"https://hooks.example/x","kinds":["pack.purged"]}`,
		},
		{
			who: "admin", method: "GET", path: "/webhooks/{hook}",
		}, {
			who: "admin", method: "PATCH", path: "/webhooks/{hook}", body: `{"kinds":["pack.signed_off"]}`,
			headers: []string{"If-Match", "*"},
		},
		{
			who: "admin", method: "POST", path: "/webhooks/{hook}/rotate",
		}, {who: "admin", method: "POST", path: "/webhooks/{hook}/test"},
		{
			who: "admin", method: "GET", path: "/webhooks/{hook}/deliveries?limit=1",
		}, {who: "admin", method: "DELETE", path: "/webhooks/{hookapi}"},
	}
	seen := map[string]bool{}
	for _, c := range calls {
		see(w, seen, c)
	}
	seeComments(w, seen)
	seeDueDates(w, seen)
	seeErasures(w, seen)
	seeChanges(t, w, seen)
	seeRewording(w, seen)
	seeInvitations(t, w, seen)
	seeDeputies(w, seen)
	seeLibrary(w, seen)
	seePurges(w, seen)
	seeTrust(w, seen)
	for _, o := range webtest.Described().Operations {
		for status := range o.Operation["responses"].(map[string]any) {
			if status < "400" {
				require.True(t, seen[o.ID+" "+status], "%s never answered %s", o.ID, status)
			}
		}
	}
}

func redaction(kind, id string) string {
	return `{"kind":"` + kind + `","id":"` + id + `","reason":"Personal","rule":"PDPL 10"}`
}

// see makes a call and records its status.
func see(w *webtest.World, seen map[string]bool, c call) string {
	w.T.Helper()
	path := w.Fill("/api/v1" + c.path)
	res := w.As(c.who).Do(c.method, path, w.Fill(c.body), c.headers...)
	require.Less(w.T, res.Code, 400, "%s %s: %s", c.method, path, res.Body.String())
	o := webtest.Described().Find(webtest.Request(c.method, path, ""))
	require.NotNil(w.T, o, path)
	seen[fmt.Sprint(o.ID, " ", res.Code)] = true
	return res.Body.String()
}

// seeRewording writes a claim anew and takes that back.
func seeRewording(w *webtest.World, seen map[string]bool) {
	id := w.As("reviewer").Create(strings.Replace(webtest.LeavePolicy, "hr-42", "hr-44", 1)).SessionID
	body := see(w, seen, call{who: "reviewer", method: "POST", path: "/sessions/" + id + "/claims:reword",
		body: `{"claims":[1],"texts":["Leave is 15 days."]}`, headers: []string{"If-Match", "*"}})
	made := strings.TrimSpace(webtest.Between(body, `"claims":[`, "]"))
	see(w, seen, call{who: "reviewer", method: "POST", path: "/sessions/" + id + "/claims/" + made + "/take-back",
		headers: []string{"If-Match", "*"}})
}

// seeDeputies names deputies, one of them by asking a second administrator, and ends one.
func seeLibrary(w *webtest.World, seen map[string]bool) {
	w.T.Helper()
	for _, path := range []string{"/library", "/library/{library}", "/library/{library}/versions/1", "/library/{library}/uses"} {
		see(w, seen, call{who: "admin", method: "GET", path: path})
	}
	see(w, seen, call{who: "admin", method: "GET", path: "/library/{library}", headers: []string{"If-None-Match", "*"}})
	see(w, seen, call{who: "admin", method: "PATCH", path: "/library/{library}", body: `{"folder":"HR"}`,
		headers: []string{"If-Match", "*"}})
	for path, text := range map[string]string{"/library": "A document of a program.", "/library/{library}/versions": "Its next words."} {
		see(w, seen, call{who: "admin", method: "POST", path: path, body: `{"filename":"a.txt","text":"` + text + `"}`})
	}
}

func seeDeputies(w *webtest.World, seen map[string]bool) {
	w.AddPerson("stand-in", w.Tenant.ID, access.Approver)
	days := `"deputy":"` + w.Person("stand-in").User.ID + `","until":"` +
		w.Clock.Now().AddDate(0, 0, 5).Format(time.DateOnly) + `"`
	see(w, seen, call{who: "admin", method: "POST", path: "/deputies", body: `{"user_id":"` +
		w.Person("approver").User.ID + `",` + days + `,"reason":"Away.","password":"` + webtest.Password + `"}`})
	body := see(w, seen, call{who: "approver", method: "POST", path: "/deputies", body: "{" + days + "}"})
	see(w, seen, call{who: "approver", method: "GET", path: "/deputies"})
	see(w, seen, call{who: "approver", method: "POST",
		path: "/deputies/" + webtest.Between(body, `"deputy_id":"`, `"`) + "/end"})
}

// seeErasures sets and lifts a hold, refuses one erasure and confirms another, and reads what is kept of an erased
// pack.
func seeErasures(w *webtest.World, seen map[string]bool) {
	erase := `{"kind":"pack","id":"` + w.Fill("{back}") + `","reason":"Asked for."`
	hold := `{"kind":"session","id":"` + w.Fill("{session}") + `","reason":"A case.","held":`
	see(w, seen, call{who: "admin", method: "POST", path: "/legal-holds", body: hold + "true}"})
	see(w, seen, call{who: "admin", method: "GET", path: "/legal-holds"})
	see(w, seen, call{who: "admin", method: "POST", path: "/legal-holds", body: hold + "false}"})
	see(w, seen, call{who: "admin", method: "PUT", path: "/retention",
		body: `{"periods":[{"kind":"session","days":36500},{"kind":"upload","days":1}]}`})
	see(w, seen, call{who: "admin", method: "GET", path: "/retention"})
	see(w, seen, call{who: "admin", method: "POST", path: "/erasures", body: erase + `,"dry_run":true}`})
	ask := func(pack string) string {
		body := see(w, seen, call{who: "admin", method: "POST", path: "/erasures",
			body: `{"kind":"pack","id":"` + w.Fill(pack) + `","reason":"Asked for."}`})
		return webtest.Between(body, `"erasure_id":"`, `"`)
	}
	see(w, seen, call{who: "approver", method: "POST", path: "/erasures/" + ask("{review}") + "/refuse"})
	id := ask("{review}")
	see(w, seen, call{who: "approver", method: "GET", path: "/erasures/" + id})
	see(w, seen, call{who: "approver", method: "POST", path: "/erasures/" + id + "/confirm",
		body: `{"password":"` + webtest.Password + `"}`})
	see(w, seen, call{who: "approver", method: "GET", path: "/erasures"})
	see(w, seen, call{who: "viewer", method: "GET", path: "/packs/{review}/erased"})
}

// seePurges asks for two purges after the packs' retention has ended, refuses one and confirms the other.
func seePurges(w *webtest.World, seen map[string]bool) {
	w.Clock.Move(8 * 365 * 24 * 3600e9)
	for _, who := range []string{"approver", "admin"} { // the earlier tokens have expired
		p := w.Person(who)
		p.Token = w.NewToken(p.ID, w.Tenant.ID, access.Role(who))
	}
	ids := []string{}
	for _, name := range []string{"old", "kept"} {
		body := see(w, seen, call{who: "admin", method: "POST", path: "/packs/{" + name + "}/purge"})
		ids = append(ids, webtest.Between(body, `"purge_id":"`, `"`))
	}
	see(w, seen, call{who: "approver", method: "GET", path: "/pack-purges"})
	see(w, seen, call{who: "approver", method: "POST", path: "/pack-purges/" + ids[0] + "/refuse"})
	see(w, seen, call{
		who: "approver", method: "POST", path: "/pack-purges/" + ids[1] + "/confirm",
		body: `{"password":"` + webtest.Password + `"}`,
	})
	see(w, seen, call{who: "approver", method: "GET", path: "/pack-purges"})
}

// callApart is a tool call that arrives apart from its decision; its words can't tell whether it did what was intended.
const callApart = `{"id":"c1","tool_name":"crm.get","intended_action":"fetch record 7","actual_action":"retrieved record 7"}`

// anyPolicy returns a policy that asks nothing but acknowledgements, and by which bulk confirm takes every claim.
func anyPolicy(t *testing.T) string {
	t.Helper()
	p := pack.DefaultPolicy()
	p.BulkConfirmsAll = true
	for i := range p.Rules {
		if r := &p.Rules[i]; r.Rule != pack.CallsAcknowledged {
			r.A2, r.A3 = pack.Off, pack.Off
		}
	}
	data, err := json.Marshal(p)
	require.NoError(t, err)
	return string(data)
}

// Every POST and PATCH that stores something takes an Idempotency-Key; those that only compute something do not.
func TestEveryWriteIsIdempotent(t *testing.T) {
	// operations that store nothing, or whose path makes them idempotent
	without := map[string]bool{"makeEvidenceMap": true, "packSources": true, "redactPack": true, "replayBundleFrom": true, "writeArtifact": true,
		"putPolicy": true, "putTraceRules": true,
		"addOwnToken": true, "inviteByLink": true, "createWebhook": true, "rotateWebhook": true} // their answers hold a secret, which is not kept
	for _, o := range webtest.Described().Operations {
		takes := false
		parameters, _ := o.Operation["parameters"].([]any)
		for _, p := range parameters {
			ref, _ := p.(map[string]any)["$ref"].(string)
			takes = takes || ref == "#/components/parameters/IdempotencyKey"
		}
		require.Equal(t, o.Method != http.MethodGet && !without[o.ID], takes, o.ID)
	}
}

// trustedID is the fingerprint of the key in the list above, as a query has it.
const trustedID = "SHA256%3AebCT4wkJOqO5AIlHG03cHvn3Cr3ZZEEh8m81duHhR3Q"

const trustedBody = `{"name": "Head office", "public_key": "-----BEGIN PUBLIC KEY-----\n` +
	`MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n"}`
