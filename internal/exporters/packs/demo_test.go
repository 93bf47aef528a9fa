package packs

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/pack"
	"sanad/internal/exporters/exporttest"
	"sanad/internal/exporters/prose"
	"sanad/internal/exporters/typeset"
)

// TestDemoDecisions checks that each of the demo's decisions is accepted, can be submitted, and shows what it was made
// to show.
func TestDemoDecisions(t *testing.T) {
	names := demoNames(t)
	require.Equal(t, []string{"cloud-renewal", "credit-limit", "hospital-fit", "supplier-payment", "tender-reply"},
		names)
	calls := map[string][2]int{}
	for _, name := range names {
		d := demoDecision(t, name)
		require.Equal(t, pack.Mandatory, pack.Requires(&d.Header).Level, name)
		c := content(d, nil)
		require.False(t, pack.Broken(c.Validate(nil)), "%s: %v", name, c.Validate(nil))
		var n [2]int
		for i := range c.ToolCalls {
			if c.ToolCalls[i].Departed() {
				n[0]++
			}
			if c.ToolCalls[i].Failed() {
				n[1]++
			}
		}
		calls[name] = n
	}
	require.Equal(t, map[string][2]int{"cloud-renewal": {}, "credit-limit": {}, "hospital-fit": {},
		"supplier-payment": {1, 1}, "tender-reply": {0, 1}}, calls)
}

// TestDemoMemo checks that the hospital's memo follows every rule and refers to all of its sources.
func TestDemoMemo(t *testing.T) {
	c := content(demoDecision(t, "hospital-fit"), nil)
	require.NoError(t, c.SetMemo(demoMemo(t, "hospital-fit")))
	require.Empty(t, c.Validate(nil))
	for i := range c.Sources {
		for _, body := range []string{c.Memo.BodyEN, c.Memo.BodyAR} {
			require.Contains(t, body, "["+pack.Reference(i)+"]", "%d", i)
		}
	}
}

// TestDeparturesAreCountedAlike: the tool calls that Markdown and PDF mark as departed are those that the memo counts: one
// that failed and did nothing only failed.
func TestDeparturesAreCountedAlike(t *testing.T) {
	for _, name := range demoNames(t) {
		d := inState(t, pack.Draft, content(demoDecision(t, name), nil), "")
		for _, lang := range languages {
			word, marked := lang.T("contradiction"), []string{}
			p := &pdfWriter{language: lang, d: d}
			for i := range d.Content.ToolCalls {
				c := &d.Content.ToolCalls[i]
				if strings.Contains(p.outcome(c).Word, word) {
					marked = append(marked, "T"+strconv.Itoa(i+1))
				}
				if c.NothingDone() {
					require.Equal(t, lang.T("pk_nothing_done"), p.did(c))
				}
			}
			require.ElementsMatch(t, d.Content.Departed(), marked, "%s %s", name, lang.Code)
		}
		var md bytes.Buffer
		require.NoError(t, Markdown(&md, d))
		require.Equal(t, len(d.Content.Departed()), strings.Count(md.String(), "✗ **"+languages[0].T("contradiction")), name)
	}
}

// TestReportedDone: that a call was done as intended is the caller's own word: never green, defined where it is used, and
// not beside a call that departed.
func TestReportedDone(t *testing.T) {
	d := inState(t, pack.Draft, content(demoDecision(t, "supplier-payment"), nil), "")
	for _, lang := range languages {
		p, departed := &pdfWriter{language: lang, d: d}, 0
		for i := range d.Content.ToolCalls {
			c := &d.Content.ToolCalls[i]
			require.NotEqual(t, typeset.Good, p.outcome(c).Kind)
			if c.Departed() {
				departed++
				for _, s := range p.result(c).Spans {
					require.NotEqual(t, lang.T("call_verified"), s.Text)
				}
			}
		}
		require.Positive(t, departed)
		require.Subset(t, p.terms(&d.Content).More, []string{"call_verified", "departed"})
		require.NotContains(t, strings.ToLower(lang.T("call_verified")), "verified")
	}
}

// TestTitlesKeepAmounts: a title that is made of the statement is whole on the cover.
func TestTitlesKeepAmounts(t *testing.T) {
	for name, amount := range map[string]string{
		"supplier-payment": "SAR 412,500 to Gulf Medical Supplies for invoice INV-7731",
		"cloud-renewal":    "AED 1.92 million a year",
	} {
		c := content(demoDecision(t, name), nil)
		require.Contains(t, prose.Clipped(pack.DraftMemo(&c).TitleEN, prose.TitleLength), amount)
	}
}

// TestSignedWithJobTitle: PDF and Markdown say by which job title each approver signed, on the cover, in the certificate
// and beside the signature.
func TestSignedWithJobTitle(t *testing.T) {
	d := fixtures["hospital"](t)
	require.Equal(t, "Head of Procurement", d.Life.Approvals[0].Title)
	var md bytes.Buffer
	require.NoError(t, Markdown(&md, d))
	require.Contains(t, md.String(), "1. **Khalid Al-Mutairi**, Head of Procurement · ")
	en, ar := exporttest.Pages(t, written(t, d))
	title := exporttest.Letters("Head of Procurement")
	require.GreaterOrEqual(t, strings.Count(exporttest.Letters(en), title), 3)
	require.GreaterOrEqual(t, strings.Count(exporttest.Letters(ar), title), 3)
}
