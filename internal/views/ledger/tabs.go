package ledger

import (
	"cmp"
	"strconv"

	"github.com/a-h/templ"
)

// The tabs of the ledger page, by their value in its address. That of the claims is the page itself.
const (
	TabClaims  = "claims"
	TabAnswer  = "answer"
	TabReport  = "report"
	TabSources = "sources"
)

// Tabs lists them in display order.
var Tabs = []string{TabClaims, TabAnswer, TabReport, TabSources}

// TabLink leads to a tab. Key is one of Tabs.
type TabLink struct {
	Key, Label, Href string
	Short            string // the label where there is little room, "" for the same
	Current          bool
}

// currentIf marks a link whose filter is on.
func currentIf(on bool) templ.Attributes {
	if !on {
		return nil
	}
	return templ.Attributes{"aria-current": "true"}
}

// tabs lays out the links between the tabs; each keeps the filter and the claim in focus.
func (p *SessionPage) tabs(in SessionInput) {
	p.Tab = cmp.Or(in.Tab, TabClaims)
	if in.Steps.isRefusedInPeople() {
		p.Tab = TabSources // that has the form
	}
	claim, after := "", ""
	if in.Open >= 0 {
		claim, after = strconv.Itoa(in.Open+1), p.after
	}
	p.Tabs = make([]TabLink, 0, len(Tabs))
	for _, key := range Tabs {
		tab := key
		if tab == TabClaims {
			tab = ""
		}
		p.Tabs = append(p.Tabs, TabLink{
			Key: key, Label: p.T("tab_" + key), Href: p.address("after", after, "claim", claim, "tab", tab), Current: key == p.Tab,
		})
		if key == TabSources {
			p.Tabs[len(p.Tabs)-1].Short = p.T("tab_sources_short")
		}
	}
	p.Sheet = in.Open >= 0 && p.Tab == TabClaims
	p.ListHref = p.address("after", p.after)
	if in.Open >= 0 {
		p.ListHref += "#claim-" + claim
	}
}
