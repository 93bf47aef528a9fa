package accounts

import (
	"strings"

	"sanad/internal/domain/redact"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// RedactionForm is a tenant's own redaction patterns as they are stored, or as typed: one per line.
type RedactionForm struct {
	Text    string
	Seen    string // the patterns that the form was made from, in the same form
	Now     string // what somebody else has saved meanwhile, "" if nobody has
	Profile string // of the rules in force
	Fault   RedactionFault
}

// RedactionFault is why the patterns were refused.
type RedactionFault struct {
	Word string // form, kind, expr, many, conflict; "" if nothing is wrong
	Line int    // from 1
	Why  string // the error of the regular expression
}

// RedactionPage is the setting of a tenant's own redaction patterns.
type RedactionPage struct {
	ui.Chrome
	Form              RedactionForm
	Lead, Help, Fault string
	Done              string
}

// NewRedactionPage lays out the setting. Pure.
func NewRedactionPage(c ui.Chrome, f RedactionForm) *RedactionPage {
	p := &RedactionPage{Chrome: c, Form: f, Done: c.Notice("red_done_", "saved"),
		Lead: c.T("red_lead", "Kinds", kindNames(&c)),
		Help: c.T("red_patterns_help", "N", c.Num(redact.MaxPatterns))}
	n := c.Num(f.Fault.Line)
	if f.Fault.Word == "many" {
		n = c.Num(redact.MaxPatterns)
	}
	if f.Fault.Word != "" {
		p.Fault = c.T("red_fault_"+f.Fault.Word, "N", n, "Why", say.Isolated(f.Fault.Why))
	}
	return p
}

// kindNames lists the built-in kinds, each with the name that no pattern may have.
func kindNames(c *ui.Chrome) string {
	var out []string
	for _, k := range redact.Kinds() {
		out = append(out, c.T("bn_kind_"+k)+" ("+say.Isolated(k)+")")
	}
	return strings.Join(out, c.T("list_comma"))
}

// PatternLines writes patterns, one per line.
func PatternLines(patterns []redact.Pattern) string {
	var b strings.Builder
	for _, p := range patterns {
		b.WriteString(p.Kind + " " + p.Expr + "\n")
	}
	return b.String()
}
