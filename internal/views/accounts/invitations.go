package accounts

import (
	"time"

	"sanad/internal/domain/access"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// InviteForm is what was typed to invite somebody.
type InviteForm struct {
	ByLink            bool   // it was the form of a link
	Login             string // of the other form
	Name, Email, Days string // of the form of a link
	Role              access.Role
	Scope             string // what stands after the @ of login names; "" if no other organisation is here
	Reason            string
	AskReason         bool          // a second administrator is demanded
	Confirm           string        // where the password is given again, "" if it was given recently
	Fault             *ui.FormFault // fields login, role, reason; of a link also name, email, days
}

// InvitationsPage lists the invitations of a tenant that wait, and makes others.
type InvitationsPage struct {
	ui.Chrome
	Rows  []InvitationLine
	Form  InviteForm
	Roles []ui.Option
	Done  string

	HasNames bool // there may be people who have an account already
}

// InvitationLine is one invitation, laid out for the tenant that sent it or for the person.
type InvitationLine struct {
	Login, Tenant, Role, By   string
	Name, Email               string // of the account that a link makes, "" if none
	ByLink, Void              bool
	At, Until                 say.Moment
	Withdraw, Accept, Decline string // where
}

// NewInvitationsPage lays out the page. Pure.
func NewInvitationsPage(c ui.Chrome, all []access.Invitation, form InviteForm) *InvitationsPage {
	p := &InvitationsPage{Chrome: c, Form: form, Roles: c.RoleOptions(form.Role),
		Done: c.Notice("inv_done_", "sent", "withdrawn")}
	p.HasNames = form.Scope != ""
	for i := range all {
		l := invitationLine(&c, &all[i])
		l.Withdraw = "/admin/invitations/" + all[i].ID + "/withdraw"
		p.Rows = append(p.Rows, l)
	}
	return p
}

func invitationLine(c *ui.Chrome, i *access.Invitation) InvitationLine {
	return InvitationLine{Login: i.Login, Tenant: i.TenantName, Role: c.T("role_" + string(i.Role)), By: i.ByName,
		Name: i.Name, Email: i.Email, ByLink: i.ByLink(), Void: i.Void,
		At: c.Minute(i.At), Until: c.Minute(i.ExpiresAt)}
}

// what names an invitation for those who cannot see in which line a button stands.
func (l *InvitationLine) what() string {
	if l.Login == "" {
		return l.Name
	}
	return l.Login
}

// fault is what is wrong with a field of one of the two forms.
func (p *InvitationsPage) fault(byLink bool, field string) string {
	if byLink != p.Form.ByLink {
		return ""
	}
	return p.FaultAt(p.Form.Fault, field)
}

// linkField is one field of the form of a link.
func (p *InvitationsPage) linkField(name, label, help, value string) ui.TextField {
	f := ui.TextField{ID: "l-" + name, Name: name, Label: label, Help: help, Value: value, Fault: p.fault(true, name),
		Complete: "off", Dir: "auto"}
	if name == "days" {
		f.Mode, f.Dir, f.Required = "numeric", "ltr", true
	}
	return f
}

// emailHelp says what becomes of the address (rule SEC-21).
func (p *InvitationsPage) emailHelp() string {
	if p.Form.Scope == "" {
		return p.T("adm_email_help")
	}
	return p.T("adm_email_help_contact")
}

// loginField is the field of the name.
func (p *InvitationsPage) loginField() ui.TextField {
	return ui.TextField{ID: "i-login", Name: "login", Label: p.T("adm_user_login"), Help: p.T("inv_login_help"),
		Value: p.Form.Login, Fault: p.fault(false, "login"), Complete: "off", Required: true, Dir: "auto"}
}

// LinkPage shows the link of an invitation, once.
type LinkPage struct {
	ui.Chrome
	Line  InvitationLine
	Days  string
	Link  string
	Waits bool // for a second administrator; until then it cannot be used
}

// NewLinkPage lays out a link that can be used for some days, from now or from when it is confirmed. Pure.
func NewLinkPage(c ui.Chrome, i *access.Invitation, days int, link string, waits bool) *LinkPage {
	return &LinkPage{Chrome: c, Line: invitationLine(&c, i), Days: c.Num(days), Link: link, Waits: waits}
}

// Why a link makes no account now, by id.
const (
	JoinOver     = "join_over"      // used, withdrawn, too late, or never was
	JoinSignedIn = "join_signed_in" // the browser is somebody else's
)

// JoinForm is what was typed to make an account with a link. A password is never sent back.
type JoinForm struct {
	First       bool // nothing was typed yet
	Login, Name string
	Scope       string // what is added to the login name after an @; "" if nothing
	Message     string // about the whole form: LoginBusy, LoginWait, JoinOver, JoinSignedIn; "" if none
	Wait        time.Duration
	Fault       *ui.FormFault // fields login, name, new, again
}

// JoinPage is the page behind an invitation's link: the form, the account that it made, or why it makes none.
type JoinPage struct {
	ui.Chrome
	Line    InvitationLine
	Form    JoinForm
	Message string
}

// NewJoinPage lays out the page. Pure.
func NewJoinPage(c ui.Chrome, i *access.Invitation, form JoinForm) *JoinPage {
	if form.First {
		form.Name = i.Name
	}
	p := &JoinPage{Chrome: c, Line: invitationLine(&c, i), Form: form}
	switch form.Message {
	case "":
	case LoginWait:
		p.Message = waitingWords(&c, form.Wait)
	default:
		p.Message = c.T(form.Message)
	}
	return p
}

// field is one field of the form.
func (p *JoinPage) field(name, label, help, value, complete string) ui.TextField {
	f := ui.TextField{ID: "j-" + name, Name: name, Label: label, Help: help, Value: value,
		Fault: p.FaultAt(p.Form.Fault, name), Complete: complete, Required: true, Dir: "auto"}
	if complete == "new-password" {
		f.Kind, f.Dir = "password", "ltr"
	}
	return f
}

// loginHelp says what becomes of the login name (rule SEC-21).
func (p *JoinPage) loginHelp() string {
	if p.Form.Scope == "" {
		return p.T("join_login_help")
	}
	return p.T("adm_login_help_scoped", "Scope", say.Isolated("@"+p.Form.Scope))
}

// InvitedPage shows a person the invitations of other organisations.
type InvitedPage struct {
	ui.Chrome
	Rows    []InvitationLine
	Done    string
	Confirm string // where the password is given again, "" if it was given recently
}

// NewInvitedPage lays out the page. Pure.
func NewInvitedPage(c ui.Chrome, all []access.Invitation) *InvitedPage {
	p := &InvitedPage{Chrome: c, Done: c.Notice("inv_done_", "declined")}
	for i := range all {
		l, at := invitationLine(&c, &all[i]), "/account/invitations/"+all[i].ID
		l.Accept, l.Decline = at+"/accept", at+"/decline"
		p.Rows = append(p.Rows, l)
	}
	return p
}
