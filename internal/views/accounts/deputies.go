package accounts

import (
	"slices"
	"strings"

	"sanad/internal/domain/access"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// DeputyInput is what a page shows of the deputies of a person, with the form for another one.
type DeputyInput struct {
	Of              access.Person   // whose deputies they are
	Reader          string          // id
	Own, Others     []access.Deputy // of the person; and those whose deputy the person is
	People          []access.Person // of the tenant, who may be chosen
	By, From, Until string          // as typed
	Fault           *ui.FormFault   // fields deputy, deputy.reason, from, until
	Second          bool            // a second administrator confirms it
	Reason          string          // as typed
}

// DeputyPanel is the part of a page about deputies.
type DeputyPanel struct {
	ui.Chrome
	In          DeputyInput
	Action      string // address that a new one is posted to
	Mine        bool   // it is the reader's own
	Own, Others []DeputyLine
	People      []ui.Option
}

// DeputyLine is one deputy, laid out.
type DeputyLine struct {
	Says, Set string
	Lapsed    bool // it has no effect: one of the two has lost the role
	Now       bool // its time has begun
	End       string
}

// NewDeputyPanel lays out the deputies of a person; nil if the person approves nothing and has none. Pure.
func NewDeputyPanel(c ui.Chrome, in DeputyInput) *DeputyPanel {
	if !in.Of.MayDecide() && len(in.Own)+len(in.Others) == 0 {
		return nil
	}
	p := &DeputyPanel{Chrome: c, In: in, Mine: in.Of.ID == in.Reader, Action: "/admin/users/" + in.Of.ID + "/deputy"}
	if p.Mine {
		p.Action = "/account/deputy"
	}
	for i := range in.Own {
		p.Own = append(p.Own, p.line("dep_is", &in.Own[i]))
	}
	for i := range in.Others {
		p.Others = append(p.Others, p.line("dep_of", &in.Others[i]))
	}
	p.People = []ui.Option{{Value: "", Label: c.T("dep_choose")}}
	for _, x := range in.People {
		if x.ID != in.Of.ID && x.ID != in.Reader && x.MayDecide() {
			p.People = append(p.People, ui.Option{Value: x.ID, Label: c.Named(x.Name) + " (" + c.T("role_"+string(x.Role)) + ")",
				Selected: x.ID == in.By})
		}
	}
	return p
}

func (p *DeputyPanel) line(word string, d *access.Deputy) DeputyLine {
	name := d.By.Name
	if word == "dep_of" {
		name = d.For.Name
	}
	l := DeputyLine{Lapsed: d.Lapsed(), Now: d.At(p.Now), End: strings.Replace(p.Action, "/deputy", "/deputies/", 1) + d.ID +
		"/end"}
	l.Says = p.T(word, "Name", p.Named(name), "Span", p.Span(d.Starts, d.Ends))
	if d.SetBy != d.For.ID {
		l.Set = p.T("dep_set", "Name", say.Isolated(p.ActorName(d.SetBy, d.SetName)), "When", p.Minute(d.SetAt).Short)
	}
	return l
}

// date is one of the two days of the form.
func (p *DeputyPanel) date(name, value string) ui.DateField {
	return ui.DateField{ID: "dep-" + name, Name: name, Label: p.T("dep_" + name), Value: value,
		Help: p.T("dep_" + name + "_help"), Fault: p.FaultAt(p.In.Fault, name), Required: name == "until"}
}

// none is what is said where there is nobody to choose.
func (p *DeputyPanel) none() bool { return len(p.People) == 1 }

// form reports whether a deputy can be named.
func (p *DeputyPanel) form() bool { return p.In.Of.MayDecide() }

// otherDays reports whether the form is for other days: while the person is somebody's deputy they have none.
func (p *DeputyPanel) otherDays() bool { return len(p.Others) > 0 }

// typed reports whether something stands in the form.
func (p *DeputyPanel) typed() bool {
	return p.In.Fault != nil || p.In.By+p.In.From+p.In.Until != ""
}

// faulty is what is wrong with the choice of the person.
func (p *DeputyPanel) faulty() string {
	if p.In.Fault == nil || slices.Contains([]string{"from", "until"}, p.In.Fault.Field) {
		return ""
	}
	return p.FaultAt(p.In.Fault, "deputy")
}
