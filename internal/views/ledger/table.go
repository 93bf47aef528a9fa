package ledger

import (
	"maps"
	"net/url"
	"slices"
	"strconv"

	"sanad/internal/domain/ledger"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// Row is one claim of the ledger table.
type Row struct {
	Number       int
	Text         string
	Href         string // of the page with the claim in focus
	Fragment     string // of the claim alone
	Critical     bool
	Type         string
	Flagged      bool
	Flag         ClaimFlag // the gravest flag that the row does not say otherwise; without a name if none
	Others       OtherFlags
	Comments     string // "2 comments", "" for none
	CommentCount string // their number alone
	Reviewer     string // who decided it last, "" for nobody
	Initials     string // of the reviewer
	Badge        ui.Badge
	Note         string // overridden, confirmed, why unjudged
	NoteTitle    string // the note in full, "" for the same
	Decided      bool   // a person confirmed or changed the verdict
	Stale        string // that the review saw another judgement, or the evidence is withdrawn
	Source       say.Source
	Partial      bool // the source supports a part of the claim
	Open         bool
	Awaits       bool   // the reader's decision
	Aside        bool   // it no longer counts
	Threads      string // how many threads are open, "" if none
	Since        string // the version of the answer that it is new in, "" for the first
	Citations    RowCheck
	Quotations   RowCheck
	Choice       Choice
	Picked       bool // chosen for a bulk step
}

// OtherFlags are the flags that a row does not name; zero if there are none.
type OtherFlags struct {
	Names    string
	Count    string          // "3", "+3" beside a flag that is named, "" for a single one alone
	Severity ledger.Severity // the gravest, "" beside a flag that is named
}

// Choice is whether a bulk step can take a claim.
type Choice int

// The three choices.
const (
	NoChoice Choice = iota // there is nothing to confirm
	MayPick
	Spared // a person looks at it alone: it is critical or flagged, and the policy keeps bulk steps off such claims
)

// choiceOf returns whether a bulk step can take the claim of a row.
func (p *SessionPage) choiceOf(r *Row, all bool) Choice {
	switch {
	case p.BulkHref == "" || !r.Awaits || r.Badge.Key == say.VerdictKey(ledger.Unjudged):
		return NoChoice
	case !all && (r.Critical || r.Flagged):
		return Spared
	}
	return MayPick
}

// choices fills in the filters; flags are those that are raised.
func (p *SessionPage) choices(f ledger.ClaimFilter, flags []ledger.RiskFlag) {
	all := p.T("all")
	p.Verdicts = ui.Options(&p.Chrome, "verdict_", all, ledger.FilterVerdicts, f.Verdict)
	p.Tiers = ui.Options(&p.Chrome, "tier_", all, ledger.Tiers, f.Tier)
	p.Types = ui.Options(&p.Chrome, "type_", all, ledger.ClaimTypes, f.Type)
	p.Weights = ui.Options(&p.Chrome, "importance_", all, ledger.Importances, f.Importance)
	p.Citations = ui.Options(&p.Chrome, "citation_status_", all, ledger.CitationStatuses, f.Citation)
	p.Asides = ui.Options(&p.Chrome, "state_", all, ledger.Aside, f.Aside)
	p.Quotations = ui.Options(&p.Chrome, "quotation_", all, ledger.QuotationStatuses, f.Quotation)
	p.FlagTypes = p.flagOptions(flags)
}

func (p *SessionPage) rows(in SessionInput) {
	s := in.Session
	p.Rows = make([]Row, len(s.Claims))
	entries := make([]ledger.Entry, len(s.Claims))
	for i := range s.Claims {
		position := s.Claims[i].Position
		entries[i], _ = s.EntryFor(position, in.Flags[position], in.Reader)
	}
	open, list := p.inFocus(in, entries), p.newRowList(&in.Page)
	picks := p.Chrome.Query()["pick"]
	p.Sheet = p.Sheet && open == in.Open
	for i := range entries {
		e, row, position := &entries[i], &p.Rows[i], s.Claims[i].Position
		list.fill(row, e)
		n := strconv.Itoa(row.Number)
		row.Href, row.Fragment = p.address("after", p.after, "claim", n), p.Path+"/claims/"+n
		row.Open = position == open
		row.Awaits = p.May.Review && s.Awaits(e, in.Reader)
		row.Choice = p.choiceOf(row, in.Bulk.All)
		row.Picked = row.Choice == MayPick && len(picks) > 0 && slices.Contains(picks, strconv.Itoa(row.Number))
		switch note := ownNote(&p.Chrome, e, s, in.Reader); {
		case note != "" && e.Sealed && row.Note != "":
			row.NoteTitle = note
		case note != "":
			row.Note, row.NoteTitle, row.Decided = note, "", false
		}
		if row.Open {
			if p.Tab == TabClaims {
				p.Skips = []ui.Option{{Label: p.T("skip_claims"), Value: "#open-" + strconv.Itoa(row.Number)}}
			}
			if p.Review.LeftHref != "" {
				p.leftAfter(row.Number)
			}
			p.Pane = newClaimView(&p.Chrome, &in.LedgerPart, e, ReviewForm{})
			p.Pane.comments(&in.Page, e.Claim, in.Reader)
			p.Pane.threads(e.Claim, &ReviewForm{})
		}
	}
}

// inFocus returns the position of the claim in focus: the one asked for, else the first of the list that waits for the
// reader, else for anybody, else the first; -1 if the list is empty. Where the one asked for is not in the list, the
// first after it that waits comes before these.
func (p *SessionPage) inFocus(in SessionInput, entries []ledger.Entry) int {
	s, waits, first, after := in.Session, -1, -1, -1
	for i := range entries {
		e, position := &entries[i], s.Claims[i].Position
		switch {
		case position == in.Open:
			return position
		case p.May.Review && s.Awaits(e, in.Reader):
			if first < 0 {
				first = position
			}
			if after < 0 && in.Open >= 0 && position > in.Open {
				after = position
			}
		case waits < 0 && s.Left(e, in.Reader):
			waits = position
		}
	}
	switch {
	case after >= 0:
		return after
	case first >= 0:
		return first
	case waits >= 0:
		return waits
	case len(s.Claims) > 0:
		return s.Claims[0].Position
	}
	return -1
}

// moreFilters labels the other filters, with how many of them are on.
func (p *SessionPage) moreFilters() string {
	n := 0
	for name := range ledger.ClaimFilters.On(&p.Filter) {
		if name != "q" { // which has its own field
			n++
		}
	}
	if n == 0 {
		return p.T("filters")
	}
	return p.N("filters_on", n)
}

// sinceNote says in which version of the answer a claim is new, "" for one of the first version.
func sinceNote(c *ui.Chrome, claim *ledger.Claim) string {
	if claim.Since < 2 {
		return ""
	}
	return c.T("claim_since", "N", c.Num(claim.Since))
}

// staleNote returns why a claim must be reviewed again.
func staleNote(c *ui.Chrome, e *ledger.Entry) string {
	switch {
	case e.Stale:
		return c.T("row_stale")
	case e.Affected():
		return c.T("row_affected")
	}
	return ""
}

// address is that of this page with its filter and some more parameters, in pairs and in the order of their names; an
// empty value is left out.
func (p *SessionPage) address(pairs ...string) string {
	if len(p.filters) == 0 {
		address, mark := p.Path, "?"
		for i := 0; i+1 < len(pairs); i += 2 {
			if pairs[i+1] != "" {
				address += mark + pairs[i] + "=" + url.QueryEscape(pairs[i+1])
				mark = "&"
			}
		}
		return address
	}
	return columnAddress{path: p.Path, kept: p.filters}.to(pairs...)
}

// toggled is the ledger with the present filter and this one, or without it where it is on.
func (p *SessionPage) toggled(name, value string, on bool) string {
	if !on {
		return p.address(name, value)
	}
	q := maps.Clone(p.filters)
	q.Del(name)
	return ui.Address(p.Path, q)
}

// pages fills in the links to the pages before and after, keeping the filter.
func (p *SessionPage) pages(in SessionInput) {
	link := func(after *int) string {
		if after == nil {
			return ""
		}
		if *after < 0 {
			return p.address()
		}
		return p.address("after", strconv.Itoa(*after))
	}
	p.PrevHref, p.NextHref = link(in.Prev), link(in.Next)
	if n := len(p.Rows); n > 0 && !p.Filter.Any() {
		p.Range = p.T("range", "From", p.Num(p.Rows[0].Number), "To", p.Num(p.Rows[n-1].Number), "Of",
			p.N("of_claims", p.Summary.Total))
	} else if n > 0 { // numbers of claims would be no range
		p.Range = p.T("count_of", "N", p.Matching, "Claims", p.N("of_claims", p.Summary.Total))
	}
	for _, name := range slices.Sorted(maps.Keys(p.filters)) {
		p.Kept = append(p.Kept, ui.Option{Value: p.filters.Get(name), Label: name})
	}
}

// BulkState is what a bulk step could do with the claims that the list shows.
type BulkState struct {
	All     bool // it takes critical and flagged claims too
	Waiting int  // how many of all that match would be confirmed, -1 where they are too many to count
}

// bulk fills in the bar under the list: the form of the chosen claims, and the link to the page that confirms all that
// match.
func (p *SessionPage) bulk(in SessionInput) {
	if !p.May.Review || in.Bulk.Waiting == 0 || in.Overview.Summary.Settled == in.Overview.Summary.Total {
		return
	}
	p.BulkHref = ui.Address(p.Path+"/confirm", p.filters)
	switch {
	case in.Bulk.Waiting < 0:
		p.BulkText = p.T("bulk_link")
	case p.Filter.Any():
		p.BulkText = p.N("bulk_link_match", in.Bulk.Waiting)
	default:
		p.BulkText = p.N("bulk_link_n", in.Bulk.Waiting)
	}
	if !in.Bulk.All {
		p.BulkWhich = p.T("bulk_link_which")
	}
}
