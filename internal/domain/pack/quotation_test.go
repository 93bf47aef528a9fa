package pack_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
)

// TestQuotationsOfWhatWasMended: a memo that quotes what was mended after it was written is warned of, with the place;
// a quotation that still stands, a short one and a translated one are not.
func TestQuotationsOfWhatWasMended(t *testing.T) {
	received := &pack.Decision{
		Evidence:  []pack.EvidenceSource{{Source: "crm", URI: "crm:1", Quote: pack.Quote{Excerpt: "The hospital runs 300 beds in two wings."}}},
		ToolCalls: []pack.ToolCallRecord{{ID: "c1", ToolName: "pay", IntendedAction: "keep the payment as a draft", ActualAction: "released it"}},
	}
	draft := func(memo pack.BilingualMemo) *pack.Content {
		c := &pack.Content{Memo: memo,
			Sources: []pack.EvidenceSource{{Source: "crm", URI: "crm:1",
				Quote: pack.Quote{Excerpt: "The hospital runs 310 beds in three wings, and «غرف العمليات» are new."}}},
			ToolCalls: []pack.ToolCallRecord{{ID: "c1", ToolName: "pay", IntendedAction: "hold it", ActualAction: "released the payment to the supplier"}},
			Ledger: &pack.Ledger{Entries: []pack.Entry{{ClaimID: "a", Number: 4, Verdict: ledger.Supported,
				ClaimText: "لا يتجاوز رصيد الإجازات المرحّل خمسة أيام في السنة"}}}}
		return c
	}
	for name, x := range map[string]struct {
		memo pack.BilingualMemo
		want []any // rule, path, and where
	}{
		"what still stands": {memo: pack.BilingualMemo{BodyEN: `“RELEASED the payment to the supplier.” and "310 beds in three wings"`}},
		"cut":               {memo: pack.BilingualMemo{BodyEN: "“The hospital runs 310 be …” and “The hospital … three wings”"}},
		"too short to tell": {memo: pack.BilingualMemo{BodyEN: "“released it”, “two wings”"}},
		"a translation":     {memo: pack.BilingualMemo{BodyEN: "“Carried-over leave is at most five days a year”"}},
		"without vowel signs, in other digits": {memo: pack.BilingualMemo{BodyAR: "«لا يتجاوز رصيد الإجازات المرحل»",
			BodyEN: "“The hospital runs ٣١٠ beds”"}},
		"a call that was rewritten": {memo: pack.BilingualMemo{BodyEN: "It was told to “keep the payment as a draft” [E1]."},
			want: []any{"memo_quotation", "memo.body_en", "T1"}},
		"a source, as a quoted line": {memo: pack.BilingualMemo{ExecutiveSummaryEN: "So:\n\n> The hospital runs\n> 300 beds [E1]\n\nEnd."},
			want: []any{"memo_quotation", "memo.executive_summary_en", "E1"}},
		"a claim": {memo: pack.BilingualMemo{BodyAR: "ورد أن «لا يتجاوز رصيد الإجازات المرحّل عشرة أيام في السنة»."},
			want: []any{"memo_claim_quotation", "memo.body_ar", 4}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []any
			for _, f := range draft(x.memo).ValidateDraft(nil, received) {
				if f.Rule.Number >= 28 {
					got = append(got, f.Rule.Name, f.Path, f.Args[3])
					require.Equal(t, pack.SeverityWarning, f.Rule.Severity)
				}
			}
			require.Equal(t, x.want, got)
		})
	}
	c := draft(pack.BilingualMemo{BodyEN: "“keep the payment as a draft”"})
	stored := c.ValidateDraft(map[int]string{0: "You shall keep the payment as a draft until then."}, received)
	require.False(t, slices.ContainsFunc(stored, func(f pack.Fault) bool { return f.Rule.Number == 28 }), "the document has it")
}
