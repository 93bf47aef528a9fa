package gate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/exporters"
)

// faultTitle says in a sentence what a fault is, without the claim that has it.
func faultTitle(f ledger.Fault) string {
	switch f {
	case ledger.FaultUnjudged:
		return "No judge could judge the claim"
	case ledger.FaultNoClaims:
		return "The answer has no claim to check"
	case ledger.FaultCoverage:
		return "Too few claims of the answer have evidence"
	}
	if name := exporters.VerdictName(ledger.Verdict(f)); name != "" {
		return "Verdict: " + name
	}
	if name := exporters.RiskName(ledger.RiskType(f)); name != "" {
		return "Risk flag: " + name
	}
	return "Citation: " + exporters.Named("exported.citation_", f)
}

// answerCause says why an answer as a whole does not pass.
func answerCause(f ledger.Fault, s *ledger.Summary, gate *ledger.Gate) string {
	if f == ledger.FaultNoClaims {
		return "The answer has no claim, so there is nothing to check; --allow-empty lets it pass."
	}
	// rounded down, so that a figure just below the limit does not read as the limit
	return fmt.Sprintf("evidence_coverage is %.3f, below %v: %d of %d claims have evidence.",
		math.Floor(s.Coverage*1000)/1000, gate.MinCoverage, int(math.Round(s.Coverage*float64(s.Total))), s.Total)
}

// gateFault returns a fault of a claim with its cause and its passage.
func gateFault(f ledger.Fault, e *ledger.Entry, s *ledger.Session) Fault {
	out := Fault{Fault: f, Cause: strings.TrimSpace(e.Notes())}
	if e.Best != nil {
		out.Source = passage(s, e.Best.Chunk, e.Best)
	}
	status := ledger.CitationStatus(f)
	switch f {
	case ledger.Fault(ledger.Miscitation):
		status = ledger.Elsewhere
	case ledger.Fault(ledger.InventedQuotation):
		out.Cause, out.Source = inventedCause(e), nil
	}
	if status.Valid() {
		out.cite(e, s, status)
	} else if ledger.RiskType(f).Valid() && f != ledger.Fault(ledger.InventedQuotation) {
		out.Cause = strings.TrimSuffix(exporters.RiskName(ledger.RiskType(f))+". "+out.Cause, ". ")
	}
	if out.Cause == "" {
		out.Cause = faultTitle(f)
	}
	return out
}

// cite tells which citations of a claim have a status; the passage is that of the first: the one that supports the
// claim if another was cited, else the cited one.
func (g *Fault) cite(e *ledger.Entry, s *ledger.Session, status ledger.CitationStatus) {
	var causes []string
	g.Source = nil
	for _, x := range e.Claim.Checks.Citations {
		if x.Status != status {
			continue
		}
		cause := fmt.Sprintf("%s: %s", x.Anchor, exporters.Named("exported.citation_", status))
		ref := x.Cited
		if x.Supporting != nil {
			ref = x.Supporting
			cause += ": " + passage(s, *ref, nil).Place()
		}
		if !slices.Contains(causes, cause) {
			causes = append(causes, cause)
		}
		if g.Source == nil && ref != nil {
			g.Source = passage(s, *ref, nil)
		}
	}
	g.Cause = strings.Join(causes, "; ")
}

// inventedCause names the words that are in no source.
func inventedCause(e *ledger.Entry) string {
	var invented []string
	for _, q := range e.Claim.Checks.Quotations {
		if q.Status == ledger.QuoteNotFound {
			invented = append(invented, "“"+q.Text+"”")
		}
	}
	for _, rank := range e.Claim.Checks.Absent {
		if rank < len(e.Claim.Matches) {
			invented = append(invented, "“"+e.Claim.Matches[rank].Snippet+"”")
		}
	}
	return "In no source: " + strings.Join(invented, ", ")
}

// passage describes a chunk, or the words of it that a match names. A ref may name a document as a whole.
func passage(s *ledger.Session, ref ledger.ChunkRef, m *ledger.Match) *Passage {
	d := s.Document(ref.Document)
	if d == nil {
		return nil
	}
	out := &Passage{Document: d.Filename}
	if out.Document == "" {
		out.Document = d.Key
	}
	c := s.Chunk(ref)
	if c == nil {
		return out
	}
	at := d.LocateMatch(c, m)
	var where []string
	for _, m := range at.Long() {
		where = append(where, m.String())
	}
	out.Where, out.Span = strings.Join(where, ", "), c.Span
	if m == nil {
		return out
	}
	out.Words = m.Snippet
	if placed := m.Quote.Kind != "" && m.Quote.Kind != text.NotPlaced; placed && c.Span != nil {
		out.Span = &text.Span{Start: c.Span.Start + m.Quote.Span.Start, End: c.Span.Start + m.Quote.Span.End}
	}
	return out
}

// Place names the passage: "HR.pdf, page 12".
func (p *Passage) Place() string {
	if p == nil {
		return "an unknown source"
	}
	if p.Where == "" {
		return p.Document
	}
	return p.Document + ", " + p.Where
}
