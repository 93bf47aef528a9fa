package packs

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/exporters/exporttest"
)

// TestPackAlarmsFirst checks that both files of a signed pack begin with its alarms, and that each approver's
// acknowledgements repeat them as sentences.
func TestPackAlarmsFirst(t *testing.T) {
	d := fixtures["payment"](t)
	require.NotEmpty(t, d.Content.Alarms)
	var md, pdf bytes.Buffer
	require.NoError(t, Markdown(&md, d))
	require.NoError(t, PDF(&pdf, d))
	file := filepath.Join(t.TempDir(), "pack.pdf")
	require.NoError(t, os.WriteFile(file, pdf.Bytes(), 0o600))
	en, ar := exporttest.Pages(t, file)
	parts := strings.SplitN(strings.ReplaceAll(md.String(), `\`, ""), "<div", 2)
	for i, read := range []string{exporttest.Letters(en), exporttest.Letters(ar)} {
		p := &languages[i]
		for j := range d.Content.Alarms {
			said := p.alarm(&d.Content, &d.Content.Alarms[j])
			first := strings.Index(parts[i], said)
			require.Positive(t, first, said)
			require.Less(t, first, strings.Index(parts[i], "**"+p.T("status")+":**"))
			require.Equal(t, len(d.Life.Approvals), strings.Count(parts[i], p.T("acknowledged")+":** "+said))
			require.Equal(t, 1+len(d.Life.Approvals), strings.Count(read, exporttest.Letters(said)), "%s %s", p.Code, said)
		}
	}
}

// TestPackPolicyShown checks how the rules of a policy, the claims that break them, and the checks of a claim read.
func TestPackPolicyShown(t *testing.T) {
	c := pack.Content{Ledger: &pack.Ledger{Entries: []pack.Entry{{ClaimID: "x", Number: 4}}}}
	o := pack.RuleOutcome{Rule: pack.JudgementRecent, Level: pack.Must, Days: 30, Outcome: pack.Unmet,
		Objects: []string{"x", "T2"}}
	e := pack.Entry{Citations: []pack.Citation{{Anchor: "[1]", Status: ledger.Holds}}, Absent: 2,
		Quotations: []pack.Quotation{{Text: "so", Status: ledger.QuoteNotFound}}}
	for i, want := range [][]string{
		{"The newest judgement is not too old (at most 30 days old)", "Not met: C4, T2", "Met: 1 · Not met: 1",
			"confirmed in bulk · withdrawn", "In no source"},
		{"لا يتجاوز أحدث حكم العمر المسموح (أقصى عمر بالأيام: 30)", "غير مستوفاة: C4، T2", "مستوفاة: 1 · غير مستوفاة: 1",
			"أُكِّدت ضمن مجموعة · مسحوبة", "لا يرد في أي مصدر"},
	} {
		p := &languages[i]
		rules := &pack.PolicyRecord{Rules: []pack.RuleOutcome{o, {Level: pack.Warn, Outcome: pack.Met},
			{Level: pack.Off, Outcome: pack.Met}}}
		checks := p.claimChecks(&e)
		require.Len(t, checks, 3)
		require.False(t, checks[0].bad)
		require.True(t, checks[1].bad)
		require.Equal(t, "2", checks[2].what)
		require.Equal(t, want, []string{p.rule(&o), p.ruleOutcome(&c, &o), p.policyTally(&c, rules),
			p.standing(&pack.Review{Bulk: "b", Undone: true}), checks[1].result})
	}
}

// The table of the policy says what happened to each rule: the fact and the outcome, and who approved all the same where
// the policy only warns.
func TestPolicyTableSaysWhatHappened(t *testing.T) {
	d := fixtures["hospital"](t)
	p := &languages[0]
	for i, want := range map[int][2]string{
		0: {"Claims checked against the sources: 4.", "Required · Met"},
		2: {"Claims: 4; reviewed by a person: 0.", "Warning · Not met: C1, C2, C3, C4; approved all the same by "},
		5: {"Tool calls that failed or departed: 0; acknowledged by each approver: 0.", "Required · None arose"},
		7: {"Approved by: ", "Required · Met"},
		8: {"Judged on ", "Required · Not met"},
	} {
		o := &d.policy().Rules[i]
		require.Contains(t, p.ruleFact(d, o), want[0])
		require.Contains(t, p.ruleResult(d, o), want[1])
	}
	for i := range languages {
		for j := range d.policy().Rules {
			o := d.policy().Rules[j]
			require.NotEqual(t, "–", languages[i].ruleFact(d, &o), o.Rule)
			require.NotContains(t, languages[i].T("about_"+o.Rule), "about_")
			o.Level = pack.Off
			require.Equal(t, languages[i].T("policy.level_off"), languages[i].ruleResult(d, &o))
		}
	}
}

// Both files say that nothing raised an alarm only where nothing warns at all: no flag, no weak claim, no old source.
func TestNoAlarmsOnlyWhereNothingWarns(t *testing.T) {
	files := func(d *Document) string {
		var md bytes.Buffer
		require.NoError(t, Markdown(&md, d))
		p := &pdfWriter{language: languages[0], d: d}
		p.alarms()
		return md.String() + fmt.Sprint(p.blocks)
	}
	quiet := func() *Document {
		d := fixtures["hospital"](t)
		for i := range d.Content.Ledger.Entries {
			e := &d.Content.Ledger.Entries[i]
			e.Verdict, e.Flags, e.State = ledger.Supported, nil, ledger.Confirmed
			e.Reviews = []pack.Review{{Actor: "Y", By: "y", Member: true, Action: ledger.Confirm, Reason: "r"}}
		}
		d.Content.Alarms, d.Content.Policy = nil, &pack.PolicyRecord{Class: "A2"}
		return d
	}
	no := languages[0].T("policy.no_alarms")
	require.Equal(t, 2, strings.Count(files(quiet()), no))
	for name, warn := range map[string]func(c *pack.Content){
		"a red flag":           func(c *pack.Content) { c.Ledger.Entries[1].Flags = []ledger.RiskType{ledger.LowConfidence} },
		"a weak claim":         func(c *pack.Content) { c.Ledger.Entries[1].Verdict = ledger.Weak },
		"an old source":        func(c *pack.Content) { c.Sources[0].RetrievedAt = "2020-01-01T00:00:00Z" },
		"a restricted source":  func(c *pack.Content) { c.Sources[0].SensitivityClass = "S3" },
		"a departure":          func(c *pack.Content) { c.ToolCalls[0].ContradictionFlag = true },
		"a contradicted claim": func(c *pack.Content) { c.Ledger.Entries[0].Verdict = ledger.Contradicted },
		"a failed rule": func(c *pack.Content) {
			c.Policy.Rules = []pack.RuleOutcome{{Rule: pack.JudgementRecent, Level: pack.Warn, Days: 1}}
		},
		"one administrator": func(c *pack.Content) { c.OneAdministrator = true },
	} {
		d := quiet()
		d.Content.Sources, d.Content.ToolCalls = slices.Clone(d.Content.Sources), slices.Clone(d.Content.ToolCalls)
		warn(&d.Content)
		require.NotContains(t, files(d), no, name)
	}
}

// Version 0 of the policy is named as what it is, the strict default; others have their number.
func TestDefaultPolicyIsNamed(t *testing.T) {
	for i, want := range []string{"The strict default, class A2", "السياسة الافتراضية المشددة، الفئة A2"} {
		p := &languages[i]
		require.Equal(t, want, p.policyHead(&pack.PolicyRecord{Class: "A2"}))
		require.Contains(t, p.policyHead(&pack.PolicyRecord{Class: "A2", Version: 3}), "3")
	}
}

// TestPackSaysOneAdministrator checks that both files of a pack say in both languages that one person alone
// administered the organisation, and only then.
func TestPackSaysOneAdministrator(t *testing.T) {
	for _, one := range []bool{true, false} {
		d := fixtures["payment"](t)
		d.Content.OneAdministrator = one
		var md, pdf bytes.Buffer
		require.NoError(t, Markdown(&md, d))
		require.NoError(t, PDF(&pdf, d))
		file := filepath.Join(t.TempDir(), "pack.pdf")
		require.NoError(t, os.WriteFile(file, pdf.Bytes(), 0o600))
		en, ar := exporttest.Pages(t, file)
		for i, read := range []string{exporttest.Letters(en), exporttest.Letters(ar)} {
			said := languages[i].T("one_administrator")
			require.Equal(t, one, strings.Contains(md.String(), said))
			require.Equal(t, one, strings.Contains(read, exporttest.Letters(said)), languages[i].Code)
		}
	}
}

// TestReferencesSayWhatTheyRestOn checks that a reference of the memo says that a claim on its source is not supported,
// or that a model wrote it; that left-out candidates have their reason in words; and that ages are the page's.
func TestReferencesSayWhatTheyRestOn(t *testing.T) {
	d := fixtures["hospital"](t)
	d.Content.Ledger.Entries = []pack.Entry{{Number: 1, Verdict: ledger.Weak, MachineVerdict: ledger.Weak,
		Tier: ledger.Tiers[0], Snippet: d.Content.Sources[0].Excerpt}}
	d.Content.Sources[1].Kind = "model_output"
	p := &pdfWriter{language: languages[0], d: d}
	require.Equal(t, "C1: Weak, likely", p.caution(0, true))
	require.Equal(t, "model output, not independent", p.caution(1, true))
	require.Empty(t, p.caution(2, true))
	require.Empty(t, p.caution(0, false))
	r := d.Content.Replay
	require.Equal(t, "relevance 0.41, at least 0.7 required", p.leftOut(r, r.LeftOut[0].Reason))
	require.Equal(t, "older than the 3 days allowed", p.leftOut(r, r.LeftOut[1].Reason))
	require.Equal(t, "another", p.leftOut(r, "another"))
	require.Contains(t, p.freshness(d, &d.Content.Sources[0]), "under an hour (limit 3 days)")
}
