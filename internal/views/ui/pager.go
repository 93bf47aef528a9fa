package ui

import "net/url"

// AdminList says which page of a list of people or tokens is shown.
type AdminList struct {
	After string // what the page begins behind, "" for the first page
	Next  string // what the next page begins behind, "" if none
	Total int    // rows of all pages
}

// Pager is the way to a list's other pages; "" if none.
type Pager struct{ FirstHref, NextHref string }

// Pager returns the addresses of a list's first and next page.
func (l AdminList) Pager(path string) (p Pager) {
	if l.After != "" {
		p.FirstHref = path
	}
	if l.Next != "" {
		p.NextHref = Address(path, url.Values{"after": {l.Next}})
	}
	return p
}
