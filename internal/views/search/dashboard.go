package search

import (
	"net/url"
	"strconv"

	"sanad/internal/domain/due"
	"sanad/internal/domain/ledger"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// DashboardInput has the figures of the dashboard.
type DashboardInput struct {
	Days           int   // of the period
	Periods        []int // that can be chosen
	Judge, Version string
	One            bool             // only the judge that Judge and Version name is shown; else all
	Ages           []ledger.AgeBand // the youngest first
	Weeks          []ledger.Week    // oldest first, none left out
	Judges         []ledger.JudgeComparison
	Due            due.Home // how much is late or due soon
}

// DashboardPage is the figures.
type DashboardPage struct {
	ui.Chrome
	Ages     []AgeLine
	AnyOpen  bool
	Trends   []Trend // none with fewer than three weeks that have claims
	Filled   int     // how many weeks have claims
	FilledOf string  // that, where some have none
	Weeks    []WeekLine
	Periods  []LinkChoice
	Judges   []JudgeLine // all together first; empty where nothing was compared
	Matrix   *Matrix     // nil if nothing was compared
	Due      []ui.DueCount
}

// AgeLine is the open sessions of one age.
type AgeLine struct {
	Age, Sessions string
	Share         float64 // of the most
	Oldest        string  // title
	OldestHref    string
	OldestDate    string
}

// LinkChoice is one choice that leads to its page.
type LinkChoice struct {
	Label, Href string
	Current     bool
}

// JudgeLine is how one judge compares with people.
type JudgeLine struct {
	LinkChoice
	Claims, Agreement, Kappa string
	WhyNot                   string // why there is no kappa, "" if there is one
}

// Matrix compares the machine's verdicts with the effective ones.
type Matrix struct {
	Columns []ui.Badge
	Rows    []MatrixRow
	Says    string // the whole in a sentence
}

// MatrixRow is one verdict of the machine.
type MatrixRow struct {
	Badge ui.Badge
	Cells []MatrixCell
	Kept  string // "93%", "" if it has no claims
}

// MatrixCell is one count.
type MatrixCell struct {
	Count string
	Class string // same, other, "" for nothing
}

// NewDashboardPage lays out the figures. Pure.
func NewDashboardPage(c ui.Chrome, in DashboardInput) *DashboardPage {
	p := &DashboardPage{Chrome: c}
	p.ages(in.Ages)
	all := c.DueHome(&in.Due)
	p.Due = all.Counts()
	p.trends(in.Weeks)
	for _, d := range in.Periods {
		p.Periods = append(p.Periods,
			LinkChoice{c.N("last_days", d), dashboardHref(d, in.One, in.Judge, in.Version), d == in.Days})
	}
	p.judges(in)
	return p
}

func dashboardHref(days int, one bool, judge, version string) string {
	q := url.Values{"days": {strconv.Itoa(days)}}
	if one {
		q.Set("judge", judge)
		if version != "" {
			q.Set("version", version)
		}
	}
	return ui.Address("/dashboard", q)
}

func (p *DashboardPage) ages(bands []ledger.AgeBand) {
	most := 0
	for _, b := range bands {
		most = max(most, b.Sessions)
	}
	p.AnyOpen = most > 0
	for _, b := range bands {
		l := AgeLine{Sessions: p.Num(b.Sessions), Age: p.T("age_from", "From", p.Num(b.From-1))}
		if b.To >= 0 {
			l.Age = p.N("age_band", b.To, "From", p.Num(b.From), "To", p.Num(b.To))
		}
		if b.More {
			l.Sessions += "+"
		}
		if most > 0 {
			l.Share = float64(b.Sessions) / float64(most)
		}
		if b.Oldest != nil {
			l.Oldest, l.OldestHref, l.OldestDate = b.Oldest.Title, "/sessions/"+b.Oldest.ID, p.Date(b.Oldest.CreatedAt)
		}
		p.Ages = append(p.Ages, l)
	}
}

// judges compares the machine with people, all judges together and each alone.
func (p *DashboardPage) judges(in DashboardInput) {
	var all, shown ledger.Table
	for _, m := range in.Judges {
		all.AddAll(m.Table)
	}
	if all.Agreement().Both == 0 {
		return
	}
	shown = all
	p.Judges = []JudgeLine{judgeLine(&p.Chrome, p.T("all_judges"), dashboardHref(in.Days, false, "", ""), !in.One, all)}
	for _, m := range in.Judges {
		current := in.One && m.Judge == in.Judge && m.Version == in.Version
		if current {
			shown = m.Table
		}
		p.Judges = append(p.Judges,
			judgeLine(&p.Chrome, judgeOf(&p.Chrome, m), dashboardHref(in.Days, true, m.Judge, m.Version), current,
				m.Table))
	}
	p.Matrix = newMatrix(&p.Chrome, shown)
}

// judgeOf names a judge with its version, where that is known.
func judgeOf(c *ui.Chrome, m ledger.JudgeComparison) string {
	name := c.T("judge_" + m.Judge)
	if m.Judge == "given" { // what is in the list of judges is no judge
		return c.T("judges_given")
	}
	if name == "judge_"+m.Judge {
		name = say.Isolated(m.Judge)
	}
	if m.Version == "" {
		return name
	}
	return c.T("judge_name", "Name", name, "Version", say.Isolated(m.Version))
}

func judgeLine(c *ui.Chrome, label, href string, current bool, t ledger.Table) JudgeLine {
	a := t.Agreement()
	l := JudgeLine{LinkChoice: LinkChoice{label, href, current}, Claims: c.Num(a.Both),
		Agreement: c.Percent(share(a.Same, a.Both))}
	switch {
	case a.Kappa != nil:
		l.Kappa = c.Decimal(*a.Kappa)
	case a.Both < ledger.MinKappa:
		l.WhyNot = c.N("kappa_from", ledger.MinKappa)
	default:
		l.WhyNot = c.T("kappa_undefined")
	}
	return l
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// newMatrix lays out the counts.
func newMatrix(c *ui.Chrome, t ledger.Table) *Matrix {
	a := t.Agreement()
	m := &Matrix{Says: c.N("matrix_says", a.Both, "Same", c.Num(a.Same), "Percent", c.Percent(share(a.Same, a.Both)))}
	for _, v := range ledger.Verdicts {
		m.Columns = append(m.Columns, c.VerdictBadge(v, 0))
		row := MatrixRow{Badge: c.VerdictBadge(v, 0)}
		for _, w := range ledger.Verdicts {
			cell := MatrixCell{Count: c.Num(t.At(v, w))}
			switch {
			case t.At(v, w) == 0:
			case v == w:
				cell.Class = "same"
			default:
				cell.Class = "other"
			}
			row.Cells = append(row.Cells, cell)
		}
		if n := t.Row(v); n > 0 {
			row.Kept = c.Percent(share(t.At(v, v), n))
		}
		m.Rows = append(m.Rows, row)
	}
	return m
}
