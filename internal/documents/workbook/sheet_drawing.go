package workbook

import (
	"encoding/xml"
	"strconv"
	"strings"

	"sanad/internal/documents/block"
	"sanad/internal/documents/chart"
	"sanad/internal/domain/ledger"
)

// textBox is a text or a chart that is drawn over a sheet, at a row.
type textBox struct {
	row    int
	text   string
	chart  *chart.Reader // nil for a text
	hidden bool

	chartID string // of the relation to the part of the chart
}

// words are what a box would say if it were seen.
func (b *textBox) words() []string {
	if b.chart == nil {
		return []string{b.text}
	}
	var own block.List
	var out []string
	b.chart.PutOn(&own, b.row)
	for i := range own.Blocks {
		out = append(out, ledger.SaidRows(own.Blocks[i].Text))
	}
	return out
}

// mostCharts is the maximum number of charts of a sheet.
const mostCharts = 1_000

// readDrawing reads the texts and charts that are drawn over a sheet.
func (w *workbook) readDrawing(s *sheet, part string) error {
	d := &drawingReader{}
	if err := block.ReadPart(w.parts[part], w.left, d.token); err != nil {
		return err
	}
	related, err := block.RelatedOf(w.parts, part, w.left)
	if err != nil {
		return err
	}
	charts := 0
	for _, b := range d.boxes {
		if b.chartID != "" {
			name := related.TargetOf(b.chartID)
			if charts++; name == "" || w.parts[name] == nil || charts > mostCharts {
				continue
			}
			b.chart = chart.NewReader(s.out)
			if err := block.ReadPart(w.parts[name], w.left, b.chart.Token); err != nil {
				return err
			}
		}
		s.boxes = append(s.boxes, b)
	}
	return s.out.Over
}

// drawingReader reads the texts of shapes, and where charts are.
type drawingReader struct {
	boxes []textBox
	row   int
	in    []string // open elements that say where text belongs
	again int      // of elements that say the same for old programs
	off   bool     // the shape is hidden
	b     strings.Builder
}

func (d *drawingReader) token(t xml.Token) error {
	switch t := t.(type) {
	case xml.StartElement:
		switch name := t.Name.Local; name {
		case "Fallback":
			d.again++
		case "twoCellAnchor", "oneCellAnchor", "absoluteAnchor":
			d.row = 1
		case "from", "row", "t":
			d.in = append(d.in, name)
		case "cNvPr":
			d.off = block.IsSet(t, "hidden")
		case "chart":
			if id := block.RelationID(t); id != "" && d.again == 0 {
				d.boxes = append(d.boxes, textBox{row: d.row, chartID: id, hidden: d.off})
			}
		}
	case xml.CharData:
		switch within := strings.Join(d.in, "/"); {
		case within == "from/row":
			if n, err := strconv.Atoi(strings.TrimSpace(string(t))); err == nil {
				d.row = min(max(n, 0), mostSheetRows-1) + 1
			}
		case strings.HasSuffix(within, "t") && d.again == 0:
			d.b.Write(t)
		}
	case xml.EndElement:
		switch t.Name.Local {
		case "Fallback":
			d.again--
		case "from", "row", "t":
			if n := len(d.in); n > 0 {
				d.in = d.in[:n-1]
			}
		case "p", "br":
			d.b.WriteByte(' ')
		case "txBody":
			if s := strings.Join(strings.Fields(d.b.String()), " "); s != "" {
				d.boxes = append(d.boxes, textBox{row: d.row, text: s, hidden: d.off})
			}
			d.b.Reset()
		}
	}
	return nil
}
