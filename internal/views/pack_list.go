package views

import (
	"net/url"
	"time"

	"sanad/internal/domain/pack"
)

// PackRow is one pack of a list.
type PackRow struct {
	ID, Title, DecisionID, Agent string
	Version                      int
	State                        pack.State
	Level                        pack.Level
	Class                        string // effective approval class
	OnHold                       bool
	ChangedAt, RetainUntil       time.Time
	Approvals, Need              int
}

// MissingRow is a decision that must have a pack and has none. Where only its class is known, Requirement has no rules.
type MissingRow struct {
	DecisionID, Title, Agent string
	DecidedAt                string
	Requirement              pack.Requirement
}

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

// PackLine is one pack, laid out.
type PackLine struct {
	Title, Href, ID, Version, Agent string
	State, StateKey                 string
	Level, Class                    string
	Unresolved, OnHold              bool
	Changed, Retain                 Moment
	Signed                          string
}

// NewPacksPage lays out the list. Pure.
func NewPacksPage(c Chrome, in PacksInput) *PacksPage {
	p := &PacksPage{Chrome: c, Rows: c.packLines(in.Rows), Text: in.Text, Paged: in.Paged, Filtered: in.Text != "" || in.State != "" || in.Level != ""}
	p.States = options(&p.Chrome, "pk_state_", p.T("all"), pack.States, in.State)
	p.Levels = options(&p.Chrome, "pk_level_", p.T("all"), packLevels, in.Level)
	if !p.Filtered && !p.Paged {
		q := c.packQueue(PackQueueInput{Missing: in.Missing, NMissing: in.NMissing})
		p.Missing, p.MoreMissing = q.Missing, q.MoreMissing
	}
	q := url.Values{}
	for k, v := range c.url.Query() {
		if k != "after" {
			q[k] = v
		}
	}
	p.FirstHref = address("/packs", q)
	if in.Next != "" {
		q.Set("after", in.Next)
		p.NextHref = address("/packs", q)
	}
	return p
}

func (c *Chrome) packLines(rows []PackRow) []PackLine {
	out := make([]PackLine, len(rows))
	for i, r := range rows {
		l := PackLine{
			Title: r.Title, Href: "/packs/" + r.ID, ID: r.ID, Agent: r.Agent, Version: c.Num(r.Version), State: c.T("pk_state_" + string(r.State)),
			StateKey: string(r.State), Level: c.T("pk_level_" + string(r.Level)), Class: r.Class, OnHold: r.OnHold, Changed: c.moment(r.ChangedAt),
			Retain: c.moment(r.RetainUntil),
		}
		life := pack.Life{State: r.State, Mandatory: r.Level == pack.Mandatory}
		l.Unresolved = life.Unresolved()
		if r.Need > 1 && r.State == pack.InReview {
			l.Signed = c.T("pk_signed_of", "N", c.Num(r.Approvals), "Need", c.Num(r.Need))
		}
		out[i] = l
	}
	return out
}
