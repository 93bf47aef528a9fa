package views

import "time"

// PackFormats lists the formats of an export.
var PackFormats = []string{"zip", "pdf", "json", "markdown"}

// PackExports is what may be had of a pack, and what was asked for.
type PackExports struct {
	Signed  bool        // there is something to export
	At      bool        // at once, without asking
	Ask     bool        // the reader may ask
	Mine    []ExportAsk // the reader's own
	Waiting []ExportAsk // of others, for who may grant
	Reason  string      // as it was typed
	Fault   *FormFault
}

// ExportsView is the export section, laid out.
type ExportsView struct {
	At, Ask, Signed bool
	Formats         []Option
	Mine, Waiting   []AskView
	Action, AskHref string
	Reason, Fault   string
}

// Shown tells whether there is anything to show.
func (v *ExportsView) Shown() bool { return v.Signed }

func exportsView(c *Chrome, in PackExports, href string) ExportsView {
	v := ExportsView{
		At: in.At, Ask: in.Ask, Signed: in.Signed, Action: href + "/exports", AskHref: href + "/exports/ask", Reason: in.Reason,
		Fault: c.faultWords(in.Fault), Formats: options(c, "pk_format_", "", PackFormats, "zip"),
	}
	for _, x := range in.Mine {
		v.Mine = append(v.Mine, c.askView(x, true))
	}
	for _, x := range in.Waiting {
		v.Waiting = append(v.Waiting, c.askView(x, false))
	}
	return v
}

// PackLinkPage shows a personal link, once.
type PackLinkPage struct {
	Chrome
	Title, PackHref, Format, Href string
	Until                         Moment
}

// NewPackLinkPage lays out the link. Pure.
func NewPackLinkPage(c Chrome, x ExportAsk, href string, until time.Time) *PackLinkPage {
	return &PackLinkPage{Chrome: c, Title: x.Title, PackHref: "/packs/" + x.PackID, Format: c.known("pk_format_", x.Format), Href: href, Until: c.minute(until)}
}
