package packs

import (
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/views/ui"
)

// SessionInput is a draft whose review session is chosen.
type SessionInput struct {
	Pack    *pack.Pack
	Present *ledger.SessionRow // that it copies, nil if none is here
	Named   bool               // the decision itself names a session that is here: it stays
	Linked  bool               // a person chose the present one
	Query   string
	Rows    []ledger.SessionRow // that can be chosen
	More    bool                // others have the words too
	Chosen  string              // in the form that was refused
	Reason  string              // likewise
	Fault   *ui.FormFault
	Done    string
}

// SessionPage is the form by which a draft gets the review session whose ledger it copies.
type SessionPage struct {
	ui.Chrome
	Head
	Present *SessionChoice
	Missing string // id that the draft names and nobody has, "" if none
	Named   bool
	Linked  bool
	Query   string
	Choices []SessionChoice
	More    bool
	Reason  string
	Done    string

	Fault, ReasonFault, ChoiceFault string
}

// SessionChoice is a session that can be chosen.
type SessionChoice struct {
	ID, Title, Href, About string
	Checked                bool
}

// NewSessionPage lays out the form. Pure.
func NewSessionPage(c ui.Chrome, in SessionInput) *SessionPage {
	p := &SessionPage{Chrome: c, Head: NewHead(&c, in.Pack), Named: in.Named, Linked: in.Linked, Query: in.Query,
		More: in.More, Reason: in.Reason, Done: c.Notice("pk_done_", "linked", "unlinked")}
	switch {
	case in.Fault == nil:
	case in.Fault.Field == "reason":
		p.ReasonFault = c.FaultWords(in.Fault)
	case in.Fault.Field == "session_id":
		p.ChoiceFault = c.FaultWords(in.Fault)
	default:
		p.Fault = c.FaultWords(in.Fault)
	}
	if in.Present != nil {
		p.Present = sessionChoice(&c, in.Present, "")
	} else {
		p.Missing = in.Pack.Content.LedgerSessionID
	}
	for i := range in.Rows {
		if in.Present == nil || in.Rows[i].ID != in.Present.ID {
			p.Choices = append(p.Choices, *sessionChoice(&c, &in.Rows[i], in.Chosen))
		}
	}
	return p
}

func sessionChoice(c *ui.Chrome, r *ledger.SessionRow, chosen string) *SessionChoice {
	day := "" // of one of which only its copy is left
	if !r.CreatedAt.IsZero() {
		day = c.Date(r.CreatedAt)
	}
	about := joined(c.N("n_claims", r.Claims), c.T("settled_short", "N", c.Num(r.Settled), "Total", c.Num(r.Claims)), day)
	return &SessionChoice{ID: r.ID, Title: r.Title, Href: "/sessions/" + r.ID, About: about, Checked: r.ID == chosen}
}
