package bundles_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/bundle"
	"sanad/internal/handlers/webtest"
)

const replayRequest = `{"job_input":{"extra_params":{"evidence":[{"text":"Leave is 15 days.","source_uri":"hr"},{"text":"More."}]}},
	"evidence_refs":{"lake_text":["docs/a.md","docs/b.md"],"documents":[{"document_id":"d","text":"Second page."}]},"policy":{"max_items":4}}`

// A bundle is built again by API and page: equal first, then with an artifact that was changed and one that is gone.
func TestReplay(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	for name, text := range map[string]string{"a": "Fifteen days.", "b": "Thirty days."} {
		require.Equal(t, 201, s.Do("PUT", "/api/v1/lake/docs/"+name+".md", text).Code)
	}
	id := s.Bundle(replayRequest)
	s.As("viewer")
	again := func(method, body string) bundle.Comparison {
		return webtest.Get[bundle.Comparison](t, s.Do(method, "/api/v1/bundles/"+id+"/replay", body), 200)
	}
	got := again("GET", "")
	require.True(t, got.Equal)
	require.Equal(t, "2.2", got.BuildVersion)
	require.Equal(t, map[string]int{"same": 4, "not_kept": 1}, got.Counts)
	got = again("POST", replayRequest)
	require.Equal(t, "request", got.Input)
	require.Equal(t, map[string]int{"same": 5}, got.Counts)
	require.Equal(t, id, got.BuiltID)
	page := s.Do("GET", "/bundles/"+id+"/replay", "").Body.String()
	require.Contains(t, page, "Equal: the same id and the same items.")
	require.Contains(t, page, "are not kept")

	lake := filepath.Join(s.Dir, "lake", s.Tenant.ID, "docs")
	require.NoError(t, os.WriteFile(filepath.Join(lake, "a.md"), []byte("Fifty days."), 0o600))
	require.NoError(t, os.Remove(filepath.Join(lake, "b.md")))
	got = again("GET", "")
	require.False(t, got.Equal)
	require.True(t, got.RecordHolds)
	require.Equal(t, "differs", got.Sources[2].Outcome)
	require.Equal(t, "missing", got.Sources[3].Outcome)
	require.Equal(t, "failed", got.Sources[3].Now)
	require.Equal(t, "There is no such artifact in the lake.", got.Sources[3].Reason)
	for lang, want := range map[string]string{"en": "Not equal: what differs is listed below.", "ar": "غير مطابقة"} {
		page = s.Do("GET", "/bundles/"+id+"/replay?lang="+lang, "").Body.String()
		require.Contains(t, page, want)
		require.Contains(t, page, "docs/b.md")
		require.Contains(t, page, "content_sha256")
		require.NotContains(t, page, "bn_")
	}
	require.Equal(t, 422, s.Do("POST", "/api/v1/bundles/"+id+"/replay", `{"extra":1}`).Code)
	require.Equal(t, 400, s.Do("POST", "/api/v1/bundles/"+id+"/replay", `{`).Code)
}
