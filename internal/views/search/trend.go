package search

import (
	"strconv"
	"strings"
	"time"

	"sanad/internal/domain/ledger"
	"sanad/internal/views/ui"
)

// trends lays out the weeks: their shares, and the table that says the same.
func (p *DashboardPage) trends(weeks []ledger.Week) {
	for _, w := range weeks {
		p.AnyWeek, p.AnyDecided = p.AnyWeek || w.Claims > 0, p.AnyDecided || w.Decided > 0
		l := WeekLine{Week: p.InChart(p.Date(w.Start)), Sessions: p.Num(w.Sessions), Decided: p.Num(w.Decided)}
		if w.Claims > 0 {
			l.Coverage = p.Percent(share(w.Covered, w.Claims))
		}
		if w.Decided > 0 {
			l.Changed = p.Percent(share(w.Changed, w.Decided))
		}
		p.Weeks = append(p.Weeks, l)
	}
	p.Coverage = newTrend(&p.Chrome, "trend-coverage", "trend_coverage", weeks,
		func(w *ledger.Week) (part, whole int) { return w.Covered, w.Claims })
	p.Changes = newTrend(&p.Chrome, "trend-changes", "trend_changes", weeks,
		func(w *ledger.Week) (part, whole int) { return w.Changed, w.Decided })
}

// dayMonth writes a day without its year.
func dayMonth(c *ui.Chrome, t time.Time) string {
	return c.InDigits(strconv.Itoa(t.Day())) + " " + c.T("month_"+strconv.Itoa(int(t.Month())))
}

// leastPoints is how many weeks a chart needs; fewer are said by the table alone.
const leastPoints = 3

// newTrend lays out a share by week; nil if fewer than leastPoints weeks have any.
func newTrend(c *ui.Chrome, id, words string, weeks []ledger.Week, of func(*ledger.Week) (part, whole int)) *Trend {
	t := &Trend{ID: id, Heading: c.T(words)}
	var stretch []string
	first, last, none := "", "", 0
	for i := range weeks {
		w := &weeks[i]
		x := chartLeft + (chartRight-chartLeft)*float64(i)/float64(max(1, len(weeks)-1))
		t.Labels = append(t.Labels,
			ChartDay{X: ui.Coordinate(x), Label: c.InChart(dayMonth(c, w.Start)), Shown: (len(weeks)-1-i)%4 == 0})
		part, whole := of(w)
		if whole == 0 {
			none++
			t.Lines, stretch = appendStretch(t.Lines, stretch), nil
			continue
		}
		rate := share(part, whole)
		t.X, t.Y, t.Label = ui.Coordinate(x), ui.Coordinate(chartY(rate)), c.Percent(rate)
		stretch = append(stretch, t.X+","+t.Y)
		t.Dots = append(t.Dots, TrendDot{t.X, t.Y})
		last = c.T("trend_point", "Percent", t.Label, "Week", dayMonth(c, w.Start))
		if first == "" {
			first = last
		}
	}
	t.Lines = appendStretch(t.Lines, stretch)
	if len(t.Dots) < leastPoints {
		return nil
	}
	for _, v := range []int{0, 50, 100} {
		y := chartY(float64(v) / 100)
		t.Axes = append(t.Axes, ChartAxis{ui.Coordinate(y), ui.Coordinate(y + 4), c.Num(v)})
	}
	t.Title = c.T("trend_title", "Heading", t.Heading, "First", first, "Last", last)
	if none > 0 {
		t.Title += " " + c.N("trend_none", none)
	}
	return t
}

// appendStretch adds a stretch of weeks to the lines; one week alone is a dot and no line.
func appendStretch(lines, stretch []string) []string {
	if len(stretch) < 2 {
		return lines
	}
	return append(lines, strings.Join(stretch, " "))
}
