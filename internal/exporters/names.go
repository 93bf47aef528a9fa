package exporters

import "sanad/internal/domain/ledger"

// The English names of the export (rule L-22).
var (
	verdictNames = map[ledger.Verdict]string{
		ledger.Supported: "Supported", ledger.Weak: "Weak", ledger.Contradicted: "Contradicted", ledger.NotFound: "Not Found",
	}
	verdictLabels = map[ledger.Verdict]string{
		ledger.Supported: "✓ Supported", ledger.Weak: "? Weak", ledger.Contradicted: "✗ Contradicted", ledger.NotFound: "○ Not Found",
	}
	typeNames = map[ledger.ClaimType]string{
		ledger.Fact: "Fact", ledger.Policy: "Policy", ledger.Numeric: "Numeric", ledger.Definition: "Definition",
	}
	importanceNames = map[ledger.Importance]string{
		ledger.Critical: "Critical", ledger.Material: "Material", ledger.Minor: "Minor",
	}
	severityNames = map[ledger.Severity]string{ledger.High: "High", ledger.Medium: "Medium", ledger.Low: "Low"}
	riskNames     = map[ledger.RiskType]string{
		ledger.MissingEvidence: "Missing Evidence", ledger.Contradiction: "Contradiction", ledger.OutdatedSource: "Outdated Source",
		ledger.AmbiguousEvidence: "Ambiguous Evidence", ledger.ConflictingSources: "Conflicting Sources", ledger.LowConfidence: "Low Confidence",
	}
	actionNames = map[ledger.Action]string{
		ledger.Confirm: "confirmed", ledger.Override: "overrode", ledger.Edit: "edited", ledger.Comment: "commented",
		ledger.NeedsEvidence: "asked for evidence", ledger.Undo: "took back",
	}
)
