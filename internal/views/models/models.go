// Package models draws the administration of endpoints that judge sessions.
package models

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"sanad/internal/domain/model"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// Form is what was typed about an endpoint, as it was typed.
type Form struct {
	Name, Kind, URL, Model                 string
	TrustSupported, TrustContradicted      string // shares, such as 0.9
	PriceIn, PriceOut                      string // of a million tokens
	RunTokens, RunCost, DayTokens, DayCost string
	Parallel, Timeout                      string // questions; seconds
	Redact, NoKey                          bool
	Revision                               string        // that a form was made from which is filled in again, "" for the stored one
	Again, KeyLost, Left                   bool          // filled in again; without the key that was typed; not all of it
	Confirm                                string        // where the password is given again, "" if it was given recently
	Fault                                  *ui.FormFault // fields are named as in the form
}

// NewForm is the form of an endpoint that is to be added.
func NewForm() Form {
	return Form{Kind: string(model.OpenAI), Parallel: strconv.Itoa(model.DefaultParallel),
		Timeout: seconds(model.DefaultTimeout), Redact: true}
}

// FormOf is the form of an endpoint as it is. Its key is never part of it.
func FormOf(e *model.Endpoint) Form {
	return Form{Name: e.Name, Kind: string(e.Kind), URL: model.Shown(e.URL), Model: e.Model,
		TrustSupported: share(e.Trust.Supported), TrustContradicted: share(e.Trust.Contradicted),
		PriceIn: amount(e.Price.In), PriceOut: amount(e.Price.Out), RunTokens: count(e.Run.Tokens), RunCost: amount(e.Run.Cost),
		DayTokens: count(e.Day.Tokens), DayCost: amount(e.Day.Cost), Parallel: strconv.Itoa(e.Parallel),
		Timeout: seconds(e.Timeout), Redact: e.Redact}
}

func share(v float64) string {
	if v == 0 {
		return ""
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

func count(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }

// amount writes millionths as a decimal number, "" for 0.
func amount(millionths int64) string {
	if millionths == 0 {
		return ""
	}
	const million = 1_000_000
	s := strconv.FormatInt(millionths/million, 10)
	if rest := millionths % million; rest != 0 {
		digits := strconv.FormatInt(million+rest, 10)[1:]
		s += "." + strings.TrimRight(digits, "0")
	}
	return s
}

// ListPage lists a tenant's endpoints and adds to them.
type ListPage struct {
	ui.Chrome
	Rows  []Line
	Count string
	Form  FormView
	Done  string
	Sent  Sent
}

// Line is one endpoint, laid out.
type Line struct {
	Name, Href, Kind, Model, URL string
	Enabled                      bool
	Trust                        []string // what its words count, and what reviews say of them
}

// FormView is the form, laid out.
type FormView struct {
	Action, Revision string
	Confirm, Refused string
	Again            []string // what to know of a form that is filled in again
	Kinds            []ui.Option
	KindFault        string
	Basic, Budget    []ui.TextField
	More             []ui.TextField
	Key              ui.TextField
	HasKey, NoKey    bool
	Redact           bool
	Submit           string
	MoreOpen         bool
}

// Sent says what is sent to an endpoint, with an example.
type Sent struct{ Example string }

// NewListPage lays out the list. Pure.
func NewListPage(c ui.Chrome, rows []model.Endpoint, form Form, example string) *ListPage {
	p := &ListPage{Chrome: c, Count: c.N("mdl_n", len(rows)), Done: c.Notice("mdl_done_", "removed"), Sent: Sent{example}}
	for i := range rows {
		p.Rows = append(p.Rows, line(&c, &rows[i]))
	}
	p.Form = formView(&p.Chrome, &form, nil)
	return p
}

func line(c *ui.Chrome, e *model.Endpoint) Line {
	return Line{Name: e.Name, Href: "/admin/models/" + e.ID, Kind: c.T("mdl_kind_" + string(e.Kind)), Model: e.Model, URL: model.Shown(e.URL),
		Enabled: e.Enabled}
}

// formView lays out the form; e is the endpoint that it changes, nil if it adds one.
func formView(c *ui.Chrome, f *Form, e *model.Endpoint) FormView {
	v := FormView{Action: "/admin/models", Confirm: f.Confirm, Refused: c.FaultAt(f.Fault, ""), Redact: f.Redact,
		NoKey: f.NoKey, KindFault: c.FaultAt(f.Fault, "kind"), Submit: c.T("mdl_add_do")}
	for _, k := range model.Kinds {
		v.Kinds = append(v.Kinds, ui.Option{Value: string(k), Label: c.T("mdl_kind_" + string(k)), Selected: f.Kind == string(k)})
	}
	field := func(name, value, dir, mode string, required bool) ui.TextField {
		x := ui.TextField{ID: "m-" + name, Name: name, Label: c.T("mdl_" + name), Value: value, Dir: dir, Mode: mode,
			Fault: c.FaultAt(f.Fault, name), Complete: "off", Required: required}
		if help := c.T("mdl_" + name + "_help"); help != "mdl_"+name+"_help" {
			x.Help = help
		}
		return x
	}
	v.Basic = []ui.TextField{field("name", f.Name, "auto", "", true), field("url", f.URL, "ltr", "url", true),
		field("model", f.Model, "ltr", "", false)}
	v.Key = field("key", "", "ltr", "", false)
	v.Key.Kind, v.Key.Complete = "password", "new-password"
	if e != nil {
		v.Key.Help += " " + c.T("mdl_key_keep")
	}
	v.Budget = []ui.TextField{field("run_tokens", f.RunTokens, "ltr", "numeric", false),
		field("day_tokens", f.DayTokens, "ltr", "numeric", false), field("price_in", f.PriceIn, "ltr", "decimal", false),
		field("price_out", f.PriceOut, "ltr", "decimal", false), field("run_cost", f.RunCost, "ltr", "decimal", false),
		field("day_cost", f.DayCost, "ltr", "decimal", false)}
	v.More = []ui.TextField{field("trust_supported", f.TrustSupported, "ltr", "decimal", false),
		field("trust_contradicted", f.TrustContradicted, "ltr", "decimal", false),
		field("parallel", f.Parallel, "ltr", "numeric", false), field("timeout", f.Timeout, "ltr", "numeric", false)}
	for _, x := range v.More {
		v.MoreOpen = v.MoreOpen || x.Fault != ""
	}
	if e != nil {
		v.Action, v.Revision, v.HasKey = "/admin/models/"+e.ID, cmp.Or(f.Revision, strconv.Itoa(e.Revision)), e.HasKey
		v.Submit = c.T("mdl_save")
	}
	v.Again = again(c, f)
	return v
}

// again says what became of a form while the password was asked for.
func again(c *ui.Chrome, f *Form) (out []string) {
	if !f.Again {
		return nil
	}
	out = append(out, c.T("typed_again"))
	if f.KeyLost {
		out = append(out, c.T("typed_again_key"))
	}
	if f.Left {
		out = append(out, c.T("typed_again_left"))
	}
	return out
}

// PageInput is one endpoint with what was spent on it.
type PageInput struct {
	Endpoint   model.Endpoint
	Today      model.Spending
	By         string // shown name of who made it, "" if unknown
	Form       Form
	Tried      *model.Tried // what the test just showed, nil if none was made
	CanTry     bool
	Trust      *TrustInput
	ActionWord string // message id of why an action was refused, "" if none was
	Example    string
}

// Page is one endpoint.
type Page struct {
	ui.Chrome
	Line     Line
	Facts    []ui.Option // label and value
	Made     say.Moment
	By       string
	Trust    *TrustView // nil for an endpoint that judges nothing
	Form     FormView
	Done     string
	Fault    string
	Revision string // of the endpoint as it is, for its buttons
	UsedUp   string // that the budget of the day is used up, "" if it is not
	CanTry   bool
	Tried    string // what the test showed, "" if none was made
	TriedOK  bool
	Sent     Sent
}

// NewPage lays out one endpoint. Pure.
func NewPage(c ui.Chrome, in PageInput) *Page {
	e := &in.Endpoint
	p := &Page{Chrome: c, Line: line(&c, e), Revision: strconv.Itoa(e.Revision), Made: c.Minute(e.CreatedAt), By: c.ActorName(e.CreatedBy, in.By),
		Done: c.Notice("mdl_done_", "added", "saved", "enabled", "disabled", "trust"), CanTry: in.CanTry, Sent: Sent{in.Example}}
	if in.ActionWord != "" {
		p.Fault = c.T("fault_" + in.ActionWord)
	}
	p.Form = formView(&p.Chrome, &in.Form, e)
	add := func(label, value string) { p.Facts = append(p.Facts, ui.Option{Label: label, Value: value}) }
	if e.HasKey {
		add(c.T("mdl_key"), c.T("mdl_key_set"))
	} else {
		add(c.T("mdl_key"), c.T("mdl_key_none"))
	}
	redact := "mdl_redact_off"
	if e.Redact {
		redact = "mdl_redact_on"
	}
	add(c.T("mdl_redact_word"), c.T(redact))
	add(c.T("mdl_today"), spent(&c, &in.Today, e))
	if n := int64(max(in.Today.Calls-in.Today.Failed, 1)); !e.Day.Fits(in.Today, max(in.Today.Tokens()/n, 1), max(in.Today.Cost/n, 1)) {
		p.UsedUp = c.T("mdl_used_up") // not one more question of the usual size fits
	}
	p.tried(in.Tried)
	if in.Trust != nil {
		p.Trust = trustView(&p.Chrome, in.Trust)
	}
	return p
}

// spent says what was spent today, and of how much.
func spent(c *ui.Chrome, x *model.Spending, e *model.Endpoint) string {
	tokens := c.Num(int(x.Tokens()))
	if e.Day.Tokens > 0 {
		tokens = c.T("mdl_of", "Spent", tokens, "Of", c.Num(int(e.Day.Tokens)))
	}
	s := c.N("mdl_spent", x.Calls, "Tokens", tokens)
	if e.Price == (model.Price{}) && x.Cost == 0 {
		return s
	}
	cost := money(c, x.Cost)
	if e.Day.Cost > 0 {
		cost = c.T("mdl_of", "Spent", cost, "Of", money(c, e.Day.Cost))
	}
	return c.T("mdl_spent_cost", "Asked", s, "Cost", cost)
}

func money(c *ui.Chrome, millionths int64) string {
	if millionths == 0 {
		return c.Num(0)
	}
	return c.InDigits(amount(millionths))
}

// tried says what the test showed.
func (p *Page) tried(t *model.Tried) {
	if t == nil {
		return
	}
	took := p.Decimal(t.Took.Seconds())
	defer func() {
		if !p.Line.Enabled {
			p.Tried += " " + p.T("mdl_tried_disabled")
		}
	}()
	if t.Fault == "" {
		p.TriedOK = true
		p.Tried = p.T("mdl_tried", "Seconds", took, "Model", say.Isolated(t.Model), "Tokens", p.Num(t.TokensIn+t.TokensOut))
		if t.Note != "" {
			p.Tried += " " + p.T("mdl_tried_note_"+t.Note)
		}
		return
	}
	p.Tried = p.T("mdl_failed", "Seconds", took) + " " + p.T("mdl_fault_"+model.FaultWord(t.Fault))
}
