// Package traces is the page of traces that arrive as they happen.
package traces

import (
	"net/url"
	"strconv"
	"strings"

	"sanad/internal/domain/live"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// RuleForm is a rule as it is stored, or as typed.
type RuleForm struct {
	Place, Service, Share string
	Retrieval             bool
	Becomes               live.State
}

// RulesForm is a tenant's rules as they are stored, or as typed.
type RulesForm struct {
	Rules    []RuleForm
	Revision int
	Fault    *ui.FormFault // its field is rules[0].service and so on; "" for the form
}

// FormOf returns stored rules as a form.
func FormOf(r live.Rules) RulesForm {
	f := RulesForm{Revision: r.Revision}
	for i, x := range r.List {
		f.Rules = append(f.Rules, RuleForm{Place: strconv.Itoa(i + 1), Service: x.Service, Retrieval: x.Retrieval,
			Share: strconv.FormatFloat(x.Share, 'f', -1, 64), Becomes: x.Becomes})
	}
	return f
}

// Input is what the page is made of.
type Input struct {
	Form    RulesForm
	InForce live.Rules
	Counts  map[string]int // of the last days, by state or cause
	Traces  []live.Trace   // newest first
}

// Page shows the rules, and what came in lately.
type Page struct {
	ui.Chrome
	Rules    []RuleFields
	Revision string
	Fault    string // of the form as a whole
	Default  bool   // nobody has set rules
	Nothing  bool   // no rule makes anything
	Came     []ui.Option
	Became   []ui.Option
	Refused  []ui.Option
	Rows     []Row
	Done     string
}

// RuleFields are the fields of one rule.
type RuleFields struct {
	Legend                string
	Place, Service, Share ui.TextField
	RetrievalID, Name     string // of the box
	Retrieval             bool
	BecomesID             string
	BecomesName           string
	BecomesFault          string
	Becomes               []ui.Option
	ShareMode             string
}

// Row is one trace, laid out.
type Row struct {
	ID, Name, Service, Spans, Late string
	State                          string
	Good, Bad                      bool
	Why                            string
	Lost                           []string // spans that were refused, and why; how many warnings its session has
	Href, Link                     string   // to what was made
	Last                           say.Moment
	Due                            say.Moment // while it is gathered
}

// NewPage lays the page out. Pure.
func NewPage(c ui.Chrome, in Input) *Page {
	p := &Page{Chrome: c, Revision: strconv.Itoa(in.Form.Revision), Fault: c.FaultAt(in.Form.Fault, ""),
		Default: in.InForce.Revision == 0, Nothing: in.InForce.MakesNothing(), Done: c.Notice("trc_done_", "saved")}
	if p.Fault == "" {
		p.Fault = c.FaultAt(in.Form.Fault, "rules")
	}
	rules := append([]RuleForm{}, in.Form.Rules...)
	if len(rules) < live.MaxRules { // one more to fill in
		rules = append(rules, RuleForm{Place: strconv.Itoa(len(rules) + 1), Share: "100", Becomes: live.Session})
	}
	for i := range rules {
		p.Rules = append(p.Rules, p.fields(i, &rules[i], i == len(in.Form.Rules), in.Form.Fault))
	}
	p.counts(in.Counts)
	for i := range in.Traces {
		p.Rows = append(p.Rows, p.row(&in.Traces[i]))
	}
	return p
}

func (p *Page) fields(i int, r *RuleForm, blank bool, fault *ui.FormFault) RuleFields {
	n := strconv.Itoa(i)
	at := "rules[" + n + "]."
	f := RuleFields{
		Legend: p.T("trc_rule", "N", p.Num(i+1)),
		Place: ui.TextField{ID: "t-place-" + n, Name: "place." + n, Label: p.T("trc_place"), Value: r.Place, Mode: "numeric",
			Dir: "ltr"},
		Service: ui.TextField{ID: "t-service-" + n, Name: "service." + n, Label: p.T("trc_service"), Value: r.Service, Dir: "ltr",
			Help: p.T("trc_service_help"), Fault: p.FaultAt(fault, at+"service")},
		Share: ui.TextField{ID: "t-share-" + n, Name: "share." + n, Label: p.T("trc_share"), Value: r.Share, Mode: "decimal",
			Dir: "ltr", Fault: p.FaultAt(fault, at+"share_percent")},
		RetrievalID: "t-retrieval-" + n, Name: "retrieval." + n, Retrieval: r.Retrieval,
		BecomesID: "t-becomes-" + n, BecomesName: "becomes." + n, BecomesFault: p.FaultAt(fault, at+"becomes"),
		Becomes: ui.Options(&p.Chrome, "trc_becomes_", "", live.Outcomes, r.Becomes),
	}
	if blank {
		f.Legend = p.T("trc_rule_new")
	}
	return f
}

func (p *Page) counts(n map[string]int) {
	fact := func(label string, what string) ui.Option { return ui.Option{Label: p.T(label), Value: p.Num(n[what])} }
	p.Came = []ui.Option{fact("trc_kept", live.SpansKept), fact("trc_again", live.SpansAgain), fact("trc_late", live.SpansLate)}
	p.Became = []ui.Option{fact("trc_state_session", string(live.Session)), fact("trc_state_decision", string(live.Decision))}
	for _, c := range live.Causes {
		if n[string(c)] > 0 {
			p.Became = append(p.Became, fact("trc_cause_"+string(c), string(c)))
		}
	}
	for _, c := range live.Refusals {
		if n[string(c)] > 0 {
			p.Refused = append(p.Refused, fact("trc_cause_"+string(c), string(c)))
		}
	}
}

func (p *Page) row(x *live.Trace) Row {
	r := Row{ID: x.ID, Name: x.Name, Service: x.Service, Spans: p.Num(x.Spans), State: p.T("trc_state_" + string(x.State)),
		Good: x.State == live.Session || x.State == live.Decision, Bad: x.State == live.Failed, Last: p.Minute(x.LastAt)}
	if strings.TrimSpace(r.Name) == "" {
		r.Name = x.ID
	}
	if x.Late > 0 {
		r.Late = p.N("trc_late_n", x.Late)
	}
	if x.Cause != "" {
		r.Why = p.T("trc_cause_" + string(x.Cause))
	}
	if !x.Said.IsZero() {
		r.Why += p.T("trc_colon") + p.Said(x.Said)
	}
	for _, l := range x.Lost {
		r.Lost = append(r.Lost, p.SpansMissing(l.N, string(l.Cause), l.Named()))
	}
	if n := len(x.Warnings); n > 0 {
		r.Lost = append(r.Lost, p.N("n_warnings", n))
	}
	switch x.State {
	case live.Gathering:
		r.Due = p.Minute(x.DueAt)
	case live.Session:
		if x.ObjectID == "" { // the session was erased
			break
		}
		r.Href, r.Link = "/sessions/"+x.ObjectID, p.T("trc_open_session")
	case live.Decision:
		r.Href, r.Link = "/packs/new?decision="+url.QueryEscape(x.ObjectID), p.T("trc_open_decision")
	}
	return r
}
