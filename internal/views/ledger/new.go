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
	FaultPath, Fault           string
	FaultKind                  string // invalid, too_large, unsupported, busy
	DocumentMiB                int    // largest document that is taken

	FaultSaid domain.Message // what Fault says; zero if its words are English only
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
}

// NewNewSessionPage lays out the form; a fault stands beside the field it is about. Pure.
func NewNewSessionPage(c ui.Chrome, f SessionForm) *NewSessionPageData {
	p := &NewSessionPageData{Chrome: c, Form: f}
	for _, l := range []string{"", "en", "ar"} {
		p.Languages = append(p.Languages, ui.Option{Value: l, Label: c.T("lang_" + orAuto(l)), Selected: l == f.Lang})
	}
	if f.Fault == "" {
		return p
	}
	fault := p.fault(f)
	msg := fault
	if f.FaultPath != "" {
		msg = say.Isolated(f.FaultPath) + ": " + fault
	}
	switch {
	case f.FaultPath == "answer":
		p.Answer = fault
	case f.FaultPath == "documents", strings.HasPrefix(f.FaultPath, "files["):
		p.Documents = fault
	case f.Answer == "" && f.FaultPath != "":
		p.File = msg
	default:
		p.Whole = msg
	}
	return p
}

// fault says in the reader's language what is wrong; where its words exist in English only, what kind of fault it is
// before them.
func (p *NewSessionPageData) fault(f SessionForm) string {
	switch {
	case p.Lang == "en":
		return f.Fault
	case f.FaultPath == "answer" && strings.TrimSpace(f.Answer) == "" && f.FaultKind != "busy":
		return p.T("fault_no_answer")
	case f.FaultSaid.ID != "":
		return p.Said(f.FaultSaid)
	}
	if said := p.SaidText(f.Fault); said != f.Fault {
		return said
	}
	return p.T("fault_"+f.FaultKind) + " " + say.Isolated(f.Fault)
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
