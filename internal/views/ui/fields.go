package ui

import (
	"slices"
	"strings"

	"github.com/a-h/templ"

	"sanad/internal/domain/library"
	"sanad/internal/views/say"
)

// TextField is a field of one line: label above, help beneath, fault beside.
type TextField struct {
	ID, Name, Label, Help, Fault, Value string
	Kind                                string // of the input, "" for text
	Complete, Mode, Dir                 string
	Required                            bool
	Offers                              []string // values that are offered while somebody types; any other may be typed
}

func (f TextField) kind() string {
	if f.Kind == "" {
		return "text"
	}
	return f.Kind
}

// describedBy lists the ids of the texts that a screen reader reads with the field.
func (f TextField) describedBy() string {
	var ids []string
	if f.Fault != "" {
		ids = append(ids, f.ID+"-e")
	}
	if f.Help != "" {
		ids = append(ids, f.ID+"-h")
	}
	return strings.Join(ids, " ")
}

// OrDash returns a dash for "".
func OrDash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}

// Option is one choice of a select.
type Option struct {
	Value, Label string
	Selected     bool
}

// FieldError shows a fault beside the field that has the given id, nothing if msg is "". Its own id is that id with
// "-e" appended. If field is "", the message is only a remark and does not count as a refusal of the form.
func FieldError(field, msg string) templ.Component {
	if msg == "" {
		return templ.NopComponent
	}
	return fieldError(field, msg)
}

// Options returns the choices of a select; the empty one comes first if its label is given.
func Options[V ~string](c *Chrome, prefix, empty string, all []V, chosen V) []Option {
	out := make([]Option, 0, len(all)+1)
	if empty != "" {
		out = append(out, Option{"", empty, chosen == ""})
	}
	for _, v := range all {
		out = append(out, Option{string(v), c.T(prefix + string(v)), v == chosen})
	}
	return out
}

// DateField is a field for a day. A browser draws its own date fields in its own language, so this one is a text field
// that names its format; date.js adds a calendar in the page's language.
type DateField struct {
	ID, Name, Label, Help, Fault string
	Value                        string // as Day writes it, or as it was typed
	Required                     bool
	Invalid                      bool // the fault is said elsewhere
}

func (f DateField) describedBy() string {
	return TextField{ID: f.ID, Fault: f.Fault, Help: f.Help}.describedBy()
}

// FileField is a field for files, which also takes what is dropped on it.
type FileField struct {
	ID, Name, Label, Accept, Help, Fault string
	Multiple, Required                   bool
}

func (f FileField) describedBy() string {
	return TextField{ID: f.ID, Fault: f.Fault, Help: f.Help}.describedBy()
}

func (c *Chrome) chooseFiles(many bool) string {
	if many {
		return c.T("files_choose")
	}
	return c.T("file_choose")
}

// Fact is a named value.
type Fact struct {
	Name, Value string
	Mono        bool
}

// LibraryOffer are documents of the library that a form offers.
type LibraryOffer struct {
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
	Folders       []Option
	Chosen, Found []LibraryPick
	Count         string // of what is found
	Next          string
	Rule          string // what becomes of those that are chosen
}

// LibraryPick is a document that may be chosen.
type LibraryPick struct{ ID, Name, About string }

// NewLibraryChoice lays out documents of the library for the form at path: those that are chosen, whatever was searched for
// since, then what was found. Pure.
func NewLibraryChoice(c *Chrome, in LibraryOffer, path string) LibraryChoice {
	q := in.Query
	searched := q.Words != "" || q.Folder != "" || q.Tag != "" || q.After != ""
	v := LibraryChoice{Path: path, Words: q.Words, Tag: q.Tag, Next: in.Next, Rule: c.T("lib_choose_rule"),
		On:   in.On && (searched || len(in.Rows) > 0 || len(in.Chosen) > 0),
		Open: in.Find || searched || len(in.Chosen) > 0}
	v.Folders = []Option{{Label: c.T("lib_all_folders"), Selected: q.Folder == ""}}
	for _, f := range in.Folders {
		v.Folders = append(v.Folders, Option{Value: f, Label: f, Selected: f == q.Folder})
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

// libraryFetch are the attributes of a button that loads the choice of library documents again, keeping what was typed and
// chosen.
func libraryFetch(path string) templ.Attributes {
	return templ.Attributes{"hx-get": path, "hx-include": "#lib-choice", "hx-select": "#lib-choice", "hx-target": "#lib-choice",
		"hx-swap": "outerHTML"}
}
