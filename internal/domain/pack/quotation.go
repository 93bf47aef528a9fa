package pack

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// A memo is written from what the draft says, and that may be mended afterwards. What it quotes then stands nowhere
// any more (rule P-30). A quotation is found by its words: punctuation, case, Arabic vowel signs and the script of
// digits do not matter.

// minQuotation is how many words something in quotation marks has at least to be looked up; fewer are a name or a term.
const minQuotation = 4

var (
	inMarks   = regexp.MustCompile(`“([^“”]+)”|«([^«»]+)»|"([^"\n]+)"`)
	quotedRow = regexp.MustCompile(`(?m)^ {0,3}>[ \t]?(.*)$`)
	leftOut   = regexp.MustCompile(`…|\.\.\.`)
	stands    = strings.NewReplacer("ـ", "", `\`, "") // tatweel, Markdown's escapes
)

// quotations returns what Markdown quotes: between quotation marks, and as quoted lines.
func quotations(markdown string) (out []string) {
	for _, m := range inMarks.FindAllStringSubmatch(markdown, -1) {
		out = append(out, m[1]+m[2]+m[3])
	}
	end, block := 0, ""
	for _, m := range quotedRow.FindAllStringSubmatchIndex(markdown, -1) {
		if m[0] != end+1 && block != "" {
			out, block = append(out, block), ""
		}
		block, end = block+" "+markdown[m[2]:m[3]], m[1]
	}
	if block != "" {
		out = append(out, block)
	}
	return out
}

// plainWords returns the words of a text, with a space around each.
func plainWords(s string) string {
	return bareWords(strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Mn, r):
			return -1
		case r >= '٠' && r <= '٩':
			return r - '٠' + '0'
		case r >= '۰' && r <= '۹':
			return r - '۰' + '0'
		}
		return r
	}, reference.ReplaceAllString(stands.Replace(s), " ")))
}

// quotePlace is a part of the draft that a memo may quote.
type quotePlace struct {
	of   quotedPart
	text string // plainWords of it
}

// quotedPart names such a part: a source or tool call by its reference, or a claim by its number.
type quotedPart struct {
	reference string
	claim     int
}

// quotable returns the parts of a draft that its memo may quote.
func (c *Content) quotable() (out []quotePlace) {
	add := func(of quotedPart, texts ...string) {
		out = append(out, quotePlace{of, plainWords(strings.Join(texts, "\n"))})
	}
	for i := range c.Sources {
		s := &c.Sources[i]
		add(quotedPart{reference: Reference(i)}, s.Source, s.Excerpt)
	}
	for i := range c.ToolCalls {
		add(quotedPart{reference: CallID(i)}, c.ToolCalls[i].words()...)
	}
	for _, e := range c.Ledger.all() {
		texts := []string{e.ClaimText, e.Snippet, e.Notes}
		for _, r := range e.Reviews {
			texts = append(texts, r.Reason)
		}
		add(quotedPart{claim: e.Number}, texts...)
	}
	return out
}

func (t *ToolCallRecord) words() []string {
	out := append([]string{t.ToolName, t.IntendedAction, t.ActualAction, t.Error, string(t.Inputs), string(t.Outputs)},
		t.SideEffects...)
	if t.Departure != nil && t.Departure.Decided != nil {
		out = append(out, t.Departure.Decided.Reason)
	}
	return out
}

// quotedBefore returns the parts of the decision as received that a memo may have been written from, under the
// references that they have in the draft now; those that were removed have the name of the source or tool.
func (c *Content) quotedBefore(received *Decision) (out []quotePlace) {
	if received == nil {
		return nil
	}
	for i := range received.Evidence {
		s := &received.Evidence[i]
		same := func(x EvidenceSource) bool {
			return x.Source == s.Source && x.URI == s.URI && x.InternalRef == s.InternalRef
		}
		of := quotedPart{reference: s.Source}
		if k := slices.IndexFunc(c.Sources, same); k >= 0 {
			of.reference = Reference(k)
		} else if len(c.Sources) == len(received.Evidence) {
			of.reference = Reference(i)
		}
		out = append(out, quotePlace{of, plainWords(s.Excerpt)})
	}
	for i := range received.ToolCalls {
		t := &received.ToolCalls[i]
		of := quotedPart{reference: t.ToolName}
		same := func(x ToolCallRecord) bool { return x.ID == t.ID && x.ToolName == t.ToolName }
		switch k := slices.IndexFunc(c.ToolCalls, same); {
		case i < len(c.ToolCalls) && same(c.ToolCalls[i]):
			of.reference = CallID(i)
		case k >= 0:
			of.reference = CallID(k)
		}
		out = append(out, quotePlace{of, plainWords(strings.Join(t.words(), "\n"))})
	}
	return out
}

// quotations warns of what the memo quotes and is not in the draft any more: it was in the decision as received, or the
// draft has most of its words in one place. A quotation that is nowhere, such as a translated one, is not warned of.
func (v *validator) quotations(texts map[int]string) {
	var now, before []quotePlace
	rest := ""
	for _, f := range v.c.Memo.Fields() {
		for _, q := range quotations(f.Text) {
			words := strings.Fields(plainWords(q))
			if len(words) < minQuotation {
				continue
			}
			if now == nil {
				now, before = v.c.quotable(), v.c.quotedBefore(v.received)
				rest = plainWords(strings.Join([]string{v.c.Title, v.c.Statement, v.c.StatementAR, v.c.StatementEN, v.c.AgentName}, "\n"))
			}
			if contains(rest, q) || slices.ContainsFunc(now, func(p quotePlace) bool { return contains(p.text, q) }) {
				continue
			}
			of, gone := staleIn(q, words, now, before)
			if !gone || inStored(texts, q) {
				continue
			}
			path, shown := "memo."+f.Name, shortQuote(q)
			v.broken(of.claim == 0, memoQuotation, path, "Quote", shown, "Reference", of.reference)
			v.broken(of.claim > 0, memoClaimQuotation, path, "Quote", shown, "N", of.claim)
		}
	}
}

// staleIn returns where a quotation was, or where most of its words are.
func staleIn(q string, words []string, now, before []quotePlace) (quotedPart, bool) {
	for i := range before {
		if contains(before[i].text, q) {
			return before[i].of, true
		}
	}
	best, most := quotedPart{}, 0.0
	for i := range now {
		if x := alike(words, now[i].text); x > most {
			best, most = now[i].of, x
		}
	}
	return best, most > 0
}

// contains reports whether a text has the words of a quotation, in parts where something is left out of it.
func contains(text, quotation string) bool {
	parts := leftOut.Split(quotation, -1)
	for i, part := range parts {
		words := plainWords(part)
		if i+1 < len(parts) { // what follows was cut, perhaps within a word
			words = strings.TrimSuffix(words, " ")
		}
		if i > 0 {
			words = strings.TrimPrefix(words, " ")
		}
		at := strings.Index(text, words)
		if at < 0 {
			return false
		}
		text = text[at:]
	}
	return true
}

// How much of a quotation a text must have for the one to be a changed form of the other.
const (
	mostWords = 0.7 // of its words
	somePairs = 0.3 // of its pairs of neighbours
)

// alike returns the share of words that a text has too; 0 if it is not enough.
func alike(words []string, text string) float64 {
	found, pairs := 0, 0
	for i, w := range words {
		if strings.Contains(text, " "+w+" ") {
			found++
		}
		if i > 0 && strings.Contains(text, " "+words[i-1]+" "+w+" ") {
			pairs++
		}
	}
	share := float64(found) / float64(len(words))
	if share < mostWords || float64(pairs) < somePairs*float64(len(words)-1) {
		return 0
	}
	return share
}

// inStored reports whether a stored document has a quotation.
func inStored(texts map[int]string, q string) bool {
	for _, stored := range texts {
		if contains(plainWords(stored), q) {
			return true
		}
	}
	return false
}

// shownQuote is how many characters of a quotation a warning repeats.
const shownQuote = 80

func shortQuote(q string) string {
	r := []rune(strings.Join(strings.Fields(q), " "))
	if len(r) <= shownQuote {
		return string(r)
	}
	return strings.TrimSpace(string(r[:shownQuote])) + "…"
}
