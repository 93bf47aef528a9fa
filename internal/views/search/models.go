package search

import (
	"net/url"
	"strconv"

	"sanad/internal/domain/agreement"
	"sanad/internal/domain/ledger"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// ModelsInput is a page of the models whose answers are reviewed.
type ModelsInput struct {
	*agreement.ModelReport
	Days    int
	Periods []int
	After   int
	Page    []agreement.ModelFigures
	Next    int // 0 if none
}

// ModelsPage says which model is wrong how often, and on what.
type ModelsPage struct {
	ui.Chrome
	Periods []LinkChoice
	Counted string // over what
	Models  []ModelView
	Pager   ui.Pager
}

// ModelView is one model.
type ModelView struct {
	Notes    []string // what there is no figure of, and why
	Name, ID string
	Says     []string
	Bar      ui.Bar
	Parts    []ModelPart // by type, then by language
}

// ModelPart is the claims of one type or language.
type ModelPart struct {
	Name, Claims, Contradicted, NotFound string
	Wrong, People, Overridden            string
}

// NewModelsPage lays out the page. Pure.
func NewModelsPage(c ui.Chrome, in ModelsInput) *ModelsPage {
	p := &ModelsPage{Chrome: c, Counted: c.N("mod_counted", in.Sessions, "Since", c.CalendarDay(in.Since))}
	if in.More {
		p.Counted = c.N("mod_counted_newest", in.Sessions, "Since", c.CalendarDay(in.Since))
	}
	for _, d := range in.Periods {
		p.Periods = append(p.Periods, LinkChoice{c.N("last_days", d), p.page(d, 0), d == in.Days})
	}
	for i := range in.Page {
		m := modelView(&p.Chrome, &in.Page[i])
		m.ID = "model-" + strconv.Itoa(in.After+i+1)
		p.Models = append(p.Models, m)
	}
	if in.After > 0 {
		p.Pager.FirstHref = p.page(in.Days, 0)
	}
	if in.Next > 0 {
		p.Pager.NextHref = p.page(in.Days, in.Next)
	}
	return p
}

func (p *ModelsPage) page(days, after int) string {
	q := url.Values{"days": {strconv.Itoa(days)}}
	if after > 0 {
		q.Set("after", strconv.Itoa(after))
	}
	return ui.Address(p.Path(), q)
}

func modelView(c *ui.Chrome, m *agreement.ModelFigures) ModelView {
	v := ModelView{Name: modelName(c, m.Model), Bar: c.VerdictBar(m.All.ByVerdict, m.All.Unjudged),
		Says: []string{c.N("mod_claims", m.All.Claims, "Sessions", c.N("mod_sessions", m.Sessions)),
			c.T("mod_wrong", "Share", wrongWords(c, &m.All))}}
	if m.All.Unjudged > 0 {
		v.Notes = append(v.Notes, c.N("mod_unjudged", m.All.Unjudged))
	}
	switch {
	case m.All.Settled > 0:
		v.Says = append(v.Says, c.T("mod_by_people", "Share", shareWords(c, m.All.WrongByPeople())))
	case m.All.Claims > 0:
		v.Notes = append(v.Notes, c.T("mod_no_people"))
	}
	if o := m.All.Overrides(); o.Of > 0 {
		v.Says = append(v.Says, c.T("mod_overridden", "Share", shareWords(c, o)))
	}
	for i := range m.ByType {
		v.Parts = append(v.Parts, modelPart(c, c.T("type_"+m.ByType[i].Name), &m.ByType[i].Figures))
	}
	for i := range m.ByLang {
		v.Parts = append(v.Parts, modelPart(c, c.LanguageName(m.ByLang[i].Name), &m.ByLang[i].Figures))
	}
	return v
}

// modelName names a model with its provider and version, as far as they are known.
func modelName(c *ui.Chrome, m agreement.Model) string {
	if m == (agreement.Model{}) {
		return c.T("mod_unnamed")
	}
	name := m.Name
	if m.Provider != "" {
		name = m.Provider + " / " + name
	}
	if m.Version != "" {
		name += " · " + m.Version
	}
	return say.Isolated(name)
}

func modelPart(c *ui.Chrome, name string, f *agreement.Figures) ModelPart {
	part := ModelPart{Name: name, Claims: c.Num(f.Claims), Contradicted: c.Num(f.ByVerdict[ledger.Contradicted]),
		NotFound: c.Num(f.ByVerdict[ledger.NotFound]), Wrong: wrongWords(c, f)}
	if f.Settled > 0 {
		part.People = shareWords(c, f.WrongByPeople())
	}
	if o := f.Overrides(); o.Of > 0 {
		part.Overridden = shareWords(c, o)
	}
	return part
}

// wrongWords says how many of the judged claims are wrong; none of none says nothing.
func wrongWords(c *ui.Chrome, f *agreement.Figures) string {
	if w := f.Wrong(); w.Of > 0 {
		return shareWords(c, w)
	}
	return c.T("mod_no_verdict")
}

// shareWords says a share by its counts, and by a percentage with its interval where the whole is large enough.
func shareWords(c *ui.Chrome, s agreement.Share) string {
	if r := c.ShareRange(s); r != "" {
		return c.T("share_percent", "Part", c.Num(s.Part), "Of", c.Num(s.Of), "Percent", c.Percent(s.Rate()), "Range", r)
	}
	return c.T("share_counts", "Part", c.Num(s.Part), "Of", c.Num(s.Of))
}
