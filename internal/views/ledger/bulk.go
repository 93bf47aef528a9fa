package ledger

import (
	"errors"
	"maps"
	"net/url"
	"slices"
	"strconv"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/views/ui"
)

// BulkInput is the effect of confirming several claims.
type BulkInput struct {
	ledger.Confirmable
	Filter ledger.ClaimFilter
	Query  url.Values    // the filter as it stands in an address
	Fault  *domain.Error // why it was not done, nil for a fresh page
}

// BulkPage lists exactly what would be confirmed, before the reader confirms.
type BulkPage struct {
	ui.Chrome
	Title, BackHref, Action string
	Revision                string
	Hidden                  []ui.Option // the filter
	Filtered                bool
	Count                   int
	Text, Button            string
	Figures                 []ui.Figure
	Bar                     ui.Bar
	First                   []Row
	More                    string // how many come after those that are listed
	Skipped                 []string
	Changed, Fault          string
}

// NewBulkPage lays out the page. Pure.
func NewBulkPage(c ui.Chrome, in BulkInput) *BulkPage {
	s, count := in.Session, in.Count
	p := &BulkPage{
		Chrome: c, Title: s.Title, Action: "/sessions/" + s.ID + "/confirm",
		BackHref: ui.Address("/sessions/"+s.ID, in.Query) + "#ledger",
		Revision: strconv.Itoa(s.Revision), Filtered: in.Filter.Any(), Count: count,
		Text: c.N("bulk_would", count), Button: c.N("bulk_do", count),
	}
	for _, name := range slices.Sorted(maps.Keys(in.Query)) {
		p.Hidden = append(p.Hidden, ui.Option{Value: in.Query.Get(name), Label: name})
	}
	p.list(&in)
	if n := in.Unjudged; n > 0 {
		p.Skipped = append(p.Skipped, c.N("bulk_unjudged", n))
	}
	if n := in.Decided; n > 0 {
		p.Skipped = append(p.Skipped, c.N("bulk_decided", n))
	}
	if n := in.Spared; n > 0 {
		p.Skipped = append(p.Skipped, c.N("policy.bulk_spared", n))
	}
	switch {
	case count > ledger.MaxBulk:
		p.Fault, p.Count = c.T("bulk_too_many", "N", c.Num(ledger.MaxBulk)), 0
	case in.Fault != nil && in.Fault.Kind == domain.Conflict:
		p.Changed = c.T("bulk_changed")
	case in.Fault != nil && errors.Is(in.Fault, ledger.ErrReadsAll): // none of them, however they are chosen
		p.Fault, p.Count, p.First, p.More = stepFault(&c, in.Fault), 0, nil, ""
	case in.Fault != nil:
		p.Fault = stepFault(&c, in.Fault)
	}
	return p
}

// list fills in the counts by verdict and the first claims.
func (p *BulkPage) list(in *BulkInput) {
	for i := range in.First {
		e := &in.First[i]
		p.First = append(p.First, Row{Number: e.Claim.Number(), Text: e.Claim.Text,
			Href: claimPath(in.Session.ID, e.Claim.Position), Badge: p.EntryBadge(e)})
	}
	for _, v := range ledger.Verdicts {
		if n := in.ByVerdict[v]; n > 0 {
			p.Figures = append(p.Figures, ui.Figure{Badge: p.Badge(v, 0), Count: p.Num(n)})
		}
	}
	p.Bar = p.VerdictBar(in.ByVerdict, 0)
	if more := p.Count - len(p.First); more > 0 && len(p.First) > 0 {
		p.More = p.N("n_more", more)
	}
}
