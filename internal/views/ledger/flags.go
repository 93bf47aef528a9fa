package ledger

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"sanad/internal/domain/ledger"
	"sanad/internal/views/ui"
)

// FlagLine is one risk flag; it leads to its claims.
type FlagLine struct {
	Severity ledger.Severity
	Icon     string
	Text     string
	Weight   string
	Then     string       // what to do about it
	Ask      []AdvicePart // what to ask about its claims
	Href     string
	Current  bool
}

// AdvicePart is a stretch of a question; a claim's number leads to the claim.
type AdvicePart struct {
	Text, Href string
	Name       string // of the link, for who hears it without the sentence; "" if its text says it
}

// byGravity returns flags with the gravest first.
func byGravity(flags []ledger.RiskFlag) []ledger.RiskFlag {
	flags = slices.Clone(flags)
	slices.SortStableFunc(flags, func(a, b ledger.RiskFlag) int { return weight(a.Severity) - weight(b.Severity) })
	return flags
}

// flagLines lays out the flags with the question that each raises; questions come in the flags' own order.
func (p *SessionPage) flagLines(flags []ledger.RiskFlag, questions []ledger.Advice) []FlagLine {
	ask := map[ledger.RiskType]ledger.Advice{}
	for i, f := range flags {
		ask[f.Type] = questions[i]
	}
	out := make([]FlagLine, len(flags))
	for i, f := range byGravity(flags) {
		out[i] = FlagLine{
			Ask:      p.question(ask[f.Type], f.Type),
			Severity: f.Severity, Icon: ui.FlagIcons[f.Severity], Weight: p.T("severity_" + string(f.Severity)),
			Text: flagText(&p.Chrome, f), Then: p.T("then_" + string(f.Type)),
			Href: p.toggled("flag", string(f.Type), p.Filter.Flag == f.Type), Current: p.Filter.Flag == f.Type,
		}
	}
	return out
}

// flagOptions are the risk flags as a filter, each with the number of its claims.
func (p *SessionPage) flagOptions(flags []ledger.RiskFlag) []ui.Option {
	chosen := p.Filter.Flag
	if chosen != "" && !slices.ContainsFunc(flags, func(f ledger.RiskFlag) bool { return f.Type == chosen }) {
		flags = append(slices.Clone(flags), ledger.RiskFlag{Type: chosen, Severity: ledger.Low})
	}
	out := []ui.Option{{Label: p.T("all"), Selected: chosen == ""}}
	for _, f := range byGravity(flags) {
		label := p.T("flag_name_" + string(f.Type))
		if f.Count > 0 {
			label = p.T("option_count", "Name", label, "N", p.Num(f.Count))
		}
		out = append(out, ui.Option{Value: string(f.Type), Label: label, Selected: f.Type == chosen})
	}
	return out
}

// severitiesOf returns the severity of each flag that is raised.
func severitiesOf(o *ledger.Overview) map[ledger.RiskType]ledger.Severity {
	out := map[ledger.RiskType]ledger.Severity{}
	for _, f := range o.Flags {
		out[f.Type] = f.Severity
	}
	return out
}

// weight orders severities, the highest first.
func weight(s ledger.Severity) int {
	return slices.Index([]ledger.Severity{ledger.High, ledger.Medium, ledger.Low}, s)
}

// flagText describes a flag in the reader's language.
func flagText(c *ui.Chrome, f ledger.RiskFlag) string {
	switch {
	case f.Type == ledger.MissingEvidence && f.Critical > 0 && f.Material > 0:
		return c.T("flag_missing_both", "Critical", c.N("n_critical", f.Critical), "Material",
			c.N("n_material", f.Material))
	case f.Type == ledger.MissingEvidence && f.Critical > 0:
		return c.T("flag_missing_one", "Claims", c.N("n_critical", f.Critical))
	case f.Type == ledger.MissingEvidence:
		return c.T("flag_missing_one", "Claims", c.N("n_material", f.Material))
	case f.Type == ledger.LowConfidence && f.Severity != ledger.Low:
		return c.T("flag_low_mean", "Percent", c.PerCent(strconv.Itoa(f.Percent)))
	}
	return c.N("flag_"+string(f.Type), f.Count)
}

// question writes a follow-up question in the reader's language, its claims as links: "claim 4", "claims 4 and 7",
// "14 claims (4, 7, 9 and others)". How many there are stands first, so that it cannot be read as a claim's number.
func (p *SessionPage) question(a ledger.Advice, flag ledger.RiskType) []AdvicePart {
	if len(a.Numbers) == 0 {
		return []AdvicePart{{Text: p.T(string(a.Kind), "Claims", p.N("n_claims", a.More))}}
	}
	var links []AdvicePart
	link := func(x AdvicePart) string { // holds the link's place in the sentence
		links = append(links, x)
		return string(placeOfLink + rune(len(links)-1))
	}
	numbers := make([]string, len(a.Numbers))
	for i, n := range a.Numbers {
		numbers[i] = link(AdvicePart{Text: p.Num(n), Name: p.T("claim_n", "N", p.Num(n)), Href: p.Path + claimQuery(n)})
	}
	last := len(numbers) - 1
	var claims string
	switch {
	case a.More > 0:
		all := link(AdvicePart{
			Text: p.N("n_claims", a.More+len(a.Numbers)), Href: p.Path + "?flag=" + string(flag) + "#ledger",
		})
		claims = p.T("claims_and_more", "All", all, "List", strings.Join(numbers, p.T("list_between")))
	case last == 0:
		claims = p.T("claim_one", "List", numbers[0])
	case last == 1:
		claims = p.T("claims_two", "First", numbers[0], "Last", numbers[1])
	default:
		claims = p.T("claims_some", "List", strings.Join(numbers[:last], p.T("list_between")), "Last", numbers[last])
	}
	return adviceParts(p.T(string(a.Kind), "Claims", claims), links)
}

// placeOfLink is the first of the code points, of no character, that stand for links while a sentence is written.
const placeOfLink = '\ue000'

// adviceParts puts the links into their places.
func adviceParts(sentence string, links []AdvicePart) []AdvicePart {
	var out []AdvicePart
	from := 0
	for at, r := range sentence {
		i := int(r - placeOfLink)
		if i < 0 || i >= len(links) {
			continue
		}
		if at > from {
			out = append(out, AdvicePart{Text: sentence[from:at]})
		}
		out = append(out, links[i])
		from = at + utf8.RuneLen(r)
	}
	if from < len(sentence) {
		out = append(out, AdvicePart{Text: sentence[from:]})
	}
	return out
}

// claimQuery opens a claim in the ledger.
func claimQuery(n int) string { return fmt.Sprintf("?claim=%d#claim-%d", n, n) }
