package accounts

import (
	"strconv"
	"time"

	"sanad/internal/domain"
	"sanad/internal/views/ui"
)

// TokenRow is an API token.
type TokenRow struct {
	ID, Name                                    string
	Person                                      string // the person it acts as, "" for a machine
	By, ByName                                  string // who made it: id, and shown name where it is known
	Role                                        domain.Role
	CreatedAt, ExpiresAt, RevokedAt, LastUsedAt time.Time
}

// TokenForm is what was typed to add a token.
type TokenForm struct {
	Name, Person, Days string
	Role               domain.Role
	Confirm            string        // where the password is given again, "" if it was given recently
	People             []ui.Option   // id and name
	Fault              *ui.FormFault // fields name, role, person, days
}

// TokensPage lists the tokens of a tenant and adds to them.
type TokensPage struct {
	ui.Chrome
	Rows   []TokenLine
	Pager  ui.Pager
	Form   TokenForm
	Count  string
	Roles  []ui.Option
	People []ui.Option
	Done   string
}

// TokenLine is one token, laid out.
type TokenLine struct {
	Name, Role, Person, By, Href string
	Expires, Used                ui.Moment
	State                        string // valid, expired, revoked
	StateWord                    string
}

// NewTokensPage lays out the list. Pure.
func NewTokensPage(c ui.Chrome, rows []TokenRow, list ui.AdminList, form TokenForm) *TokensPage {
	p := &TokensPage{
		Chrome: c, Form: form, Roles: c.RoleOptions(form.Role), Done: c.Notice("tok_done_", "revoked"),
		Count: c.N("tok_n", list.Total), Pager: list.Pager("/admin/tokens"),
	}
	p.People = append([]ui.Option{{Value: "", Label: c.T("tok_machine"), Selected: form.Person == ""}}, form.People...)
	for _, r := range rows {
		p.Rows = append(p.Rows, tokenLine(&c, r))
	}
	return p
}

func tokenLine(c *ui.Chrome, r TokenRow) TokenLine {
	l := TokenLine{
		Name: r.Name, Role: c.T("role_" + string(r.Role)), Person: r.Person, By: c.ActorName(r.By, r.ByName),
		Href:    "/admin/tokens/" + r.ID + "/revoke",
		Expires: c.Moment(r.ExpiresAt), Used: c.Minute(r.LastUsedAt), State: "valid",
	}
	switch {
	case !r.RevokedAt.IsZero():
		l.State = "revoked"
	case !c.Now.Before(r.ExpiresAt):
		l.State = "expired"
	}
	l.StateWord = c.T("tok_state_" + l.State)
	return l
}

// field is one field of the form that adds a token.
func (p *TokensPage) field(name, value, help string) ui.TextField {
	f := ui.TextField{
		ID: "k-" + name, Name: name, Label: p.T("tok_" + name), Help: help, Value: value,
		Fault:    p.FaultAt(p.Form.Fault, name),
		Complete: "off", Required: true, Dir: "auto",
	}
	if name == "days" {
		f.Mode, f.Dir = "numeric", "ltr"
	}
	return f
}

// TokenPage shows the secret of a new token, once, with how to use it.
type TokenPage struct {
	ui.Chrome
	Name, Secret, Example, Expires string
}

// NewTokenPage lays out a new token; base is the address of this server. Pure.
func NewTokenPage(c ui.Chrome, name, secret, base string, expires time.Time) *TokenPage {
	return &TokenPage{
		Chrome: c, Name: name, Secret: secret,
		Example: "curl -H " + strconv.Quote("Authorization: Bearer $SANAD_TOKEN") + " " + base + "/api/v1/sessions",
		Expires: c.Time(expires),
	}
}

// RevokePage asks whether to revoke a token.
type RevokePage struct {
	ui.Chrome
	Line TokenLine
}

// NewRevokePage lays out the question. Pure.
func NewRevokePage(c ui.Chrome, r TokenRow) *RevokePage { return &RevokePage{c, tokenLine(&c, r)} }
