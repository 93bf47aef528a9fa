package ledger

import (
	"slices"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/library"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// SessionForm is what was typed into the new-session form, with what is wrong with it.
type SessionForm struct {
	Title, Query, Answer, Lang string
	Import                     bool          // an interchange file was sent
	Fault                      *ui.FormFault // its field is answer, documents, files[0] or a place in the file
	DocumentMiB                int           // largest document that is taken
	Library                    Offered
	Chosen                     []string // ids of documents of the library
}

// Offered are documents of the library that a form offers.
type Offered struct {
	Rows  []library.Document
	More  bool   // there are more
	Words string // that were searched for, "" for all
}

// LibraryChoice is what a form offers of the library, laid out; nil options where that is empty or not the reader's.
type LibraryChoice struct {
	Options []ui.Option
	More    bool
	Open    bool
	Words   string
	Path    string // of the form
}

// choice lays out documents of the library. What was chosen before stays chosen; its name is in the list, or its id.
func choice(in Offered, chosen []string, path string) LibraryChoice {
	v := LibraryChoice{More: in.More, Open: len(chosen) > 0 || in.Words != "", Words: in.Words, Path: path}
	left := slices.Clone(chosen)
	for i := range in.Rows {
		d := &in.Rows[i]
		is := slices.Contains(chosen, d.ID)
		left = slices.DeleteFunc(left, func(id string) bool { return id == d.ID })
		v.Options = append(v.Options, ui.Option{Value: d.ID, Label: d.Name, Selected: is})
	}
	for _, id := range left {
		v.Options = append(v.Options, ui.Option{Value: id, Label: id, Selected: true})
	}
	return v
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
	Library   LibraryChoice
}

// NewNewSessionPage lays out the form; a fault stands beside the field it is about. Pure.
func NewNewSessionPage(c ui.Chrome, f SessionForm) *NewSessionPageData {
	p := &NewSessionPageData{Chrome: c, Form: f, Library: choice(f.Library, f.Chosen, "/sessions/new")}
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

// filesHelp says which files are taken, and after a fault that they have to be chosen again: browsers forget them.
func filesHelp(c *ui.Chrome, mib int, fault *ui.FormFault) string {
	help := c.T("files_help", "N", c.Num(mib))
	if fault != nil {
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
