package accounts

import (
	"slices"

	"sanad/internal/domain/access"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// UserForm is what was typed to add a person.
type UserForm struct {
	Login, Name, Email string
	Role               access.Role
	Scope              string // what stands after the @ of the login name; "" if nothing is added to it
	Reason             string
	AskReason          bool          // a second administrator is demanded
	Confirm            string        // where the password is given again, "" if it was given recently
	Fault              *ui.FormFault // fields login, name, email, role
}

// UsersPage lists the people of a tenant and adds to them.
type UsersPage struct {
	ui.Chrome
	Rows    []MemberLine
	Waiting []RequestLine // changes of accounts that another administrator has to confirm
	Pager   ui.Pager
	Form    UserForm
	Roles   []ui.Option
	Count   string
	Done    string
}

// MemberLine is one person, laid out.
type MemberLine struct {
	Name, Login, Href, Role, TOTP, State string
	Seen                                 say.Moment
	Enabled, Self, Shared                bool
}

// UsersInput has the people of a tenant, and the requests for changes.
type UsersInput struct {
	People   []access.Member
	Requests []access.Request
	Self     string // id of the reader
	List     ui.AdminList
	Form     UserForm
}

// NewUsersPage lays out the list. Pure.
func NewUsersPage(c ui.Chrome, in UsersInput) *UsersPage {
	people, self, list, form := in.People, in.Self, in.List, in.Form
	p := &UsersPage{
		Chrome: c, Form: form, Roles: c.RoleOptions(form.Role), Count: c.N("adm_n_users", list.Total),
		Pager: list.Pager("/admin/users"),
	}
	for i := range people {
		p.Rows = append(p.Rows, memberLine(&c, &people[i], self))
	}
	ofAccounts := slices.DeleteFunc(slices.Clone(in.Requests), func(r access.Request) bool {
		return !r.Change.Kind.OfAccount()
	})
	p.Waiting = NewChangesPage(c, ChangesInput{All: ofAccounts, Reader: self}).Waiting
	return p
}

func memberLine(c *ui.Chrome, m *access.Member, self string) MemberLine {
	l := MemberLine{
		Name: m.Name, Login: m.Login, Href: "/admin/users/" + m.ID, Role: c.T("role_" + string(m.Role)),
		TOTP:  c.T("no"),
		State: c.T("state_enabled"), Seen: c.Moment(m.SeenAt), Enabled: !m.Disabled, Self: m.ID == self, Shared: m.Others > 0,
	}
	if m.TOTP {
		l.TOTP = c.T("yes")
	}
	switch {
	case m.Everywhere:
		l.State = c.T("state_disabled_everywhere")
	case m.Disabled:
		l.State = c.T("state_disabled")
	}
	return l
}

// field is one field of the form that adds a person.
func (p *UsersPage) field(name, value, help, complete string) ui.TextField {
	return ui.TextField{
		ID: "u-" + name, Name: name, Label: p.T("adm_user_" + name), Help: help, Value: value,
		Fault:    p.FaultAt(p.Form.Fault, name),
		Complete: complete, Required: name != "email", Dir: "auto",
	}
}

// loginHelp and emailHelp say what becomes of what is typed (rule SEC-21).
func (p *UsersPage) loginHelp() string {
	if p.Form.Scope == "" {
		return p.T("adm_login_help")
	}
	return p.T("adm_login_help_scoped", "Scope", say.Isolated("@"+p.Form.Scope))
}

func (p *UsersPage) emailHelp() string {
	if p.Form.Scope == "" {
		return p.T("adm_email_help")
	}
	return p.T("adm_email_help_contact")
}

// UserPage is one person, with what may be changed.
type UserPage struct {
	ui.Chrome
	Person access.Member
	Line   MemberLine
	Roles  []ui.Option
	Fault  *ui.FormFault // fields role, title, state, password, totp, and these with .reason
	Done   string

	AskReason       bool // a second administrator is demanded
	Reason, Confirm string
	Deputies        *DeputyPanel // nil for who approves nothing, and for the reader
}

// NewUserPage lays out one person; self is the id of the reader. Pure.
func NewUserPage(c ui.Chrome, m access.Member, self string, fault *ui.FormFault) *UserPage {
	return &UserPage{
		Chrome: c, Person: m, Line: memberLine(&c, &m, self), Roles: c.RoleOptions(m.Role), Fault: fault,
		Done: c.Notice("adm_done_", "role", "title", "disabled", "enabled", "totp_off", "deputy",
			"deputy_ended"),
	}
}

// PasswordPage shows a new password, once.
type PasswordPage struct {
	ui.Chrome
	Title, Name, Login, Password string
	Waits                        bool // for a second administrator; until then it is not valid
}

// NewPasswordPage lays out a password made for a new person, or for one who lost it. Pure.
func NewPasswordPage(c ui.Chrome, name, login, password string, added bool) *PasswordPage {
	p := &PasswordPage{Chrome: c, Title: c.T("adm_password_made"), Name: name, Login: login, Password: password}
	if added {
		p.Title = c.T("adm_user_added")
	}
	return p
}

// because is what is wrong with the reason in one of the forms.
func (p *UserPage) because(form string) string { return p.FaultAt(p.Fault, form+".reason") }
