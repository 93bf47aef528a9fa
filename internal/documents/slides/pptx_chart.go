package slides

import (
	"encoding/xml"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"sanad/internal/documents/block"
	"sanad/internal/documents/wordfile"
	"sanad/internal/domain/text"
)

// putRelated adds the chart or diagram of a shape.
func (s *slides) putRelated(l *slideLook, x *shape) error {
	if x.chart == "" && x.diagram == "" {
		return nil
	}
	how := l.hides(x)
	if name := l.on.related.TargetOf(x.chart); name != "" && how == "" {
		c := chartReader{out: s.out}
		if err := block.ReadPart(s.parts[name], s.left, c.token); err != nil {
			return err
		}
		s.putChart(&c)
	}
	if name := l.on.related.TargetOf(x.diagram); name != "" {
		return s.putDiagram(l, name, x)
	}
	return s.out.Over
}

// putDiagram adds the words of a diagram: as it is drawn, or as it is stored if the file has no drawing.
func (s *slides) putDiagram(l *slideLook, name string, x *shape) error {
	drawing := ""
	var stored sheetReader
	stored.sheet, stored.out = &slideSheet{shown: true}, s.out
	err := block.ReadPart(s.parts[name], s.left, func(t xml.Token) error {
		if e, ok := t.(xml.StartElement); ok {
			switch e.Name.Local {
			case "dataModelExt":
				drawing = l.on.related.TargetOf(block.Attribute(e, "relId"))
			case "extLst", "ext":
				return nil // the drawing's name is in it
			case "pt":
				t = xml.StartElement{Name: xml.Name{Local: "sp"}}
			case "t":
				if e.Name.Space == "dgm" {
					t = xml.StartElement{Name: xml.Name{Local: "txBody"}}
				}
			}
		}
		if e, ok := t.(xml.EndElement); ok && e.Name.Local == "pt" {
			t = xml.EndElement{Name: xml.Name{Local: "sp"}}
		} else if ok && (e.Name.Local == "extLst" || e.Name.Local == "ext") {
			return nil
		}
		return stored.token(t)
	})
	if err != nil {
		return err
	}
	on := stored.sheet
	if drawing != "" {
		if on, err = s.sheet(drawing); err != nil {
			return err
		}
	}
	inner := slideLook{slides: s, on: on}
	on.shown = l.hides(x) == ""
	for i := range on.shapes {
		s.putTexts(&inner, i, false)
	}
	return s.out.Over
}

// chartReader reads what a chart shows: its title, and values by series and category.
type chartReader struct {
	out    *block.List
	path   []string
	title  strings.Builder
	series []*chartSeries
	values *chartValues // that are being read
	at     int
}

type chartSeries struct{ name, categories, values chartValues }

// chartValues are values by their index, with the format in which they are shown.
type chartValues struct {
	format string
	points map[int]string
}

// mostPoints is how many values of a chart are read.
const mostPoints = 100_000

func (c *chartReader) token(t xml.Token) error {
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
		}
	case xml.CharData:
		c.text(string(t))
	}
	return c.out.Over
}

func (c *chartReader) start(e xml.StartElement) {
	n := len(c.series)
	switch name := e.Name.Local; {
	case name == "ser":
		c.series = append(c.series, &chartSeries{})
		c.out.CountCell()
	case n == 0 || !slices.Contains(c.path, "ser"):
	case name == "tx" && c.path[len(c.path)-1] == "ser":
		c.values, c.at = &c.series[n-1].name, 0
	case name == "cat" || name == "xVal":
		c.values = &c.series[n-1].categories
	case name == "val" || name == "yVal":
		c.values = &c.series[n-1].values
	case name == "pt":
		c.at = wordfile.Whole(block.Attribute(e, "idx"))
	}
}

func (c *chartReader) text(s string) {
	if len(c.path) == 0 {
		return
	}
	switch name := c.path[len(c.path)-1]; {
	case name == "t" && slices.Contains(c.path, "title") && !slices.Contains(c.path, "plotArea"):
		c.title.WriteString(s)
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
func (c *chartReader) isLabelPart() bool { return slices.Contains(c.path, "lvl") }

// shown is a value as the chart shows it.
func (v *chartValues) shown(i int) string {
	s, ok := v.points[i]
	if !ok {
		return ""
	}
	return Formatted(text.OneLine(s), v.format)
}

// putChart adds the values of a chart as a table: a row for each category, a column for each series. Series with other
// categories are tables of their own.
func (s *slides) putChart(c *chartReader) {
	caption := text.OneLine(c.title.String())
	for from := 0; from < len(c.series); {
		end := from + 1
		for end < len(c.series) && c.series[end].sameCategories(c.series[from]) {
			end++
		}
		t := block.Table{Caption: caption}
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
		if len(t.Rows) > 1 {
			s.out.PutTable(&t, s.number)
		} else if caption != "" {
			s.out.Put(caption, 0, s.number)
		}
		caption, from = "", end
	}
}

func (x *chartSeries) sameCategories(o *chartSeries) bool {
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

// Formatted writes a stored number in a format of spreadsheets, as far as charts use them: decimals, groups, shares and
// dates. Others stay as they are stored.
func Formatted(stored, format string) string {
	n, err := strconv.ParseFloat(stored, 64)
	if err != nil || math.IsInf(n, 0) || math.IsNaN(n) {
		return stored
	}
	format, _, _ = strings.Cut(format, ";")
	lower := strings.ToLower(format)
	switch {
	case strings.EqualFold(format, "general") || format == "" || format == "@":
		return Short(n)
	case strings.Contains(lower, "yy") || strings.Contains(lower, "d/m") || strings.Contains(lower, "m/d") ||
		strings.Contains(lower, "mmm"):
		if n < 1 || n > 2_958_465 {
			return Short(n)
		}
		return time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC).AddDate(0, 0, int(n)).Format(time.DateOnly)
	}
	core := strings.Trim(format, "_() -")
	share := strings.HasSuffix(core, "%")
	core = strings.TrimSuffix(core, "%")
	if core == "" || strings.Trim(core, "#0.,") != "" || strings.HasSuffix(core, ",") {
		return Short(n)
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

// Short is a number as spreadsheets show it by default: without what a floating point adds.
func Short(n float64) string {
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
