package packs

import (
	"errors"
	"slices"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// Decide is what the reader may decide about a pack in review, with what was typed.
type Decide struct {
	Shown      bool                      // the reader has the role, and the pack is in review
	Title      string                    // the reader's job title, "" for none
	Why        error                     // why they still may not approve, whatever they acknowledge; nil if they may
	Waits      pack.Waits                // for whom the pack waits while it is in review
	Deputies   []access.Deputy           // as whose deputy the reader may approve
	For        string                    // id of the person for whom, as chosen; "" in their own name
	Ends       []string                  // the same, where nobody could give the approval that is then still needed
	Last       bool                      // this approval signs the pack off
	Next       map[string][]pack.Waiting // else who may sign next, by the name in which the reader signs
	NoPassword bool                      // the user confirms by the organisation's login instead of a password
	Code       bool                      // a one-time code is asked for too
	Confirm    string                    // address of that login, "" if it was recent enough
	Comment    string
	Read       []string // ids of the alarms whose boxes were checked
	Missing    []string // ids of both that the form lacked
	Reason     string
	Notes      map[string]string // of a return, by place
	Fault      *ui.FormFault     // fields acknowledged, comment, password, reason
}

// maxOthers is how many people the page names who may approve the pack.
const maxOthers = 12

// whyNot returns why the reader may not approve the pack: a sentence for each reason, then who may.
func (d *Decide) whyNot(c *ui.Chrome) (out []string) {
	var policy *pack.PolicyError
	var refused *domain.Error
	switch {
	case errors.As(d.Why, &policy):
		for i := range policy.Rules {
			out = append(out, policy.Rules[i].Text(c.Lang))
		}
	case errors.As(d.Why, &refused):
		out = append(out, c.FaultWords(ui.FaultOf(refused)))
	default:
		return nil
	}
	if len(d.Waits.Waiting) == 0 {
		return append(out, c.T("pk_none_may_approve"))
	}
	return append(out, c.T("pk_may_approve", "Names", d.waiting(c)))
}

// waiting names those for whom the pack waits, with those for whom they may approve as deputies.
func (d *Decide) waiting(c *ui.Chrome) string { return named(c, d.Waits.Waiting) }

// next names those who may sign after the reader, apart for each name in which the reader can sign.
func (d *Decide) next(c *ui.Chrome) string {
	own := named(c, d.Next[""])
	if len(d.Deputies) == 0 {
		if own == "" {
			return ""
		}
		return c.T("pk_sign_next", "Names", own)
	}
	var out []string
	if own != "" {
		out = append(out, c.T("pk_sign_next_own", "Names", own))
	}
	for i := range d.Deputies {
		of := &d.Deputies[i].For
		if next := named(c, d.Next[of.ID]); next != "" {
			out = append(out, c.T("pk_sign_next_for", "Name", c.Named(of.Name), "Names", next))
		}
	}
	return strings.Join(out, " ")
}

func named(c *ui.Chrome, waiting []pack.Waiting) string {
	var names []string
	for i := range waiting {
		x := &waiting[i]
		if len(names) == maxOthers {
			names = append(names, "…")
			break
		}
		name := c.Named(x.Name)
		if x.Title != "" { // whether they are who a source asks for
			name = c.T("pk_waits_title", "Name", name, "Title", say.Isolated(x.Title))
		}
		if len(x.For) > 0 {
			name = c.T("pk_waits_deputy", "Name", name, "For", strings.Join(c.AllNamed(people(x.For)), c.T("list_comma")))
		}
		names = append(names, name)
	}
	return strings.Join(names, c.T("list_comma"))
}

func people(in []access.Person) []string {
	out := make([]string, len(in))
	for i := range in {
		out[i] = in[i].Name
	}
	return out
}

// inNameOf are the choices of the name in which the reader approves: their own, or that of somebody whose deputy they
// are; nil if there is only their own.
func (p *Page) inNameOf() []ui.Option {
	if len(p.Decide.Deputies) == 0 {
		return nil
	}
	me := p.User
	if p.Decide.Title != "" {
		me += p.T("list_comma") + p.Decide.Title
	}
	out := []ui.Option{{Value: "", Label: p.T("pk_sign_own", "Me", me), Selected: p.Decide.For == ""}}
	for i := range p.Decide.Deputies {
		d := &p.Decide.Deputies[i]
		out = append(out, ui.Option{Value: d.For.ID, Selected: p.Decide.For == d.For.ID, Label: p.T("pk_sign_deputy", "Me", me,
			"Name", p.Named(d.For.Name), "Last", p.To(d.Ends))})
	}
	return out
}

// deadEnds warns of the names in which the reader could sign, after which nobody could give the approval that is then
// still needed.
func (p *Page) deadEnds() (out []string) {
	d := &p.Decide
	if slices.Contains(d.Ends, "") { // then in every name: a deputy's signature takes the seats of two
		return []string{p.T("pk_sign_end"), p.T("pk_sign_end_ask")}
	}
	for i := range d.Deputies {
		if of := &d.Deputies[i].For; slices.Contains(d.Ends, of.ID) {
			out = append(out, p.T("pk_sign_end_for", "Name", p.Named(of.Name)))
		}
	}
	return out
}

// approveField is the password beside the approval.
func (p *Page) approveField() ui.TextField {
	return ui.TextField{
		ID: "d-p", Name: "password", Label: p.T("acc_password_current"), Help: p.T("pk_password_help"),
		Fault: p.FaultAt(p.Decide.Fault, "password"),
		Kind:  "password", Complete: "current-password", Dir: "ltr", Required: true,
	}
}

// codeField is the one-time code beside it.
func (p *Page) codeField() ui.TextField {
	return ui.TextField{
		ID: "d-o", Name: "code", Label: p.T("pk_code"), Fault: p.FaultAt(p.Decide.Fault, "code"),
		Complete: "one-time-code", Mode: "numeric", Dir: "ltr", Required: true,
	}
}

// Manage is what an administrator may do.
type Manage struct {
	Shown  bool
	Reason string        // as typed
	Fault  *ui.FormFault // of the reason
}

// HoldLine is one change of a legal hold, laid out.
type HoldLine struct {
	Word, Who, Reason string
	At                say.Moment
}

func holdLines(c *ui.Chrome, in []pack.HoldChange, names map[string]string) []HoldLine {
	out := make([]HoldLine, len(in))
	for i, h := range in {
		word := "pk_hold_lifted"
		if h.Set {
			word = "pk_hold_set"
		}
		out[i] = HoldLine{
			Word: c.T(word), Who: c.ActorName(h.Actor, names[h.Actor]), Reason: h.Reason, At: c.Minute(h.At),
		}
	}
	return out
}

// approveWord names the button by what it does.
func (p *Page) approveWord() string {
	if p.Decide.Last {
		return p.T("pk_sign_off")
	}
	return p.T("pk_approve")
}

// HoldHref is the address of the form that sets a legal hold, or lifts the one there is.
func (p *Page) HoldHref() string {
	if p.Held != nil {
		return p.Href + "/unhold"
	}
	return p.Href + "/hold"
}

// HoldReason is the label of its field.
func (p *Page) HoldReason() string {
	if p.Held != nil {
		return p.T("pk_lift_reason")
	}
	return p.T("pk_hold_reason")
}

// HoldWord is the word on its button.
func (p *Page) HoldWord() string {
	if p.Held != nil {
		return p.T("pk_lift_do")
	}
	return p.T("pk_hold_do")
}
