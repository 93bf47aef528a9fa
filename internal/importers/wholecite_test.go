package importers_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/ledger/checks"
	"sanad/internal/importers"
)

// checked imports a provider's file, judges it and makes the checks, as the app does.
func checked(t *testing.T, file map[string]any) *ledger.Session {
	t.Helper()
	data, err := json.Marshal(file)
	require.NoError(t, err)
	read, err := importers.Read(data, importers.Options{})
	require.NoError(t, err)
	s := &read.Session
	judge.Run(s, judge.NewLexical(), time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC))
	s.ResolveCitations(nil)
	cited := judge.Cited(s, judge.NewLexical())
	checks.TakeCited(s, cited)
	checks.Run(s, cited)
	return s
}

// TestCitationsOfWholeFiles checks citations by which a provider names a file and no words of it against all of the
// file; without its text nothing is said to hold.
func TestCitationsOfWholeFiles(t *testing.T) {
	const claim = "Visitors must wear a badge inside the laboratory."
	filler := strings.Repeat("The canteen is open from noon. Trays go back to the counter. ", 40)
	passage := func(file, text string) map[string]any {
		return map[string]any{"file_id": file, "filename": file + ".md", "score": 0.8, "text": text}
	}
	for _, x := range []struct {
		name     string
		passages []map[string]any
		want     ledger.CitationStatus
		bare     bool
	}{
		{name: "one passage supports it", passages: []map[string]any{passage("f1", claim)}, want: ledger.Holds},
		{
			name: "the second of two passages supports it", want: ledger.Holds,
			passages: []map[string]any{passage("f1", "The canteen is open from noon."), passage("f1", claim)},
		},
		{
			name: "the end of a long passage supports it", want: ledger.Holds,
			passages: []map[string]any{passage("f1", filler+"\n\n"+claim)},
		},
		{
			name: "nothing supports it", passages: []map[string]any{passage("f1", filler)}, want: ledger.DoesNotHold,
		},
		{
			name: "another file supports it", want: ledger.Elsewhere,
			passages: []map[string]any{passage("f1", filler), passage("f2", claim)},
		},
		{name: "its text is not in the file", passages: []map[string]any{passage("f2", claim)}, want: ledger.NotResolved, bare: true},
	} {
		t.Run(x.name, func(t *testing.T) {
			s := checked(t, map[string]any{
				"request": map[string]any{"model": "m", "input": "Who wears a badge?"},
				"response": map[string]any{"id": "r", "object": "response", "model": "m", "output": []any{
					map[string]any{"type": "file_search_call", "id": "s", "status": "completed", "results": x.passages},
					map[string]any{"type": "message", "role": "assistant", "content": []any{map[string]any{
						"type": "output_text", "text": claim, "annotations": []any{map[string]any{
							"type": "file_citation", "file_id": "f1", "filename": "f1.md", "index": len(claim)}}}}},
				}}})
			checks := s.Claims[0].Checks
			require.Len(t, checks.Citations, 1)
			require.Equal(t, x.want, checks.Citations[0].Status)
			require.Equal(t, x.bare, checks.Unchecked)
		})
	}
}

// TestCitationsOfWordsThatTheyBring shows that words which only the citation itself quotes bear out no citation.
func TestCitationsOfWordsThatTheyBring(t *testing.T) {
	const claim = "Visitors must wear a badge inside the laboratory."
	s := checked(t, map[string]any{
		"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": []any{map[string]any{
			"type": "text", "text": claim, "citations": []any{map[string]any{
				"type": "web_search_result_location", "cited_text": claim, "url": "https://lab.example/rules",
				"title": "Rules", "encrypted_index": "x"}}}}})
	checks := s.Claims[0].Checks
	require.Len(t, checks.Citations, 1)
	require.Equal(t, ledger.NotResolved, checks.Citations[0].Status)
	require.True(t, checks.Unchecked)
}
