package handlers_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers/webtest"
)

// No list ignores unknown parameters: with a misspelt filter it would answer with everything.
func TestUnknownQueryParameters(t *testing.T) {
	w := webtest.NewWorld(t)
	w.Who = "admin"
	lists := 0
	for _, o := range webtest.Described().Operations {
		if o.Method != http.MethodGet || o.ID == "showDescription" {
			continue
		}
		var names []string
		parameters, _ := o.Operation["parameters"].([]any)
		for _, p := range parameters {
			if p := p.(map[string]any); p["in"] == "query" {
				names = append(names, p["name"].(string))
			}
		}
		if len(names) > 0 {
			lists++
		}
		path := regexp.MustCompile(`\{\w+\}`).ReplaceAllStringFunc(o.Path, func(name string) string {
			if known := w.Names[strings.Trim(name, "{}")]; known != "" {
				return known
			}
			return "1"
		})
		got := webtest.Get[webtest.Problem](t, w.Do("GET", path+"?zz_statuss=open", ""), 400)
		require.Equal(t, "zz_statuss", got.Path, o.ID)
		require.Contains(t, got.Detail, "There is no such parameter", o.ID)
		for _, name := range names {
			require.Contains(t, got.Detail, name, o.ID)
		}
	}
	require.Greater(t, lists, 8)
	require.Contains(t, webtest.Get[webtest.Problem](t, w.Do("GET", "/api/v1/sessions?statuss=open&limit=1", ""),
		400).Detail, "allowed here: state, assigned,")
	require.Equal(t, 401, w.As("").Do("GET", "/api/v1/sessions?statuss=open", "").Code, "nothing is told to strangers")
	for _, sum := range []string{"zz", strings.Repeat("z", 64), "abcd"} {
		require.Equal(t, "content_sha256",
			webtest.Get[webtest.Problem](t, w.Do("GET", "/api/v1/bundles?content_sha256="+sum, ""), 400).Path)
	}
	require.Equal(t, 200, w.Do("GET", "/api/v1/bundles?content_sha256="+strings.Repeat("0", 64), "").Code)
}

// The ledger has the document ids that the calls for withdrawing take, and the changes of a run use the same chunk
// hashes as its claims.
func TestIDsAgreeAcrossAnswers(t *testing.T) {
	type document struct {
		ID         string
		DocumentID string `json:"document_id"`
		Filename   string
		Status     string
		Withdrawn  bool
	}
	type ledgerAnswer struct {
		Session struct{ Documents []document }
	}
	s := webtest.NewServer(t).As("reviewer")
	made := s.Create(webtest.LeavePolicy)
	before := webtest.Get[ledgerAnswer](t, s.Do("GET", made.LedgerURL, ""), 200).Session.Documents
	require.Len(t, before, 1)
	require.Equal(t, document{ID: before[0].ID, DocumentID: "hr", Filename: "HR.pdf", Status: "ready"}, before[0])

	session := "/api/v1/sessions/" + made.SessionID
	require.Equal(t, 200, s.Do("POST", "/api/v1/documents/"+before[0].ID+"/withdraw", `{"reason":"A draft."}`,
		"If-Match", "*").Code)
	require.True(t, webtest.Get[ledgerAnswer](t, s.Do("GET", made.LedgerURL, ""), 200).Session.Documents[0].Withdrawn)
	require.Equal(t, 200, s.Do("POST", session+"/judge", "", "If-Match", "*").Code)

	type chunk struct {
		Hash string `json:"chunk_hash"`
	}
	claims := webtest.Get[struct{ Claims []struct{ Matches []chunk } }](t, s.Do("GET", session+"/runs/1/claims", ""),
		200).Claims
	changes := webtest.Get[struct {
		Changes []struct {
			Lost []chunk `json:"evidence_lost"`
		}
	}](t, s.Do("GET", session+"/runs/2/changes", ""), 200).Changes
	require.Equal(t, "b8b859ac", changes[0].Lost[0].Hash)
	require.Equal(t, claims[0].Matches, changes[0].Lost)
}

// JSON Lines, CSV and event streams are accepted under their own media types, also with a charset parameter.
func TestFilesOfRowsAreTaken(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	const row = `{"user_input":"How many days?","response":"Leave is %s days.","retrieved_contexts":["Leave is 15 days."]}` + "\n"
	for i, media := range []string{"application/jsonl", "application/x-ndjson", "application/jsonl; charset=utf-8"} {
		body := strings.Replace(row, "%s", strings.Repeat("1", i+1), 1)
		if strings.Contains(media, ";") {
			media = strings.ToUpper(media)
		}
		require.Equal(t, 201, s.Do("POST", "/api/v1/sessions", body, "Content-Type", media).Code, media)
	}
	several := s.Do("POST", "/api/v1/sessions", row+row, "Content-Type", "application/jsonl")
	require.Contains(t, webtest.Get[webtest.Problem](t, several, 422).Detail, "contains 2 sessions")
	const table = "user_input,retrieved_contexts,response\nHow many days?,['Leave is 15 days.'],Leave is 9 days.\n"
	require.Equal(t, 201, s.Do("POST", "/api/v1/sessions", table, "Content-Type", "text/csv").Code)
	const stream = `data: {"choices":[{"delta":{"content":"Leave is 8 days."},"finish_reason":"stop"}]}` + "\n\n"
	require.Equal(t, 201, s.Do("POST", "/api/v1/sessions", stream, "Content-Type", "text/event-stream").Code)
	require.Equal(t, 415, s.Do("POST", "/api/v1/sessions", row, "Content-Type", "text/plain").Code)
	require.Equal(t, 415, s.Do("POST", "/api/v1/decisions", `{}`, "Content-Type", "application/jsonl").Code)
}
