package packs

import (
	"slices"
	"strings"

	"sanad/internal/domain/pack"
	"sanad/internal/domain/text"
	"sanad/internal/views/ui"
)

// PartsInput is a signed pack's parts, and what was asked about them.
type PartsInput struct {
	PackID, Title string
	Parts         []pack.Part
	Chosen        []string    // as it was ticked, kind/id
	Quoting       []pack.Part // that quote what was to be left out
	Reason, Rule  string      // as typed
	Fault         *ui.FormFault
}

// PartsPage makes proofs of single parts, and redacted copies.
type PartsPage struct {
	ui.Chrome
	Title, PackHref, Href string
	Groups                []PartGroup
	Reason, Rule, Fault   string
}

// PartGroup is the parts of one kind.
type PartGroup struct {
	Kind, Label string
	Parts       []PartLine
}

// PartLine is one part.
type PartLine struct {
	Name, ID, Text string // Name is what the form sends
	Chosen         bool
	Quotes         bool
}

// partShown is how much of a part's text is shown to know it by.
const partShown = 160

// cutAtLast is strings.Cut at the last occurrence of sep.
func cutAtLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// shortened returns the beginning of a text on one line.
func shortened(s string, most int) string {
	s = strings.Join(strings.Fields(s), " ")
	if text.Len(s) <= most {
		return s
	}
	return text.Slice(s, text.Span{End: most}) + "…"
}

// NewPartsPage lays out the parts. Pure.
func NewPartsPage(c ui.Chrome, in PartsInput) *PartsPage {
	href := "/packs/" + in.PackID
	p := &PartsPage{Chrome: c, Title: in.Title, PackHref: href, Href: href + "/parts", Reason: in.Reason,
		Rule: in.Rule, Fault: c.FaultWords(in.Fault)}
	for _, x := range in.Parts {
		if n := len(p.Groups); n == 0 || p.Groups[n-1].Kind != x.Kind {
			p.Groups = append(p.Groups, PartGroup{Kind: x.Kind, Label: c.T("pk_part_" + x.Kind)})
		}
		line := PartLine{Name: x.Kind + "/" + x.ID, ID: x.ID, Text: shortened(x.Text, partShown)}
		if field, lang, ok := cutAtLast(x.ID, "_"); ok && x.Kind == pack.LeafMemo {
			line.ID, line.Text = "", c.T("pk_memo_"+field)+" · "+c.T("lang_"+lang)
		}
		line.Chosen = slices.Contains(in.Chosen, line.Name)
		line.Quotes = slices.ContainsFunc(in.Quoting,
			func(q pack.Part) bool { return q.Kind == x.Kind && q.ID == x.ID })
		g := &p.Groups[len(p.Groups)-1]
		g.Parts = append(g.Parts, line)
	}
	return p
}
