package ui

import (
	"strconv"

	"sanad/internal/domain"
	"sanad/internal/domain/erasure"
	"sanad/internal/views/say"
)

// ErrorPageData is the page of an error.
type ErrorPageData struct {
	Chrome
	Title, Text string
	Detail      string // safe words about the very request, "" if none
}

// NewErrorPage lays out an error of the given status. Pure.
func NewErrorPage(c Chrome, status int, detail string) *ErrorPageData {
	key := "error_" + strconv.Itoa(status)
	p := &ErrorPageData{Chrome: c, Title: c.T(key + "_title"), Text: c.T(key + "_text"), Detail: detail}
	if p.Title == key+"_title" {
		key = "error_4xx"
		if status >= 500 {
			key = "error_500"
		}
		p.Title, p.Text = c.T(key+"_title"), c.T(key+"_text")
	}
	switch status {
	case 404, 414: // the same words for unknown, foreign and malformed; those of 414 say all
		p.Detail = ""
	}
	return p
}

// ErasedWords returns the words about when and why something was erased.
func ErasedWords(c *Chrome, e *erasure.Request) string {
	if e.Retention {
		return c.T("gone_period", "Date", c.Date(e.ConfirmedAt))
	}
	return c.T("gone_asked", "Date", c.Date(e.ConfirmedAt), "Reason", say.Isolated(e.Reason))
}

// NeedsRole returns the words about which role an action needs.
func NeedsRole(c *Chrome, role domain.Role) string {
	if role == domain.Admin { // there is none above it
		return c.T("needs_admin")
	}
	return c.T("needs_role", "Role", c.T("role_"+string(role)))
}
