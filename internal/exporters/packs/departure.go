package packs

import (
	"strings"

	"sanad/internal/domain/pack"
	"sanad/internal/exporters/typeset"
)

// departure says in which words a call differs from its intent, or that nobody can tell; what a person decided, and
// what the caller itself said. None for a call that did what was intended.
func (p *language) departure(t *pack.ToolCallRecord) (out []string) {
	if t.Caller != nil && t.Caller.ContradictionFlag {
		out = append(out, p.T("caller_flag"))
	}
	d := t.Departure
	if d == nil || d.Same() {
		return out
	}
	if d.Open() {
		out = append(out, p.T("departure_unclear"))
	}
	for _, w := range d.Words {
		if t.NothingDone() {
			break // that nothing was done is said, and names no word
		}
		out = append(out, p.T("departure_words", "Intended", isolated(dash(w.Intended)), "Actual", isolated(dash(w.Actual))))
	}
	if d.Decided != nil {
		id := "departure_same"
		if d.Decided.Differs() {
			id = "departure_differs"
		}
		out = append(out, p.T(id, "Reason", isolated(d.Decided.Reason))+" ("+strings.Join(present(isolated(d.Decided.Actor),
			p.name("role_", d.Decided.Role), p.instant(d.Decided.At)), " · ")+")")
	}
	return out
}

// did says what a call did: in words of its own where it did nothing.
func (p *language) did(t *pack.ToolCallRecord) string {
	if t.ActualAction != "" && t.NothingDone() {
		return p.T("pk_nothing_done")
	}
	return t.ActualAction
}

func dash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}

// isolated keeps the direction of a quoted text to itself.
func isolated(s string) string { return "\u2068" + s + "\u2069" }

// isolates returns a text as spans, with what isolated marks in a span of its own direction.
func isolates(s string) []typeset.Span {
	var out []typeset.Span
	for len(s) > 0 {
		before, rest, found := strings.Cut(s, "\u2068")
		if before != "" {
			out = append(out, typeset.Span{Text: before})
		}
		if !found {
			break
		}
		quoted, after, _ := strings.Cut(rest, "\u2069")
		out = append(out, typeset.Span{Text: quoted, Isolate: true})
		s = after
	}
	return out
}

// bare removes the marks of isolated, which Markdown would show.
func bare(s string) string { return strings.NewReplacer("\u2068", "", "\u2069", "").Replace(s) }

// mended lists where the pack differs from the decision as received.
func (p *language) mended(c *pack.Content) string {
	var out []string
	for _, m := range c.Mended {
		out = append(out, isolated(m.Path)+" ("+p.T("mend_"+m.Change)+")")
	}
	return strings.Join(out, p.T("list_separator"))
}

// contradictionOf returns the message that says whose word it is that a call departed from its intent.
func contradictionOf(t *pack.ToolCallRecord) string {
	if t.OnlyFlagged() {
		return "contradiction_said"
	}
	return "contradiction_is"
}
