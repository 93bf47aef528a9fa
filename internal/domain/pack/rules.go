package pack

import (
	"slices"
	"strconv"
	"strings"
)

// Severity tells what keeps a pack from being submitted from what is only worth a look.
type Severity string

// The two severities.
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
)

// Rule is one rule that a pack is checked by. Numbers and names are stable: they are shown, logged and linked to.
type Rule struct {
	Number   int
	Name     string
	Severity Severity
	Words    string // the rule as it was first written
	EN, AR   string // what to do, with a place for each of Fault.Args
}

// Key is the message key of the rule.
func (r *Rule) Key() string { return "pack_rule_" + r.Name }

// The rules (rule P-7; from 19 on they keep nothing from being submitted).
var (
	sourceName        = rule(1, "source_name", "a source without name", "Name the source.", "اذكر اسم المصدر.")
	sourceReference   = rule(2, "source_reference", "a source without URI/reference", "Give the source's URI or internal reference.", "أضف رابط المصدر أو مرجعه الداخلي.")
	sourceExcerpt     = rule(3, "source_excerpt", "a source without excerpt", "Add the verbatim excerpt.", "أضف الاقتباس الحرفي.")
	sourceRetrieved   = rule(4, "source_retrieved", "a source without timestamp", "Say when the source was retrieved.", "حدّد وقت استرجاع المصدر.")
	sourceConfidence  = rule(5, "source_confidence", "a source without confidence in [0,1]", "Give a confidence from 0 to 1.", "حدّد درجة ثقة بين 0 و1.")
	excerptLength     = rule(6, "excerpt_length", "excerpt too long", "The excerpt has %d characters; %d are the most.", "عدد أحرف الاقتباس %d، والحد الأقصى %d.")
	excerptVerbatim   = rule(7, "excerpt_verbatim", "not found verbatim in the stored document when that is in the store", "The excerpt does not stand in the stored document word for word.", "لا يَرِد الاقتباس بنصه في المستند المحفوظ.")
	excerptHash       = rule(8, "excerpt_hash", "excerpt_hash is not that of the excerpt", "The excerpt's hash is not that of the excerpt.", "بصمة الاقتباس لا تطابق نصه.")
	callIntended      = rule(9, "tool_intended", "a tool call without intended action", "Say what the tool was meant to do.", "اذكر ما كان مقصودًا من الأداة.")
	callActual        = rule(10, "tool_actual", "a tool call without actual action", "Say what the tool did; \"none\" where it did nothing.", "اذكر ما نفّذته الأداة فعليًا، أو «لا شيء» إن لم تنفّذ شيئًا.")
	memoLanguage      = rule(11, "memo_language", "memo in one language", "Write this part of the memo too: it must be in both languages.", "اكتب هذا الجزء من المذكرة أيضًا، فهي مطلوبة باللغتين.")
	summaryWords      = rule(12, "summary_words", "summary over 120 words", "The summary has %d words; %d are the most.", "عدد كلمات الملخص %d، والحد الأقصى %d.")
	bodyWords         = rule(13, "body_words", "body over 600 words in either", "The body has %d words; %d are the most.", "عدد كلمات المتن %d، والحد الأقصى %d.")
	topReferenced     = rule(14, "top_evidence", "top 3 not referenced", "Refer to the evidence %s in the text.", "أشِر إلى الأدلة %s في المتن.")
	ownProse          = rule(15, "own_prose", "every source of kind model_output (own prose only)", "Add a source that is not the model's own text.", "أضف مصدرًا ليس من نص النموذج نفسه.")
	sourceFreshness   = rule(16, "source_freshness", "a source with decided_at − retrieved_at over data_freshness_window_hours", "The source was retrieved %d hours before the decision; %d are the most.", "استُرجع المصدر قبل القرار بساعات عددها %d، والحد الأقصى %d.")
	claimUnjudged     = rule(17, "claim_unjudged", "an unjudged claim without a review", "Review this claim: no judge has judged it.", "راجِع هذه الإفادة، فلم يُحكم عليها بعد.")
	sensitiveContent  = rule(18, "s3_content", "S3 text is replaced at the door by URI and SHA-256(salt ‖ content)", "S3 content may not stand here; keep its URI and salted hash.", "لا يجوز حفظ محتوى S3 هنا، ويُكتفى برابطه وبصمته المملّحة.")
	retrievedLater    = warning(19, "retrieved_later", "", "The source was retrieved after the decision.", "استُرجع المصدر بعد اتخاذ القرار.")
	contentHash       = warning(20, "content_hash", "SHOULD include a content hash (SHA-256) of the full retrieved content", "Add the hash of the full content.", "أضف بصمة المحتوى الكامل.")
	unknownReference  = warning(21, "unknown_reference", "", "There is no evidence %s.", "لا يوجد دليل بالرقم %s.")
	ledgerMissing     = warning(22, "ledger_missing", "", "The decision names a review session that is not here.", "يشير القرار إلى جلسة مراجعة غير موجودة.")
	callContradiction = warning(23, "tool_contradiction", "MUST flag contradictions", "The tool did something else than was intended.", "نفّذت الأداة غير المقصود.")
)

// Rules lists all rules by number: append only (pinned by stored_test.go).
var Rules = []*Rule{sourceName, sourceReference, sourceExcerpt, sourceRetrieved, sourceConfidence, excerptLength, excerptVerbatim, excerptHash,
	callIntended, callActual, memoLanguage, summaryWords, bodyWords, topReferenced, ownProse, sourceFreshness, claimUnjudged, sensitiveContent,
	retrievedLater, contentHash, unknownReference, ledgerMissing, callContradiction}

func rule(number int, name, words, en, ar string) *Rule {
	return &Rule{Number: number, Name: name, Severity: SeverityError, Words: words, EN: en, AR: ar}
}

func warning(number int, name, words, en, ar string) *Rule {
	return &Rule{Number: number, Name: name, Severity: SeverityWarning, Words: words, EN: en, AR: ar}
}

// Fault is a rule broken at one place.
type Fault struct {
	Rule *Rule
	Path string // "sources[2].excerpt", "memo.body_ar"
	Args []any  // what fills the rule's message: numbers, or text for a reference
}

// Broken tells whether a fault keeps the pack from being submitted.
func Broken(faults []Fault) bool {
	return slices.ContainsFunc(faults, func(f Fault) bool { return f.Rule.Severity == SeverityError })
}

// ruleList names the broken rules: "rule 3 (sources[0].excerpt), …", the first ten.
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
