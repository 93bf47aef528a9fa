package search

import (
	"fmt"
	"strconv"
	"time"

	"sanad/internal/domain/due"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// HomeInput is what needs the reader today.
type HomeInput struct {
	ledger.Home              // its queue without the reader's own sessions
	Mine        ledger.Queue // that the reader is to review
	Free        int          // how many sessions nobody is to review, up to one more than MaxFree
	Longer      bool         // there may be more open sessions than its queue had
	Apart       []string     // classes of packs that the reader could not approve after a review
	Packs       pack.Queue
	Invited     int // invitations of other organisations to the reader
	Due         due.Home
}

// MaxFree is up to how many sessions that nobody is to review the start page says.
const MaxFree = 99

// HomePage is the start page.
type HomePage struct {
	ui.Chrome
	Today      string
	TodayStamp string
	Mine       []ui.SessionLine
	Waiting    string // how many are the reader's, "" if all are shown
	Free       string // how many nobody is to review, "" if none or the reader reviews nothing
	Longer     bool   // there are more open sessions than the queue has
	Apart      string // what taking one costs the reader, "" for nothing
	Queue      []ui.SessionLine
	Figures    []ui.Figure
	Bar        ui.Bar
	Sessions   int
	Chart      *Chart
	Packs      ui.PackQueue
	Invited    int
	Due        ui.DueHome
}

// Chart is how many claims are supported over time, and for how many a passage was found, laid out.
type Chart struct {
	Title          string
	Support, Found ChartLine
	Axes           []ChartAxis
	Days           []ChartDay
}

// ChartLine is one line of a chart, with its last point.
type ChartLine struct {
	Points      string // of the polyline
	X, Y, TextY string
	Label       string
}

// ChartAxis is one horizontal line with its figure.
type ChartAxis struct{ Y, TextY, Label string }

// ChartDay is one row of the table beside the chart, and where shown its label below it.
type ChartDay struct {
	X, Label, Support, Found string
	Shown                    bool
}

// NewHomePage lays out the start page. Pure.
func NewHomePage(c ui.Chrome, in HomeInput) *HomePage {
	p := &HomePage{
		Chrome: c, Today: c.FullDate(c.Now), TodayStamp: say.Stamp(c.Now), Sessions: in.Sessions,
		Bar:  c.VerdictBar(in.ByVerdict, in.Unjudged),
		Mine: c.SessionLines(in.Mine.Rows), Queue: c.SessionLines(in.Queue), Chart: NewChart(&c, in.CoverageByDay),
		Packs: c.PackQueue(&in.Packs), Invited: in.Invited, Due: c.DueHome(&in.Due),
	}
	if in.Mine.Waiting > 0 {
		p.Waiting = c.N("n_wait_for_you", in.Mine.Waiting)
	}
	if in.Free > MaxFree {
		p.Free = c.N("more_free", MaxFree)
	} else if in.Free > 0 {
		p.Free = c.N("n_free", in.Free)
	}
	p.Apart, p.Longer = c.Apart(in.Apart), in.Longer
	for _, v := range ledger.Verdicts {
		p.Figures = append(p.Figures, ui.Figure{
			Badge: c.VerdictBadge(v, 0), Count: c.Num(in.ByVerdict[v]), Href: "/sessions?verdict=" + string(v),
		})
	}
	if in.Unjudged > 0 {
		p.Figures = append(p.Figures, ui.Figure{Badge: c.VerdictBadge(ledger.Unjudged, 0), Count: c.Num(in.Unjudged)})
	}
	return p
}

// openWords returns the message for a reader who may review, or that for one who may only read.
func (p *HomePage) openWords(review, read string) string {
	if p.May.Review {
		return review
	}
	return read
}

// The chart's frame in its own units: time runs from left to right in both languages, as in business reports of the Gulf.
const (
	chartLeft, chartRight, chartTop, chartBottom = 36.0, 392.0, 8.0, 128.0
)

// labelRoom is how far the dates under a chart are apart at least, in the chart's units: the width of the longest.
const labelRoom = 100.0

// lineHeight is how far the figures at the ends of two lines are apart at least, in the chart's units.
const lineHeight = 13.0

// NewChart lays out days from 0 to 100 per cent of their claims; nil with fewer than leastPoints days.
func NewChart(c *ui.Chrome, days []ledger.DayCoverage) *Chart {
	if len(days) < leastPoints {
		return nil
	}
	first, last := days[0], days[len(days)-1]
	ch := &Chart{
		Title: c.T("chart_title", "From", c.CalendarDay(first.Day), "To", c.CalendarDay(last.Day), "First", c.Percent(first.Support),
			"Last", c.Percent(last.Support), "Found", c.Percent(last.Coverage)),
	}
	for _, v := range []int{0, 50, 100} {
		y := chartY(float64(v) / 100)
		ch.Axes = append(ch.Axes, ChartAxis{ui.Coordinate(y), ui.Coordinate(y + 4), c.Num(v)})
	}
	for _, d := range days {
		x := chartX(d.Day, first.Day, last.Day)
		ch.Support.add(x, chartY(d.Support))
		ch.Found.add(x, chartY(d.Coverage))
		ch.Days = append(ch.Days, ChartDay{X: ui.Coordinate(x), Label: c.InChart(c.CalendarDay(d.Day)),
			Support: c.Percent(d.Support), Found: c.Percent(d.Coverage)})
	}
	support, found := chartY(last.Support)+4, chartY(last.Coverage)+4
	upper, lower := &found, &support
	if support < found { // an override to supported needs no passage, so either may be the higher one
		upper, lower = lower, upper
	}
	if near := lineHeight - (*lower - *upper); near > 0 {
		*lower, *upper = *lower+near/2, *upper-near/2
	}
	ch.Support.TextY, ch.Found.TextY = ui.Coordinate(support), ui.Coordinate(found)
	ch.Support.Label, ch.Found.Label = c.Percent(last.Support), c.Percent(last.Coverage)
	after := chartRight + labelRoom
	for i := len(days) - 1; i >= 0; i-- {
		if x := chartX(days[i].Day, first.Day, last.Day); x <= after-labelRoom {
			ch.Days[i].Shown, after = true, x
		}
	}
	return ch
}

func (l *ChartLine) add(x, y float64) {
	l.X, l.Y = ui.Coordinate(x), ui.Coordinate(y)
	l.Points += l.X + "," + l.Y + " "
}

func chartX(day, first, last time.Time) float64 {
	if !last.After(first) {
		return (chartLeft + chartRight) / 2
	}
	return chartLeft + (chartRight-chartLeft)*float64(day.Sub(first))/float64(last.Sub(first))
}

func chartY(rate float64) float64 { return chartBottom - (chartBottom-chartTop)*rate }

func beside(x string, by float64) string {
	v, err := strconv.ParseFloat(x, 64)
	if err != nil {
		return x
	}
	return fmt.Sprintf("%.1f", v+by)
}
