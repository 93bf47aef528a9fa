package packs

import (
	"time"

	"sanad/internal/domain/pack"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// PackFormats lists the formats of an export.
var PackFormats = []string{"zip", "pdf", "json", "markdown"}

// Exports is what the reader may export of a pack, and the requests for copies.
type Exports struct {
	Signed  bool                 // there is something to export
	At      bool                 // at once, without asking
	Ask     bool                 // the reader may ask
	Mine    []pack.ExportRequest // the reader's own
	Waiting []pack.ExportRequest // of others, for who may grant
	Reason  string               // as it was typed
	Fault   *ui.FormFault
}

// ExportsView is the export section, laid out.
type ExportsView struct {
	At, Ask, Signed bool
	Formats         []ui.Option
	Mine, Waiting   []ui.AskView
	Action, AskHref string
	Reason, Fault   string
}

// Shown reports whether there is anything to show.
func (v *ExportsView) Shown() bool { return v.Signed && (v.At || v.Ask || len(v.Mine) > 0) }

func exportsView(c *ui.Chrome, in Exports, href string) ExportsView {
	v := ExportsView{
		At: in.At, Ask: in.Ask, Signed: in.Signed, Action: href + "/exports", AskHref: href + "/exports/ask",
		Reason: in.Reason,
		Fault:  c.FaultWords(in.Fault), Formats: ui.Options(c, "pk_format_", "", PackFormats, "zip"),
	}
	for _, x := range in.Mine {
		v.Mine = append(v.Mine, c.AskView(x, true))
	}
	for _, x := range in.Waiting {
		v.Waiting = append(v.Waiting, c.AskView(x, false))
	}
	return v
}

// LinkPage shows a personal link, once.
type LinkPage struct {
	ui.Chrome
	Title, PackHref, Format, Href string
	Until                         say.Moment
}

// NewLinkPage lays out the link. Pure.
func NewLinkPage(c ui.Chrome, x pack.ExportRequest, href string, until time.Time) *LinkPage {
	return &LinkPage{Chrome: c, Title: x.Title, PackHref: "/packs/" + x.PackID,
		Format: c.Known("pk_format_", x.Format), Href: href, Until: c.Minute(until)}
}
