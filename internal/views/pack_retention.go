package views

import (
	"strconv"
	"time"

	"sanad/internal/domain/pack"
)

// PurgeRow is a purge that was asked for: what its dry run found.
type PurgeRow struct {
	ID, PackID, Title string
	AskedBy, Name     string
	AskedAt           time.Time
	Files             int
	Bytes             int64
	Decision          bool // the decision goes too
	Own               bool // the reader asked for it
}

// RetentionInput is the page of what may be purged, what waits for a second person, and what is gone.
type RetentionInput struct {
	Candidates []PackRow
	Purges     []PurgeRow
	Gone       []pack.Tombstone
	Names      map[string]string
	Fault      *FormFault
}

// RetentionPage is that page, laid out.
type RetentionPage struct {
	Chrome
	Candidates []PackLine
	Purges     []PurgeLine
	Gone       []TombstoneLine
	Done       string
	Fault      string
}

// PurgeLine is one request, laid out.
type PurgeLine struct {
	Title, PackID, PackHref, Who string
	At                           Moment
	Goes                         []string
	Own                          bool
	Confirm, Refuse              string
}

// TombstoneLine is what is left of a purged pack, laid out.
type TombstoneLine struct {
	PackID, DecisionID, Digest, By, Second string
	Created, Retained, Purged              Moment
}

// NewRetentionPage lays out the page. Pure.
func NewRetentionPage(c Chrome, in RetentionInput) *RetentionPage {
	p := &RetentionPage{
		Chrome: c, Candidates: c.packLines(in.Candidates), Done: c.notice("ret_done_", "asked", "purged", "refused"), Fault: c.faultWords(in.Fault),
	}
	for _, x := range in.Purges {
		l := PurgeLine{
			Title: x.Title, PackID: x.PackID, PackHref: "/packs/" + x.PackID, Who: c.actorName(x.AskedBy, x.Name), At: c.minute(x.AskedAt), Own: x.Own,
			Goes: []string{c.N("ret_files", x.Files, "Size", kibibytes(&c, x.Bytes))}, Refuse: "/admin/retention/" + x.ID + "/refuse",
		}
		if x.Decision {
			l.Goes = append(l.Goes, c.T("ret_decision_too"))
		}
		if !x.Own && c.May.ConfirmPurge {
			l.Confirm = "/admin/retention/" + x.ID + "/confirm"
		}
		p.Purges = append(p.Purges, l)
	}
	for _, x := range in.Gone {
		p.Gone = append(p.Gone, tombstone(&c, x, in.Names))
	}
	return p
}

func tombstone(c *Chrome, x pack.Tombstone, names map[string]string) TombstoneLine {
	return TombstoneLine{
		PackID: x.PackID, DecisionID: x.DecisionID, Digest: x.Digest, By: c.actorName(x.PurgedBy, names[x.PurgedBy]), Second: c.actorName(x.SecondBy, names[x.SecondBy]),
		Created: c.moment(instant(x.CreatedAt)), Retained: c.moment(instant(x.RetainUntil)), Purged: c.minute(instant(x.PurgedAt)),
	}
}

// kibibytes writes a size.
func kibibytes(c *Chrome, n int64) string {
	return c.digits(strconv.FormatInt((n+1023)/1024, 10)) + " KiB"
}

// PackGonePage is what is shown at the address of a purged pack.
type PackGonePage struct {
	Chrome
	TombstoneLine
}

// NewPackGonePage lays out a tombstone. Pure.
func NewPackGonePage(c Chrome, x pack.Tombstone, names map[string]string) *PackGonePage {
	return &PackGonePage{c, tombstone(&c, x, names)}
}
