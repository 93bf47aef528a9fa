package ui

import "strconv"

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
