package ledger

import (
	"slices"
	"strings"

	"github.com/a-h/templ"

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
	Again                      bool // files that were chosen have to be chosen again, because the library was searched
}

// Offered are documents of the library that a form offers.
type Offered struct {
	On      bool          // the reader may choose from the library
	Query   library.Query // what was searched for
	Find    bool          // it was searched just now
	Rows    []library.Document
	Next    string // the After of the next page, "" after the last one
	Folders []string
	Chosen  []string // ids
	Names   map[string]library.Document
}

// LibraryChoice is what a form offers of the library, laid out.
type LibraryChoice struct {
	On            bool   // the reader may choose from it, and it is not empty
	Path          string // of the form
	Open          bool
	Words, Tag    string
	Folders       []ui.Option
	Chosen, Found []LibraryPick
	Count         string // of what is found
	Next          string
}

// LibraryPick is a document that may be chosen.
type LibraryPick struct{ ID, Name, About string }

// choice lays out documents of the library: those that are chosen, whatever was searched for since, then what was found.
func choice(c *ui.Chrome, in Offered, path string) LibraryChoice {
	q := in.Query
	searched := q.Words != "" || q.Folder != "" || q.Tag != "" || q.After != ""
	v := LibraryChoice{Path: path, Words: q.Words, Tag: q.Tag, Next: in.Next,
		On:   in.On && (searched || len(in.Rows) > 0 || len(in.Chosen) > 0),
		Open: in.Find || searched || len(in.Chosen) > 0}
	v.Folders = []ui.Option{{Label: c.T("lib_all_folders"), Selected: q.Folder == ""}}
	for _, f := range in.Folders {
		v.Folders = append(v.Folders, ui.Option{Value: f, Label: f, Selected: f == q.Folder})
	}
	pick := func(d *library.Document) LibraryPick {
		about := c.T("lib_is_version", "N", c.Num(d.Version))
		if d.Folder != "" {
			about = say.Isolated(d.Folder) + " · " + about
		}
		return LibraryPick{ID: d.ID, Name: d.Name, About: about}
	}
	for _, id := range in.Chosen {
		if d, known := in.Names[id]; known {
			v.Chosen = append(v.Chosen, pick(&d))
		} else {
			v.Chosen = append(v.Chosen, LibraryPick{ID: id, Name: id})
		}
	}
	for i := range in.Rows {
		if !slices.Contains(in.Chosen, in.Rows[i].ID) {
			v.Found = append(v.Found, pick(&in.Rows[i]))
		}
	}
	switch {
	case len(in.Rows) == 0:
		v.Count = c.T("lib_none_match")
	case in.Next != "" || q.After != "":
		v.Count = c.N("lib_choose_n", len(in.Rows))
	}
	return v
}

// libraryFetch lets a button of the choice fetch it anew with what is typed and chosen in it.
func libraryFetch(path string) templ.Attributes {
	return templ.Attributes{"hx-get": path, "hx-include": "#lib-choice", "hx-select": "#lib-choice", "hx-target": "#lib-choice",
		"hx-swap": "outerHTML"}
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
	p := &NewSessionPageData{Chrome: c, Form: f, Library: choice(&c, f.Library, "/sessions/new")}
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
