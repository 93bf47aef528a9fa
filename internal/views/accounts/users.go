package accounts

import (
	"time"

	"sanad/internal/domain"
	"sanad/internal/views/ui"
)

// MemberRow is a person in the tenant.
type MemberRow struct {
	ID, Name, Login, Email string
	Role                   domain.Role
	TOTP, Disabled         bool
	Everywhere             bool // disabled by the operator
	SeenAt                 time.Time
	Others                 int // other tenants the person is in
	Self                   bool
}

// UserForm is what was typed to add a person.
type UserForm struct {
	Login, Name, Email string
	Role               domain.Role
	Confirm            string        // where the password is given again, "" if it was given recently
	Fault              *ui.FormFault // fields login, name, email, role
}

// UsersPage lists the people of a tenant and adds to them.
type UsersPage struct {
	ui.Chrome
	Rows  []MemberLine
	Pager ui.Pager
	Form  UserForm
	Roles []ui.Option
	Count string
	Done  string
}

// MemberLine is one person, laid out.
type MemberLine struct {
	Name, Login, Href, Role, TOTP, State string
	Seen                                 ui.Moment
	Enabled, Self, Shared                bool
}

// NewUsersPage lays out the list. Pure.
func NewUsersPage(c ui.Chrome, rows []MemberRow, list ui.AdminList, form UserForm) *UsersPage {
	p := &UsersPage{
		Chrome: c, Form: form, Roles: c.RoleOptions(form.Role), Count: c.N("adm_n_users", list.Total),
		Pager: list.Pager("/admin/users"),
	}
	for _, r := range rows {
		p.Rows = append(p.Rows, memberLine(&c, r))
	}
	return p
}

func memberLine(c *ui.Chrome, r MemberRow) MemberLine {
	l := MemberLine{
		Name: r.Name, Login: r.Login, Href: "/admin/users/" + r.ID, Role: c.T("role_" + string(r.Role)),
		TOTP:  c.T("no"),
		State: c.T("state_enabled"), Seen: c.Minute(r.SeenAt), Enabled: !r.Disabled, Self: r.Self, Shared: r.Others > 0,
	}
	if r.TOTP {
		l.TOTP = c.T("yes")
	}
	switch {
	case r.Everywhere:
		l.State = c.T("state_disabled_everywhere")
	case r.Disabled:
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

// UserPage is one person, with what may be changed.
type UserPage struct {
	ui.Chrome
	Row   MemberRow
	Line  MemberLine
	Roles []ui.Option
	Fault *ui.FormFault // fields role, state, password, totp
	Done  string
}

// NewUserPage lays out one person. Pure.
func NewUserPage(c ui.Chrome, r MemberRow, fault *ui.FormFault) *UserPage {
	return &UserPage{
		Chrome: c, Row: r, Line: memberLine(&c, r), Roles: c.RoleOptions(r.Role), Fault: fault,
		Done: c.Notice("adm_done_", "role", "disabled", "enabled", "totp_off"),
	}
}

// PasswordPage shows a new password, once.
type PasswordPage struct {
	ui.Chrome
	Title, Name, Login, Password string
}

// NewPasswordPage lays out a password made for a new person, or for one who lost it. Pure.
func NewPasswordPage(c ui.Chrome, name, login, password string, added bool) *PasswordPage {
	p := &PasswordPage{Chrome: c, Title: c.T("adm_password_made"), Name: name, Login: login, Password: password}
	if added {
		p.Title = c.T("adm_user_added")
	}
	return p
}
