package ui

import (
	"sanad/internal/domain/ledger"
	"slices"
)

// SavedView is a saved view with its address.
type SavedView struct {
	ledger.SavedView
	Href string // "" if it can be opened in a session only
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
