package exporters

import (
	"sanad/internal/domain/ledger"
	"sanad/internal/words"
)

// exportTexts are the texts of exported files (rule L-22). They are frozen.
var exportTexts = words.In("en")

// named returns the exported name of a value, "" if it has none.
func named[T ~string](prefix string, value T) string {
	if id := prefix + string(value); exportTexts.Has(id) {
		return exportTexts.Text(id)
	}
	return ""
}

func verdictName(v ledger.Verdict) string { return named("exported.verdict_", v) }

// verdictLabel returns the name of a verdict after its sign: "✓ Supported".
func verdictLabel(v ledger.Verdict) string { return named("exported.label_", v) }

func typeName(t ledger.ClaimType) string { return named("exported.type_", t) }

func importanceName(i ledger.Importance) string { return named("exported.importance_", i) }

func severityName(s ledger.Severity) string { return named("exported.severity_", s) }

func riskName(r ledger.RiskType) string { return named("exported.risk_", r) }

func actionName(a ledger.Action) string { return named("exported.action_", a) }
