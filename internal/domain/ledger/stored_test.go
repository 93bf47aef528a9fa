package ledger_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// TestStoredLists pins what is stored, exported or signed, by index or by name. Values may be appended; renaming,
// moving or removing one changes the meaning of stored data.
func TestStoredLists(t *testing.T) {
	begins(t, []ledger.RiskType{ // bits of sessions.flags and claims.flags
		"missing_evidence", "contradiction", "outdated_source", "ambiguous_evidence", "conflicting_sources",
		"low_confidence", "miscitation", "invented_quotation", "struck_or_hidden", "doubtful_reading",
	}, ledger.RiskTypes)
	// bits of claims.citation_checks and claims.quotation_checks; the names are in claims.checks
	begins(t, []ledger.CitationStatus{"holds", "in_part", "elsewhere", "does_not_hold", "unresolved", "unread"}, ledger.CitationStatuses)
	begins(t, []ledger.QuotationStatus{"exact", "normalised", "fuzzy", "not_found"}, ledger.QuotationStatuses)
	begins(t, []ledger.ConfidenceSource{"calibrated", "caller", "model", "review"}, ledger.ConfidenceSources)
	// places in Table and Histogram
	begins(t, []ledger.Verdict{"supported", "weak", "contradicted", "not_found"}, ledger.Verdicts)
	require.Equal(t, 10, ledger.ConfidenceBins)

	// stored and exported under their names
	begins(t, []ledger.ClaimType{"fact", "policy", "numeric", "definition"}, ledger.ClaimTypes)
	begins(t, []ledger.Importance{"critical", "material", "minor"}, ledger.Importances)
	begins(t, []ledger.Support{"full", "partial", "none"}, ledger.Supports)
	begins(t, []ledger.Action{"confirm", "override", "edit", "comment", "needs_evidence", "undo", "not_a_claim",
		"replace"}, ledger.Actions)
	begins(t, []ledger.ReviewState{"unreviewed", "confirmed", "overridden", "needs_evidence", "not_a_claim",
		"replaced"}, ledger.ReviewStates)
	begins(t, []ledger.PartKind{"", "header", "footer", "note", "comment", "field"}, ledger.PartKinds)
	begins(t, []ledger.LeftOutKind{"hidden", "struck"}, ledger.LeftOutKinds)
	begins(t, []ledger.LeftOutHow{"format", "style", "transparent", "off_page", "tiny", "same_color", "covered", "comment",
		"struck", "deletion"}, ledger.LeftOutHows)
	begins(t, []ledger.State{"new", "in_review", "reviewed", "closed"}, ledger.States)
	begins(t, []ledger.SecondReview{"", "open", "blind"}, ledger.SecondReviews)
	begins(t, []text.PlacementKind{"exact", "normalised", "fuzzy", "not_placed"}, ledger.Placements)
	require.Equal(t, []ledger.Severity{"high", "medium", "low"},
		[]ledger.Severity{ledger.High, ledger.Medium, ledger.Low})
	require.Equal(t, []ledger.DocumentStatus{"ready", "deleted"}, []ledger.DocumentStatus{ledger.Ready, ledger.Deleted})
	require.Equal(t, []ledger.CiteStatus{"resolved", "ambiguous", "unresolved"},
		[]ledger.CiteStatus{ledger.Resolved, ledger.Ambiguous, ledger.Unresolved})
}

func begins[T any](t *testing.T, stored, list []T) {
	t.Helper()
	require.GreaterOrEqual(t, len(list), len(stored), "%v", stored)
	require.Equal(t, stored, list[:len(stored)])
}

// TestStoredTables pins the layout of the two tables that are stored with a session's figures.
func TestStoredTables(t *testing.T) {
	var table ledger.Table
	table.Add(ledger.Weak, ledger.NotFound, 3)
	require.Equal(t, ledger.Table{0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0}, table)
}
