package importers

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/words"
)

// seedLedger is the ledger of the founding spec, which has no "sanad" part.
const seedLedger = `{"ledger_id":"led_abc123","session_id":"ses_xyz789","generated_at":"2026-01-03T14:30:00Z",
 "summary":{"total_claims":4},"entries":[{"claim_id":"clm_001",
 "claim_text":"Employees are entitled to 15 days of annual leave","claim_type":"policy","importance":"critical",
 "verdict":"supported","confidence_score":0.92,"evidence":{"chunk_ids":["a1b2c3d4"],
 "snippet":"All permanent employees shall receive 15 days of paid annual leave per calendar year.",
 "source":{"document_id":"doc_hr001","filename":"HR_Policy.pdf","page_number":12}},
 "notes":"Direct quote from source document"}],
 "risk_flags":[{"type":"missing_evidence","severity":"high"}]}`

// A ledger without our part is read with a warning of what it lacks; its verdict stays the file's.
func TestPlainLedger(t *testing.T) {
	r, err := Read([]byte(seedLedger), Options{})
	require.NoError(t, err)
	s := &r.Session
	require.Len(t, s.Documents, 1)
	require.Equal(t, []any{"doc_hr001", "HR_Policy.pdf", 12},
		[]any{s.Documents[0].Key, s.Documents[0].Filename, s.Documents[0].Chunks[0].Page})
	require.Equal(t, []any{"clm_001", "critical", false, 0},
		[]any{s.Claims[0].Key, string(s.Claims[0].Importance), s.Claims[0].Given, len(s.Claims[0].Matches)})
	require.Equal(t, s.Claims[0].Text, s.Answer)
	require.Contains(t, r.Warnings, domain.Warn("sanad", words.Msg("warning_plain_ledger")))
	require.Contains(t, r.Warnings, domain.Warn("summary.total_claims", words.Msg("warning_plain_count", "N", 4, "All", 1)))
	said := s.Upstream(0)
	require.Equal(t, []any{ledger.Supported, 0.92, "Direct quote from source document"},
		[]any{said.Verdict, *said.Score, said.Reason})
	var whole []string
	for _, x := range s.UpstreamWhole().Scores {
		whole = append(whole, x.Name+" "+string(x.Value)+x.Label)
	}
	require.Equal(t, []string{"ledger_id led_abc123", "session_id ses_xyz789", "generated_at 2026-01-03T14:30:00Z",
		"total_claims 4", "risk_flag missing_evidence high"}, whole)

	for _, bad := range []string{
		`{"ledger_id":"x"}`, `{"ledger_id":"x","entries":[]}`, `{"ledger_id":"x","entries":[{"claim_text":" "}]}`,
		`{"ledger_id":"x","entries":{}}`,
	} {
		_, err := Read([]byte(bad), Options{})
		require.Error(t, err, bad)
	}
}
