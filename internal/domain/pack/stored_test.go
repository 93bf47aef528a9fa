package pack_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/pack"
)

// TestStoredLists pins what is stored, exported or signed, by name, number or order. Values may be appended; renaming,
// moving or removing one changes the meaning of stored packs, or makes them fail to verify.
func TestStoredLists(t *testing.T) {
	require.Equal(t, []pack.State{"draft", "in_review", "signed_off", "returned", "superseded", "discarded"}, pack.States[:6])
	require.Equal(t, []pack.Level{"mandatory", "recommended", "skip"},
		[]pack.Level{pack.Mandatory, pack.Recommended, pack.Skip})
	require.Equal(t, []string{"A0", "A1", "A2", "A3"}, pack.ApprovalClasses)
	require.Equal(t, []string{"R0", "R1", "R2", "R3"}, pack.ReversibilityClasses)
	require.Equal(t, []string{"S0", "S1", "S2", "S3"}, pack.SensitivityClasses)
	require.Equal(t, []string{"document", "record", "tool", "model_output"}, pack.SourceKinds[:4])
	require.Equal(t, []string{"verified", "unverified", "failed"}, pack.VerificationStatuses[:3])
	require.Equal(t, []string{"head", "blind", "claim", "set_aside", "excerpt", "memo", "tool_call"},
		[]string{pack.LeafHead, pack.LeafBlind, pack.LeafClaim, pack.LeafAside, pack.LeafExcerpt, pack.LeafMemo,
			pack.LeafCall})

	reasons := []string{
		"approval_class A2 or A3", "reversibility_class R3", "sensitivity_class S3",
		"confidence < 0.7 on a high-stakes decision", "approval_class A1",
	}
	for i, name := range reasons {
		require.Equal(t, i+1, pack.Reasons[i].Number)
		require.Equal(t, name, pack.Reasons[i].Name)
	}
	rules := []string{
		"source_name", "source_reference", "source_excerpt", "source_retrieved", "source_confidence", "excerpt_length",
		"excerpt_verbatim",
		"excerpt_hash", "tool_intended", "tool_actual", "memo_language", "summary_words", "body_words", "top_evidence",
		"own_prose",
		"source_freshness", "claim_unjudged", "s3_content", "retrieved_later", "content_hash", "unknown_reference",
		"ledger_missing",
		"tool_contradiction", "statement_language", "statement_single", "tool_unclear", "memo_latin", "memo_quotation", "memo_claim_quotation",
	}
	for i, name := range rules {
		require.Equal(t, i+1, pack.Rules[i].Number)
		require.Equal(t, name, pack.Rules[i].Name)
	}
}

// TestStoredLeaves: the content root hashes the leaves in this order, as in every signed pack.
func TestStoredLeaves(t *testing.T) {
	f := freeze(t, draftOf(hospital(), session(2)))
	var order []string
	for _, s := range f.Salts.Salts {
		order = append(order, s.Kind+" "+s.ID)
	}
	require.Equal(t, []string{
		"head " + id1, "blind " + id1, "claim clm_001", "claim clm_002", "excerpt E1", "excerpt E2", "excerpt E3",
		"excerpt E4",
		"memo body_ar", "memo body_en", "memo executive_summary_ar", "memo executive_summary_en", "memo title_ar",
		"memo title_en",
		"tool_call T1", "tool_call T2", "tool_call T3",
	}, order)
}
