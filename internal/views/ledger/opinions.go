package ledger

import (
	"net/url"
	"strconv"

	"sanad/internal/domain/agreement"
	"sanad/internal/domain/ledger"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// OpinionsInput is a second opinion, and which part of it was asked for.
type OpinionsInput struct {
	*agreement.SecondOpinion
	agreement.Question
}

// OpinionsPage sets the verdicts of several judges and of people side by side.
type OpinionsPage struct {
	ui.Chrome
	SessionTitle, SessionHref string
	Figures                   []string
	Notes                     []string // what was left out
	Alone                     string   // what is missing where there is nothing to compare, "" if there is
	JudgeHref                 string   // where a judge is chosen, "" if two have judged or the reader may not
	JudgeWord                 string   // what the link says
	ReviewHref                string   // where claims are reviewed, "" if people have settled some
	Pairs                     []PairView
	Filters                   []FilterLink
	Rows                      []OpinionRow
	Pager                     ui.Pager
}

// FilterLink is a choice that leads to its page.
type FilterLink struct {
	Label, Href string
	Current     bool
}

// PairView is how far two of them agree.
type PairView struct {
	First, Second string
	Line          AgreementLine
	Matrix        []MatrixLine
	Columns       []ui.Badge
	Parts         []AgreementLine // by type, then by language
}

// AgreementLine is how far two agree on some claims.
type AgreementLine struct {
	Name        string
	Both, Same  string
	Range       string // "41% to 93%", "" of too few
	Kappa, Why  string // kappa, or why there is none
	Most        string // the verdicts that stand against each other most often, "" if none
	MostIsClaim int    // how often
}

// MatrixLine is one verdict of the first.
type MatrixLine struct {
	Badge ui.Badge
	Cells []MatrixCell
}

// MatrixCell is one count; Class is same, other or "".
type MatrixCell struct{ Count, Class string }

// OpinionRow is one claim.
type OpinionRow struct {
	Number     int
	Text, Href string
	Says       []OpinionSaid
	Differs    string // that two differ, "" if none do
}

// OpinionSaid is one verdict.
type OpinionSaid struct {
	By    string
	Badge ui.Badge
}

// NewOpinionsPage lays out the page. Pure.
func NewOpinionsPage(c ui.Chrome, in OpinionsInput) *OpinionsPage {
	p := &OpinionsPage{Chrome: c, SessionTitle: in.Title, SessionHref: "/sessions/" + in.SessionID}
	names := make([]string, len(in.Raters))
	for i, r := range in.Raters {
		names[i] = raterName(&c, r.Rater)
		p.Figures = append(p.Figures, c.N("op_rater", r.Claims, "Name", names[i]))
	}
	p.lacks(in.Raters)
	if in.Read < in.Runs {
		p.Notes = append(p.Notes, c.N("op_runs_read", in.Read, "Of", c.Num(in.Runs)))
	}
	if in.Cut {
		p.Notes = append(p.Notes, c.N("op_cut", agreement.MaxClaims))
	}
	for i := range in.Pairs {
		if x := &in.Pairs[i]; x.Table.Agreement().Both > 0 {
			p.Pairs = append(p.Pairs, pairView(&c, x))
		}
	}
	p.Filters = []FilterLink{
		{Label: c.N("op_all", in.Claims), Href: c.Path(), Current: !in.Differ},
		{Label: c.N("op_differing", in.Differing), Href: p.page("", true), Current: in.Differ},
	}
	for i := range in.Rows {
		p.Rows = append(p.Rows, p.opinionRow(in.SessionID, &in.Rows[i], names))
	}
	if in.After >= 0 {
		p.Pager.FirstHref = p.page("", in.Differ)
	}
	if in.Next >= 0 {
		p.Pager.NextHref = p.page(strconv.Itoa(in.Next+1), in.Differ)
	}
	return p
}

// lacks says which opinions are missing, and where to get them.
func (p *OpinionsPage) lacks(raters []agreement.RaterCount) {
	judges, people := 0, false
	for _, r := range raters {
		if r.Rater == agreement.People {
			people = true
		} else {
			judges++
		}
	}
	if judges < 2 && p.May.Import {
		p.JudgeHref, p.JudgeWord = p.SessionHref+"/judge", p.T("op_judge_again")
		if judges == 0 {
			p.JudgeWord = p.T("op_judge_first")
		}
	}
	if !people {
		p.ReviewHref = p.SessionHref
	}
	switch {
	case judges == 0 && !people:
		p.Alone = p.T("op_alone_none")
	case judges == 0:
		p.Alone = p.T("op_alone_people")
	case judges == 1 && !people:
		p.Alone = p.T("op_alone_judge", "Name", raterName(&p.Chrome, raters[0].Rater))
	case judges == 1:
		p.Notes = append(p.Notes, p.T("op_one_judge"))
	}
}

func (p *OpinionsPage) page(after string, differ bool) string {
	q := url.Values{}
	if differ {
		q.Set("differ", "1")
	}
	if after != "" {
		q.Set("after", after)
	}
	return ui.Address(p.Path(), q)
}

// raterName names a judge with its model, version and reader, or people.
func raterName(c *ui.Chrome, r agreement.Rater) string {
	if r == agreement.People {
		return c.T("op_people")
	}
	name := judgeName(c, r.Judge)
	if r.Model != "" {
		name = c.T("op_with_model", "Name", name, "Model", say.Isolated(r.Model))
	}
	if r.Version == "" {
		return name
	}
	name = c.T("judge_name", "Name", name, "Version", say.Isolated(r.Version))
	if r.Reader == "" {
		return name
	}
	return c.T("op_with_reader", "Name", name, "Reader", readerName(c, r.Reader, ledger.DigestDigits))
}

func pairView(c *ui.Chrome, x *agreement.Pair) PairView {
	v := PairView{First: raterName(c, x.A), Second: raterName(c, x.B), Line: agreementLine(c, "", x.Table)}
	for _, row := range ledger.Verdicts {
		v.Columns = append(v.Columns, c.VerdictBadge(row, 0))
		line := MatrixLine{Badge: c.VerdictBadge(row, 0)}
		for _, column := range ledger.Verdicts {
			n := x.Table.At(row, column)
			cell := MatrixCell{Count: c.Num(n)}
			switch {
			case n == 0:
			case row == column:
				cell.Class = "same"
			default:
				cell.Class = "other"
			}
			line.Cells = append(line.Cells, cell)
		}
		v.Matrix = append(v.Matrix, line)
	}
	for _, part := range x.ByType {
		v.Parts = append(v.Parts, agreementLine(c, c.T("type_"+part.Name), part.Table))
	}
	for _, part := range x.ByLang {
		v.Parts = append(v.Parts, agreementLine(c, c.LanguageName(part.Name), part.Table))
	}
	return v
}

func agreementLine(c *ui.Chrome, name string, t ledger.Table) AgreementLine {
	a := t.Agreement()
	l := AgreementLine{Name: name, Both: c.Num(a.Both), Same: c.Num(a.Same),
		Range: c.ShareRange(agreement.Share{Part: a.Same, Of: a.Both})}
	switch {
	case a.Kappa != nil:
		l.Kappa = c.Decimal(*a.Kappa)
	case a.Both < ledger.MinKappa:
		l.Why = c.N("kappa_from", ledger.MinKappa)
	default:
		l.Why = c.T("kappa_undefined")
	}
	for _, x := range ledger.Verdicts {
		for _, y := range ledger.Verdicts {
			if n := t.At(x, y); x != y && n > l.MostIsClaim {
				l.MostIsClaim = n
				l.Most = c.N("op_most", n, "First", c.VerdictBadge(x, 0).Word, "Second", c.VerdictBadge(y, 0).Word)
			}
		}
	}
	return l
}

func (p *OpinionsPage) opinionRow(session string, r *agreement.Row, names []string) OpinionRow {
	row := OpinionRow{Number: r.Position + 1, Text: r.Text, Href: claimPath(session, r.Position)}
	for i, v := range r.Verdicts {
		if v.Valid() {
			row.Says = append(row.Says, OpinionSaid{By: names[i], Badge: p.VerdictBadge(v, 0)})
		}
	}
	if r.Differs {
		row.Differs = p.T("op_differ")
	}
	return row
}
