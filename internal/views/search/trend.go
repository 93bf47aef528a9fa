package search

import (
	"strconv"
	"strings"
	"time"

	"sanad/internal/domain/ledger"
	"sanad/internal/views/ui"
)

// Trend is a figure by week, laid out: bars of parts, or a line. Says is its finding in a sentence.
type Trend struct {
	ID, Heading, Says string
	Bars              []TrendBar
	Lines             []string // points of each stretch without a gap; a week with nothing to count has no point
	Dots              []TrendDot
	Axes              []ChartAxis
	Labels            []ChartDay
	Key               []TrendKey
	X, Y, Label       string // the last point of a line
}

// labelled lists the ids of what says in words what the chart shows.
func (t *Trend) labelled() string {
	if t.Says == "" {
		return t.ID + " " + t.ID + "-k"
	}
	return t.ID + " " + t.ID + "-t"
}

// TrendBar is a part of a week's bar.
type TrendBar struct{ X, Y, Height, Class string }

// TrendDot is one week.
type TrendDot struct{ X, Y string }

// TrendKey says what the bars of a class are.
type TrendKey struct{ Class, Word string }

// WeekLine is one row of the table beside the trends; "" is none.
type WeekLine struct {
	Week, Claims, Reviewed, Waiting, Agreement string
	Verdicts                                   []string // in the order of verdictParts
}

// weekPart is a part of a week's claims.
type weekPart struct {
	class, words string
	of           func(*ledger.Week) int
}

var (
	workParts = []weekPart{
		{"done", "trend_reviewed", func(w *ledger.Week) int { return w.Reviewed }},
		{"waits", "trend_waiting", func(w *ledger.Week) int { return w.Claims - w.Reviewed }},
	}
	verdictParts = []weekPart{
		{"supported", "verdict_supported", func(w *ledger.Week) int { return w.ByVerdict[ledger.Supported] }},
		{"weak", "verdict_weak", func(w *ledger.Week) int { return w.ByVerdict[ledger.Weak] }},
		{"contradicted", "verdict_contradicted", func(w *ledger.Week) int { return w.ByVerdict[ledger.Contradicted] }},
		{"not_found", "verdict_not_found", func(w *ledger.Week) int { return w.ByVerdict[ledger.NotFound] }},
	}
)

// leastPoints is how many weeks a chart needs; fewer are said by the table alone.
const leastPoints = 3

// trends lays out the weeks: their charts, and the table that says the same.
func (p *DashboardPage) trends(weeks []ledger.Week) {
	var sum ledger.Week
	sum.ByVerdict = map[ledger.Verdict]int{}
	for i := range weeks {
		w := &weeks[i]
		if w.Claims > 0 {
			p.Filled++
		}
		sum.Claims, sum.Reviewed = sum.Claims+w.Claims, sum.Reviewed+w.Reviewed
		sum.Decided, sum.Changed = sum.Decided+w.Decided, sum.Changed+w.Changed
		for v, n := range w.ByVerdict {
			sum.ByVerdict[v] += n
		}
		p.Weeks = append(p.Weeks, p.weekLine(w))
	}
	if p.Filled == 0 {
		return
	}
	if p.Filled < len(weeks) {
		p.FilledOf = p.N("trend_filled", p.Filled, "Of", p.Num(len(weeks)))
	}
	c := &p.Chrome
	if p.Filled >= leastPoints {
		p.Trends = append(p.Trends, newBars(c, "work", weeks, workParts,
			c.N("trend_work_says", sum.Claims, "Waiting", c.Num(sum.Claims-sum.Reviewed))))
		if agreement := newAgreement(c, weeks, &sum); agreement != nil {
			p.Trends = append(p.Trends, *agreement)
		}
		p.Trends = append(p.Trends, newShares(c, weeks, &sum))
	}
}

func (p *DashboardPage) weekLine(w *ledger.Week) WeekLine {
	l := WeekLine{
		Week: p.InChart(p.CalendarDay(w.Start)), Claims: p.Num(w.Claims), Reviewed: p.Num(w.Reviewed), Waiting: p.Num(w.Claims - w.Reviewed),
	}
	if w.Decided > 0 {
		l.Agreement = p.Percent(share(w.Decided-w.Changed, w.Decided))
	}
	for _, part := range verdictParts {
		l.Verdicts = append(l.Verdicts, p.Num(part.of(w)))
	}
	return l
}

// newShares lays out the shares of the verdicts by week, in per cent. Its key is its finding: the share of each in all.
func newShares(c *ui.Chrome, weeks []ledger.Week, sum *ledger.Week) Trend {
	t := newTrend(c, "verdicts", weeks, 100)
	for _, part := range verdictParts {
		t.Key = append(t.Key, TrendKey{Class: part.class, Word: c.T("trend_share", "Percent", c.Percent(share(part.of(sum), sum.Claims)), "Verdict", c.T(part.words))})
	}
	for i := range weeks {
		if weeks[i].Claims > 0 {
			t.stack(i, len(weeks), verdictParts, &weeks[i], weeks[i].Claims)
		}
	}
	return t
}

// newTrend is the frame of a trend: its axes and the labels of its weeks.
func newTrend(c *ui.Chrome, id string, weeks []ledger.Week, top int) Trend {
	t := Trend{ID: "trend-" + id, Heading: c.T("trend_" + id)}
	for _, v := range []int{0, top / 2, top} {
		y := chartY(float64(v) / float64(top))
		t.Axes = append(t.Axes, ChartAxis{ui.Coordinate(y), ui.Coordinate(y + 4), c.Num(v)})
	}
	for i := range weeks {
		t.Labels = append(t.Labels, ChartDay{
			X: ui.Coordinate(weekX(i, len(weeks))), Label: c.InChart(dayMonth(c, weeks[i].Start)), Shown: (len(weeks)-1-i)%4 == 0,
		})
	}
	return t
}

// barWidth is that of a week's bar, in the chart's units.
const barWidth = 16

// newBars lays out claims by week as bars of parts, the first at the foot.
func newBars(c *ui.Chrome, id string, weeks []ledger.Week, parts []weekPart, says string) Trend {
	top := 2
	for i := range weeks {
		total := 0
		for _, part := range parts {
			total += part.of(&weeks[i])
		}
		top = max(top, total+total%2)
	}
	t := newTrend(c, id, weeks, top)
	t.Says = says
	for _, part := range parts {
		t.Key = append(t.Key, TrendKey{Class: part.class, Word: c.T(part.words)})
	}
	for i := range weeks {
		t.stack(i, len(weeks), parts, &weeks[i], top)
	}
	return t
}

// stack adds the bar of a week, which would fill the chart's height with top claims.
func (t *Trend) stack(i, weeks int, parts []weekPart, w *ledger.Week, top int) {
	x, foot := ui.Coordinate(weekX(i, weeks)-barWidth/2), 0
	for _, part := range parts {
		n := part.of(w)
		if n == 0 {
			continue
		}
		low, high := chartY(float64(foot)/float64(top)), chartY(float64(foot+n)/float64(top))
		t.Bars = append(t.Bars, TrendBar{X: x, Y: ui.Coordinate(high), Height: ui.Coordinate(low - high), Class: part.class})
		foot += n
	}
}

// newAgreement lays out how many of the computed verdicts reviewers kept, by week; nil if fewer than leastPoints weeks
// have any that they decided.
func newAgreement(c *ui.Chrome, weeks []ledger.Week, sum *ledger.Week) *Trend {
	t := newTrend(c, "agreement", weeks, 100)
	var stretch []string
	for i := range weeks {
		w := &weeks[i]
		if w.Decided == 0 {
			t.Lines, stretch = appendStretch(t.Lines, stretch), nil
			continue
		}
		rate := share(w.Decided-w.Changed, w.Decided)
		t.X, t.Y, t.Label = ui.Coordinate(weekX(i, len(weeks))), ui.Coordinate(chartY(rate)), c.Percent(rate)
		stretch = append(stretch, t.X+","+t.Y)
		t.Dots = append(t.Dots, TrendDot{t.X, t.Y})
	}
	t.Lines = appendStretch(t.Lines, stretch)
	if len(t.Dots) < leastPoints {
		return nil
	}
	t.Says = c.N("trend_agreement_says", sum.Decided, "Percent", c.Percent(share(sum.Decided-sum.Changed, sum.Decided)),
		"Last", t.Label)
	return &t
}

// weekX is the middle of a week in the chart.
func weekX(i, weeks int) float64 {
	const margin = barWidth/2 + 2
	return chartLeft + margin + (chartRight-chartLeft-2*margin)*float64(i)/float64(max(1, weeks-1))
}

// dayMonth writes a day without its year.
func dayMonth(c *ui.Chrome, t time.Time) string {
	return c.InDigits(strconv.Itoa(t.Day())) + " " + c.T("month_"+strconv.Itoa(int(t.Month())))
}

// appendStretch adds a stretch of weeks to the lines; one week alone is a dot and no line.
func appendStretch(lines, stretch []string) []string {
	if len(stretch) < 2 {
		return lines
	}
	return append(lines, strings.Join(stretch, " "))
}
