package ui

import (
	"strconv"

	"sanad/internal/domain/ledger"
	"sanad/internal/views/say"
)

// Figure is one count of the summary line.
type Figure struct {
	Badge Badge
	Count string
	Href  string
	// what the page shows now is filtered by it
	Current bool
}

// Icons are shown with every verdict, so that colour is never the only sign (rule L-7).
var Icons = map[ledger.Verdict]string{
	ledger.Supported: "✓", ledger.Weak: "?", ledger.Contradicted: "✗", ledger.NotFound: "○", ledger.Unjudged: "◌",
}

// FlagIcons are shown with every severity.
var FlagIcons = map[ledger.Severity]string{ledger.High: "▲", ledger.Medium: "◇", ledger.Low: "•"}

// Badge is a verdict as pages show it.
type Badge struct {
	Key     string // supported, weak, contradicted, not_found, unjudged, aside: the class in the style sheet
	Class   string // with whether it is solid
	Icon    string
	Word    string
	Percent string // "92%" or "92% in the imported file", "" if none to show
	Whose   string // what Percent is, "" for a confidence
	Says    bool   // Percent is a sentence
}

// VerdictBadge draws a verdict without its figure.
func (c *Chrome) VerdictBadge(v ledger.Verdict, confidence float64) Badge {
	key := say.VerdictKey(v)
	b := Badge{Key: key, Class: "badge badge-" + key, Icon: Icons[v], Word: c.Verdict(v)}
	if solid(v, confidence) {
		b.Class += " solid"
	}
	return b
}

// MachineBadge is the machine's verdict of a claim with its one figure, and whose it is.
func (c *Chrome) MachineBadge(e *ledger.Entry) Badge {
	b := c.FigureBadge(e.Machine, e.Shown(), e.FigureSource())
	b.Word = c.TierWord(e.Machine, e.MachineTier())
	return b
}

// FigureBadge is a verdict with its figure: a probability, or whose figure it is.
func (c *Chrome) FigureBadge(v ledger.Verdict, figure float64, source ledger.ConfidenceSource) Badge {
	b := c.VerdictBadge(v, figure)
	if source == "" {
		return b
	}
	if source == ledger.Calibrated {
		b.Percent, b.Whose = c.Percent(figure), c.T("probability")
		return b
	}
	b.Percent, b.Says = c.T("says_"+string(source), "Value", c.Percent(figure)), true
	return b
}

func whose(c *Chrome, b Badge) string {
	switch {
	case b.Whose != "":
		return b.Whose
	case b.Key == string(ledger.Supported), b.Key == string(ledger.Weak):
		return c.T("figure_supports")
	case b.Key == string(ledger.Contradicted):
		return c.T("figure_contradicts")
	}
	return c.T("confidence")
}

// solid reports whether a badge is solid, not light, by the figure beside it (rule L-7).
func solid(v ledger.Verdict, figure float64) bool {
	return v == ledger.Weak && figure >= 0.5 || v == ledger.Contradicted && figure >= 0.85
}

// PersonBadge is a verdict that a person set: it has no figure.
func (c *Chrome) PersonBadge(v ledger.Verdict) Badge {
	key := say.VerdictKey(v)
	return Badge{Key: key, Class: "badge badge-" + key + " v-" + key + " by-person", Icon: Icons[v], Word: c.Verdict(v)}
}

// EntryBadge is a claim's effective verdict: the machine's, or a person's. A claim that no longer counts has none, but
// says why it does not.
func (c *Chrome) EntryBadge(e *ledger.Entry) Badge {
	if e.State.Aside() {
		return Badge{Key: "aside", Class: "badge badge-aside", Icon: "–", Word: c.T("state_" + string(e.State))}
	}
	if e.Override {
		return c.PersonBadge(e.Verdict)
	}
	return c.MachineBadge(e)
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

// The widths of a bar's parts are in thousandths of it. A part is at least leastPart wide, so that one claim among
// thousands stays visible; what that takes comes from the widest part (rule WEB-11).
const (
	barWidth  = 1000
	leastPart = 30
)

// BarRect is a part of a bar as it is drawn.
type BarRect struct{ Key, X, Width string }

// Rects lays out the parts of a bar. Their widths add up to barWidth.
func (b *Bar) Rects() []BarRect {
	if b.Total == 0 {
		return nil
	}
	widths, left, widest := make([]int, len(b.Parts)), barWidth, 0
	for i, p := range b.Parts {
		widths[i] = max(leastPart, p.Size*barWidth/b.Total)
		if left -= widths[i]; widths[i] > widths[widest] {
			widest = i
		}
	}
	widths[widest] += left
	out, x := make([]BarRect, len(b.Parts)), 0
	for i, p := range b.Parts {
		out[i] = BarRect{p.Key, strconv.Itoa(x), strconv.Itoa(widths[i])}
		x += widths[i]
	}
	return out
}

// VerdictBar lays out counts by verdict; unjudged claims come last.
func (c *Chrome) VerdictBar(counts map[ledger.Verdict]int, unjudged int) Bar {
	var b Bar
	add := func(v ledger.Verdict, n int) {
		if n == 0 {
			return
		}
		if b.Label != "" {
			b.Label += c.T("list_comma")
		}
		b.Label += c.Verdict(v) + " " + c.Num(n)
		b.Parts = append(b.Parts, BarPart{say.VerdictKey(v), b.Total, n})
		b.Total += n
	}
	for _, v := range ledger.Verdicts {
		add(v, counts[v])
	}
	add(ledger.Unjudged, unjudged)
	return b
}

// ProgressBar lays out the progress of a review. Each claim is counted in exactly one of its parts; its label says the
// same figures.
func (c *Chrome) ProgressBar(settled, differing, stale, unjudged, total int) Bar {
	var b Bar
	for _, p := range []struct {
		key string
		n   int
	}{{"settled", settled}, {"differs", differing}, {"stale", stale}, {"unjudged", unjudged}, {"open", total}} {
		n := min(p.n, total-b.Total)
		if n <= 0 {
			continue
		}
		if b.Label != "" {
			b.Label += c.T("list_comma")
		}
		b.Label += c.T("progress_"+p.key) + " " + c.Num(n)
		b.Parts = append(b.Parts, BarPart{p.key, b.Total, n})
		b.Total += n
	}
	return b
}
