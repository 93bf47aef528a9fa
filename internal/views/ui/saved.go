package ui

import "slices"

// SavedView is the filters of a page, stored under a name.
type SavedView struct {
	ID, Page, Name, Query string
	Href                  string // "" if it can be opened in a session only
	Shared, Own           bool
	Owner                 string
}

// SavedPart is what a page shows about its saved views.
type SavedPart struct {
	Page, Session string
	Query         string // the filters that the page shows now
	Views         []SavedView
	MayShare      bool
}

// Known reports whether the page's current filters are saved already.
func (s SavedPart) Known() bool {
	return slices.ContainsFunc(s.Views, func(v SavedView) bool { return v.Query == s.Query })
}

// SavedForm is what was typed to save or change a view.
type SavedForm struct {
	ID                   string // of the view to change, "" for a new one
	Page, Session, Query string
	Name                 string
	Shared               bool
	Fault                *FormFault
	Done                 string // what the page before this one did
}
