package pack

import (
	"slices"
	"strconv"
	"strings"

	"sanad/internal/words"
)

// Severity is whether a fault prevents submission or is only a warning.
type Severity string

// The two severities.
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
)

// Rule is a rule that packs are checked against. Numbers and names are stable: they are shown, logged and linked to.
// The catalogue of words has what to do about a broken rule, under "rule.NAME".
type Rule struct {
	Number   int
	Name     string
	Severity Severity
}

// The rules (rule P-7; a warning does not prevent submission).
var (
	sourceName        = rule(1, "source_name")
	sourceReference   = rule(2, "source_reference")
	sourceExcerpt     = rule(3, "source_excerpt")
	sourceRetrieved   = rule(4, "source_retrieved")
	sourceConfidence  = rule(5, "source_confidence")
	excerptLength     = rule(6, "excerpt_length")
	excerptVerbatim   = rule(7, "excerpt_verbatim")
	excerptHash       = rule(8, "excerpt_hash")
	callIntended      = rule(9, "tool_intended")
	callActual        = rule(10, "tool_actual")
	memoLanguage      = rule(11, "memo_language")
	summaryWords      = rule(12, "summary_words")
	bodyWords         = rule(13, "body_words")
	topReferenced     = rule(14, "top_evidence")
	ownProse          = rule(15, "own_prose")
	sourceFreshness   = rule(16, "source_freshness")
	claimUnjudged     = rule(17, "claim_unjudged")
	sensitiveContent  = rule(18, "s3_content")
	retrievedLater    = warning(19, "retrieved_later")
	contentHash       = warning(20, "content_hash")
	unknownReference  = warning(21, "unknown_reference")
	ledgerMissing     = warning(22, "ledger_missing")
	callContradiction = warning(23, "tool_contradiction")
	statementLanguage = rule(24, "statement_language") // from A2 on
	statementSingle   = warning(25, "statement_single")
	callUnclear       = warning(26, "tool_unclear")
	memoLatin         = warning(27, "memo_latin")

	memoQuotation      = warning(28, "memo_quotation")       // of a source or tool call
	memoClaimQuotation = warning(29, "memo_claim_quotation") // of a claim
)

// Rules lists all rules by number: append only (pinned by stored_test.go).
var Rules = []*Rule{sourceName, sourceReference, sourceExcerpt, sourceRetrieved, sourceConfidence, excerptLength,
	excerptVerbatim, excerptHash,
	callIntended, callActual, memoLanguage, summaryWords, bodyWords, topReferenced, ownProse, sourceFreshness,
	claimUnjudged, sensitiveContent,
	retrievedLater, contentHash, unknownReference, ledgerMissing, callContradiction,
	statementLanguage, statementSingle, callUnclear, memoLatin, memoQuotation, memoClaimQuotation}

func rule(number int, name string) *Rule {
	return &Rule{Number: number, Name: name, Severity: SeverityError}
}

func warning(number int, name string) *Rule {
	return &Rule{Number: number, Name: name, Severity: SeverityWarning}
}

// Fault is a place that breaks a rule.
type Fault struct {
	Rule *Rule
	Path string // "sources[2].excerpt", "memo.body_ar"
	Args []any  // name, value, name, value … for the message: numbers, or text for a reference
}

// Text returns what to do, in a language. args replaces Fault.Args, with numbers in the reader's digits.
func (f *Fault) Text(lang string, args ...any) string {
	return words.In(lang).Text("rule."+f.Rule.Name, args...)
}

// Broken reports whether a fault prevents submission.
func Broken(faults []Fault) bool {
	return slices.ContainsFunc(faults, func(f Fault) bool { return f.Rule.Severity == SeverityError })
}

// ruleList returns the first ten broken rules: "rule 3 (sources[0].excerpt), …".
func ruleList(faults []Fault) string {
	var out []string
	for _, f := range faults {
		if f.Rule.Severity != SeverityError {
			continue
		}
		if len(out) == 10 {
			out = append(out, "…")
			break
		}
		out = append(out, "rule "+strconv.Itoa(f.Rule.Number)+" ("+f.Path+")")
	}
	return strings.Join(out, ", ")
}
