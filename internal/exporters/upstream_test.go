package exporters

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
)

// The verdicts of a provider's file have their own section, as plain text. Our own formats have none.
func TestMarkdownSaysWhatTheFileSaid(t *testing.T) {
	s := english()
	s.Format = "ragtruth"
	s.Extra = map[string]json.RawMessage{
		ledger.UpstreamWholePath: json.RawMessage(`{"format":"ragtruth","placed":{"exact":3,"normalised":0,"fuzzy":0,"not_placed":1},"scores":[{"name":"faithfulness","value":0.5}]}`),
		ledger.UpstreamPath(0): json.RawMessage(`{"verdict":"contradicted","label":"Evident <b>","score":0.25,"reason":"not so",
			"citations":[{"placed":"fuzzy","words":"15 | days","document_id":"hr"}],"labels":[{"placed":"exact","words":"w","label":"l"}]}`),
	}
	written := func() string {
		var b bytes.Buffer
		require.NoError(t, Markdown(&b, assess(s)))
		return b.String()
	}
	got := written()
	_, section, found := strings.Cut(got, "\n## What the File Said\n\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n## ")
	require.Equal(t, strings.Join([]string{
		"Imported from RAGTruth. What its file says stands beside the verdicts above and decides none of them.", "",
		"- Citations and labels: 4; placed exactly: 3 (75%), same words, other spelling: 0 (0%), nearly the same words: 0 (0%), not placed: 1 (25%)",
		"- faithfulness; 0.5",
		"- #1: the file said ✗ Contradicted; " + inline("Evident <b>") + "; score 0.25; not so",
		"- #1: " + inline("“15 | days”") + "; hr; nearly the same words",
		"- #1: “w”; l; placed exactly", "",
	}, "\n"), section)
	s.Format = "sanad.session/v1"
	require.NotContains(t, written(), "What the File Said")
	s.Format, s.Extra = "langfuse.trace", map[string]json.RawMessage{ledger.UpstreamWholePath: json.RawMessage(`{"format":"langfuse.trace"}`)}
	require.Contains(t, written(), "## What the File Said\n\nImported from Langfuse.")
}
