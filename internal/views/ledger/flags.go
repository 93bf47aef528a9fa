package ledger

import (
	"slices"
	"strconv"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/views/ui"
)

// FlagLine is one risk flag; it leads to its claims.
type FlagLine struct {
	Severity ledger.Severity
	Icon     string
	Text     string
	Weight   string
	Then     string
	Href     string
	Current  bool
}

// byGravity returns flags with the gravest first.
func byGravity(flags []ledger.RiskFlag) []ledger.RiskFlag {
	flags = slices.Clone(flags)
	slices.SortStableFunc(flags, func(a, b ledger.RiskFlag) int { return weight(a.Severity) - weight(b.Severity) })
	return flags
}

func (p *SessionPage) flagLines(flags []ledger.RiskFlag) []FlagLine {
	out := make([]FlagLine, len(flags))
	for i, f := range byGravity(flags) {
		out[i] = FlagLine{
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
		return c.T("flag_low_mean", "Percent", c.InDigits(strconv.Itoa(f.Percent)+"%"))
	}
	return c.N("flag_"+string(f.Type), f.Count)
}

// advice writes follow-up questions and actions in the reader's language.
func advice(c *ui.Chrome, all []ledger.Advice) []string {
	out := make([]string, len(all))
	for i, a := range all {
		out[i] = c.T(string(a.Kind), "Claims", claimList(c, a))
	}
	return out
}

// claimList lists claims by number: "claim 4", "claims 4, 7, 9 and 5 more".
func claimList(c *ui.Chrome, a ledger.Advice) string {
	if len(a.Numbers) == 0 {
		return c.N("n_claims", a.More)
	}
	numbers := make([]string, len(a.Numbers))
	for i, n := range a.Numbers {
		numbers[i] = c.Num(n)
	}
	last := len(numbers) - 1
	switch {
	case a.More > 0:
		return c.T("claims_and_more", "List", strings.Join(numbers, c.T("list_between")), "More", c.N("n_more", a.More))
	case last == 0:
		return c.T("claim_one", "List", numbers[0])
	case last == 1:
		return c.T("claims_two", "First", numbers[0], "Last", numbers[1])
	}
	return c.T("claims_some", "List", strings.Join(numbers[:last], c.T("list_between")), "Last", numbers[last])
}
