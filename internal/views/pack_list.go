package views

import (
	"sanad/internal/domain/pack"
)

// PacksInput is the list of packs with its filters.
type PacksInput struct {
	Rows     []PackRow
	Next     string
	Text     string
	State    pack.State
	Level    pack.Level
	Paged    bool
	Missing  []MissingRow
	NMissing int
}

// PacksPage is the list of packs.
type PacksPage struct {
	Chrome
	Rows                []PackLine
	Text                string
	States, Levels      []Option
	Filtered, Paged     bool
	FirstHref, NextHref string
	Missing             []MissingLine
	MoreMissing         string
}

// packLevels lists the levels that a filter offers.
var packLevels = []pack.Level{pack.Mandatory, pack.Recommended, pack.Skip}

// NewPacksPage lays out the list. Pure.
func NewPacksPage(c Chrome, in PacksInput) *PacksPage {
	p := &PacksPage{Chrome: c, Rows: c.packLines(in.Rows), Text: in.Text, Paged: in.Paged, Filtered: in.Text != "" || in.State != "" || in.Level != ""}
	p.States = options(&p.Chrome, "pk_state_", p.T("all"), pack.States, in.State)
	p.Levels = options(&p.Chrome, "pk_level_", p.T("all"), packLevels, in.Level)
	if !p.Filtered && !p.Paged {
		q := c.packQueue(PackQueueInput{Missing: in.Missing, NMissing: in.NMissing})
		p.Missing, p.MoreMissing = q.Missing, q.MoreMissing
	}
	q := c.Query("after")
	p.FirstHref = address("/packs", q)
	if in.Next != "" {
		q.Set("after", in.Next)
		p.NextHref = address("/packs", q)
	}
	return p
}
