package exporters

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/exporters/exporttest"
	"sanad/internal/exporters/prose"
)

// The verdicts of a provider's file have their own section, as plain text. Our own formats have none.
func TestMarkdownSaysWhatTheFileSaid(t *testing.T) {
	s := exporttest.English()
	s.Format = "ragtruth"
	s.Extra = map[string]json.RawMessage{
		ledger.UpstreamWholePath: json.RawMessage(`{"format":"ragtruth","placed":{"exact":3,"normalised":0,"fuzzy":0,"not_placed":1},"scores":[{"name":"faithfulness","value":0.5}]}`),
		ledger.UpstreamPath(0): json.RawMessage(`{"verdict":"contradicted","label":"Evident <b>","score":0.25,"reason":"not so",
			"citations":[{"placed":"fuzzy","words":"15 | days","document_id":"hr"}],"labels":[{"placed":"exact","words":"w","label":"l"}]}`),
	}
	written := func() string {
		var b bytes.Buffer
		require.NoError(t, Markdown(&b, exporttest.Assess(s)))
		return b.String()
	}
	got := written()
	_, section, found := strings.Cut(got, "\n## What the File Said\n\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n## ")
	require.Equal(t, strings.Join([]string{
		"Imported from RAGTruth. What its file says stands beside the verdicts above and decides none of them.", "",
		"- Citations and labels: 4; placed exactly: 3 (75%), same words, different spelling: 0 (0%), nearly the same words: 0 (0%), not placed: 1 (25%)",
		"- faithfulness; 0.5",
		"- #1: the file said ✗ Contradicted; " + prose.Inline("Evident <b>") + "; score 0.25; not so",
		"- #1: " + prose.Inline("“15 | days”") + "; hr; nearly the same words",
		"- #1: “w”; l; placed exactly", "",
	}, "\n"), section)
	s.Format = "sanad.session/v1"
	require.NotContains(t, written(), "What the File Said")
	s.Format, s.Extra = "langfuse.trace", map[string]json.RawMessage{ledger.UpstreamWholePath: json.RawMessage(`{"format":"langfuse.trace"}`)}
	require.Contains(t, written(), "## What the File Said\n\nImported from Langfuse.")
}

// What whoever sent the claims said of them stands in every export beside the verdict (rule L-29).
func TestCallersWordsAreExported(t *testing.T) {
	s := exporttest.English()
	s.Extra = map[string]json.RawMessage{"claims[0].matches[0].notes": json.RawMessage(`"Direct quote from source document"`)}
	l := exporttest.Assess(s)
	var b bytes.Buffer
	require.NoError(t, Markdown(&b, l))
	require.Contains(t, b.String(), "\n## What the File Said\n\nWords of whoever sent the claims.")
	require.Contains(t, b.String(), "- #1: the file said Direct quote from source document\n")
	view := APILedger(l)
	require.Equal(t, "Direct quote from source document", view.Entries[0].Upstream.Reason)
	require.NotContains(t, view.Entries[0].Notes, "Direct quote")
	require.Nil(t, view.Entries[1].Upstream)
	p := &pdfWriter{Lang: &prose.Langs[0], l: l}
	var said strings.Builder
	for _, span := range p.findings(&l.Entries[0], nil) {
		said.WriteString(span.Text)
	}
	require.Contains(t, said.String(), "The imported file or the caller says: Direct quote from source document")
}
