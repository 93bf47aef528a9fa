package exporters

import (
	"sanad/internal/domain/ledger"
	"sanad/internal/words"
)

// exportTexts are the texts of exported files (rule L-22). They are frozen.
var exportTexts = words.In("en")

// Named returns the exported name of a value, "" if it has none.
func Named[T ~string](prefix string, value T) string {
	if id := prefix + string(value); exportTexts.Has(id) {
		return exportTexts.Text(id)
	}
	return ""
}

func VerdictName(v ledger.Verdict) string { return Named("exported.verdict_", v) }

// verdictLabel returns the name of a verdict after its sign: "✓ Supported".
func verdictLabel(v ledger.Verdict) string { return Named("exported.label_", v) }

// tierLabel returns the name of a verdict after its sign, with its tier.
func tierLabel(v ledger.Verdict, t ledger.Tier) string {
	if t == "" {
		return verdictLabel(v)
	}
	return exportTexts.Text("exported.tier_label", "Verdict", verdictLabel(v), "Tier", Named("exported.tier_", t))
}

func typeName(t ledger.ClaimType) string { return Named("exported.type_", t) }

func importanceName(i ledger.Importance) string { return Named("exported.importance_", i) }

func severityName(s ledger.Severity) string { return Named("exported.severity_", s) }

func RiskName(r ledger.RiskType) string { return Named("exported.risk_", r) }

func didName(r *ledger.Review) string { return Named("exported.action_", r.Did()) }

// Language is the language of a PDF or a table.
type Language string

// The languages that a file can be made in.
const (
	English       Language = "en"
	Arabic        Language = "ar"
	BothLanguages Language = "both"
)

// Languages lists them.
var Languages = []Language{English, Arabic, BothLanguages}

// waits returns the message that says why no person's verdict on a claim counts yet: nobody has reviewed it, or one of
// the two reviews of a blind session is there; "" if one counts. All exports say it by this.
func waits(e *ledger.Entry) string {
	switch {
	case e.State != ledger.Unreviewed:
		return ""
	case e.Halves() > 0:
		return "review_half"
	}
	return "unreviewed"
}

// halves counts the claims of which one of two reviews is there.
func halves(l *ledger.Ledger) (n int) {
	for i := range l.Entries {
		if waits(&l.Entries[i]) == "review_half" {
			n++
		}
	}
	return n
}
