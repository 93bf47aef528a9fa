// Package chart reads the charts of workbooks and slides (DrawingML), whose values are in a part of their own.
package chart

import (
	"encoding/xml"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"sanad/internal/documents/block"
	"sanad/internal/domain/text"
)

// Reader reads what a chart shows: its title, those of its axes, and values by series and category.
type Reader struct {
	out    *block.List // where cells are counted
	path   []string
	title  strings.Builder
	axes   []string
	axis   strings.Builder
	series []*series
	values *values // that are being read
	at     int
}

// NewReader returns a reader of a chart that is to be added to a list.
func NewReader(out *block.List) *Reader { return &Reader{out: out} }

type series struct{ name, categories, values values }

// values are values by their index, with the format in which they are shown.
type values struct {
	format string
	points map[int]string
}

// mostPoints is how many values of a chart are read.
const mostPoints = 100_000

// mostAxes is how many titles of axes are read.
const mostAxes = 8

// Token takes the next token of a chart part.
func (c *Reader) Token(t xml.Token) error {
	switch t := t.(type) {
	case xml.StartElement:
		c.start(t)
		c.path = append(c.path, t.Name.Local)
	case xml.EndElement:
		if n := len(c.path); n > 0 {
			c.path = c.path[:n-1]
		}
		switch t.Name.Local {
		case "tx", "cat", "val", "xVal", "yVal":
			c.values = nil
		case "p":
			c.title.WriteByte(' ')
			c.axis.WriteByte(' ')
		case "title":
			if s := text.OneLine(c.axis.String()); s != "" && len(c.axes) < mostAxes {
				c.axes = append(c.axes, s)
			}
			c.axis.Reset()
		}
	case xml.CharData:
		c.text(string(t))
	}
	return c.out.Over
}

func (c *Reader) start(e xml.StartElement) {
	n := len(c.series)
	switch name := e.Name.Local; {
	case name == "ser":
		c.series = append(c.series, &series{})
		c.out.CountCell()
	case n == 0 || !slices.Contains(c.path, "ser"):
	case name == "tx" && c.path[len(c.path)-1] == "ser":
		c.values, c.at = &c.series[n-1].name, 0
	case name == "cat" || name == "xVal":
		c.values = &c.series[n-1].categories
	case name == "val" || name == "yVal":
		c.values = &c.series[n-1].values
	case name == "pt":
		c.at = index(block.Attribute(e, "idx"))
	}
}

func (c *Reader) text(s string) {
	if len(c.path) == 0 {
		return
	}
	switch name := c.path[len(c.path)-1]; {
	case name == "t" && slices.Contains(c.path, "title") && !slices.Contains(c.path, "plotArea"):
		c.title.WriteString(s)
	case name == "t" && slices.Contains(c.path, "title"):
		c.axis.WriteString(s)
	case c.values == nil:
	case name == "formatCode":
		c.values.format += s
	case name == "v":
		if c.values.points == nil {
			c.values.points = map[int]string{}
		}
		if len(c.values.points) < mostPoints {
			if c.values.points[c.at] == "" {
				c.out.CountCell()
			}
			if c.path[len(c.path)-2] == "pt" && c.isLabelPart() && c.values.points[c.at] != "" {
				s = s + " " + c.values.points[c.at]
			} else {
				s = c.values.points[c.at] + s
			}
			c.values.points[c.at] = s
		}
	}
}

// isLabelPart reports whether the categories have several levels, of which the outer ones follow.
func (c *Reader) isLabelPart() bool { return slices.Contains(c.path, "lvl") }

// shown is a value as the chart shows it.
func (v *values) shown(i int) string {
	s, ok := v.points[i]
	if !ok {
		return ""
	}
	return formatted(text.OneLine(s), v.format)
}

// Put adds the values of a chart as a table: a row for each category, a column for each series. Series with other
// categories are tables of their own. The titles of its axes stand behind its own.
func (c *Reader) Put(page int) { c.PutOn(c.out, page) }

// PutOn is Put, on another list.
func (c *Reader) PutOn(out *block.List, page int) {
	caption := text.OneLine(c.title.String())
	if axes := strings.Join(c.axes, ", "); caption != "" && axes != "" {
		caption += " (" + axes + ")"
	} else if caption == "" {
		caption = axes
	}
	for from := 0; from < len(c.series); {
		end := from + 1
		for end < len(c.series) && c.series[end].sameCategories(c.series[from]) {
			end++
		}
		if t := c.table(from, end); len(t.Rows) > 1 {
			t.Caption = caption
			out.PutTable(t, page)
		} else if caption != "" {
			out.Put(caption, 0, page)
		}
		caption, from = "", end
	}
	out.PutText(caption, page) // of a chart without series
}

// table returns the table of series with the same categories.
func (c *Reader) table(from, end int) *block.Table {
	t := &block.Table{}
	heads := block.Row{Heads: true, Cells: []block.Cell{{}}}
	last := -1
	for i, x := range c.series[from:end] {
		name := x.name.shown(0)
		if name == "" && end-from > 1 {
			name = strconv.Itoa(from + i + 1)
		}
		heads.Cells = append(heads.Cells, block.Cell{Text: name})
		for at := range x.values.points {
			last = max(last, at)
		}
	}
	for at := range c.series[from].categories.points {
		last = max(last, at)
	}
	t.Rows = append(t.Rows, heads)
	for at := 0; at <= min(last, mostPoints); at++ {
		row := block.Row{Cells: []block.Cell{{Text: c.series[from].categories.shown(at)}}}
		said := false
		for _, x := range c.series[from:end] {
			row.Cells = append(row.Cells, block.Cell{Text: x.values.shown(at)})
			said = said || x.values.shown(at) != ""
		}
		if said {
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

func (x *series) sameCategories(o *series) bool {
	if len(x.categories.points) != len(o.categories.points) {
		return len(x.categories.points) == 0
	}
	for i, v := range x.categories.points {
		if o.categories.points[i] != v {
			return false
		}
	}
	return true
}

// formatted writes a stored number in a format of spreadsheets, as far as charts use them: decimals, groups, shares and
// dates. Others stay as they are stored.
func formatted(stored, format string) string {
	n, err := strconv.ParseFloat(stored, 64)
	if err != nil || math.IsInf(n, 0) || math.IsNaN(n) {
		return stored
	}
	format, _, _ = strings.Cut(format, ";")
	lower := strings.ToLower(format)
	switch {
	case strings.EqualFold(format, "general") || format == "" || format == "@":
		return short(n)
	case strings.Contains(lower, "yy") || strings.Contains(lower, "d/m") || strings.Contains(lower, "m/d") ||
		strings.Contains(lower, "mmm"):
		if n < 1 || n > 2_958_465 {
			return short(n)
		}
		return time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC).AddDate(0, 0, int(n)).Format(time.DateOnly)
	}
	core := strings.Trim(format, "_() -")
	share := strings.HasSuffix(core, "%")
	core = strings.TrimSuffix(core, "%")
	if core == "" || strings.Trim(core, "#0.,") != "" || strings.HasSuffix(core, ",") {
		return short(n)
	}
	if share {
		n *= 100
	}
	_, decimals, _ := strings.Cut(core, ".")
	out := strconv.FormatFloat(n, 'f', min(len(decimals), 15), 64)
	for range strings.Count(decimals, "#") {
		out = strings.TrimSuffix(out, "0")
	}
	out = strings.TrimSuffix(out, ".")
	if strings.Contains(core, ",") {
		out = grouped3(out)
	}
	if share {
		out += "%"
	}
	return out
}

// short is a number as spreadsheets show it by default: without what a floating point adds.
func short(n float64) string {
	v, err := strconv.ParseFloat(strconv.FormatFloat(n, 'g', 15, 64), 64)
	if err != nil {
		v = n
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// grouped3 puts commas between the thousands of a number.
func grouped3(s string) string {
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	digits, rest, point := strings.Cut(s, ".")
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	if point {
		digits += "." + rest
	}
	return sign + digits
}

// index is the number of a value, 0 if it is none.
func index(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0
	}
	return n
}
