package packs

import (
	"sanad/internal/domain/pack"
	"sanad/internal/views/ui"
)

// ListInput is the list of packs with its filters.
type ListInput struct {
	Rows     []pack.Row
	Query    pack.Query
	Next     string // the After of the next page, "" after the last one
	Missing  []pack.DecisionRow
	NMissing int
}

// ListPage is the list of packs.
type ListPage struct {
	ui.Chrome
	Rows                 []ui.PackLine
	Text                 string
	States, Levels, Dues []ui.Option
	Waits                []ui.Option // nil for who approves nothing
	Filtered, Paged      bool
	Narrowed             bool // by more than words
	FirstHref, NextHref  string
	Missing              []ui.MissingLine
	MoreMissing          string
}

// NewListPage lays out the list. Pure.
func NewListPage(c ui.Chrome, in ListInput) *ListPage {
	p := &ListPage{Chrome: c, Rows: c.PackLines(in.Rows), Text: in.Query.Text, Paged: in.Query.After != "",
		Narrowed: in.Query.State != "" || in.Query.Level != "" || in.Query.Due != "" ||
			in.Query.Waits != ""}
	p.Filtered = in.Query.Text != "" || p.Narrowed
	p.States = ui.Options(&p.Chrome, "pk_state_", p.T("all"), pack.States, in.Query.State)
	p.Levels = ui.Options(&p.Chrome, "pk_level_", p.T("all"), pack.Levels, in.Query.Level)
	p.Dues = p.DueOptions(in.Query.Due)
	if p.May.DecidePack {
		p.Waits = ui.Options(&p.Chrome, "pk_waits_for_", p.T("all"), []pack.WaitsFor{pack.ForMe}, in.Query.Waits)
	}
	if !p.Filtered && !p.Paged {
		q := c.PackQueue(&pack.Queue{Missing: in.Missing, NMissing: in.NMissing})
		p.Missing, p.MoreMissing = q.Missing, q.MoreMissing
	}
	q := c.Query("after")
	p.FirstHref = ui.Address("/packs", q)
	if in.Next != "" {
		q.Set("after", in.Next)
		p.NextHref = ui.Address("/packs", q)
	}
	return p
}
