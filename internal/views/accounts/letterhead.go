package accounts

import (
	"sanad/internal/domain/letterhead"
	"sanad/internal/views/ui"
)

// LetterheadForm is a tenant's letterhead as it is stored, or as typed.
type LetterheadForm struct {
	Name, Address string
	HasLogo       bool          // one is stored
	Fault         *ui.FormFault // fields letter_name, letter_address, letter_logo
}

// LetterheadPage is the setting of a tenant's letterhead.
type LetterheadPage struct {
	ui.Chrome
	Form              LetterheadForm
	AddressHelp, Logo string
	Done              string
}

// NewLetterheadPage lays out the setting. Pure.
func NewLetterheadPage(c ui.Chrome, f LetterheadForm) *LetterheadPage {
	return &LetterheadPage{Chrome: c, Form: f, Done: c.Notice("let_done_", "saved"),
		AddressHelp: c.T("let_address_help", "N", c.Num(letterhead.MaxLines)),
		Logo:        c.T("let_logo_help", "Side", c.Num(letterhead.MaxSide), "KiB", c.Num(letterhead.MaxLogo>>10))}
}

// name is the field of the name.
func (p *LetterheadPage) name() ui.TextField {
	return ui.TextField{ID: "l-name", Name: "letter_name", Label: p.T("let_name"), Help: p.T("let_name_help"),
		Value: p.Form.Name, Fault: p.FaultAt(p.Form.Fault, "letter_name"), Complete: "organization", Dir: "auto"}
}

// logoHelp says whether there is a logo, and which files are taken.
func (p *LetterheadPage) logoHelp() string {
	id := "let_no_logo"
	if p.Form.HasLogo {
		id = "let_has_logo"
	}
	return p.T(id) + " " + p.Logo
}
