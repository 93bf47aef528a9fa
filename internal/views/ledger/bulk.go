package ledger

import (
	"errors"
	"maps"
	"net/url"
	"slices"
	"strconv"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// BulkInput is the effect of confirming several claims.
type BulkInput struct {
	ledger.Confirmable
	Query url.Values    // the filter as it stands in an address
	Picks []int         // numbers of the claims that were chosen, nil for all that match the filter
	Fault *domain.Error // why it was not done, nil for a fresh page
}

// BulkPage lists exactly what would be confirmed, before the reader confirms.
type BulkPage struct {
	ui.Chrome
	Title, BackHref, Action string
	Revision                string
	Hidden                  []ui.Option // the filter and the chosen claims
	Count                   int
	Choosing                bool // each claim is listed, with a box to leave it out
	Text, Button            string
	Figures                 []ui.Figure
	Bar                     ui.Bar
	First                   []BulkRow
	More                    string // how many come after those that are listed
	LeftOut                 []LeftOut
	Changed, Fault          string
}

// LeftOut is why some claims would not be confirmed, and the first of them.
type LeftOut struct {
	Text   string
	Claims []ui.Option // number and address
	More   string      // how many come after them
}

// BulkRow is a claim that would be confirmed.
type BulkRow struct {
	Number     int
	Text, Href string
	Badge      ui.Badge
	Passage    string // the words of the one that decides, "" for none
	Why        string // the reason of the verdict
	Source     string // name of its document
	Place      string // where in that it stands, ", page 2", "" if that is not known
}

// NewBulkPage lays out the page. Pure.
func NewBulkPage(c ui.Chrome, in BulkInput) *BulkPage {
	s, count := in.Session, in.Count
	back := maps.Clone(in.Query)
	for _, n := range in.Picks {
		if back == nil {
			back = url.Values{}
		}
		back.Add("pick", strconv.Itoa(n))
	}
	p := &BulkPage{
		Chrome: c, Title: s.Title, Action: "/sessions/" + s.ID + "/confirm",
		BackHref: ui.Address("/sessions/"+s.ID, back) + "#ledger",
		Revision: strconv.Itoa(s.Revision), Count: count,
		Text: c.N("bulk_would", count), Button: c.N("bulk_do", count),
	}
	for _, name := range slices.Sorted(maps.Keys(back)) {
		for _, v := range back[name] {
			p.Hidden = append(p.Hidden, ui.Option{Value: v, Label: name})
		}
	}
	if p.Choosing = count > 0 && count == len(in.First); p.Choosing {
		p.Button = c.T("bulk_do_chosen")
	}
	p.list(&in)
	p.leftOut(s.ID, "policy.bulk_spared", in.Spared, in.SparedAt)
	p.leftOut(s.ID, "bulk_unjudged", in.Unjudged, in.UnjudgedAt)
	p.leftOut(s.ID, "bulk_decided", in.Decided, in.DecidedAt)
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

// leftOut says why n claims are left out, and names the first of them.
func (p *BulkPage) leftOut(session, why string, n int, first []int) {
	if n == 0 {
		return
	}
	out := LeftOut{Text: p.N(why, n)}
	for _, at := range first {
		out.Claims = append(out.Claims, ui.Option{Label: p.Num(at + 1), Value: claimPath(session, at)})
	}
	if more := n - len(first); more > 0 && len(first) > 0 {
		out.More = p.N("n_more", more)
	}
	p.LeftOut = append(p.LeftOut, out)
}

// list fills in the counts by verdict and the first claims, the gravest before the others.
func (p *BulkPage) list(in *BulkInput) {
	for i := range in.First {
		e := &in.First[i]
		row := BulkRow{Number: e.Claim.Number(), Text: e.Claim.Text,
			Href: claimPath(in.Session.ID, e.Claim.Position), Badge: p.VerdictBadge(e.Verdict, e.Confidence)}
		if e.Best != nil && e.Document != nil {
			row.Passage, row.Why = e.Best.Snippet, p.why(in, e)
			row.Source, row.Place = say.DocumentName(e.Document), p.Place(e.Document, e.Chunk)
		}
		p.First = append(p.First, row)
	}
	for _, v := range ledger.Verdicts {
		if n := in.ByVerdict[v]; n > 0 {
			p.Figures = append(p.Figures, ui.Figure{Badge: p.VerdictBadge(v, 0), Count: p.Num(n)})
		}
	}
	p.Bar = p.VerdictBar(in.ByVerdict, 0)
	if more := p.Count - len(p.First); more > 0 && len(p.First) > 0 {
		p.More = p.N("n_more", more)
	}
}

// why is the reason of a claim's verdict, as its page has it.
func (p *BulkPage) why(in *BulkInput, e *ledger.Entry) string {
	_, passage := whereFound(in.Session, e.Best)
	found := contrast(in.Session, e.Claim, passage, e.Best)
	return newWhy(&p.Chrome, &ledger.Page{Session: in.Session, Documents: in.Documents}, "", e, &found).Lead
}
