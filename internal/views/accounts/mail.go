package accounts

import (
	"sanad/internal/domain/notify"
	"sanad/internal/views/ui"
)

// MailPanel is what a person gets by mail (rule N-5).
type MailPanel struct {
	Address string // "" if none
	Lang    string // "" if it isn't known
	Choices notify.Choices
	Daily   string // when the daily summary is sent
}

// MailField is the choice for one kind of notification.
type MailField struct {
	ID, Name, Label string
	Options         []ui.Option
}

// mailFields lays out the choices, the language last.
func mailFields(c *ui.Chrome, in *MailPanel) []MailField {
	var out []MailField
	for _, k := range notify.Kinds {
		out = append(out, MailField{ID: "m-" + string(k), Name: "mail_" + string(k), Label: c.T("mset_kind_" + string(k)),
			Options: ui.Options(c, "mset_", "", notify.AllChoices, in.Choices.Of(k))})
	}
	lang := in.Lang
	if lang == "" {
		lang = c.Lang
	}
	return append(out, MailField{ID: "m-lang", Name: "lang", Label: c.T("mset_lang"),
		Options: ui.Options(c, "mset_lang_", "", []string{"en", "ar"}, lang)})
}

// MailOffPage asks whether mails are to stop, or says that they have.
type MailOffPage struct {
	ui.Chrome
	Token      string
	Good, Done bool
}

func (p *MailOffPage) action() string { return "/mail/off?t=" + p.Token }
