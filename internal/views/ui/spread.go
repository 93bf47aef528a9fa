package ui

import (
	"strconv"

	"sanad/internal/domain/ledger"
)

// SpreadChart is a histogram of the figures beside the machine's verdicts, in ten bins of equal width.
type SpreadChart struct {
	Title    string // what it shows, in words
	Bars     []SpreadBar
	Verdicts []Badge   // the columns of the table beside it
	LeftOut  string    // which claims it does not count, "" if none
	Ends     [2]string // what stands under its left and its right end
}

// SpreadBar is one bin: a row of the table, and a stack in the chart.
type SpreadBar struct {
	Label  string   // "80–90%"
	Counts []string // by verdict
	Total  string
	X, Top string // where the total stands
	Shown  bool   // it has claims
	Rects  []SpreadRect
}

// SpreadRect is one verdict's part of a bar.
type SpreadRect struct{ Key, X, Y, Width, Height string }

// The chart's frame, in its own units. Figures grow as the page is read, as time does.
const (
	spreadLeft, spreadStep, spreadBar, spreadTop, spreadBase = 6.0, 42.0, 34.0, 20.0, 116.0

	spreadWidth = 432.0

	spreadLeast = 2.0 // height of the smallest part that stays visible
)

// Spread lays out how the figures of claims are spread; nil if no claim has one.
func (c *Chrome) Spread(sum *ledger.Summary) *SpreadChart {
	s, most, all := sum.Confidence, 0, 0
	for bin := range ledger.ConfidenceBins {
		most, all = max(most, s.Bin(bin)), all+s.Bin(bin)
	}
	if all == 0 {
		return nil
	}
	ch := &SpreadChart{Ends: [2]string{c.Percent(0), c.Percent(1)}}
	if c.Dir == "rtl" {
		ch.Ends[0], ch.Ends[1] = ch.Ends[1], ch.Ends[0]
	}
	list := ""
	for _, v := range ledger.Verdicts {
		ch.Verdicts = append(ch.Verdicts, c.VerdictBadge(v, 0))
	}
	for bin := range ledger.ConfidenceBins {
		b := c.spreadBar(s, bin, most)
		ch.Bars = append(ch.Bars, b)
		if b.Shown {
			list += c.T("list_comma") + b.Label + ": " + b.Total
		}
	}
	ch.Title = c.T("spread_title", "Claims", c.N("n_claims", all), "List", list[len(c.T("list_comma")):])
	if left := sum.Total - all; left > 0 {
		ch.LeftOut = c.N("spread_left_out", left)
	}
	return ch
}

// spreadBar lays out one part of the figures; most is the number of claims of the highest bar.
func (c *Chrome) spreadBar(s ledger.Histogram, bin, most int) SpreadBar {
	n := s.Bin(bin)
	left := spreadLeft + spreadStep*float64(bin)
	if c.Dir == "rtl" {
		left = spreadWidth - left - spreadBar
	}
	b := SpreadBar{Total: c.Num(n), X: Coordinate(left + spreadBar/2), Shown: n > 0}
	b.Label = c.InChart(c.InDigits(strconv.Itoa(bin*10) + "–" + strconv.Itoa(bin*10+10) + "%"))
	y := spreadBase
	for _, v := range ledger.Verdicts {
		k := s.At(v, bin)
		b.Counts = append(b.Counts, c.Num(k))
		if k == 0 {
			continue
		}
		height := max(spreadLeast, (spreadBase-spreadTop)*float64(k)/float64(most))
		y -= height
		b.Rects = append(b.Rects, SpreadRect{
			Key: string(v), X: Coordinate(left), Y: Coordinate(y), Width: Coordinate(spreadBar),
			Height: Coordinate(height),
		})
	}
	b.Top = Coordinate(y - 5)
	return b
}

// Coordinate writes a place in a drawing.
func Coordinate(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }
