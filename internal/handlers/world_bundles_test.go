package handlers_test

import (
	"github.com/stretchr/testify/require"
)

// inlineBundle and foreignBundle are requests for bundles of one text.
const (
	inlineBundle  = `{"job_input":{"extra_params":{"evidence":[{"text":"Leave is 15 days.","source_uri":"hr"}]}}}`
	foreignBundle = `{"job_input":{"extra_params":{"evidence":[{"text":"Far away.","source_uri":"hr"}]}}}`
)

// addBundles makes a bundle and an artifact of the lake: {bundle}, {artifact}.
func (w *world) addBundles() {
	w.t.Helper()
	w.names["bundle"], w.names["artifact"] = w.as("reviewer").bundle(inlineBundle), "docs/bio.md"
	require.Equal(w.t, 201, w.as("reviewer").do("PUT", "/api/v1/lake/docs/bio.md", "Luke is a Jedi.").Code)
}

// bundle makes a bundle that is new and gives its id.
func (s *server) bundle(body string) string {
	s.t.Helper()
	return get[map[string]any](s.t, s.do("POST", "/api/v1/bundles", body), 201)["bundle_id"].(string)
}
