package packs

import (
	"strconv"

	"sanad/internal/domain/pack"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// RetentionInput has the packs that may be purged, the requests that wait for a second person, and the purged packs.
type RetentionInput struct {
	Reader     string // their id
	Candidates []pack.Row
	Purges     []pack.Purge
	Gone       []pack.Tombstone
	Names      map[string]string
	Fault      *ui.FormFault
}

// RetentionPage is that page, laid out.
type RetentionPage struct {
	ui.Chrome
	Candidates []ui.PackLine
	Purges     []PurgeLine
	Gone       []TombstoneLine
	Done       string
	Fault      string
}

// PurgeLine is one request, laid out.
type PurgeLine struct {
	Title, PackID, PackHref, Who string
	At                           say.Moment
	Goes                         []string
	Own                          bool
	Confirm, Refuse              string
}

// TombstoneLine is what is left of a purged pack, laid out.
type TombstoneLine struct {
	PackID, DecisionID, Digest, By, Second string
	Created, Retained, Purged              say.Moment
}

// NewRetentionPage lays out the page. Pure.
func NewRetentionPage(c ui.Chrome, in RetentionInput) *RetentionPage {
	p := &RetentionPage{
		Chrome: c, Candidates: c.PackLines(in.Candidates), Done: c.Notice("ret_done_", "asked", "purged", "refused"),
		Fault: c.FaultWords(in.Fault),
	}
	for _, x := range in.Purges {
		own := x.AskedBy == in.Reader
		l := PurgeLine{
			Title: x.Title, PackID: x.PackID, PackHref: "/packs/" + x.PackID, Who: c.ActorName(x.AskedBy, x.AskedName),
			At: c.Minute(x.AskedAt), Own: own,
			Goes:   []string{c.N("ret_files", x.Files, "Size", kibibytes(&c, x.Bytes))},
			Refuse: "/admin/retention/" + x.ID + "/refuse",
		}
		if x.Decision {
			l.Goes = append(l.Goes, c.T("ret_decision_too"))
		}
		if !own && c.May.ConfirmPurge {
			l.Confirm = "/admin/retention/" + x.ID + "/confirm"
		}
		p.Purges = append(p.Purges, l)
	}
	for _, x := range in.Gone {
		p.Gone = append(p.Gone, tombstone(&c, x, in.Names))
	}
	return p
}

func tombstone(c *ui.Chrome, x pack.Tombstone, names map[string]string) TombstoneLine {
	return TombstoneLine{
		PackID: x.PackID, DecisionID: x.DecisionID, Digest: x.Digest, By: c.ActorName(x.PurgedBy, names[x.PurgedBy]),
		Second:  c.ActorName(x.SecondBy, names[x.SecondBy]),
		Created: c.Moment(ui.Instant(x.CreatedAt)), Retained: c.Moment(ui.Instant(x.RetainUntil)),
		Purged: c.Minute(ui.Instant(x.PurgedAt)),
	}
}

// kibibytes writes a size.
func kibibytes(c *ui.Chrome, n int64) string {
	return c.InDigits(strconv.FormatInt((n+1023)/1024, 10)) + " KiB"
}

// GonePage is what is shown at the address of a purged pack.
type GonePage struct {
	ui.Chrome
	TombstoneLine
	KeptHref string // of what is kept of an erased pack, "" if it was purged or never signed
}

// title says whether the pack was erased on request or purged when its time was over.
func (p *GonePage) title() string {
	if p.KeptHref == "" {
		return p.T("pk_gone")
	}
	return p.T("pk_erased")
}

// ended names the time at which it was.
func (p *GonePage) ended() string {
	if p.KeptHref == "" {
		return p.T("ret_purged")
	}
	return p.T("pk_erased_at")
}

// NewGonePage lays out a tombstone. Pure.
func NewGonePage(c ui.Chrome, x pack.Tombstone, names map[string]string, kept bool) *GonePage {
	p := &GonePage{Chrome: c, TombstoneLine: tombstone(&c, x, names)}
	if kept {
		p.KeptHref = "/packs/" + x.PackID + "/erased"
	}
	return p
}
