package packs_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/handlers/webtest"
)

type problems struct {
	webtest.Problem
	Errors, Warnings []webtest.Item
}

// A draft that breaks rules can be saved but not submitted: 422 with every broken rule, its number, place and message;
// GET shows the same list.
func TestSubmitNamesEveryBrokenRule(t *testing.T) {
	s := webtest.NewServer(t)
	body := strings.NewReplacer(`"uri":"hubspot://contacts/456",`, "", `"confidence":0.9`, `"confidence":null`,
		`"intended_action":"retrieve contact 456"`, `"intended_action":""`, `"retrieved_at":"2026-11-21T07:10:00Z"`,
		`"retrieved_at":"2026-11-01T07:10:00Z"`,
	).Replace(webtest.DecisionOf("dec_1", "A2"))
	require.Equal(t, 201, s.As("reviewer").Do("POST", "/api/v1/decisions", body).Code)
	p := s.API("reviewer", "POST", "/packs", `{"decision_id":"dec_1"}`)(201)
	long := strings.Repeat("word ", 121)
	p = s.API("reviewer", "PATCH", "/packs/"+p.PackID, `{"memo":{"body_ar":"","executive_summary_en":"`+long+
		`"}}`, "If-Match", p.Etag())(200)

	refused := webtest.Get[problems](t, s.As("reviewer").Do("POST", "/api/v1/packs/"+p.PackID+"/submit", ""), 422)
	found := map[int]webtest.Item{}
	for _, e := range refused.Errors {
		found[e.Rule] = e
		require.Equal(t, "error", e.Severity)
		require.NotEmpty(t, e.Name)
		require.NotEmpty(t, e.Path)
		require.NotEmpty(t, e.Detail)
		require.NotEmpty(t, e.DetailAR)
		require.NotContains(t, e.Detail+e.DetailAR, "%!")
	}
	require.NotEmpty(t, refused.Warnings)
	for rule, path := range map[int]string{2: "sources[0].uri", 5: "sources[0].confidence",
		9:  "tool_calls[0].intended_action",
		11: "memo.body_ar", 12: "memo.executive_summary_en", 16: "sources[1].retrieved_at"} {
		require.Equal(t, path, found[rule].Path, "rule %d", rule)
	}
	require.Equal(t, "The summary has 121 words; the limit is 120. Shorten it.", found[12].Detail)
	require.ElementsMatch(t, append(refused.Errors, refused.Warnings...),
		s.API("viewer", "GET", "/packs/"+p.PackID, "")(200).Validation)
	require.Equal(t, "draft", s.API("viewer", "GET", "/packs/"+p.PackID, "")(200).Status)
}

// A decision is refused with all of its faults; broken JSON is a 400.
func TestDecisionRefused(t *testing.T) {
	s := webtest.NewServer(t)
	all := webtest.Get[problems](t,
		s.As("reviewer").Do("POST", "/api/v1/decisions", `{"decision_id":"d","confidence":7,"approval_class":"A9"}`),
		422)
	paths := map[string]bool{}
	for _, e := range all.Errors {
		paths[e.Path] = true
	}
	for _, path := range []string{"entity_id", "agent_name", "decided_at", "title", "statement", "approval_class",
		"confidence"} {
		require.True(t, paths[path], path)
	}
	for _, c := range []struct {
		body   string
		status int
	}{
		{`{"decision_id":"a","decision_id":"b"}`, 400}, {`{`, 400}, {`{"decision_id":"\ud800"}`, 400},
		{webtest.DecisionOf("d", "A2") + "1", 400},
		{`{"prompts":` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `}`, 400}, {`[]`, 422},
		{`{"format":"x"}`, 415},
		// twice prompts
		{strings.Replace(webtest.DecisionOf("d", "A2"), "{",
			`{"prompts":[`+strings.Repeat(`{"template_name":"x"},`, 1000)+`{"template_name":"x"}],"x":`+"null,", 1),
			400},
	} {
		res := s.As("reviewer").Do("POST", "/api/v1/decisions", c.body)
		require.Equal(t, c.status, res.Code, res.Body.String())
		require.Equal(t, "application/problem+json", res.Header().Get("Content-Type"))
	}
	require.Equal(t, 413, s.As("reviewer").Do("POST", "/api/v1/decisions",
		`{"title":"`+strings.Repeat("x", 16<<20)+`"}`).Code)
	require.Empty(t, webtest.Get[struct{ Decisions []any }](t, s.As("viewer").Do("GET", "/api/v1/decisions", ""),
		200).Decisions)
}

// A change of the memo requires If-Match; for the steps of a pack's life it is optional, but must match if sent.
func TestPackIfMatch(t *testing.T) {
	s := webtest.NewServer(t)
	p := s.Draft("dec_1", "A2")
	path := "/api/v1/packs/" + p.PackID
	memo := `{"memo":{"title_en":"New"}}`
	res := s.As("viewer").Do("GET", path, "")
	require.Equal(t, p.Etag(), res.Header().Get("ETag"))
	require.Equal(t, 304, s.As("viewer").Do("GET", path, "", "If-None-Match", p.Etag()).Code)
	require.Equal(t, 428, s.As("reviewer").Do("PATCH", path, memo).Code)
	require.Equal(t, 412, s.As("reviewer").Do("PATCH", path, memo, "If-Match", `"`+p.PackID+`.99"`).Code)
	require.Equal(t, 422, s.As("reviewer").Do("PATCH", path, `{}`, "If-Match", "*").Code)
	require.Equal(t, 422, s.As("reviewer").Do("PATCH", path, `{"title":"x"}`, "If-Match", "*").Code,
		"not what identifies the decision")
	changed := s.API("reviewer", "PATCH", "/packs/"+p.PackID, memo, "If-Match", p.Etag())(200)
	require.Greater(t, changed.Revision, p.Revision)
	for _, step := range []string{"submit", "approve", "return"} {
		who, body := "approver", map[string]string{"submit": "{}", "approve": webtest.Approval,
			"return": `{"reason":"x"}`}[step]
		require.Equal(t, 412, s.As(who).Do("POST", path+"/"+step, body, "If-Match", p.Etag()).Code, step)
	}
	require.Equal(t, 409, s.As("approver").Do("POST", path+"/return", `{"reason":"x"}`).Code, "a draft")
	require.Equal(t, 409, s.As("reviewer").Do("POST", path+"/versions", "").Code, "a draft")
	s.API("reviewer", "POST", "/packs/"+p.PackID+"/submit", "")(200)
	require.Equal(t, 409, s.As("reviewer").Do("POST", path+"/submit", "").Code)
	require.Equal(t, 409, s.As("reviewer").Do("PATCH", path, memo, "If-Match", "*").Code, "frozen")
	require.Equal(t, 409, s.As("reviewer").Do("POST", "/api/v1/packs", `{"decision_id":"dec_1"}`).Code, "it has a pack")
	require.Equal(t, 404, s.As("reviewer").Do("POST", "/api/v1/packs", `{"decision_id":"dec_2"}`).Code)
}

// 50 approvals of one pack at once, by two people: exactly one signs it off.
func TestParallelApprovals(t *testing.T) {
	s := webtest.NewServer(t)
	p := s.InReview("dec_1", "A2")
	tokens := []string{s.Person("approver").Token, s.Person("admin").Token}
	answers := make([]*httptest.ResponseRecorder, 50)
	var all sync.WaitGroup
	for i := range answers {
		all.Go(func() {
			answers[i] = s.Serve(webtest.Request("POST", "/api/v1/packs/"+p.PackID+"/approve", webtest.Approval,
				"Authorization", "Bearer "+tokens[i%2]))
		})
	}
	all.Wait()
	won := 0
	for _, a := range answers {
		if a.Code == 200 {
			won++
			continue
		}
		require.Equal(t, 409, a.Code, a.Body.String())
	}
	require.Equal(t, 1, won)
	require.Len(t, s.API("viewer", "GET", "/packs/"+p.PackID, "")(200).Approvals, 1)
}

// Each change of a decision and of a pack answers a repeated key as the first time.
func TestPackIdempotency(t *testing.T) {
	s := webtest.NewServer(t)
	twice := func(who, path, body, key string, status int) {
		t.Helper()
		one := s.As(who).Do("POST", "/api/v1"+path, body, "Idempotency-Key", key)
		require.Equal(t, status, one.Code, one.Body.String())
		two := s.As(who).Do("POST", "/api/v1"+path, body, "Idempotency-Key", key)
		require.Equal(t, status, two.Code, two.Body.String())
		require.Equal(t, "true", two.Header().Get("Idempotent-Replayed"))
		require.Equal(t, one.Body.String(), two.Body.String())
		require.Equal(t, one.Header().Get("ETag"), two.Header().Get("ETag"))
	}
	dbtest.AllowUnchecked(t, s.Store, s.Tenant.ID)
	twice("reviewer", "/decisions", webtest.DecisionOf("dec_1", "A2"), "k1", 201)
	twice("reviewer", "/decisions", webtest.DecisionOf("dec_1", "A2"), "k2", 200)
	require.Equal(t, 422, s.As("reviewer").Do("POST", "/api/v1/decisions", webtest.DecisionOf("dec_2", "A2"),
		"Idempotency-Key", "k1").Code)
	twice("reviewer", "/packs", `{"decision_id":"dec_1"}`, "k3", 201)
	id := webtest.Get[struct{ Packs []webtest.PackJSON }](t, s.As("viewer").Do("GET", "/api/v1/packs", ""),
		200).Packs[0].PackID
	twice("reviewer", "/packs/"+id+"/submit", "", "k4", 200)
	twice("approver", "/packs/"+id+"/approve", webtest.Approval, "k5", 200)
	twice("approver", "/packs/"+id+"/export", `{"format":"pdf"}`, "k6", 200)
	twice("viewer", "/packs/"+id+"/export", `{"format":"pdf"}`, "k7", 202)
	twice("reviewer", "/packs/"+id+"/versions", "", "k8", 201)
}

// S3 text is in no file and in no answer. Nor is an unkeyed digest of the request stored, with which guesses of the
// text could be verified.
func TestS3TextIsNotStored(t *testing.T) {
	s := webtest.NewServer(t)
	body := webtest.DecisionOf("dec_1", "A2")
	require.Equal(t, 2, strings.Count(body, webtest.SecretText))
	res := s.As("reviewer").Do("POST", "/api/v1/decisions", body, "Idempotency-Key", "k")
	require.Equal(t, 201, res.Code)
	p := s.API("reviewer", "POST", "/packs", `{"decision_id":"dec_1"}`)(201)
	for _, path := range []string{"/api/v1/decisions/dec_1", "/api/v1/packs/" + p.PackID} {
		require.NotContains(t, s.As("admin").Do("GET", path, "").Body.String(), webtest.SecretText)
	}
	receipt, err := s.Store.Receipt(context.Background(), s.Tenant.ID, s.Person("reviewer").ID+" k")
	require.NoError(t, err)
	require.NotNil(t, receipt)
	for _, text := range []string{body, "POST /api/v1/decisions\n\n" + body} {
		sum := sha256.Sum256([]byte(text))
		require.NotEqual(t, hex.EncodeToString(sum[:]), receipt.Digest)
	}
	require.NoError(t, filepath.WalkDir(s.Dir, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		require.NotContains(t, string(data), webtest.SecretText, name)
		return err
	}))
}

// S3 text is refused where it would be stored in clear, with the place and what to do, in the reader's language: in the
// decision, in a memo that is typed afterwards, and in a tool call that arrives apart (rule P-10).
func TestS3TextIsRefusedInMemoAndSideEffects(t *testing.T) {
	s := webtest.NewServer(t)
	body := webtest.DecisionOf("dec_1", "A2")
	repeated := strings.Replace(body, "{", `{"memo":{"body_en":"Note: `+webtest.SecretText+`"},`, 1)
	for lang, said := range map[string]string{"en": "refer to the source by its number", "ar": "احذفها"} {
		res := s.As("reviewer").Do("POST", "/api/v1/decisions", repeated, "Accept-Language", lang)
		require.Equal(t, 422, res.Code, res.Body.String())
		require.Contains(t, res.Body.String(), "memo.body_en")
		require.Contains(t, res.Body.String(), said)
		require.NotContains(t, res.Body.String(), webtest.SecretText)
	}
	require.Equal(t, 404, s.As("admin").Do("GET", "/api/v1/decisions/dec_1", "").Code, "nothing of it is stored")

	require.Equal(t, 201, s.As("reviewer").Do("POST", "/api/v1/decisions", body).Code)
	p := s.API("reviewer", "POST", "/packs", `{"decision_id":"dec_1"}`)(201)
	edit := s.As("reviewer").Do("PATCH", "/api/v1/packs/"+p.PackID,
		`{"memo":{"body_ar":"ملاحظة: `+webtest.SecretText+`"}}`, "If-Match", "*")
	require.Equal(t, 422, edit.Code, edit.Body.String())
	require.Contains(t, edit.Body.String(), "memo.body_ar")
	call := s.As("reviewer").Do("POST", "/api/v1/decisions/dec_1/tool-calls",
		`{"id":"c1","tool_name":"note","intended_action":"note","actual_action":"note","side_effects":["`+webtest.SecretText+`"]}`)
	require.Equal(t, 422, call.Code, call.Body.String())
	require.Contains(t, call.Body.String(), "side_effects[0]")
}

// Lists page by key and filter.
func TestPackLists(t *testing.T) {
	s := webtest.NewServer(t)
	for _, id := range []string{"dec_1", "dec_2", "dec_3"} {
		s.Draft(id, "A2")
	}
	s.AddDecision("dec_4", "A3")
	s.AddDecision("dec_5", "A0")
	type page struct {
		Packs, Decisions []webtest.PackJSON
		Next             *string
	}
	list := func(path string) page {
		t.Helper()
		return webtest.Get[page](t, s.As("viewer").Do("GET", "/api/v1/"+path, ""), 200)
	}
	one := list("packs?limit=2")
	require.Len(t, one.Packs, 2)
	require.NotNil(t, one.Next)
	two := list("packs?limit=2&after=" + *one.Next)
	require.Len(t, two.Packs, 1)
	require.Nil(t, two.Next)
	require.NotEqual(t, one.Packs[1].PackID, two.Packs[0].PackID)
	require.Len(t, list("packs?state=draft&decision_id=dec_2").Packs, 1)
	require.Empty(t, list("packs?state=returned").Packs)
	missing := list("decisions?missing=true")
	require.Len(t, missing.Decisions, 1)
	require.Equal(t, "dec_4", missing.Decisions[0].DecisionID)
	require.Len(t, list("decisions").Decisions, 5)
	require.Len(t, list("decisions?level=skip").Decisions, 1)
	for _, bad := range []string{"packs?limit=0", "packs?limit=x", "packs?state=nonsense", "packs?after=%00",
		"decisions?missing=maybe", "decisions?level=x", "pack-exports?limit=-1"} {
		require.Equal(t, 400, s.As("viewer").Do("GET", "/api/v1/"+bad, "").Code, bad)
	}
	seen := webtest.Get[map[string]any](t, s.As("viewer").Do("GET", "/api/v1/decisions/dec_1", ""), 200)
	require.Equal(t, false, seen["missing_pack"])
	require.Len(t, seen["packs"], 1)
}
