package exporters

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/exporters/prose"
)

// Markdown writes the ledger as rule L-22 defines it, without summary rows that count zero, followed by follow-up
// questions, the answer, reviews, unjudged claims, citations, sources and the ledger's digest (rule L-23). It holds one
// claim at a time, and the lines of later sections.
func Markdown(w io.Writer, l *ledger.Ledger) error {
	digest, err := Digest(l)
	if err != nil {
		return err
	}
	m := mdWriter{}
	m.head(l)
	m.summary(&l.Summary)
	m.f("\n### Claims Detail\n")
	if l.Summary.Total == 0 {
		m.f("\nNo claims.\n")
	}
	x := newExtras(l)
	err = l.EachFinding(func(e *ledger.Entry) error {
		m.claim(e)
		x.add(e)
		_, err := m.WriteTo(w)
		return err
	})
	if err == nil {
		err = l.EachAside(x.addAside)
	}
	if err != nil {
		return err
	}
	m.risks(l)
	m.advice("### Recommended Actions", l.Actions())
	x.write(&m, digest)
	_, err = m.WriteTo(w)
	return err
}

// mdWriter collects the content of the file.
type mdWriter struct{ bytes.Buffer }

func (m *mdWriter) f(format string, args ...any) { fmt.Fprintf(m, format, args...) }

func (m *mdWriter) head(l *ledger.Ledger) {
	m.f("## Evidence Ledger\n\n")
	m.f("**Session:** %s\n", prose.Inline(l.Session.Title))
	m.f("**Generated:** %s UTC\n", l.Session.UpdatedAt.UTC().Format("2006-01-02 15:04"))
	m.f("**Evidence Coverage:** %s\n", percent(l.Summary.Coverage))
}

func (m *mdWriter) summary(s *ledger.Summary) {
	m.f("\n### Summary\n\n| Verdict | Count |\n|---------|-------|\n")
	for _, v := range ledger.Verdicts {
		if v == ledger.Supported || s.ByVerdict[v] > 0 { // that nothing is supported is said
			m.f("| %s | %d |\n", VerdictName(v), s.ByVerdict[v])
		}
	}
	m.row("Unjudged", s.Unjudged)
}

// row writes one row of the summary, unless it is zero.
func (m *mdWriter) row(name string, n int) {
	if n > 0 {
		m.f("| %s | %d |\n", name, n)
	}
}

// headingLength is the maximum length of a claim in its heading, in code points.
const headingLength = 200

func (m *mdWriter) claim(e *ledger.Entry) {
	heading := prose.Inline(prose.Clipped(e.Claim.Text, headingLength))
	m.f("\n#### %d. %s\n\n", e.Claim.Number(), heading)
	m.f("- **Type:** %s\n", typeName(e.Type))
	m.f("- **Importance:** %s\n", importanceName(e.Importance))
	m.f("- **Verdict:** %s\n", verdictLine(e)+lookAgain(e.Stale))
	m.f("- **Source:** %s\n", source(e))
	if e.Best == nil || strings.TrimSpace(e.Best.Snippet) == "" {
		m.f("- **Evidence:** -\n")
	} else {
		m.f("- **Evidence:** \"%s\"\n", prose.Inline(e.ShownSnippet()))
	}
	if full := prose.Inline(e.Claim.Text); full != heading {
		m.f("- **Full claim:** %s\n", full)
	}
	m.f("\n---\n")
}

// verdictLine returns the effective verdict with the judge's confidence, and the judge's verdict if a
// person overrode it.
func verdictLine(e *ledger.Entry) string {
	machine := exportTexts.Text("exported.verdict_confidence", "Verdict", tierLabel(e.Machine, e.MachineTier()),
		"Confidence", percent(e.Shown()))
	if e.FigureSource() == "" { // a claim without a figure shows none anywhere (rule L-28)
		machine = tierLabel(e.Machine, e.MachineTier())
	}
	switch {
	case e.Unjudged():
		return exportTexts.Text("exported.verdict_unjudged", "Why", prose.Inline(e.Claim.Unjudged))
	case e.Override && e.Machine == ledger.Unjudged:
		return exportTexts.Text("exported.verdict_set_unjudged", "Verdict", verdictLabel(e.Verdict))
	case e.Override:
		return exportTexts.Text("exported.verdict_set", "Verdict", verdictLabel(e.Verdict), "Machine", machine)
	}
	return machine
}

// whose says whose figure a claim's confidence is, also where a person's verdict, which has none, replaced the judge's.
func whose(e *ledger.Entry) string {
	judged := judgeSays(e)
	switch {
	case e.Override && judged == "":
		return exportTexts.Text("exported.confidence_review")
	case e.Override:
		return exportTexts.Text("exported.confidence_review_judge", "Verdict", verdictLabel(e.Machine), "Said", judged)
	}
	return judged
}

// judgeSays returns the probability of the judge's verdict or, if it is not calibrated, whose figure the confidence is.
// One that reviews measured (ledger.Entry.Measured) is the judge's here, as in Markdown exports before that was told.
func judgeSays(e *ledger.Entry) string {
	switch {
	case e.FigureSource() == "":
		return ""
	case e.JudgeProbability != nil:
		return exportTexts.Text("exported.confidence_probability", "Probability", percent(e.Shown()))
	case e.JudgeSource == ledger.ByCaller:
		return exportTexts.Text("exported.confidence_caller", "Confidence", percent(e.Shown()))
	}
	return exportTexts.Text("exported.confidence_judge", "Confidence", percent(e.Shown()))
}

// lookAgain returns a mark for anything that depends on a review of an earlier judgement.
func lookAgain(stale bool) string {
	if !stale {
		return ""
	}
	return " – " + exportTexts.Text("exported.look_again")
}

// source returns the place of the evidence: "HR_Policy.pdf, Page 12" or "Leave_Guidelines.pdf, Section 3.2"; a heading
// without a number is returned as it is.
func source(e *ledger.Entry) string {
	if e.Document == nil {
		return "-"
	}
	at := e.Document.LocateMatch(e.Chunk, e.Best)
	s := prose.Inline(e.Document.Filename) + located(&at)
	if e.Document.Withdrawn != "" {
		s += " – withdrawn"
	}
	return s
}

// place says where a passage stands in its document, behind the document's name.
func place(d *ledger.Document, c *ledger.Chunk) string {
	at := d.Locate(c)
	return located(&at)
}

// located is the page, slide or row of a passage, or else its section, and what is to be said of it.
func located(at *ledger.Location) string {
	where := at.Apart()
	if at.Number == 0 {
		where = at.Long()
	}
	var b strings.Builder
	for _, m := range where {
		b.WriteString(", " + prose.Inline(prose.Clipped(prose.Plain(exportTexts, m, "exported."), headingLength)))
	}
	return b.String()
}

func (m *mdWriter) risks(l *ledger.Ledger) {
	m.f("\n### Risk Flags\n\n")
	if len(l.Flags) == 0 {
		m.f("None.\n")
	}
	for i, f := range l.Flags {
		if i > 0 {
			m.f("\n")
		}
		m.f("⚠️ **%s (%s):** %s. Claims: %s.\n", RiskName(f.Type), severityName(f.Severity), f.Description(),
			numbers(f))
	}
}

// maxNumbers is the maximum number of claims listed for a flag.
const maxNumbers = 20

func numbers(f ledger.RiskFlag) string {
	var parts []string
	for _, c := range f.Claims[:min(len(f.Claims), maxNumbers)] {
		parts = append(parts, fmt.Sprintf("#%d", c.Position+1))
	}
	if more := f.Count - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, ", ")
}

// advice writes a numbered list under a heading.
func (m *mdWriter) advice(heading string, list []ledger.Advice) {
	m.f("\n%s\n\n", heading)
	if len(list) == 0 {
		m.f("None.\n")
	}
	for i, a := range list {
		m.f("%d. %s\n", i+1, prose.Inline(a.Text()))
	}
}

// percent formats a rate from 0 to 1 as "92%".
func percent(x float64) string { return fmt.Sprintf("%d%%", int(math.Round(x*100))) }
