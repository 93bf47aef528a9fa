package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/exporters/gate"
)

// writeCheckText writes a line for each fault of an answer or claim, and one that sums up.
func writeCheckText(w io.Writer, r *gate.Report) error {
	out := bufio.NewWriter(w)
	for i := range r.Sessions {
		s := &r.Sessions[i]
		at := oneLine(s.Called(r.File))
		if s.Row != "" {
			at += fmt.Sprintf(" (line %d)", s.Line)
		}
		for _, f := range s.Faults {
			fmt.Fprintf(out, "%s: answer: %s: %s\n", at, f.Fault, oneLine(f.Cause))
		}
		for j := range s.Claims {
			if c := &s.Claims[j]; len(c.Faults) > 0 {
				fmt.Fprintf(out, "%s: %s\n", at, claimLine(c))
			}
		}
	}
	out.WriteString(checkSummary(r)) //nolint:errcheck // Flush returns it
	return out.Flush()
}

// claimLine says which claim does not pass, where it is, and why.
func claimLine(c *gate.Claim) string {
	var b strings.Builder
	fmt.Fprintf(&b, "claim %d (%s) “%s”", c.Number, c.Where(), clipped(oneLine(c.Text), 120))
	for i, f := range c.Faults {
		separator := ": "
		if i > 0 {
			separator = "; "
		}
		fmt.Fprintf(&b, "%s%s: %s", separator, f.Fault, clipped(oneLine(f.Cause), 300))
		if f.Source != nil {
			fmt.Fprintf(&b, " (%s)", oneLine(f.Source.Place()))
		}
	}
	return b.String()
}

// checkSummary is the last line.
func checkSummary(r *gate.Report) string {
	claims, failed, answers := 0, 0, 0
	passing := map[string]int{}
	for i := range r.Sessions {
		s := &r.Sessions[i]
		claims += len(s.Claims)
		failed += s.Failed()
		if !s.Passes() {
			answers++
		}
		for j := range s.Claims {
			if c := &s.Claims[j]; len(c.Faults) == 0 {
				passing[c.Judged()]++
			}
		}
	}
	verdict := "passed"
	switch {
	case len(r.Refused) > 0:
		verdict = "not read"
	case answers > 0:
		verdict = "failed"
	}
	line := fmt.Sprintf("check: %s: answers %d, failing %d; claims %d, failing %d", verdict, len(r.Sessions), answers,
		claims, failed)
	if claims > failed {
		line += "; passing claims: " + counted(passing)
	}
	if n := r.None(); n > 0 {
		line += fmt.Sprintf("; sentences that are no claims %d", n)
	}
	if len(r.Refused) > 0 {
		line += fmt.Sprintf("; not read %d", len(r.Refused))
	}
	return line + "\n"
}

// counted lists how many claims have each verdict, and how many none.
func counted(claims map[string]int) string {
	var out []string
	for _, v := range ledger.Verdicts {
		if n := claims[string(v)]; n > 0 {
			out = append(out, fmt.Sprintf("%s %d", v, n))
		}
	}
	if n := claims[string(ledger.FaultUnjudged)]; n > 0 {
		out = append(out, fmt.Sprintf("%s %d", ledger.FaultUnjudged, n))
	}
	return strings.Join(out, ", ")
}

// oneLine makes foreign text a part of one line that is safe to print.
func oneLine(s string) string { return printable(strings.Join(strings.Fields(s), " ")) }

// clipped returns at most n code points of s.
func clipped(s string, n int) string {
	if text.Len(s) <= n {
		return s
	}
	return text.Slice(s, text.Span{Start: 0, End: n - 1}) + "…"
}
