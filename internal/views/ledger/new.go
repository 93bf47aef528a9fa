package ledger

import (
	"strings"

	"sanad/internal/domain"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// SessionForm is what was typed into the new-session form, with what is wrong with it.
type SessionForm struct {
	Title, Query, Answer, Lang string
	Import                     bool          // an interchange file was sent
	Fault                      *ui.FormFault // its field is answer, documents, files[0] or a place in the file
	DocumentMiB                int           // largest document that is taken
	Library                    ui.LibraryOffer
	Again                      bool // files that were chosen have to be chosen again, because the library was searched
}

// NewSessionPageData is the new-session form.
type NewSessionPageData struct {
	ui.Chrome
	Form      SessionForm
	Languages []ui.Option
	Answer    string // what is wrong with the answer, "" when it is fine
	Documents string // with the documents
	File      string // with the interchange file
	Whole     string // with anything else
	Library   ui.LibraryChoice
}

// NewNewSessionPage lays out the form; a fault stands beside the field it is about. Pure.
func NewNewSessionPage(c ui.Chrome, f SessionForm) *NewSessionPageData {
	p := &NewSessionPageData{Chrome: c, Form: f, Library: ui.NewLibraryChoice(&c, f.Library, "/sessions/new")}
	for _, l := range []string{"", "en", "ar"} {
		p.Languages = append(p.Languages, ui.Option{Value: l, Label: c.T("lang_" + orAuto(l)), Selected: l == f.Lang})
	}
	if f.Fault == nil {
		return p
	}
	fault, at := p.FaultWords(f.Fault), f.Fault.Field
	msg := fault
	if at != "" {
		msg = say.Isolated(at) + ": " + fault
	}
	switch {
	case f.Import:
		p.File = msg
	case at == "answer":
		p.Answer = fault
	case at == "documents", strings.HasPrefix(at, "files["):
		p.Documents = fault
	case f.Answer == "" && at != "":
		p.File = msg
	default:
		p.Whole = msg
	}
	return p
}

// filesHelp says which files are taken, and whether they have to be chosen again: browsers forget them.
func filesHelp(c *ui.Chrome, mib int, again bool) string {
	help := c.T("files_help", "N", c.Num(mib))
	if again {
		help += " " + c.T("files_again")
	}
	return help
}

func orAuto(l string) string {
	if l == "" {
		return "auto"
	}
	return l
}

// TakenPage shows the warnings of an import before it leads on to the ledger.
type TakenPage struct {
	ui.Chrome
	Href     string
	Title    string
	Created  bool
	Warnings []domain.Warning
}

// NewTakenPage lays out the notice. Pure.
func NewTakenPage(c ui.Chrome, id string, created bool, warnings []domain.Warning) *TakenPage {
	p := &TakenPage{Chrome: c, Href: "/sessions/" + id, Created: created, Warnings: warnings}
	p.Title = p.T("taken_title")
	if !created {
		p.Title = p.T("taken_known_title")
	}
	return p
}
