package ui

import (
	"strconv"

	"sanad/internal/domain/due"
	"sanad/internal/views/say"
)

// DueInput is the due date of a page's object, with what was typed into its form.
type DueInput struct {
	due.Date
	May    bool   // the reader may change it
	Zone   string // of the organisation, in which a new day ends
	Action string // where the form is sent
	Typed  string
	Fault  *FormFault // nil if none
}

// DueView is the section of a page about its due date.
type DueView struct {
	Mark     say.DueMark
	Was      string // the day of what is done, in words; "" if none
	SetBy    string
	At       say.Moment
	Form     bool // the reader may set a day
	Remove   bool // the reader may remove it
	Action   string
	Revision string
	Value    string
	Help     string
	Fault    string // beside the field
	Refused  string // of the whole form
}

// Shown reports whether there is anything to show.
func (v *DueView) Shown() bool { return v.Mark.State != "" || v.Was != "" || v.Form || v.Remove }

// DueView lays out a due date with its form.
func (c *Chrome) DueView(in *DueInput) DueView {
	v := DueView{Mark: c.Due(&in.Date), Action: in.Action, Revision: strconv.Itoa(in.Revision),
		Form: in.May && in.Open, Remove: in.May && in.Day != "", Value: c.InDigits(in.Day),
		Fault: c.FaultAt(in.Fault, "due_on"), Refused: c.FaultAt(in.Fault, ""),
		Help: c.T("due_help", "Zone", c.ZoneWord(in.Zone, c.Now)),
	}
	if in.Fault != nil {
		v.Value = in.Typed
	}
	if in.Day != "" && v.Mark.State == "" {
		v.Was = c.DayWord(in.Day)
	}
	if in.Day != "" {
		v.SetBy, v.At = in.SetName, c.Moment(in.SetAt)
	}
	return v
}

// DueOptions are the choices of a list's filter by due date.
func (c *Chrome) DueOptions(chosen due.State) []Option {
	return Options(c, "due_filter_", c.T("all"), due.Filters, chosen)
}

// DueLine is an item of the home page.
type DueLine struct {
	Title, Href, Kind string
	Mark              say.DueMark
}

// DueHome is what is late or due soon on the home page.
type DueHome struct {
	Lines                   []DueLine
	More                    bool
	LateSessions, LatePacks string // how many of the whole organisation, "" for none
	SoonSessions, SoonPacks string // likewise, due within seven days
}

// DueHome lays out what is late or due soon.
func (c *Chrome) DueHome(in *due.Home) DueHome {
	h := DueHome{More: in.More}
	for i := range in.Items {
		x := &in.Items[i]
		l := DueLine{Title: x.Title, Href: "/" + x.Object + "s/" + x.ID, Kind: c.T("object_" + x.Object), Mark: c.Due(&x.Date)}
		if l.Title == "" {
			l.Title = c.T("ntf_untitled")
		}
		h.Lines = append(h.Lines, l)
	}
	count := func(id string, n int) string {
		if n == 0 {
			return ""
		}
		return c.N(id, n)
	}
	h.LateSessions, h.LatePacks = count("due_n_late_sessions", in.LateSessions), count("due_n_late_packs", in.LatePacks)
	h.SoonSessions, h.SoonPacks = count("due_n_soon_sessions", in.SoonSessions), count("due_n_soon_packs", in.SoonPacks)
	return h
}

// DueCount is how many sessions or packs are late or due soon, with the list of them.
type DueCount struct{ State, Words, Href string }

// Counts lists how many of the whole organisation are late and due soon; nil for none.
func (h *DueHome) Counts() (out []DueCount) {
	for _, x := range []DueCount{{"late", h.LateSessions, "/sessions?due=late"}, {"late", h.LatePacks, "/packs?due=late"},
		{"soon", h.SoonSessions, "/sessions?due=soon"}, {"soon", h.SoonPacks, "/packs?due=soon"}} {
		if x.Words != "" {
			out = append(out, x)
		}
	}
	return out
}

// Shown reports whether there is anything to show.
func (h *DueHome) Shown() bool { return len(h.Lines) > 0 || h.LateSessions != "" || h.LatePacks != "" }
