package pack

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/words"
)

// DraftMemo writes a memo in both languages from the content: fixed templates, so that the same pack gives the same
// memo. It keeps the word limits by cutting quotations.
func DraftMemo(c *Content) BilingualMemo {
	var m BilingualMemo
	en := drafter{c: c, w: words.In("en"), sources: c.memoSources(), amounts: c.amounts()}
	ar := en
	ar.w = words.In("ar")
	m.TitleEN, m.TitleAR = en.t("title", "Title", en.title()), ar.t("title", "Title", ar.title())
	m.ExecutiveSummaryEN, m.ExecutiveSummaryAR = inBoth(MaxSummaryWords, summaries, en.summarised, ar.summarised)
	m.BodyEN, m.BodyAR = inBoth(MaxBodyWords, bodies(),
		func(x bodied) string { return en.body(m.ExecutiveSummaryEN, x) },
		func(x bodied) string { return ar.body(m.ExecutiveSummaryAR, x) })
	return m
}

// inBoth writes a text in both languages as fully as its limit of words allows in both, so that they say the same. The
// first measure is the fullest.
func inBoth[M any](limit int, measures []M, en, ar func(M) string) (inEnglish, inArabic string) {
	for _, x := range measures {
		inEnglish, inArabic = en(x), ar(x)
		if Words(inEnglish) <= limit && Words(inArabic) <= limit {
			break
		}
	}
	return inEnglish, inArabic
}

// bodied is how much a body says.
type bodied struct {
	quote int // of the usual length of quotations, in percent
	named int // how many sources and departures it names, at most
}

func bodies() (out []bodied) {
	for _, named := range namedSources {
		for _, quote := range []int{100, 50, 25, 10, 0} {
			out = append(out, bodied{quote, named})
		}
	}
	return out
}

// drafter writes the parts of a memo in one language. Its templates are in the catalogue under "memo.".
type drafter struct {
	c       *Content
	w       *words.Catalogue
	sources []memoSource // of the basis, which is written several times until the memo is short enough
	amounts []money      // of the tool calls
}

func (d drafter) t(id string, args ...any) string { return d.w.Text("memo."+id, args...) }

// n is t in the plural form for count.
func (d drafter) n(id string, count int, args ...any) string {
	return d.w.Plural("memo."+id, count, strconv.Itoa(count), args...)
}

// summaries are the measures of a summary, the fullest first. What stands elsewhere in the pack is dropped first, then
// sources, then quotations are cut.
var summaries = []summed{
	{quote: 100, adverse: 2, about: classed},
	{quote: 100, adverse: 2, about: required},
	{quote: 100, adverse: 2, about: counted},
	{quote: 100, adverse: 2},
	{quote: 100, adverse: 1, about: counted},
	{quote: 100, adverse: 1},
	{quote: 100, about: counted},
	{quote: 50, adverse: 1, about: counted},
	{quote: 50, about: counted},
	{quote: 25, about: counted},
	{quote: 10, about: counted},
	{about: counted},
}

// summed is how much a summary says.
type summed struct {
	quote   int // of the usual length of quotations, in percent
	adverse int // sources that speak against the decision, at most
	about   int // what it says about the decision
}

// What a summary says about the decision; each includes those before it.
const (
	counted  = iota + 1 // its sources and tool calls
	required            // why it needs a pack
	classed             // its classes
)

func (d drafter) summarised(x summed) string {
	c := d.c
	s := d.against(x.quote) + d.adverse(x.adverse, x.quote) + d.t("decided", "Date", d.date(c.DecidedAt),
		"Agent", quoted(c.AgentName, 12), "Decision", d.quote(d.statement(), 45*x.quote/100))
	if x.about >= classed {
		s += " " + d.t("classed", "Approval", c.ApprovalClass, "Reversibility", c.ReversibilityClass,
			"Sensitivity", c.SensitivityClass, "Confidence", percent(c.Confidence))
	}
	if level := c.Requirement.Level; x.about >= required && (level == Mandatory || level == Recommended) {
		rules := c.Requirement.Rules
		s += " " + d.n("level_"+string(level), len(rules), "Rules", d.reasons(rules))
	}
	if x.about >= counted {
		s += " " + d.t("rests", "Sources", d.n("sources", len(c.Sources))+d.own(), "Calls", d.outcome())
	}
	return s
}

// How many tool calls that departed, and how many that failed, a summary quotes; of the others it has the numbers of at
// most firstFurther. The body quotes more.
const firstDeparted, firstFailed, firstFurther = 2, 2, 10

// against says first what was done against the instruction, and what failed: each with a space after it. Where there is
// no room to quote, it gives the calls' numbers.
func (d drafter) against(quote int) string {
	if quote == 0 {
		return d.further("first_calls", append(d.departedFirst(), d.c.onlyFailed()...))
	}
	departed, failed := d.departedFirst(), d.c.onlyFailed()
	out, named := "", min(len(departed), firstDeparted)
	for _, at := range departed[:named] {
		out += d.departed(at, quote) + " "
	}
	tried := min(len(failed), firstFailed)
	for _, at := range failed[:tried] {
		out += d.failed(at, quote) + " "
	}
	return out + d.further("first_further", append(departed[named:], failed[tried:]...))
}

// further gives the numbers of calls, with a space after it; "" for none.
func (d drafter) further(id string, calls []int) string {
	if len(calls) == 0 {
		return ""
	}
	return d.t(id, "Calls", d.refs(callIDs(calls))) + " "
}

// numbers lists the ids of tool calls.
func (d drafter) numbers(calls []int) string { return strings.Join(callIDs(calls), d.t("refs_comma")) }

func callIDs(calls []int) []string {
	ids := make([]string, len(calls))
	for i, at := range calls {
		ids[i] = CallID(at)
	}
	return ids
}

// departedFirst returns the positions of the tool calls that departed: those that moved an amount first, as far as their
// data say so.
func (d drafter) departedFirst() (out []int) {
	for i := range d.c.ToolCalls {
		if d.c.ToolCalls[i].Departed() {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int {
		x, y := d.amounts[a], d.amounts[b]
		switch {
		case x.value != "" && y.value == "":
			return -1
		case x.value == "" && y.value != "":
			return 1
		}
		return 0
	})
	return out
}

// onlyFailed returns the positions of the tool calls that failed and did not depart as well.
func (c *Content) onlyFailed() (out []int) {
	for i := range c.ToolCalls {
		if t := &c.ToolCalls[i]; t.Failed() && !t.Departed() {
			out = append(out, i)
		}
	}
	return out
}

// namesFigure reports whether a text has a figure that is not a part of a longer one.
func namesFigure(s, figure string) bool {
	for from := 0; ; {
		i := strings.Index(s[from:], figure)
		if i < 0 {
			return false
		}
		before, after := s[:from+i], s[from+i+len(figure):]
		if !endsInFigure(before) && !beginsInFigure(after) {
			return true
		}
		from += i + len(figure)
	}
}

// endsInFigure reports whether what stands before a figure belongs to it: "15" for 5, "1,500" for 500.
func endsInFigure(s string) bool {
	t := strings.TrimRight(s, ",.")
	return t != "" && isDigit(t[len(t)-1])
}

// beginsInFigure reports whether what stands behind a figure belongs to it: a full stop at the end of a sentence does not.
func beginsInFigure(s string) bool {
	t := strings.TrimLeft(s, ",.")
	return t != "" && isDigit(t[0])
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

func (d drafter) departed(at, quote int) string {
	t := &d.c.ToolCalls[at]
	args := []any{"Call", CallID(at), "Tool", quoted(t.ToolName, 10),
		"Intended", d.quote(t.IntendedAction, 20*quote/100), "Actual", d.quote(t.ActualAction, 20*quote/100)}
	if m := d.amounts[at]; m.value != "" && !namesFigure(t.ActualAction, m.value) {
		return d.t("first_departed_amount", append(args, "Amount", d.amount(m))...)
	}
	return d.t("first_departed", args...)
}

func (d drafter) failed(at, quote int) string {
	t := &d.c.ToolCalls[at]
	args := []any{"Call", CallID(at), "Tool", quoted(t.ToolName, 10)}
	if t.Error == "" {
		return d.t("first_failed", args...)
	}
	return d.t("first_failed_error", append(args, "Error", d.quote(t.Error, 20*quote/100))...)
}

// adverse quotes the first sources that speak against the decision, with a space after them; "" if none may be quoted.
func (d drafter) adverse(most, quote int) string {
	var said []string
	for i := range d.sources {
		m := &d.sources[i]
		if s := &d.c.Sources[m.at]; m.stance <= reserves && !s.S3() && len(said) < most {
			said = append(said, d.quote(s.Excerpt, 25*quote/100)+" ["+Reference(m.at)+"]")
		}
	}
	if len(said) == 0 {
		return ""
	}
	return d.t("first_adverse", "Said", strings.Join(said, d.t("rules_comma"))) + " "
}

// titleWords is how many words of the decision's title a memo's title has, or of its statement where that stands for it:
// enough that no amount is cut in the middle.
const titleWords = 40

// title returns the decision's title or, if that is in the other language only, its statement.
func (d drafter) title() string {
	own := map[string]string{"en": "latin", "ar": "ar"}[d.w.Lang()]
	if s := d.statement(); text.Script(s) == own && !slices.Contains([]string{own, "mixed"}, text.Script(d.c.Title)) {
		return quoted(strings.TrimRight(s, "."), titleWords)
	}
	return quoted(d.c.Title, titleWords)
}

// statement returns the decision's statement in the language of the draft, or the one there is.
func (d drafter) statement() string {
	en, ar := d.c.Statements()
	if d.w.Lang() == "ar" {
		return cmp.Or(ar, en)
	}
	return cmp.Or(en, ar)
}

// CallsSaid says in one clause of a language how many tool calls a pack has, how many departed from what was intended,
// and how many failed: memo and exports say it alike.
func CallsSaid(c *Content, lang string) string {
	return drafter{c: c, w: words.In(lang), amounts: c.amounts()}.outcome()
}

// outcome says in one clause how many tool calls there were and how they ended.
func (d drafter) outcome() string {
	total := len(d.c.ToolCalls)
	contradicted, failed := len(d.c.Departed()), len(d.c.FailedCalls())
	clause := d.n("calls", total)
	switch total {
	case 0:
		return clause
	case 1:
		clause += d.t("calls_comma") + d.t("single_"+single(contradicted > 0, failed > 0))
	default:
		clause += d.t("calls_comma") + d.n("contradicted", contradicted) + d.t("and") + d.n("failed", failed)
	}
	if unverified := d.c.unverified(); len(unverified) > 0 {
		clause += d.t("calls_comma") + d.t("unverified", "Calls", d.refs(unverified))
	}
	return clause
}

// own names the sources that are the model's own text: they are no evidence for what it did.
func (d drafter) own() string {
	var own []string
	for i := range d.c.Sources {
		if d.c.Sources[i].Kind == ModelOutput {
			own = append(own, Reference(i))
		}
	}
	if len(own) == 0 {
		return ""
	}
	if len(own) == len(d.c.Sources) {
		return d.n("sources_own_all", len(own))
	}
	return d.n("sources_own", len(own), "Refs", d.refs(own))
}

// refs lists the first references of a list, and says that there are more.
func (d drafter) refs(all []string) string {
	s := strings.Join(all[:min(len(all), firstFurther)], d.t("refs_comma"))
	if len(all) > firstFurther {
		s += " …"
	}
	return s
}

// single returns the outcome of the only tool call.
func single(departed, failed bool) string {
	switch {
	case departed && failed:
		return "departed_and_failed"
	case departed:
		return "departed"
	case failed:
		return "failed"
	}
	return "as_intended"
}

// body writes the decision, if the summary does not have it in full, what it rests on, and what the system did.
func (d drafter) body(summary string, x bodied) string {
	quote, named := x.quote, x.named
	var parts []string
	if !strings.Contains(summary, d.quote(d.statement(), statementWhole)) {
		parts = append(parts, d.t("heading_decision"), d.quote(d.statement(), statementWhole*quote/100)+".")
	}
	parts = append(parts, d.t("heading_basis"), d.basis(quote, named), d.t("heading_actions"), d.actions(quote, named))
	if l := d.c.Ledger; l != nil && len(l.Entries)+len(l.SetAside) > 0 {
		parts = append(parts, d.t("heading_claims"), d.claims(l.Entries)+d.aside(l.SetAside, quote))
	}
	approvers := d.t("approvers_" + strconv.Itoa(min(d.c.Requirement.Approvers, 2)))
	parts = append(parts, d.t("heading_approval"),
		d.t("approval", "Class", d.c.Requirement.EffectiveClass, "Approvers", approvers))
	return strings.Join(parts, "\n\n")
}

// statementWhole is the most words of its statement that a body quotes.
const statementWhole = 120

// How many tool calls a draft names that departed, by how little room is left, and how many that only failed. The others
// are given by their numbers; the pack lists all of them.
const namedDepartures, maxFailures = 8, 3

// actions lists every tool call that departed, and then those that failed.
func (d drafter) actions(quote, named int) string {
	lines := []string{d.outcome() + ".", ""} // a blank line before the list
	list := func(id string, calls []int, most int) {
		most = min(len(calls), most)
		for _, at := range calls[:most] {
			lines = append(lines, d.call(at, quote))
		}
		if further := calls[most:]; len(further) > 0 {
			lines = append(lines, "- "+d.t(id, "Calls", d.numbers(further))+".")
		}
	}
	list("further_departed", d.departedFirst(), min(named, namedDepartures))
	list("further_failed", d.c.onlyFailed(), maxFailures)
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// call is the line of a tool call that departed or failed.
func (d drafter) call(at, quote int) string {
	t := &d.c.ToolCalls[at]
	actual := d.quote(t.ActualAction, 20*quote/100)
	if t.NothingDone() {
		actual = d.t("nothing_done")
	}
	if m := d.amounts[at]; m.value != "" && t.Departed() {
		actual += d.t("call_amount", "Amount", d.amount(m))
	}
	if t.Error != "" {
		actual += d.t("call_error", "Error", d.quote(t.Error, 20*quote/100))
	}
	return d.t("call", "Call", CallID(at), "Tool", quoted(t.ToolName, 10), "Intended",
		d.quote(t.IntendedAction, 20*quote/100), "Actual", actual)
}

func (d drafter) claims(entries []Entry) string {
	by := map[ledger.Verdict]int{}
	for i := range entries {
		by[entries[i].Verdict]++
	}
	return d.t("claim_counts", "All", len(entries), "Supported", by[ledger.Supported], "Weak", by[ledger.Weak],
		"Contradicted", by[ledger.Contradicted], "NotFound", by[ledger.NotFound], "Unjudged", by[ledger.Unjudged])
}

// maxAside is the most claims set aside that a draft names; the pack lists all of them.
const maxAside = 3

// aside says how many claims were set aside, and of the first ones what, by whom and why.
func (d drafter) aside(all []Entry, quote int) string {
	if len(all) == 0 {
		return ""
	}
	out := "\n" + d.t("set_aside", "N", len(all))
	for i := range all[:min(len(all), maxAside)] {
		e, r := &all[i], all[i].AsideBy()
		if r == nil {
			continue
		}
		numbers := make([]string, len(r.ReplacedBy))
		for j, n := range r.ReplacedBy {
			numbers[j] = strconv.Itoa(n)
		}
		out += "\n" + d.t("aside_"+string(e.State), "Number", e.Number, "Claim", d.quote(e.ClaimText, 10*quote/100),
			"Who", quoted(r.Actor, 6), "New", strings.Join(numbers, d.w.Text("list_comma")))
		if r.Reason != "" {
			out += d.t("aside_reason", "Reason", d.quote(r.Reason, 12*quote/100))
		}
		out += "."
	}
	return out
}

// quoted folds white space, cuts to n words and escapes Markdown. Bidi controls are removed.
func quoted(s string, n int) string {
	fields := strings.Fields(turns.ReplaceAllString(s, ""))
	cut := len(fields) > n
	s = strings.Join(fields[:min(n, len(fields))], " ")
	if runes := []rune(s); len(runes) > 20*n { // extremely long words
		s, cut = string(runes[:20*n]), true
	}
	s = escapes.Replace(s)
	for range 2 { // removing a mark can expose another one, so twice
		s = inWord.ReplaceAllString(s, "${1}_${2}")
	}
	if cut {
		s = strings.TrimSpace(s + " …")
	}
	return s
}

// inWord matches an underscore that Markdown does not interpret: in names it should be readable without a backslash.
var inWord = regexp.MustCompile(`([\p{L}\p{N}])\\_([\p{L}\p{N}])`)

var escapes = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">",
	`\>`, "#", `\#`, "|", `\|`, "~", `\~`, "&", `\&`)

var turns = regexp.MustCompile(`[\x{202A}-\x{202E}\x{2066}-\x{2069}]`)

// percent truncates to two decimals, so that a value under a limit never reads as the limit: 69.99%, not 70%.
func percent(x *float64) string {
	if x == nil {
		return "–"
	}
	return strconv.FormatFloat(math.Floor(*x*1e4+1e-6)/100, 'f', -1, 64) + "%"
}

// date returns a day in the form of the language, in its own time zone; a text that is not a time is returned
// unchanged.
func (d drafter) date(at string) string {
	t, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return quoted(at, 1)
	}
	return fmt.Sprintf("%d %s %d", t.Day(), d.t("month_"+strconv.Itoa(int(t.Month()))), t.Year())
}

// quote drops a final full stop: the surrounding sentence has its own.
func (d drafter) quote(s string, n int) string {
	return d.t("quote_open") + strings.TrimSuffix(quoted(s, n), ".") + d.t("quote_close")
}

// amount returns an amount with its currency, which has a name where the catalogue has one.
func (d drafter) amount(m money) string {
	currency := m.currency
	if id := "memo.currency_" + currency; d.w.Has(id) {
		currency = d.w.Text(id)
	}
	if currency == "" {
		return m.value
	}
	return d.t("amount", "Currency", currency, "Value", m.value)
}

func (d drafter) reasons(all []Reason) string {
	list := make([]string, len(all))
	for i, r := range all {
		list[i] = r.Words(d.w.Lang())
	}
	return strings.Join(list, d.t("rules_comma"))
}
