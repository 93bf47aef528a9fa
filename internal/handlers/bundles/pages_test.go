package bundles_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers/webtest"
)

func TestBundlePages(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	require.Contains(t, s.Do("GET", "/bundles", "").Body.String(), "No evidence bundles yet")
	id := s.Bundle(`{"job_input":{"extra_params":{"evidence":[{"text":"Leave is 15 days, ask salem@example.com.","source_uri":"hr"},{"text":"second"},{"text":"third"}]}},
		"evidence_refs":{"lake_text":["docs/none.md"]},"policy":{"max_items":2,"enable_redaction":true},"run_id":"judge-1"}`)
	list := s.As("viewer").Do("GET", "/bundles", "").Body.String()
	require.Contains(t, list, "/bundles/"+id)
	require.Contains(t, s.Do("GET", "/bundles?run_id=judge-1", "").Body.String(), id)
	require.NotContains(t, s.Do("GET", "/bundles?run_id=judge-2", "").Body.String(), id)
	require.NotContains(t, s.As("foreign").Do("GET", "/bundles", "").Body.String(), id)

	for lang, missing := range map[string]string{"en": "There is no such artifact in the lake.", "ar": "لا يوجد في المستودع ملف بهذا المسار."} {
		page := s.As("viewer").Do("GET", "/bundles/"+id+"?lang="+lang, "").Body.String()
		for _, want := range []string{"[REDACTED:email]", "Leave is 15 days", "inline:1", "inline:2",
			"evidence_refs.lake_text[0]", "judge-1", missing} {
			require.Contains(t, page, want)
		}
		require.NotContains(t, page, "salem@example.com")
	}
	download := s.Do("GET", "/bundles/"+id+"/artifact", "")
	require.Contains(t, download.Header().Get("Content-Disposition"), "bundle-"+id+".json")
	require.Equal(t, 404, s.As("foreign").Do("GET", "/bundles/"+id, "").Code)
}

// A page shows fifty items; each item is on exactly one page, with its own text.
func TestBundlePageHasPages(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	var items []string
	for i := range 120 {
		items = append(items, fmt.Sprintf(`{"text":"item number %d."}`, i))
	}
	id := s.Bundle(`{"job_input":{"extra_params":{"evidence":[` + strings.Join(items, ",") +
		`]}},"policy":{"max_items":120}}`)
	seen := 0
	for _, from := range []int{0, 50, 100} {
		page := s.Do("GET", fmt.Sprintf("/bundles/%s?from=%d", id, from), "").Body.String()
		for i := from; i < min(from+50, 120); i++ {
			require.Contains(t, page, fmt.Sprintf("item number %d.", i))
			seen++
		}
		require.Equal(t, from == 100, !strings.Contains(page, fmt.Sprintf("from=%d", from+50)))
	}
	require.Equal(t, 120, seen)
	for _, from := range []string{"-1", "x", "9999999", "99999999999999999999"} {
		require.Equal(t, 200, s.Do("GET", "/bundles/"+id+"?from="+from, "").Code, from)
	}
}
