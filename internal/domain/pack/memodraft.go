package pack

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"sanad/internal/domain/ledger"
)

// DraftMemo writes a memo in both languages from what the pack holds: fixed templates, so that the same pack gives the
// same memo. It keeps the limits of length, by cutting what it quotes.
func DraftMemo(c *Content) BilingualMemo {
	var m BilingualMemo
	m.TitleEN, m.ExecutiveSummaryEN, m.BodyEN = draft(c, &english)
	m.TitleAR, m.ExecutiveSummaryAR, m.BodyAR = draft(c, &arabic)
	return m
}

func draft(c *Content, w *memoWords) (title, summary, body string) {
	d := drafter{c, w}
	title = fmt.Sprintf(w.title, quoted(c.Title, 40))
	summary = fitting(MaxSummaryWords, d.summary)
	body = fitting(MaxBodyWords, d.body)
	return title, summary, body
}

// fitting gives the longest text that keeps the limit: quote is how much of the usual length may be quoted, in percent.
func fitting(limit int, write func(quote int) string) string {
	text := ""
	for _, quote := range []int{100, 50, 25, 10, 0} {
		if text = write(quote); Words(text) <= limit {
			break
		}
	}
	return text
}

// drafter writes the parts of one memo in one language.
type drafter struct {
	c *Content
	w *memoWords
}

func (d drafter) summary(quote int) string {
	c, w := d.c, d.w
	s := fmt.Sprintf(w.decided, w.date(c.DecidedAt), quoted(c.AgentName, 12), w.quote(c.Statement, 45*quote/100))
	s += " " + fmt.Sprintf(w.classed, c.ApprovalClass, c.ReversibilityClass, c.SensitivityClass, percent(c.Confidence))
	if level := w.levels[c.Requirement.Level]; level != "" {
		rules := c.Requirement.Rules
		s += " " + fmt.Sprintf(level, w.because.of(len(rules)), w.reasons(rules))
	}
	return s + " " + fmt.Sprintf(w.rests, w.sources.of(len(c.Sources)), d.outcome())
}

// outcome says in one clause how many tool calls there were and what came of them.
func (d drafter) outcome() string {
	w, total := d.w, len(d.c.ToolCalls)
	contradicted, failed := d.calls()
	switch total {
	case 0:
		return w.calls.of(0)
	case 1:
		return w.calls.of(1) + w.semicolon + w.single[contradicted][failed]
	}
	return w.calls.of(total) + w.semicolon + w.contradicted.of(contradicted) + w.and + w.failed.of(failed)
}

func (d drafter) body(quote int) string {
	parts := []string{d.w.headDecision, d.w.quote(d.c.Statement, 120*quote/100) + ".", d.w.headBasis, d.basis(quote), d.w.headActions, d.actions(quote)}
	if l := d.c.Ledger; l != nil && len(l.Entries) > 0 {
		parts = append(parts, d.w.headClaims, d.claims(l.Entries))
	}
	parts = append(parts, d.w.headApproval, fmt.Sprintf(d.w.approval, d.c.Requirement.EffectiveClass, d.w.approvers[min(d.c.Requirement.Approvers, 2)]))
	return strings.Join(parts, "\n\n")
}

// basis lists the top sources with what they say and their references.
func (d drafter) basis(quote int) string {
	lines := []string{}
	for _, i := range Top(d.c.Sources) {
		s := &d.c.Sources[i]
		says := d.w.withheld
		if !s.S3() {
			says = d.w.quote(s.Excerpt, 55*quote/100)
		}
		lines = append(lines, fmt.Sprintf("- **%s** (%s): %s [%s].", quoted(s.Source, 10), percent(s.Confidence), says, Reference(i)))
	}
	if len(lines) == 0 {
		return d.w.noSources
	}
	return strings.Join(lines, "\n")
}

// maxCalls is how many contradicted or failed calls a draft names; the pack lists all of them.
const maxCalls = 3

func (d drafter) actions(quote int) string {
	lines := []string{d.outcome() + "."}
	if len(d.c.ToolCalls) > 0 {
		lines = append(lines, "") // the list after the sentence
	}
	named := 0
	for i := range d.c.ToolCalls {
		t := &d.c.ToolCalls[i]
		if (t.Contradicts() || t.Failed()) && named < maxCalls {
			named++
			lines = append(lines, fmt.Sprintf(d.w.call, quoted(t.ToolName, 10), d.w.quote(t.IntendedAction, 20*quote/100), d.w.quote(t.ActualAction, 20*quote/100)))
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

func (d drafter) calls() (contradicted, failed int) {
	for i := range d.c.ToolCalls {
		if d.c.ToolCalls[i].Contradicts() {
			contradicted++
		}
		if d.c.ToolCalls[i].Failed() {
			failed++
		}
	}
	return contradicted, failed
}

func (d drafter) claims(entries []Entry) string {
	by := map[ledger.Verdict]int{}
	for i := range entries {
		by[entries[i].Verdict]++
	}
	return fmt.Sprintf(d.w.claims, len(entries), by[ledger.Supported], by[ledger.Weak], by[ledger.Contradicted], by[ledger.NotFound], by[ledger.Unjudged])
}

// quoted folds white space, cuts to n words and escapes what Markdown would read. Signs that turn the direction of what
// follows are left out.
func quoted(s string, n int) string {
	fields := strings.Fields(turns.ReplaceAllString(s, ""))
	cut := len(fields) > n
	s = strings.Join(fields[:min(n, len(fields))], " ")
	if runes := []rune(s); len(runes) > 20*n { // words without end
		s, cut = string(runes[:20*n]), true
	}
	s = escapes.Replace(s)
	for range 2 { // the second time those whose letter the first time took
		s = inWord.ReplaceAllString(s, "${1}_${2}")
	}
	if cut {
		s = strings.TrimSpace(s + " …")
	}
	return s
}

// inWord is an underscore that Markdown leaves alone: in names people should read them without a backslash.
var inWord = regexp.MustCompile(`([\p{L}\p{N}])\\_([\p{L}\p{N}])`)

var escapes = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "#", `\#`, "|", `\|`, "~", `\~`, "&", `\&`)

var turns = regexp.MustCompile(`[\x{202A}-\x{202E}\x{2066}-\x{2069}]`)

// percent cuts after two places, so that what is under a limit never reads as the limit: 69.99%, not 70%.
func percent(x *float64) string {
	if x == nil {
		return "–"
	}
	return strconv.FormatFloat(math.Floor(*x*1e4+1e-6)/100, 'f', -1, 64) + "%"
}

// date writes a day as the language has it, in the time zone it was given in; what is no time stays as it is.
func (w *memoWords) date(at string) string {
	t, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return quoted(at, 1)
	}
	return fmt.Sprintf("%d %s %d", t.Day(), w.months[t.Month()-1], t.Year())
}

// quote drops a final full stop: the sentence around it has its own.
func (w *memoWords) quote(s string, n int) string {
	return w.open + strings.TrimSuffix(quoted(s, n), ".") + w.close
}

func (w *memoWords) reasons(all []Reason) string {
	words := make([]string, len(all))
	for i, r := range all {
		words[i] = w.reason(r)
	}
	return strings.Join(words, w.comma)
}
