package packs

import (
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

// CopyInput is a copy of a signed pack that its reader may download.
type CopyInput struct {
	Copy  pack.ExportRequest
	KeyID string // fingerprint of the key that signed the pack
	Over  bool   // it can be downloaded no longer
}

// CopyPage is the page of a copy.
type CopyPage struct {
	ui.Chrome
	Title, PackHref, Format, Href string
	KeyID                         string
	Until                         say.Moment
	Over                          bool
	Again                         string // address of the form that makes another copy, "" if the reader may not
	Kind                          string // the format, as that form sends it
}

// CopyHref is the address of the page of a copy.
func CopyHref(x *pack.ExportRequest) string { return "/packs/" + x.PackID + "/exports/" + x.ID }

// NewCopyPage lays out the copy. Pure.
func NewCopyPage(c ui.Chrome, in CopyInput) *CopyPage {
	x := &in.Copy
	p := &CopyPage{Chrome: c, Title: x.Title, PackHref: "/packs/" + x.PackID, Format: c.Known("pk_format_", x.Format),
		Href: CopyHref(x) + "/file", KeyID: in.KeyID, Until: c.Minute(x.ExpiresAt), Over: in.Over, Kind: x.Format}
	if c.May.ExportPack {
		p.Again = p.PackHref + "/exports"
	}
	return p
}

// VerifyHref is the page that checks an exported copy in the browser alone, in the reader's language (rule WEB-15).
func VerifyHref(lang string) string { return "/verify.html?lang=" + lang }
