package views

import (
	"maps"
	"net/url"
	"slices"
	"strconv"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
)

// BulkInput is what confirming several claims would do.
type BulkInput struct {
	Session *ledger.Session // whole
	Plan    ledger.Plan
	Filter  Filter
	Query   url.Values    // the filter as it stands in an address
	Fault   *domain.Error // why it was not done, nil for a fresh page
}

// BulkPage says exactly what would be confirmed, before it is.
type BulkPage struct {
	Chrome
	Title, BackHref, Action string
	Revision                string
	Hidden                  []Option // the filter
	Filtered                bool
	Count                   int
	Text, Button            string
	Figures                 []Figure
	Bar                     Bar
	First                   []Row
	More                    string // how many come after those that are listed
	Skipped                 []string
	Changed, Fault          string
}

// bulkListed is how many of the claims the page lists.
const bulkListed = 10

// NewBulkPage lays out the page. Pure.
func NewBulkPage(c Chrome, in BulkInput) *BulkPage {
	s := in.Session
	p := &BulkPage{
		Chrome: c, Title: s.Title, Action: "/sessions/" + s.ID + "/confirm", BackHref: address("/sessions/"+s.ID, in.Query) + "#ledger",
		Revision: strconv.Itoa(s.Revision), Filtered: in.Filter.Any(), Count: len(in.Plan.Confirm),
		Text: c.N("bulk_would", len(in.Plan.Confirm)), Button: c.N("bulk_do", len(in.Plan.Confirm)),
	}
	for _, name := range slices.Sorted(maps.Keys(in.Query)) {
		p.Hidden = append(p.Hidden, Option{Value: in.Query.Get(name), Label: name})
	}
	p.list(s, in.Plan.Confirm)
	if n := len(in.Plan.Unjudged); n > 0 {
		p.Skipped = append(p.Skipped, c.N("bulk_unjudged", n))
	}
	if n := len(in.Plan.Decided); n > 0 {
		p.Skipped = append(p.Skipped, c.N("bulk_decided", n))
	}
	switch {
	case len(in.Plan.Confirm) > ledger.MaxBulk:
		p.Fault, p.Count = c.T("bulk_too_many", "N", c.Num(ledger.MaxBulk)), 0
	case in.Fault != nil && in.Fault.Kind == domain.Conflict:
		p.Changed = c.T("bulk_changed")
	}
	return p
}

// list counts the claims by verdict and lists the first ones.
func (p *BulkPage) list(s *ledger.Session, positions []int) {
	counts := map[ledger.Verdict]int{}
	for i, at := range positions {
		e, ok := s.EntryAt(at, nil)
		if !ok {
			continue
		}
		counts[e.Verdict]++
		if i < bulkListed {
			p.First = append(p.First, Row{Number: e.Claim.Number(), Text: e.Claim.Text, Href: claimPath(s.ID, at), Badge: p.entryBadge(&e)})
		}
	}
	for _, v := range ledger.Verdicts {
		if counts[v] > 0 {
			p.Figures = append(p.Figures, Figure{Badge: p.badge(v, 0), Count: p.Num(counts[v])})
		}
	}
	p.Bar = p.bar(counts, 0)
	if more := len(positions) - len(p.First); more > 0 {
		p.More = p.N("n_more", more)
	}
}
