package ledger

import (
	"strconv"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/model"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// ChooseJudgeInput is the form that judges a session again.
type ChooseJudgeInput struct {
	Session   ledger.SessionRow
	Revision  int
	Judge     string // id of an endpoint; "" for the embedded judge
	Scope     judge.Scope
	Endpoints []model.Endpoint // that can judge
	Chosen    *model.Endpoint  // nil for the embedded judge
	Estimate  *JudgeEstimate   // of the chosen one
	Today     model.Spending   // on the chosen one

	Comments, ReadsComments bool // the documents hold comments; the newest run reads them as evidence
}

// JudgeEstimate is what a run by an endpoint is expected to ask and to cost.
type JudgeEstimate struct {
	Claims, Asked             int
	Reasons                   map[judge.Reason]int
	TokensIn, TokensOut, Cost int64 // cost in millionths
	Stored                    bool  // claims were chosen by their stored verdicts
	Known                     int   // answers that are known already
	Vectors                   *VectorEstimate
}

// VectorEstimate is what an endpoint of embeddings is expected to take.
type VectorEstimate struct {
	Endpoint      string // its name
	Tokens, Cost  int64  // cost in millionths
	Priced, Short bool   // it has a price; its budgets do not suffice
}

// ChooseJudgePage is the form, laid out.
type ChooseJudgePage struct {
	ui.Chrome
	SessionTitle, SessionHref string
	Action, Revision          string
	Judges, Scopes            []ui.Option
	None                      bool   // there is no endpoint to choose
	AdminHref                 string // where administrators add one, "" for others
	Chosen, Scope             string // what the start button sends
	ChosenName                string
	Facts                     []ui.Option // label and value: the estimate
	Reasons                   []string
	Notes                     []string
	Comments, ReadsComments   bool
	Warning                   string // that the budget does not suffice, "" if it does
}

// NewChooseJudgePage lays out the form. Pure.
func NewChooseJudgePage(c ui.Chrome, in ChooseJudgeInput) *ChooseJudgePage {
	base := "/sessions/" + in.Session.ID
	p := &ChooseJudgePage{Chrome: c, SessionTitle: in.Session.Title, SessionHref: base, Action: base + "/judge",
		Revision: strconv.Itoa(in.Revision), None: len(in.Endpoints) == 0, Scope: string(in.Scope),
		ChosenName: c.T("judge_embedded"), Comments: in.Comments, ReadsComments: in.ReadsComments}
	p.Judges = []ui.Option{{Value: "", Label: c.T("chj_embedded"), Selected: in.Chosen == nil}}
	for i := range in.Endpoints {
		e := &in.Endpoints[i]
		label := say.Isolated(e.Name)
		if e.Model != "" && e.Model != e.Name {
			label = c.T("op_with_model", "Name", label, "Model", say.Isolated(e.Model))
		}
		p.Judges = append(p.Judges, ui.Option{Value: e.ID, Label: label, Selected: e.ID == in.Judge})
	}
	for _, s := range []judge.Scope{judge.Rest, judge.Every} {
		p.Scopes = append(p.Scopes, ui.Option{Value: string(s), Label: c.T("chj_scope_" + string(s)), Selected: s == in.Scope})
	}
	if c.May.Manage {
		p.AdminHref = "/admin/models"
	}
	if in.Chosen != nil && in.Estimate != nil {
		p.Chosen, p.ChosenName = in.Chosen.ID, say.Isolated(in.Chosen.Name)
		p.estimate(in.Estimate, in.Chosen, &in.Today)
	}
	return p
}

// estimate says what the run is expected to take, and what the budget leaves.
func (p *ChooseJudgePage) estimate(x *JudgeEstimate, e *model.Endpoint, today *model.Spending) {
	add := func(id, value string) { p.Facts = append(p.Facts, ui.Option{Label: p.T(id), Value: value}) }
	share := 0.0
	if x.Claims > 0 {
		share = float64(x.Asked) / float64(x.Claims)
	}
	add("chj_asked", p.N("chj_asked_of", x.Claims, "Asked", p.Num(x.Asked), "Percent", p.Percent(share)))
	for _, r := range judge.Reasons {
		if n := x.Reasons[r]; n > 0 {
			p.Reasons = append(p.Reasons, p.T("chj_reason_"+string(r), "N", p.Num(n)))
		}
	}
	if x.Known > 0 {
		add("chj_known", p.Num(x.Known))
	}
	tokens := x.TokensIn + x.TokensOut
	add("chj_tokens", p.T("chj_tokens_about", "In", p.Num(int(x.TokensIn)), "Out", p.Num(int(x.TokensOut))))
	if e.Price != (model.Price{}) {
		add("chj_cost", p.money(x.Cost))
	} else {
		add("chj_cost", p.T("chj_cost_unknown"))
	}
	if v := x.Vectors; v != nil {
		id := "chj_vectors_about"
		if v.Priced {
			id = "chj_vectors_cost"
		}
		add("chj_vectors", p.T(id, "Name", say.Isolated(v.Endpoint), "Tokens", p.Num(int(v.Tokens)), "Cost", p.money(v.Cost)))
		if v.Short {
			p.Notes = append(p.Notes, p.T("chj_vectors_short"))
		}
	}
	p.left(e, today)
	if x.Stored {
		p.Notes = append(p.Notes, p.T("chj_stored"))
	}
	if e.Trust.Supported == 0 {
		p.Notes = append(p.Notes, p.T("chj_untrusted"))
	}
	if e.Redact {
		p.Notes = append(p.Notes, p.T("chj_redacted"))
	}
	if !e.Run.Fits(model.Spending{}, tokens, x.Cost) || !e.Day.Fits(*today, tokens, x.Cost) {
		p.Warning = p.T("chj_short")
	}
}

// left says what the budget of the day leaves.
func (p *ChooseJudgePage) left(e *model.Endpoint, today *model.Spending) {
	value := p.T("chj_no_bound")
	switch {
	case e.Day.Tokens > 0 && e.Day.Cost > 0:
		value = p.T("chj_left_both", "Tokens", p.Num(int(max(0, e.Day.Tokens-today.Tokens()))),
			"Cost", p.money(max(0, e.Day.Cost-today.Cost)))
	case e.Day.Tokens > 0:
		value = p.T("chj_left_tokens", "Tokens", p.Num(int(max(0, e.Day.Tokens-today.Tokens()))))
	case e.Day.Cost > 0:
		value = p.T("chj_left_cost", "Cost", p.money(max(0, e.Day.Cost-today.Cost)))
	}
	p.Facts = append(p.Facts, ui.Option{Label: p.T("chj_left"), Value: value})
}

func (p *ChooseJudgePage) money(millionths int64) string { return money(&p.Chrome, millionths) }

// money writes millionths with as many decimals as a small amount needs.
func money(c *ui.Chrome, millionths int64) string {
	places := 2
	if millionths > 0 && millionths < 100_000 {
		places = 4
	}
	return c.InDigits(strconv.FormatFloat(float64(millionths)/1e6, 'f', places, 64))
}
