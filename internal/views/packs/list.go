package packs

import (
	"sanad/internal/domain/pack"
	"sanad/internal/views/ui"
)

// ListInput is the list of packs with its filters.
type ListInput struct {
	Rows     []pack.Row
	Next     string
	Text     string
	State    pack.State
	Level    pack.Level
	Paged    bool
	Missing  []pack.DecisionRow
	NMissing int
}

// ListPage is the list of packs.
type ListPage struct {
	ui.Chrome
	Rows                []ui.PackLine
	Text                string
	States, Levels      []ui.Option
	Filtered, Paged     bool
	FirstHref, NextHref string
	Missing             []ui.MissingLine
	MoreMissing         string
}

// packLevels lists the levels that a filter offers.
var packLevels = []pack.Level{pack.Mandatory, pack.Recommended, pack.Skip}

// NewListPage lays out the list. Pure.
func NewListPage(c ui.Chrome, in ListInput) *ListPage {
	p := &ListPage{Chrome: c, Rows: c.PackLines(in.Rows), Text: in.Text, Paged: in.Paged,
		Filtered: in.Text != "" || in.State != "" || in.Level != ""}
	p.States = ui.Options(&p.Chrome, "pk_state_", p.T("all"), pack.States, in.State)
	p.Levels = ui.Options(&p.Chrome, "pk_level_", p.T("all"), packLevels, in.Level)
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
