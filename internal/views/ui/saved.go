package ui

import "slices"

// SavedView is the filters of a page, kept under a name.
type SavedView struct {
	ID, Page, Name, Query string
	Href                  string // "" where it can be opened in a session only
	Shared, Own           bool
	Owner                 string
}

// SavedPart is what a page shows of the views of it.
type SavedPart struct {
	Page, Session string
	Query         string // the filters that the page shows now
	Views         []SavedView
	MayShare      bool
}

// Known reports whether the filters that the page shows are kept already.
func (s SavedPart) Known() bool {
	return slices.ContainsFunc(s.Views, func(v SavedView) bool { return v.Query == s.Query })
}

// SavedForm is what was typed to keep or change a view.
type SavedForm struct {
	ID                   string // of the view to change, "" for a new one
	Page, Session, Query string
	Name                 string
	Shared               bool
	Fault                *FormFault
	Done                 string // what the page before this one did
}
