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
	Queue      []ui.SessionLine
	Figures    []ui.Figure
	Bar        ui.Bar
	Sessions   int
	Chart      *Chart
	Packs      ui.PackQueue
	Invited    int
	Due        ui.DueHome
}

// Chart is the coverage over time, laid out.
type Chart struct {
	Title  string
	Points string // of the polyline
	Axes   []ChartAxis
	Days   []ChartDay
	X, Y   string // the last point
	Label  string
}

// ChartAxis is one horizontal line with its figure.
type ChartAxis struct{ Y, TextY, Label string }

// ChartDay is one row of the table beside the chart, and where shown its label below it.
type ChartDay struct {
	X, Label, Value string
	Shown           bool
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

// NewChart lays out coverage from 0 to 100 per cent; nil with fewer than leastPoints days.
func NewChart(c *ui.Chrome, days []ledger.DayCoverage) *Chart {
	if len(days) < leastPoints {
		return nil
	}
	first, last := days[0], days[len(days)-1]
	ch := &Chart{
		Label: c.Percent(last.Coverage),
		Title: c.T("chart_title", "From", c.CalendarDay(first.Day), "To", c.CalendarDay(last.Day), "First", c.Percent(first.Coverage),
			"Last", c.Percent(last.Coverage)),
	}
	for _, v := range []int{0, 50, 100} {
		y := chartY(float64(v) / 100)
		ch.Axes = append(ch.Axes, ChartAxis{ui.Coordinate(y), ui.Coordinate(y + 4), c.Num(v)})
	}
	for _, d := range days {
		x := chartX(d.Day, first.Day, last.Day)
		ch.X, ch.Y = ui.Coordinate(x), ui.Coordinate(chartY(d.Coverage))
		ch.Points += ch.X + "," + ch.Y + " "
		ch.Days = append(ch.Days, ChartDay{X: ch.X, Label: c.InChart(c.CalendarDay(d.Day)), Value: c.Percent(d.Coverage)})
	}
	after := chartRight + labelRoom
	for i := len(days) - 1; i >= 0; i-- {
		if x := chartX(days[i].Day, first.Day, last.Day); x <= after-labelRoom {
			ch.Days[i].Shown, after = true, x
		}
	}
	return ch
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
