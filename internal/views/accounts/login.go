package accounts

import (
	"time"

	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// The messages of a login page, by id.
const (
	LoginSignedOut = "login_signed_out"
	LoginWrong     = "login_wrong"
	LoginWait      = "login_wait"
	LoginBusy      = "login_busy"
	LoginProvider  = "login_provider_failed"
	LoginNoAccount = "login_no_account"
)

// LoginForm is what was typed into a login form, and the message about it. A password is never sent back.
type LoginForm struct {
	Action       string // address of the form, with where to go on to
	Login        string // as typed
	Note         string // LoginSignedOut, "" for nothing
	Fault        string // one of the others, "" if none
	Wait         time.Duration
	Provider     string // name of the OpenID Connect provider
	ProviderHref string // "" if none
	To           string // address at the provider that the browser is being sent to, "" if none
	NoPassword   bool   // the user signs in at the provider and has no password here
	Code         bool   // a one-time code is asked for beside the password
}

// LoginPage is a login form: for name and password, for a one-time code, or to confirm the password.
type LoginPage struct {
	ui.Chrome
	Form  LoginForm
	Note  string
	Fault string
	Other string // the words of the provider's button
	Going string // that the browser is being sent to the provider
}

// NewLoginPage lays out a login form. Pure.
func NewLoginPage(c ui.Chrome, in LoginForm) *LoginPage {
	p := &LoginPage{Chrome: c, Form: in}
	if in.Note != "" {
		p.Note = c.T(in.Note)
	}
	switch in.Fault {
	case "":
	case LoginWait:
		p.Fault = waitingWords(&c, in.Wait)
	default:
		p.Fault = c.T(in.Fault)
	}
	if in.ProviderHref != "" {
		p.Other = c.T("login_with", "Name", say.Isolated(in.Provider))
		p.Going = c.T("login_going", "Name", say.Isolated(in.Provider))
	}
	return p
}

// waitingWords returns how long to wait, in seconds below two minutes and in minutes above.
func waitingWords(c *ui.Chrome, d time.Duration) string {
	seconds := int((d + time.Second - 1) / time.Second)
	if seconds < 120 {
		return c.N("login_wait_seconds", seconds)
	}
	return c.N("login_wait_minutes", (seconds+59)/60)
}
