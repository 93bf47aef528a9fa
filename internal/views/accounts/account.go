// Package accounts draws signing in, a person's own account, and the administration of a tenant.
package accounts

import (
	"strings"
	"time"

	"sanad/internal/domain/access"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// TenantRow is a tenant that a person may work in.
type TenantRow struct {
	ID, Name string
	Role     access.Role
	Current  bool
}

// AccountInput is what a user may know about their own account.
type AccountInput struct {
	Name, Login, Email   string
	Contact              string // an address that is not a login
	Title                string // job title, as typed if it was refused
	Role                 access.Role
	Tenants              []TenantRow
	HasPassword, HasTOTP bool
	MustEnrol            bool // the tenant requires a second factor for the role
	Devices              []access.Login
	Here                 string          // id of the login that asks
	Fault                *ui.FormFault   // of the forms: title; current, new, again; name, days, scopes, addresses; password
	Changes              []AccountChange // of the account and its credentials, newest first
	Tokens               []access.Token  // that act as the person, newest first
	TokenName, TokenDays string          // as typed
	TokenNarrowing       Narrowing       // as typed
	Invited              int             // invitations of other organisations
	Mail                 *MailPanel      // nil where no mail is sent
	KeepTokens           bool            // as typed: a new password leaves the tokens valid
	Deputies             *DeputyPanel    // nil for who approves nothing
}

// AccountChange is one change of the account, and who made it.
type AccountChange struct {
	At                  time.Time
	Action, Actor, Name string
	Own                 bool // by the person
}

// ChangeLine is a change, laid out.
type ChangeLine struct {
	What, Who string
	At        say.Moment
	Own       bool
}

// tokenField is one field of the form of an own token.
func (p *AccountPage) tokenField(name, label, value, mode string) ui.TextField {
	return ui.TextField{ID: "k-" + name, Name: name, Label: label, Value: value, Mode: mode,
		Fault: p.FaultAt(p.In.Fault, name), Required: true}
}

// AccountPage is the page of one's own account.
type AccountPage struct {
	ui.Chrome
	In       AccountInput
	Role     string
	Tenant   string
	Others   []ui.Option // tenants to switch between, the current one chosen; nil if there is only one
	Devices  []DeviceLine
	HasOther bool // signed in elsewhere too
	Changes  []ChangeLine
	Tokens   []TokenLine
	Narrow   narrowFields
	Mail     []MailField
	Done     string
}

// DeviceLine is one signed-in device, laid out.
type DeviceLine struct {
	ID, Name, Agent, Address string
	Since, Seen              say.Moment
	Current                  bool
}

// NewAccountPage lays out the account. Pure.
func NewAccountPage(c ui.Chrome, in AccountInput) *AccountPage {
	p := &AccountPage{Chrome: c, In: in, Role: c.T("role_" + string(in.Role))}
	p.Done = c.Notice("acc_done_", "password", "password_only", "totp_off", "device", "devices", "tenant", "revoked",
		"joined", "mail", "title", "deputy", "deputy_ended")
	if in.Mail != nil {
		p.Mail = mailFields(&c, in.Mail)
	}
	p.Narrow = newNarrowFields(&c, in.TokenNarrowing, in.Fault)
	for _, t := range in.Tenants {
		if t.Current {
			p.Tenant = t.Name
		}
		if len(in.Tenants) > 1 {
			label := say.Isolated(t.Name) + " (" + c.T("role_"+string(t.Role)) + ")"
			p.Others = append(p.Others, ui.Option{Value: t.ID, Label: label, Selected: t.Current})
		}
	}
	for _, x := range in.Changes {
		p.Changes = append(p.Changes, ChangeLine{
			What: c.T("event_" + strings.ReplaceAll(x.Action, ".", "_")), Who: c.ActorName(x.Actor, x.Name),
			At: c.Minute(x.At), Own: x.Own,
		})
	}
	for i := range in.Tokens {
		l := tokenLine(&c, &in.Tokens[i], nil)
		l.Href = "/account/tokens/" + in.Tokens[i].ID + "/revoke"
		p.Tokens = append(p.Tokens, l)
	}
	for _, d := range in.Devices {
		p.Devices = append(p.Devices, DeviceLine{
			ID: d.ID, Name: newDevice(&c, d.Agent), Agent: d.Agent, Address: d.Address, Since: c.Minute(d.CreatedAt),
			Seen: c.Minute(d.SeenAt), Current: d.ID == in.Here,
		})
		p.HasOther = p.HasOther || d.ID != in.Here
	}
	return p
}

// titleField is the job title, of oneself or of another person.
func titleField(c *ui.Chrome, value, help string, fault *ui.FormFault) ui.TextField {
	return ui.TextField{ID: "job-title", Name: "title", Label: c.T("job_title"), Help: help, Value: value,
		Fault: c.FaultAt(fault, "title"), Complete: "organization-title", Dir: "auto"}
}

// passwordField is one field of the password form.
func (p *AccountPage) passwordField(name, complete, help string) ui.TextField {
	return ui.TextField{
		ID: "p-" + name, Name: name, Label: p.T("acc_password_" + name), Help: help, Fault: p.FaultAt(p.In.Fault, name),
		Kind: "password", Complete: complete, Dir: "ltr", Required: true,
	}
}

// offField asks for the password before one-time codes are turned off.
func (p *AccountPage) offField() ui.TextField {
	return ui.TextField{
		ID: "t-password", Name: "password", Label: p.T("acc_password_current"), Help: p.T("acc_totp_off_help"),
		Fault: p.FaultAt(p.In.Fault, "password"), Kind: "password", Complete: "current-password", Dir: "ltr", Required: true,
	}
}

// passwordRules says how long a new password must be.
func (p *AccountPage) passwordRules() string {
	if p.In.HasTOTP {
		return p.T("acc_password_rules_code")
	}
	return p.T("acc_password_rules")
}

// browsers and systems are looked for in this order: most browsers also claim to be the ones after them.
var (
	browsers = [][2]string{{"Edg", "Edge"}, {"OPR/", "Opera"}, {"Firefox/", "Firefox"}, {"Chrome/", "Chrome"},
		{"Safari/", "Safari"}, {"curl/", "curl"}}
	systems = [][2]string{{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"Windows", "Windows"},
		{"Mac OS X", "macOS"}, {"CrOS", "ChromeOS"}, {"Linux", "Linux"}}
)

// newDevice names a browser as people do: "Firefox on Windows".
func newDevice(c *ui.Chrome, agent string) string {
	browser, system := firstIn(agent, browsers), firstIn(agent, systems)
	switch {
	case browser != "" && system != "":
		return c.T("acc_device_on", "Browser", say.Isolated(browser), "System", say.Isolated(system))
	case browser+system != "":
		return browser + system
	}
	return c.T("acc_device_unknown")
}

func firstIn(text string, names [][2]string) string {
	for _, n := range names {
		if strings.Contains(text, n[0]) {
			return n[1]
		}
	}
	return ""
}
