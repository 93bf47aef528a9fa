package ledger_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers/webtest"
)

const packPath = "/api/v1/sources:pack"

func TestPackSources(t *testing.T) {
	s := webtest.NewServer(t)
	w := s.Do("POST", packPath, `{"candidates":[
		{"item_id":"hr","kind":"documents","title":"HR <Policy>","url":"https://example.org/hr","summary":"s","content":"c","score":0.9,"rank":2,
		 "metadata":{"year":2024.50,"department":"HR","api_key":"k1"},"embedding":[0.1],"retriever":"bm25"},
		{"item_id":"it","kind":"wiki","content":"IT rules"}],
		"evidence_chunks":[{"item_id":"hr","text":"15 days","score":0.8,"chunk_id":"c1"}],"options":{"max_sources":2}}`)
	require.Equal(t, 200, w.Code)
	require.Equal(t, `{"type":"rag.sources","payload":{"sources":[`+
		`{"source_id":"hr","kind":"documents","title":"HR <Policy>","url":"https://example.org/hr","snippet":"15 days","snippet_from":"chunk","score":0.9,"rank":1,"metadata":{"department":"HR","year":2024.50}},`+
		`{"source_id":"it","kind":"custom","title":null,"url":null,"snippet":"IT rules","snippet_from":"doc","score":null,"rank":2,"metadata":{}}]}}`,
		strings.TrimSpace(w.Body.String()))
}

// JSON that is not retrieval output is not an error: the answer is an empty list, with the reason if debug is set.
func TestPackSourcesOfInvalidInput(t *testing.T) {
	s := webtest.NewServer(t)
	for in, reason := range map[string]string{
		`{"options":{"debug":true}}`:                                                                "candidates",
		`{"candidates":null,"options":{"debug":true}}`:                                              "candidates",
		`{"candidates":{},"options":{"debug":true}}`:                                                "candidates",
		`{"candidates":[null],"options":{"debug":true}}`:                                            "candidates[0]",
		`{"candidates":[{"title":"x"}],"options":{"debug":true}}`:                                   "candidates[0].item_id",
		`{"candidates":[{"item_id":7}],"options":{"debug":true}}`:                                   "candidates[0].item_id",
		`{"candidates":[{"item_id":"a","score":"high"}],"options":{"debug":true}}`:                  "candidates[0].score",
		`{"candidates":[{"item_id":"a","metadata":[]}],"options":{"debug":true}}`:                   "candidates[0].metadata",
		`{"candidates":[{"item_id":"a"}],"evidence_chunks":"x","options":{"debug":true}}`:           "evidence_chunks",
		`{"candidates":[{"item_id":"a"}],"options":{"debug":true,"max_sources":"six"}}`:             "options.max_sources",
		`{"candidates":[{"item_id":"a"}],"options":{"debug":true,"max_sources":1.5}}`:               "options.max_sources",
		`{"candidates":[{"item_id":"a"}],"options":{"debug":true,"max_sources":-1}}`:                "options.max_sources",
		`{"candidates":[{"item_id":"a"}],"options":{"debug":true,"order_by":"x"}}`:                  "options.order_by",
		`{"candidates":[{"item_id":"a"}],"options":{"debug":true,"exclude_metadata_key":["year"]}}`: "options.exclude_metadata_key",
		`{"candidates":[{"item_id":"a"}],"max_sources":1,"options":{"debug":true}}`:                 "max_sources",
	} {
		type event struct {
			Type    string
			Payload struct {
				Sources []any
				Debug   *struct{ Reason string }
			}
		}
		e := webtest.Get[event](t, s.Do("POST", packPath, in), 200)
		require.Equal(t, "rag.sources", e.Type)
		require.NotNil(t, e.Payload.Sources, in)
		require.Empty(t, e.Payload.Sources, in)
		require.NotNil(t, e.Payload.Debug, in)
		require.True(t, strings.HasPrefix(e.Payload.Debug.Reason, reason+":"), "%s: %s", in, e.Payload.Debug.Reason)
		quietly := s.Do("POST", packPath, strings.Replace(in, `"debug":true`, `"debug":false`, 1))
		require.Equal(t, `{"type":"rag.sources","payload":{"sources":[]}}`, strings.TrimSpace(quietly.Body.String()))
	}
	for _, in := range []string{`[]`, `7`, `"x"`, `null`, `{"candidates":[],"options":[]}`} {
		require.Equal(t, `{"type":"rag.sources","payload":{"sources":[]}}`, strings.TrimSpace(get200(t, s, in)), in)
	}
}

func get200(t *testing.T, s *webtest.Server, in string) string {
	t.Helper()
	w := s.Do("POST", packPath, in)
	require.Equal(t, 200, w.Code, w.Body.String())
	return w.Body.String()
}

// Broken JSON is refused as by every operation (rule F-2).
func TestPackSourcesIsStrict(t *testing.T) {
	s := webtest.NewServer(t)
	for name, in := range map[string]string{
		"empty": ``, "cut": `{"candidates":[`, "twice": `{"candidates":[],"candidates":[]}`,
		"twice within": `{"candidates":[{"item_id":"a","metadata":{"k":1,"k":2}}]}`,
		"surrogate":    `{"candidates":[{"item_id":"\ud800"}]}`,
		"not UTF-8":    "{\"candidates\":[{\"item_id\":\"\xff\"}]}",
		"trailing":     `{"candidates":[]} x`,
		"deep": `{"candidates":[{"item_id":"a","metadata":{"k":` + strings.Repeat("[", 70) + strings.Repeat("]", 70) +
			`}}]}`, "NaN": `{"candidates":[{"item_id":"a","score":NaN}]}`,
	} {
		require.Equal(t, 400, s.Do("POST", packPath, in).Code, name)
	}
	require.Equal(t, 415, s.Do("POST", packPath, `{"candidates":[]}`, "Content-Type", "text/plain").Code)
	require.Equal(t, 413, s.Do("POST", packPath, `{"candidates":[],"x":"`+strings.Repeat("x", 17<<20)+`"}`).Code)
	require.Equal(t, 405, s.Do("GET", packPath, "").Code)
	for _, near := range []string{"/api/v1/sourcesXpack", "/api/v1/sources", "/api/v1/sources:packs"} {
		require.Equal(t, 404, s.Do("POST", near, `{"candidates":[]}`).Code, near)
	}
}

// The list of sources, in its tab, has each document with the passage that the claims match best, in both
// languages. Filters of the table do not change it.
func TestSessionShowsItsSources(t *testing.T) {
	s := webtest.NewServer(t)
	id := s.Create(webtest.LeavePolicy).SessionID
	panel := func(query string) string {
		body := s.Do("GET", "/sessions/"+id+query, "").Body.String()
		_, after, found := strings.Cut(body, `<section id="sources"`)
		require.True(t, found, query)
		before, _, _ := strings.Cut(after, "</section>")
		return before
	}
	en := panel("?tab=sources&lang=en")
	require.Contains(t, en, ">Sources<")
	require.Contains(t, en, `>HR.pdf</bdi>`)
	require.Contains(t, en, "15 days")
	require.Regexp(t, `href="/documents/[0-9a-f-]{36}\?chunk=\d+#c-\d+"`, en)
	require.Contains(t, panel("?tab=sources&lang=ar"), ">المصادر<")
	require.Equal(t, en, panel("?tab=sources&lang=en&verdict=not_found"))

	bare := s.Create(`{"format":"sanad.session/v1","session":{"title":"No documents","query":"q","answer":"Leave is 15 days."},"documents":[]}`).SessionID
	require.NotContains(t, s.Do("GET", "/sessions/"+bare+"?tab=sources", "").Body.String(), `id="sources"`)
}

// The page makes the same number of queries for many documents as for few.
func TestSourcesCostNoQueryPerDocument(t *testing.T) {
	s := webtest.NewServer(t)
	cost := func(documents int) int64 {
		var list []string
		for i := range documents {
			list = append(list, fmt.Sprintf(`{"id":"d%d","filename":"F%d.txt","text":"Annual leave is %d days."}`, i,
				i, i))
		}
		id := s.Create(`{"format":"sanad.session/v1","session":{"title":"T","query":"q","answer":"Annual leave is 3 days."},"documents":[` + strings.Join(list, ",") + `]}`).SessionID
		before := s.Store.QueryCount()
		require.Equal(t, 200, s.Do("GET", "/sessions/"+id, "").Code)
		return s.Store.QueryCount() - before
	}
	require.Equal(t, cost(2), cost(90))
}

// A member that says nothing of the sources spoils nothing; with debug set, it is named.
func TestOtherMembersAreIgnored(t *testing.T) {
	s := webtest.NewServer(t).As("viewer")
	w := s.Do("POST", packPath, `{"candidates":[{"item_id":"a"}],"foo":1,"chunks":[],"options":{"debug":true}}`)
	require.Equal(t, 200, w.Code)
	require.Contains(t, w.Body.String(), `"source_id":"a"`)
	require.Contains(t, w.Body.String(), `"ignored":["foo","chunks"]`)
	require.Contains(t, s.Do("POST", packPath, `{"candidates":[{"item_id":"a"}],"foo":1}`).Body.String(), `"source_id":"a"`)
}
