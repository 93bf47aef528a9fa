package search

import (
	"net/url"
	"slices"
	"strings"

	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// SavedInput has all views that a reader owns or may see.
type SavedInput struct {
	Pages               []string
	Views               []ui.SavedView
	MayShare, MayForget bool
	Form                ui.SavedForm
}

// SavedPage lists them.
type SavedPage struct {
	ui.Chrome
	In     SavedInput
	Notice string
	Groups []SavedGroup
	New    *ui.SavedForm // a new view that was refused
	Fault  string
}

// SavedGroup is the views of one page.
type SavedGroup struct {
	ID, Title string
	Lines     []SavedLine
}

// SavedLine is one view, laid out.
type SavedLine struct {
	ui.SavedView
	Words           string // the filters
	MayDelete       bool
	Typed           string // name, as it stands in the form
	TypedShared     bool
	Fault           string
	NameID          string
	Change, DeleteW string // names of the actions, with the view's
}

// NewSavedPage lays out the list. Pure.
func NewSavedPage(c ui.Chrome, in SavedInput) *SavedPage {
	p := &SavedPage{Chrome: c, In: in}
	if slices.Contains([]string{"saved", "changed", "deleted"}, in.Form.Done) {
		p.Notice = p.T("saved_done_" + in.Form.Done)
	}
	if in.Form.Fault != nil && in.Form.ID == "" {
		p.New, p.Fault = &in.Form, p.FaultWords(in.Form.Fault)
	}
	for _, page := range in.Pages {
		g := SavedGroup{ID: "saved-" + page, Title: p.T("saved_page_" + page)}
		for _, v := range in.Views {
			if v.Page == page {
				g.Lines = append(g.Lines, p.savedLine(v))
			}
		}
		if len(g.Lines) > 0 {
			p.Groups = append(p.Groups, g)
		}
	}
	return p
}

func (p *SavedPage) savedLine(v ui.SavedView) SavedLine {
	l := SavedLine{SavedView: v, Words: filterWords(&p.Chrome, v.Query), MayDelete: v.Own || p.In.MayForget,
		Typed: v.Name, TypedShared: v.Shared,
		NameID:  "name-" + v.ID,
		Change:  p.T("saved_change", "Name", say.Isolated(v.Name)),
		DeleteW: p.T("saved_delete", "Name", say.Isolated(v.Name))}
	if f := &p.In.Form; f.Fault != nil && f.ID == v.ID {
		l.Typed, l.TypedShared, l.Fault = f.Name, f.Shared, p.FaultWords(f.Fault)
	}
	return l
}

// filterFamilies maps filters to the message ids of their values; other values are shown as they are.
var filterFamilies = map[string]string{
	"state": "state_", "verdict": "verdict_", "flag": "flag_name_", "type": "type_", "importance": "importance_",
	"kind": "find_kind_", "sort": "saved_sort_", "dir": "saved_dir_",
}

// filterWords describes the filters of a query, which has one value for each of its parameters.
func filterWords(c *ui.Chrome, query string) string {
	q, err := url.ParseQuery(query)
	if err != nil || len(q) == 0 {
		return c.T("saved_no_filter")
	}
	var out []string
	for pair := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(pair, "=")
		value := q.Get(name)
		switch family, ok := filterFamilies[name]; {
		case ok && name == "state" && value == "open":
			out = append(out, c.T("status_open"))
		case ok:
			out = append(out, c.Known(family, value))
		case name == "q":
			out = append(out, c.T("saved_q", "Text", say.Isolated(value)))
		case name == "from" || name == "to":
			out = append(out, c.T("aud_"+name)+" "+say.Isolated(value))
		default: // a ticked box
			out = append(out, c.Known("saved_box_", name))
		}
	}
	return strings.Join(out, " · ")
}
