// Package library lays out the pages of the library: its list, a document with its versions, and what rests on them.
package library

import (
	"net/url"
	"strconv"
	"strings"

	"sanad/internal/domain/erasure"
	"sanad/internal/domain/library"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// ListInput is the list with its filters.
type ListInput struct {
	Rows    []library.Document
	Query   library.Query
	Next    string // the After of the next page, "" after the last one
	Folders []string
}

// ListPage is the list, laid out.
type ListPage struct {
	ui.Chrome
	In       ListInput
	Rows     []Line
	Folders  []ui.Option
	Filtered bool
	Pager    ui.Pager
}

// Line is one document, laid out.
type Line struct {
	Name, Href, Folder string
	Tags               []Tag
	Version            string
	Changed            say.Moment
}

// Tag is a tag with the address of all documents that have it.
type Tag struct{ Name, Href string }

// NewListPage lays out the list. Pure.
func NewListPage(c ui.Chrome, in ListInput) *ListPage {
	q := in.Query
	p := &ListPage{Chrome: c, In: in, Filtered: q.Words != "" || q.Folder != "" || q.Tag != ""}
	for i := range in.Rows {
		p.Rows = append(p.Rows, line(&c, &in.Rows[i]))
	}
	p.Folders = []ui.Option{{Label: c.T("lib_all_folders"), Selected: q.Folder == ""}}
	for _, f := range in.Folders {
		p.Folders = append(p.Folders, ui.Option{Value: f, Label: f, Selected: f == q.Folder})
	}
	query := c.Query("after")
	if q.After != "" {
		p.Pager.FirstHref = ui.Address("/library", query)
	}
	if in.Next != "" {
		query.Set("after", in.Next)
		p.Pager.NextHref = ui.Address("/library", query)
	}
	return p
}

func line(c *ui.Chrome, d *library.Document) Line {
	return Line{Name: d.Name, Href: "/library/" + d.ID, Folder: d.Folder, Tags: tags(d), Version: c.Num(d.Version),
		Changed: c.Minute(d.ChangedAt)}
}

func tags(d *library.Document) (out []Tag) {
	for _, t := range d.Tags {
		out = append(out, Tag{t, ui.Address("/library", url.Values{"tag": {t}})})
	}
	return out
}

// Form is what was typed about a document, as it was typed.
type Form struct {
	Name, Folder, Tags string
	DocumentMiB        int           // largest file that is taken
	Fault              *ui.FormFault // fields are name, folder, tags and file
	Taken              library.Ref   // the version that has the file already, zero if none
}

// FormOf is the form of a document as it is.
func FormOf(d *library.Document) Form {
	return Form{Name: d.Name, Folder: d.Folder, Tags: strings.Join(d.Tags, ", ")}
}

// FormView is the form, laid out.
type FormView struct {
	Action, Refused string
	Fields          []ui.TextField
	FileHelp, File  string // its help, and what is wrong with it
	TakenHref       string // "" unless the library has the file already
}

// formView lays out a form. A fault in a file is named after the file.
func formView(c *ui.Chrome, f *Form, action string, folders []string) FormView {
	v := FormView{Action: action, FileHelp: c.T("lib_file_help", "N", c.Num(f.DocumentMiB))}
	field := func(name, value string) ui.TextField {
		x := ui.TextField{ID: "l-" + name, Name: name, Label: c.T("lib_" + name), Value: value, Dir: "auto", Complete: "off",
			Fault: c.FaultAt(f.Fault, name)}
		if name != "name" {
			x.Help = c.T("lib_" + name + "_help")
		}
		return x
	}
	v.Fields = []ui.TextField{field("name", f.Name), field("folder", f.Folder), field("tags", f.Tags)}
	v.Fields[0].Required, v.Fields[1].Offers = true, folders
	if f.Fault == nil {
		return v
	}
	v.FileHelp += " " + c.T("files_again")
	switch at := f.Fault.Field; {
	case at == "file" || strings.HasPrefix(at, "files["):
		v.File = c.FaultWords(f.Fault)
	case at != "name" && at != "folder" && at != "tags":
		v.Refused = c.FaultWords(f.Fault)
	}
	if f.Taken.ID != "" {
		v.TakenHref = "/library/" + f.Taken.ID
	}
	return v
}

// NewDocumentPage is the form that adds a document.
type NewDocumentPage struct {
	ui.Chrome
	Form FormView
}

// NewNewDocumentPage lays out the form. Pure.
func NewNewDocumentPage(c ui.Chrome, f Form, folders []string) *NewDocumentPage {
	return &NewDocumentPage{Chrome: c, Form: formView(&c, &f, "/library", folders)}
}

// Input is a document with its versions and a page of what rests on them.
type Input struct {
	Document *library.Document
	Versions []library.Version
	Names    map[string]string // of people, by id
	Uses     *library.Uses
	Of       int           // version that the uses are of, 0 for all
	Form     Form          // of name, folder and tags
	Next     Form          // of a new version
	Hold     *erasure.Hold // nil if none is in force, or the reader may not lift it
}

// Page is a document, laid out.
type Page struct {
	ui.Chrome
	Name, ID     string
	About        string // its newest version, and its folder
	Tags         []Tag
	Version      string
	Done         string
	Versions     []VersionLine
	Change, Next FormView
	Held         string // why and since when it may not be erased, "" if it may
	EraseHref    string // of the form that asks for its erasure, "" if the reader may not
	AboutOpen    bool

	UsesTitle, UsesSum, AllHref string // AllHref is "" where all are shown
	Uses                        []UseLine
	Attached                    []PackLine // packs that have a version as a file
	AttachedMore                string     // "" if these are all
	Pager                       ui.Pager
}

// PackLine is a pack that has a version as a file, laid out.
type PackLine struct{ Title, Href, Version, State string }

// VersionLine is one version, laid out.
type VersionLine struct {
	No, Filename, Size, By, FileHref, UsesHref string // FileHref is "" if the reader may have no copy
	Changed, ChangedHref                       string // what changed in it, "" for the first
	Newest                                     bool
	Added                                      say.Moment
}

// UseLine is a session that rests on a version, laid out.
type UseLine struct {
	Title, Href, Version string
	Older                bool
	Behind               bool        // claims still rest on a version that this one replaced
	Since, SinceHref     string      // what changed since that version, "" if it is the newest
	Packs                []ui.Option // name and address
	Cited                string      // what became of what it cites
	Changed              []CitedLine
	Cut                  string // "" if all of it was compared
}

// CitedLine is a cited passage that stands elsewhere or nowhere in the newest version.
type CitedLine struct{ Claim, Href, Words, Fate string }

// NewPage lays out a document. Pure.
func NewPage(c ui.Chrome, in Input) *Page {
	d := in.Document
	base := "/library/" + d.ID
	p := &Page{Chrome: c, Name: d.Name, ID: d.ID, Tags: tags(d), Version: c.Num(d.Version),
		About:  c.T("lib_is_version", "N", c.Num(d.Version)),
		Done:   c.Notice("lib_done_", "added", "version", "changed"),
		Change: formView(&c, &in.Form, base, nil), AboutOpen: in.Form.Fault != nil,
		Next: formView(&c, &in.Next, base+"/versions", nil)}
	if c.May.Erase {
		p.EraseHref = "/admin/erasures?kind=library&id=" + d.ID
	}
	if in.Hold != nil {
		p.Held = c.T("lib_held", "Date", c.Date(in.Hold.At), "Reason", say.Isolated(in.Hold.Reason))
	}
	if d.Folder != "" {
		p.About = c.T("lib_is_version_in", "N", c.Num(d.Version), "Folder", say.Isolated(d.Folder))
	}
	for i := range in.Versions {
		v := &in.Versions[i]
		no := strconv.Itoa(v.No)
		line := VersionLine{No: c.Num(v.No), Filename: v.Filename, Size: c.Size(v.Size),
			By: in.Names[v.CreatedBy], UsesHref: base + "?version=" + no + "#l-uses",
			Newest: v.No == d.Version, Added: c.Minute(v.CreatedAt)}
		if c.May.CopyLibrary {
			line.FileHref = base + "/versions/" + no
		}
		if v.No > 1 {
			line.Changed, line.ChangedHref = c.T("lib_changed_in", "N", c.Num(v.No)), ui.LibraryCompare(d.ID, v.No-1, v.No)
		}
		p.Versions = append(p.Versions, line)
	}
	p.UsesTitle, p.UsesSum = c.T("lib_uses"), c.T("lib_uses_none")
	if in.Of > 0 {
		p.UsesTitle, p.AllHref = c.T("lib_uses_of", "N", c.Num(in.Of)), base+"#l-uses"
	}
	if in.Uses.Sessions+in.Uses.Packs > 0 {
		p.UsesSum = c.T("lib_uses_sum", "Sessions", c.N("lib_n_sessions", in.Uses.Sessions), "Packs",
			c.N("lib_n_packs", in.Uses.Packs))
	}
	for i := range in.Uses.Rows {
		p.Uses = append(p.Uses, useLine(&c, d, &in.Uses.Rows[i]))
	}
	for _, x := range in.Uses.Attached {
		p.Attached = append(p.Attached, PackLine{Title: x.Title, Href: "/packs/" + x.ID, Version: c.Num(x.Version),
			State: c.Known("pk_state_", x.State)})
	}
	if in.Uses.AttachedMore {
		p.AttachedMore = c.T("lib_attached_more", "N", c.Num(library.MaxAttached))
	}
	q := c.Query("after", "done")
	if c.Query().Get("after") != "" {
		p.Pager.FirstHref = ui.Address(base, q) + "#l-uses"
	}
	if in.Uses.Next != "" {
		q.Set("after", in.Uses.Next)
		p.Pager.NextHref = ui.Address(base, q) + "#l-uses"
	}
	return p
}

func useLine(c *ui.Chrome, d *library.Document, u *library.Use) UseLine {
	l := UseLine{Title: u.Title, Href: "/sessions/" + u.SessionID, Version: c.Num(u.Version), Older: u.Version < d.Version,
		Behind: u.Behind}
	for _, pack := range u.Packs {
		l.Packs = append(l.Packs, ui.Option{Label: pack.Title, Value: "/packs/" + pack.ID})
	}
	if !l.Older {
		return l
	}
	l.Since, l.SinceHref = c.T("lib_changed_since", "N", l.Version), ui.LibraryCompare(d.ID, u.Version, d.Version)
	switch {
	case len(u.Cited) == 0 && !u.Cut:
		l.Cited = c.T("lib_cites_nothing")
	case len(u.Cited) > 0:
		l.Cited = c.T("lib_cites", "Same", c.N("lib_n_same", u.Count(library.Same)), "Moved",
			c.N("lib_n_moved", u.Count(library.Moved)), "Lost", c.N("lib_n_lost", u.Count(library.Lost)))
	}
	if u.Cut {
		l.Cut = c.T("lib_cites_cut", "N", c.Num(library.MaxCited))
	}
	for i := range u.Cited {
		x := &u.Cited[i]
		if x.Now == library.Same {
			continue
		}
		fate := c.T("lib_fate_" + string(x.Now))
		if x.Now == library.Moved && x.At.Page > 0 {
			fate = c.T("lib_fate_moved_page", "N", c.Num(x.At.Page))
		}
		l.Changed = append(l.Changed, CitedLine{Claim: c.T("lib_claim", "N", c.Num(x.Claim)), Words: x.Words, Fate: fate,
			Href: "/sessions/" + u.SessionID + "/claims/" + strconv.Itoa(x.Claim)})
	}
	return l
}
