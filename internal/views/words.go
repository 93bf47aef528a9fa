package views

import (
	"path"
	"strconv"

	"sanad/internal/domain/ledger"
)

// icons stand with every verdict, so that colour is never the only sign (spec page 1 "Verdict").
var icons = map[ledger.Verdict]string{
	ledger.Supported: "✓", ledger.Weak: "?", ledger.Contradicted: "✗", ledger.NotFound: "○", ledger.Unjudged: "◌",
}

// flagIcons stand with every severity.
var flagIcons = map[ledger.Severity]string{ledger.High: "▲", ledger.Medium: "◇", ledger.Low: "•"}

// Badge is a verdict as pages show it.
type Badge struct {
	Key     string // supported, weak, contradicted, not_found, unjudged: the style sheet's name
	Class   string // with the strength of the confidence
	Icon    string
	Word    string
	Percent string // "92%", "" where there is none to show
}

// badge draws a verdict with its confidence.
func (c *Chrome) badge(v ledger.Verdict, confidence float64) Badge {
	key := verdictKey(v)
	b := Badge{Key: key, Class: "badge badge-" + key, Icon: icons[v], Word: c.T("verdict_" + key)}
	if v == ledger.Supported || v == ledger.Weak || v == ledger.Contradicted {
		b.Class += " s" + strconv.Itoa(ledger.ConfidenceBand(confidence))
		b.Percent = c.Percent(confidence)
	}
	return b
}

// personBadge is a verdict that a person set: it has no confidence, so no strength.
func (c *Chrome) personBadge(v ledger.Verdict) Badge {
	key := verdictKey(v)
	return Badge{Key: key, Class: "badge badge-" + key + " v-" + key + " by-person", Icon: icons[v], Word: c.T("verdict_" + key)}
}

// entryBadge is a claim's effective verdict: the machine's, or a person's.
func (c *Chrome) entryBadge(e *ledger.Entry) Badge {
	if e.Override {
		return c.personBadge(e.Verdict)
	}
	return c.badge(e.Verdict, e.Confidence)
}

// verdictKey names a verdict in messages and style sheets.
func verdictKey(v ledger.Verdict) string {
	if v == ledger.Unjudged {
		return "unjudged"
	}
	return string(v)
}

// Source is where evidence stands, in pieces that keep their own direction.
type Source struct {
	File  string
	Place string // "p. 12", "§ 3.2", "" when unknown
}

// source names the place of a chunk for a table cell.
func (c *Chrome) source(d *ledger.Document, ch *ledger.Chunk) Source {
	if d == nil {
		return Source{}
	}
	s := Source{File: documentName(d)}
	switch {
	case ch == nil:
	case ch.Page > 0:
		s.Place = c.T("page_short", "N", c.Num(ch.Page))
	case ch.Section() != "":
		s.Place = c.section("section_short", ch.Section())
	}
	return s
}

// place names page and section in full, for the line under a quotation.
func (c *Chrome) place(ch *ledger.Chunk) string {
	s := ""
	if ch.Page > 0 {
		s += c.T("page_long", "N", c.Num(ch.Page))
	}
	if n := ch.Section(); n != "" {
		s += c.T("list_comma") + c.section("section_long", n)
	}
	return s
}

// section writes "section 4.2" for a heading's number, which stays as it is printed, and a heading without one alone.
func (c *Chrome) section(id, name string) string {
	if ledger.IsSectionNumber(name) {
		return c.T(id, "N", isolated(name))
	}
	return isolated(name)
}

// isolated keeps a text's own direction within a sentence of the other (U+2068, U+2069).
func isolated(s string) string { return "\u2068" + s + "\u2069" }

// documentName is what a document is called: its file name, else title, else the end of its address.
func documentName(d *ledger.Document) string {
	switch {
	case d.Filename != "":
		return d.Filename
	case d.Title != "":
		return d.Title
	case d.URI != "":
		return path.Base(d.URI)
	}
	return d.Key
}

// Option is one choice of a select.
type Option struct {
	Value, Label string
	Selected     bool
}

// options makes the choices of a select, the empty one first where its label is given.
func options[V ~string](c *Chrome, prefix, empty string, all []V, chosen V) []Option {
	var out []Option
	if empty != "" {
		out = append(out, Option{"", empty, chosen == ""})
	}
	for _, v := range all {
		out = append(out, Option{string(v), c.T(prefix + string(v)), v == chosen})
	}
	return out
}

// Bar is a thin stacked bar of verdict counts.
type Bar struct {
	Total int
	Parts []BarPart
	Label string
}

// BarPart is one verdict's stretch, in claims.
type BarPart struct {
	Key     string
	X, Size int
}

// bar lays out counts by verdict; unjudged claims come last.
func (c *Chrome) bar(counts map[ledger.Verdict]int, unjudged int) Bar {
	var b Bar
	add := func(v ledger.Verdict, n int) {
		if n == 0 {
			return
		}
		if b.Label != "" {
			b.Label += c.T("list_comma")
		}
		b.Label += c.T("verdict_"+verdictKey(v)) + " " + c.Num(n)
		b.Parts = append(b.Parts, BarPart{verdictKey(v), b.Total, n})
		b.Total += n
	}
	for _, v := range ledger.Verdicts {
		add(v, counts[v])
	}
	add(ledger.Unjudged, unjudged)
	return b
}
