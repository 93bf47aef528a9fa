package accounts

import (
	"sanad/internal/domain/access"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// InviteForm is what was typed to invite somebody.
type InviteForm struct {
	Login     string
	Role      access.Role
	Reason    string
	AskReason bool          // a second administrator is demanded
	Confirm   string        // where the password is given again, "" if it was given recently
	Fault     *ui.FormFault // fields login, role, reason
}

// InvitationsPage lists the invitations of a tenant that wait, and sends others.
type InvitationsPage struct {
	ui.Chrome
	Rows  []InvitationLine
	Form  InviteForm
	Roles []ui.Option
	Done  string
}

// InvitationLine is one invitation, laid out for the tenant that sent it or for the person.
type InvitationLine struct {
	Login, Tenant, Role, By   string
	At, Until                 say.Moment
	Withdraw, Accept, Decline string // where
}

// NewInvitationsPage lays out the page. Pure.
func NewInvitationsPage(c ui.Chrome, all []access.Invitation, form InviteForm) *InvitationsPage {
	p := &InvitationsPage{Chrome: c, Form: form, Roles: c.RoleOptions(form.Role),
		Done: c.Notice("inv_done_", "sent", "withdrawn")}
	for i := range all {
		l := invitationLine(&c, &all[i])
		l.Withdraw = "/admin/invitations/" + all[i].ID + "/withdraw"
		p.Rows = append(p.Rows, l)
	}
	return p
}

func invitationLine(c *ui.Chrome, i *access.Invitation) InvitationLine {
	return InvitationLine{Login: i.Login, Tenant: i.TenantName, Role: c.T("role_" + string(i.Role)), By: i.ByName,
		At: c.Minute(i.At), Until: c.Minute(i.ExpiresAt)}
}

// loginField is the field of the name.
func (p *InvitationsPage) loginField() ui.TextField {
	return ui.TextField{ID: "i-login", Name: "login", Label: p.T("adm_user_login"), Help: p.T("inv_login_help"),
		Value: p.Form.Login, Fault: p.FaultAt(p.Form.Fault, "login"), Complete: "off", Required: true, Dir: "auto"}
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
