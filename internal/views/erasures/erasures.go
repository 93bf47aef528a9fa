// Package erasures lays out the pages of erasure, legal holds and retention periods.
package erasures

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sanad/internal/domain/erasure"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// Plan is the result of a dry run.
type Plan struct {
	erasure.Request
	Obstacles []erasure.Obstacle
}

// Input has the erasures and holds of a tenant, and what was typed.
type Input struct {
	Reader  string // their id
	Confirm string // address where the password is given again, "" if it was given recently
	All     []erasure.Request
	Holds   []erasure.Hold
	Plan    *Plan // of a dry run, nil if there was none

	Kind, ID, Reason             string
	Fault                        *ui.FormFault
	HoldKind, HoldID, HoldReason string
	HoldFault                    *ui.FormFault
}

// Page is the page of erasures, laid out.
type Page struct {
	ui.Chrome
	In      Input
	Done    string
	Waiting []Line
	Past    []Line
	Holds   []HoldLine
	Plan    *Line
	Clear   bool // nothing stands in the way of the plan
}

// Line is one erasure, laid out.
type Line struct {
	Kind, ID, Title, State, Reason, Asked, Decided string
	Href                                           string // "" if there is nothing to see
	Gone                                           bool
	At                                             say.Moment
	Goes                                           []string
	Blocked                                        []string
	Own, Retention                                 bool
	Confirm, Refuse                                string
}

// HoldLine is a hold in force, laid out.
type HoldLine struct {
	KindWord, ID, Href, Reason string
	At                         say.Moment
}

// pages are the addresses under which things of a kind are seen, without their ids.
var pages = map[erasure.Kind]string{erasure.Session: "/sessions/", erasure.Document: "/documents/",
	erasure.Bundle: "/bundles/", erasure.Upload: "/jobs/", erasure.Pack: "/packs/",
	erasure.Library: "/library/"}

// pageOf returns where a thing is seen, "" if nowhere.
func pageOf(kind erasure.Kind, id string) string {
	if pages[kind] == "" {
		return ""
	}
	return pages[kind] + id
}

// NewPage lays out the page. Pure.
func NewPage(c ui.Chrome, in Input) *Page {
	p := &Page{Chrome: c, In: in, Done: c.Notice("era_done_", "asked", "done", "erasing", "refused", "held", "lifted")}
	for i := range in.All {
		l := newLine(&c, &in.All[i], nil)
		if in.All[i].State != erasure.Asked {
			p.Past = append(p.Past, l)
			continue
		}
		l.Own = in.All[i].AskedBy == in.Reader
		l.Refuse = "/admin/erasures/" + in.All[i].ID + "/refuse"
		if !l.Own {
			l.Confirm = "/admin/erasures/" + in.All[i].ID + "/confirm"
		}
		p.Waiting = append(p.Waiting, l)
	}
	for _, h := range in.Holds {
		p.Holds = append(p.Holds, HoldLine{
			KindWord: c.T("era_kind_" + string(h.Kind)), ID: h.ObjectID, Href: pageOf(h.Kind, h.ObjectID),
			Reason: h.Reason, At: c.Minute(h.At),
		})
	}
	if in.Plan != nil {
		l := newLine(&c, &in.Plan.Request, in.Plan.Obstacles)
		p.Plan, p.Clear = &l, len(in.Plan.Obstacles) == 0
	}
	return p
}

func newLine(c *ui.Chrome, e *erasure.Request, obstacles []erasure.Obstacle) Line {
	l := Line{
		Kind: c.T("era_kind_" + string(e.Kind)), ID: e.ObjectID, Title: cmp.Or(e.Title, e.ObjectID), Reason: e.Reason,
		Asked: c.ActorName(e.AskedBy, e.AskedName), Decided: c.ActorName(e.ConfirmedBy, e.ConfirmedName),
		At: c.Minute(e.AskedAt), Retention: e.Retention, Gone: e.State == erasure.Done,
	}
	if !l.Gone || e.Kind == erasure.Document || e.Kind == erasure.Pack { // of these, something is kept
		l.Href = pageOf(e.Kind, e.ObjectID)
	}
	if e.State != "" {
		l.State = c.T("era_state_" + string(e.State))
	}
	names := make([]string, 0, len(e.Counts))
	for name := range e.Counts {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		l.Goes = append(l.Goes, c.T("era_count_"+name)+": "+c.Num(e.Counts[name]))
	}
	l.Goes = append(l.Goes, c.T("era_count_originals")+": "+c.Num(e.Files))
	for _, o := range obstacles {
		l.Blocked = append(l.Blocked, c.T("era_blocked_"+string(o.Code), "Object", objectWords(c, o.Object)))
	}
	return l
}

// objectWords words an obstacle's object: an id, after its kind if that is not plain from the message.
func objectWords(c *ui.Chrome, object string) string {
	kind, id, found := strings.Cut(object, " ")
	if !found || !erasure.Kind(kind).Valid() {
		return say.Isolated(object)
	}
	return c.T("era_kind_"+kind) + " " + say.Isolated(id)
}

func (p *Page) kinds() []ui.Option {
	return ui.Options(&p.Chrome, "era_kind_", "", kindNames(erasure.Kinds), p.In.Kind)
}

func (p *Page) holdKinds() []ui.Option {
	return ui.Options(&p.Chrome, "era_kind_", "", kindNames(erasure.Holdable), p.In.HoldKind)
}

func kindNames(kinds []erasure.Kind) []string {
	out := make([]string, len(kinds))
	for i, k := range kinds {
		out[i] = string(k)
	}
	return out
}

func (p *Page) idField() ui.TextField {
	return ui.TextField{ID: "e-id", Name: "id", Label: p.T("era_id"), Help: p.T("era_id_help"), Value: p.In.ID, Dir: "ltr",
		Fault: p.FaultAt(p.In.Fault, "id"), Complete: "off", Required: true}
}

func (p *Page) holdField() ui.TextField {
	return ui.TextField{ID: "h-id", Name: "id", Label: p.T("era_id"), Value: p.In.HoldID, Dir: "ltr",
		Fault: p.FaultAt(p.In.HoldFault, "id"), Complete: "off", Required: true}
}

// PeriodsInput has the periods as stored or typed, by kind, and what is due.
type PeriodsInput struct {
	Typed map[erasure.Kind]string
	Due   []erasure.Due
	Tried []erasure.Period     // of a dry run, which Due is for; nil for the stored ones
	Anew  map[erasure.Kind]int // how much is due with Tried and not with the stored ones, by kind
	Fault *ui.FormFault

	AskReason bool // a second administrator is demanded
	Reason    string
}

// PeriodsPage is the page of retention periods, laid out.
type PeriodsPage struct {
	ui.Chrome
	In   PeriodsInput
	Done string
	Due  []Line
	Anew string // how much would be due at once, and what becomes of it; "" if nothing
}

// NewPeriodsPage lays out the page. Pure.
func NewPeriodsPage(c ui.Chrome, in PeriodsInput) *PeriodsPage {
	p := &PeriodsPage{Chrome: c, In: in, Done: c.Notice("per_done_", "saved")}
	for i := range in.Due {
		p.Due = append(p.Due, newLine(&c, &in.Due[i].Request, in.Due[i].Obstacles))
	}
	n := 0
	for _, of := range in.Anew {
		n += of
	}
	switch {
	case n > 0 && in.AskReason: // another administrator decides first
		p.Anew = c.N("per_anew_asked", n)
	case n > 0:
		p.Anew = c.N("per_anew", n)
	}
	return p
}

// Seen is what a form says of what its reader has seen: the periods, and how much is due at once by them.
func Seen(periods []erasure.Period, anew map[erasure.Kind]int) string {
	var out strings.Builder
	for _, p := range periods {
		fmt.Fprintf(&out, "%s %d %d ", p.Kind, p.Days, anew[p.Kind])
	}
	return out.String()
}

func (p *PeriodsPage) field(kind erasure.Kind) ui.TextField {
	return ui.TextField{ID: "p-" + string(kind), Name: string(kind), Label: p.T("per_" + string(kind)),
		Value: p.In.Typed[kind], Mode: "numeric", Dir: "ltr", Complete: "off", Fault: p.FaultAt(p.In.Fault, string(kind))}
}
