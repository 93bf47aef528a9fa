package accounts

import (
	"strconv"
	"time"

	"sanad/internal/domain/access"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// TokenForm is what was typed to add a token.
type TokenForm struct {
	Name, Person, Days string
	Role               access.Role
	Confirm            string        // where the password is given again, "" if it was given recently
	People             []ui.Option   // id and name
	Fault              *ui.FormFault // fields name, role, person, days, scopes, addresses
	Narrowing
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
	Narrow narrowFields
	Done   string
}

// TokenLine is one token, laid out.
type TokenLine struct {
	Name, Role, Person, By, Href string
	Expires, Used                say.Moment
	State                        string // valid, expired, revoked
	StateWord                    string
	Narrowed                     []string // what it is narrowed to
}

// NewTokensPage lays out the list; names has the names of those who made the tokens, by id. Pure.
func NewTokensPage(c ui.Chrome, tokens []access.Token, names map[string]string, list ui.AdminList, form TokenForm) *TokensPage {
	p := &TokensPage{
		Chrome: c, Form: form, Roles: c.RoleOptions(form.Role), Done: c.Notice("tok_done_", "revoked"),
		Count: c.N("tok_n", list.Total), Pager: list.Pager("/admin/tokens"),
	}
	p.Narrow = newNarrowFields(&c, form.Narrowing, form.Fault)
	p.People = append([]ui.Option{{Value: "", Label: c.T("tok_machine"), Selected: form.Person == ""}}, form.People...)
	for i := range tokens {
		p.Rows = append(p.Rows, tokenLine(&c, &tokens[i], names))
	}
	return p
}

func tokenLine(c *ui.Chrome, k *access.Token, names map[string]string) TokenLine {
	l := TokenLine{
		Name: k.Name, Role: c.T("role_" + string(k.Role)), Person: k.UserName, By: c.ActorName(k.CreatedBy, names[k.CreatedBy]),
		Href:    "/admin/tokens/" + k.ID + "/revoke",
		Expires: c.Moment(k.ExpiresAt), Used: c.Minute(k.LastUsedAt), State: "valid",
		Narrowed: narrowed(c, k),
	}
	switch {
	case !k.RevokedAt.IsZero():
		l.State = "revoked"
	case !c.Now.Before(k.ExpiresAt):
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
func NewRevokePage(c ui.Chrome, k *access.Token, names map[string]string) *RevokePage {
	return &RevokePage{c, tokenLine(&c, k, names)}
}
