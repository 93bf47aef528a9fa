package views

import (
	"strings"
	"time"

	"sanad/internal/domain"
)

// TenantRow is a tenant that a person may work in.
type TenantRow struct {
	ID, Name string
	Role     domain.Role
	Current  bool
}

// DeviceRow is a browser that is signed in.
type DeviceRow struct {
	ID, Agent, Address string
	CreatedAt, SeenAt  time.Time
	Current            bool
}

// AccountInput is what a person may know of the own account.
type AccountInput struct {
	Name, Login, Email   string
	Role                 domain.Role
	Tenants              []TenantRow
	HasPassword, HasTOTP bool
	Devices              []DeviceRow
	Fault                *FormFault // of the password form: fields current, new, again
}

// AccountPage is the page of one's own account.
type AccountPage struct {
	Chrome
	In       AccountInput
	Role     string
	Tenant   string
	Others   []Option // tenants to switch between, the current one chosen; nil where there is only one
	Devices  []DeviceLine
	HasOther bool // signed in elsewhere too
	Done     string
}

// DeviceLine is one signed-in device, laid out.
type DeviceLine struct {
	ID, Name, Agent, Address string
	Since, Seen              Moment
	Current                  bool
}

// NewAccountPage lays out the account. Pure.
func NewAccountPage(c Chrome, in AccountInput) *AccountPage {
	p := &AccountPage{Chrome: c, In: in, Role: c.T("role_" + string(in.Role))}
	p.Done = c.notice("acc_done_", "password", "totp_off", "device", "devices", "tenant")
	for _, t := range in.Tenants {
		if t.Current {
			p.Tenant = t.Name
		}
		if len(in.Tenants) > 1 {
			label := isolated(t.Name) + " (" + c.T("role_"+string(t.Role)) + ")"
			p.Others = append(p.Others, Option{t.ID, label, t.Current})
		}
	}
	for _, d := range in.Devices {
		p.Devices = append(p.Devices, DeviceLine{
			ID: d.ID, Name: newDevice(&c, d.Agent), Agent: d.Agent, Address: d.Address, Since: c.minute(d.CreatedAt),
			Seen: c.minute(d.SeenAt), Current: d.Current,
		})
		p.HasOther = p.HasOther || !d.Current
	}
	return p
}

// passwordField is one field of the password form.
func (p *AccountPage) passwordField(name, complete, help string) TextField {
	return TextField{
		ID: "p-" + name, Name: name, Label: p.T("acc_password_" + name), Help: help, Fault: p.faultAt(p.In.Fault, name),
		Kind: "password", Complete: complete, Dir: "ltr", Required: true,
	}
}

// browsers and systems are looked for in this order: most browsers also claim to be the ones after them.
var (
	browsers = [][2]string{{"Edg", "Edge"}, {"OPR/", "Opera"}, {"Firefox/", "Firefox"}, {"Chrome/", "Chrome"}, {"Safari/", "Safari"}, {"curl/", "curl"}}
	systems  = [][2]string{{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"Windows", "Windows"}, {"Mac OS X", "macOS"}, {"CrOS", "ChromeOS"}, {"Linux", "Linux"}}
)

// newDevice names a browser in words people use, "Firefox on Windows".
func newDevice(c *Chrome, agent string) string {
	browser, system := firstIn(agent, browsers), firstIn(agent, systems)
	switch {
	case browser != "" && system != "":
		return c.T("acc_device_on", "Browser", isolated(browser), "System", isolated(system))
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
