package pack

import (
	"fmt"
	"math"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"sanad/internal/domain/text"
)

// Validate returns every rule that the content breaks: sources, tool calls, memo, claims, each in order. texts has the
// whole text of the stored documents, by position of the source. A draft may break rules; Submit refuses it while
// Broken.
func (c *Content) Validate(texts map[int]string) []Fault { return c.ValidateDraft(texts, nil) }

// ValidateDraft is Validate that also knows the decision as it was received: what the memo quotes may have been mended
// since.
func (c *Content) ValidateDraft(texts map[int]string, received *Decision) []Fault {
	v := validator{c: c, received: received}
	for i := range c.Sources {
		stored, here := texts[i]
		v.source(i, &c.Sources[i], stored, here)
	}
	v.anySource()
	for i := range c.ToolCalls {
		v.call(fmt.Sprintf("tool_calls[%d].", i), &c.ToolCalls[i])
	}
	v.statement()
	v.memo()
	v.quotations(texts)
	v.claims()
	return v.faults
}

type validator struct {
	c        *Content
	received *Decision // nil if it is not known
	faults   []Fault
}

// broken adds a fault if a rule is broken.
func (v *validator) broken(is bool, r *Rule, path string, args ...any) {
	if is {
		v.faults = append(v.faults, Fault{r, path, args})
	}
}

func (v *validator) source(i int, s *EvidenceSource, stored string, here bool) {
	path := fmt.Sprintf("sources[%d].", i)
	v.broken(blank(s.Source), sourceName, path+"source")
	v.broken(blank(s.URI) && blank(s.InternalRef), sourceReference, path+"uri")
	v.retrieved(path, s)
	v.broken(s.Confidence == nil || !share(*s.Confidence), sourceConfidence, path+"confidence")
	v.broken(s.ContentHash == "" && !s.S3(), contentHash, path+"content_hash")
	if s.S3() {
		v.broken(s.Excerpt != "" || bare(s.ExcerptHash) == "" || s.URI == "", sensitiveContent, path+"excerpt")
		return
	}
	v.excerpt(path, s, stored, here)
}

func (v *validator) excerpt(path string, s *EvidenceSource, stored string, here bool) {
	n := text.Len(s.Excerpt)
	v.broken(blank(s.Excerpt), sourceExcerpt, path+"excerpt")
	v.broken(n > MaxExcerpt, excerptLength, path+"excerpt", "N", n, "Max", MaxExcerpt)
	v.broken(here && !blank(s.Excerpt) && Verbatim(s.Excerpt, stored) == "", excerptVerbatim, path+"excerpt")
	v.broken(s.ExcerptHash != Hash([]byte(s.Excerpt)), excerptHash, path+"excerpt_hash")
}

func (v *validator) retrieved(path string, s *EvidenceSource) {
	at, err := time.Parse(time.RFC3339, s.RetrievedAt)
	v.broken(err != nil, sourceRetrieved, path+"retrieved_at")
	decided, wrong := time.Parse(time.RFC3339, v.c.DecidedAt)
	if err != nil || wrong != nil {
		return
	}
	age := decided.Sub(at)
	if limit := v.c.FreshnessWindowHours; limit != nil {
		hours := int(math.Ceil(age.Hours())) // rounded up, so that the message never says "24; 24 are the most"
		v.broken(age > time.Duration(*limit)*time.Hour, sourceFreshness, path+"retrieved_at", "N", hours, "Max", *limit)
	}
	v.broken(age < 0, retrievedLater, path+"retrieved_at")
}

// anySource refuses a pack without sources, or with only the model's own output.
func (v *validator) anySource() {
	for i := range v.c.Sources {
		if v.c.Sources[i].Kind != ModelOutput {
			return
		}
	}
	v.broken(true, ownProse, "sources")
}

func (v *validator) call(path string, t *ToolCallRecord) {
	v.broken(blank(t.IntendedAction), callIntended, path+"intended_action")
	v.broken(blank(t.ActualAction), callActual, path+"actual_action")
	if settled := t.settled(); !blank(t.IntendedAction) && !blank(t.ActualAction) {
		v.broken(settled.Contradicts(), callContradiction, path+"actual_action")
		v.broken(settled.Unclear() && !settled.Contradicts(), callUnclear, path+"actual_action")
	}
	if t.S3() {
		v.broken(len(t.Inputs) > 0 && !isSealed(t.Inputs), sensitiveContent, path+"inputs")
		v.broken(len(t.Outputs) > 0 && !isSealed(t.Outputs), sensitiveContent, path+"outputs")
	}
}

// statement asks for the statement in both languages: from A2 on it is a must.
func (v *validator) statement() {
	v.broken(blank(v.c.Statement), statementLanguage, "statement")
	en, ar := v.c.Statements()
	path := "statement_ar"
	if blank(en) && !blank(ar) {
		path = "statement_en"
	}
	missing, strict := blank(en) != blank(ar), Requires(&v.c.Header).EffectiveClass >= "A2"
	v.broken(missing && strict, statementLanguage, path)
	v.broken(missing && !strict, statementSingle, path)
}

func (v *validator) memo() {
	for _, f := range v.c.Memo.Fields() {
		path := "memo." + f.Name
		v.broken(blank(f.Text) || !inScript(f.Text, f.Lang), memoLanguage, path)
		v.broken(f.Lang == "ar" && inScript(f.Text, "ar") && MostlyLatin(f.Text), memoLatin, path)
		switch n := Words(f.Text); {
		case strings.HasPrefix(f.Name, "executive_summary"):
			v.broken(n > MaxSummaryWords, summaryWords, path, "N", n, "Max", MaxSummaryWords)
		case strings.HasPrefix(f.Name, "body"):
			v.broken(n > MaxBodyWords, bodyWords, path, "N", n, "Max", MaxBodyWords)
			v.references(path, f.Text)
		}
		for _, r := range References(f.Text) {
			v.broken(r.Position >= len(v.c.Sources), unknownReference, path, "Reference", Reference(r.Position))
		}
	}
}

func (v *validator) references(path, body string) {
	var lacking []string
	for _, i := range Top(v.c.Sources) {
		if !refers(body, i) {
			lacking = append(lacking, "["+Reference(i)+"]")
		}
	}
	v.broken(len(lacking) > 0, topReferenced, path, "List", strings.Join(lacking, " "))
}

func (v *validator) claims() {
	if v.c.Ledger == nil {
		v.broken(v.c.LedgerSessionID != "", ledgerMissing, "ledger")
		return
	}
	for i := range v.c.Ledger.Entries {
		v.broken(!v.c.Ledger.Entries[i].judged(), claimUnjudged, fmt.Sprintf("ledger.entries[%d]", i))
	}
}

// inScript reports whether a text has a letter of its language's script, to find a memo with one language in both
// places.
func inScript(s, lang string) bool {
	script := unicode.Latin
	if lang == "ar" {
		script = unicode.Arabic
	}
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(script, r) && unicode.IsLetter(r) })
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }

// Verbatim returns how an excerpt occurs in a stored text: text.Exact; text.Normalised if only line breaks, spaces or
// Unicode normalisation differ, as between two extractions of one file; "" if it does not occur. Other words, letters
// (أ for ا) or marks make a different text.
func Verbatim(excerpt, stored string) text.PlacementKind {
	switch {
	case strings.Contains(stored, excerpt):
		return text.Exact
	case strings.Contains(folded(stored), folded(excerpt)):
		return text.Normalised
	}
	return ""
}

func folded(s string) string { return strings.Join(strings.Fields(norm.NFC.String(s)), " ") }
