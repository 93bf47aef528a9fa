package ledger

import (
	"sanad/internal/domain/ledger"
	"sanad/internal/views/ui"
)

// AddInput is the input of its page.
type AddInput struct {
	Session     ledger.SessionRow
	DocumentMiB int // largest document that is taken
	Fault       *ui.FormFault
	Library     ui.LibraryOffer
	Again       bool // files that were chosen have to be chosen again, because the library was searched
}

// AddPage is the form that adds documents to a session.
type AddPage struct {
	ui.Chrome
	SessionTitle, SessionHref string
	Action                    string
	Open                      string // how many claims are judged again at least, "" if none
	Help                      string
	Fault                     string
	Library                   ui.LibraryChoice
}

// NewAddPage lays out the form. Pure.
func NewAddPage(c ui.Chrome, in AddInput) *AddPage {
	base := "/sessions/" + in.Session.ID
	p := &AddPage{
		Chrome: c, SessionTitle: in.Session.Title, SessionHref: base, Action: base + "/documents",
		Help: filesHelp(&c, in.DocumentMiB, in.Again || in.Fault != nil), Fault: c.FaultWords(in.Fault),
	}
	p.Library = ui.NewLibraryChoice(&c, in.Library, p.Action)
	if n := in.Session.Claims - in.Session.ByVerdict[ledger.Supported]; n > 0 {
		p.Open = c.N("add_open", n)
	}
	return p
}
