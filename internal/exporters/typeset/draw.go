package typeset

import (
	"bytes"
	"fmt"

	"github.com/go-pdf/fpdf"
)

// contentMark separates what fpdf writes at the start of each page from the engine's own content.
const contentMark = "%\n"

// draw returns fpdf's file of the finished pages. fpdf only writes pages and streams here (rules PDF-2 and PDF-7); pen
// writes the operators, in a third of the bytes that fpdf would need. After the pages follows one extra page per form,
// which the post-pass turns into the form.
func (f *flow) draw() ([]byte, error) {
	pdf := fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt", Size: fpdf.SizeType{Wd: pageWidth, Ht: pageHeight}})
	pdf.SetCatalogSort(true)
	pdf.SetCreationDate(f.doc.Date)
	pdf.SetModificationDate(f.doc.Date)
	pdf.SetCompression(false) // the post-pass compresses, once
	pdf.SetAutoPageBreak(false, 0)
	pdf.SetMargins(0, 0, 0)
	sheet := func(content []byte) {
		pdf.AddPage()
		pdf.RawWriteStr(contentMark)
		pdf.RawWriteBuf(bytes.NewReader(content))
	}
	for _, p := range f.pages {
		sheet(p.content)
		p.content = nil
	}
	for _, form := range f.forms {
		sheet(form)
	}
	var out bytes.Buffer
	if err := pdf.Output(&out); err != nil {
		return nil, fmt.Errorf("typeset: %w", err)
	}
	return out.Bytes(), nil
}

// finishPage turns the last page's display list into its content and drops the list.
func (f *flow) finishPage() {
	if len(f.pages) == 0 {
		return
	}
	p := f.pages[len(f.pages)-1]
	if p.content != nil {
		return
	}
	p.ops = f.setNotes(p.ops)
	p.content = f.render(len(f.pages)-1, p.ops)
	f.spare, p.ops = p.ops[:0], nil
}

// render returns a display list as page content: first everything that isn't text, as one artifact sorted by colour;
// then all text in one text object, each piece marked with its element.
func (f *flow) render(page int, ops []op) []byte {
	p := pen{flow: f, page: page, elem: none, fill: noColor, line: noColor, out: f.buffer[:0]}
	p.graphics(ops)
	p.texts(ops)
	f.buffer = p.out
	return bytes.Clone(p.out)
}

// renderForm stores a display list as a form that any page can show, and returns the form's number.
func (f *flow) renderForm(ops []op) int {
	for i := range ops {
		ops[i].elem = bare
	}
	f.forms = append(f.forms, f.render(-1, ops))
	return len(f.forms) - 1
}

// Special values of an op's element.
const (
	none = int32(-2) // nothing is marked
	bare = int32(-3) // in a form, which is an artifact wherever it is shown
)

// pen writes one page's content. Coordinates are tenths of a point from the lower left corner.
type pen struct {
	flow   *flow
	out    []byte
	page   int
	elem   int32 // of the open marked content, or none
	font   weight
	size   float32
	fill   Color   // the fill colour in force
	line   Color   // the stroke colour in force
	x, y   int     // of the last Td
	end    float32 // where the last fragment ends, in points from the left
	base   float32 // its baseline, in points from the top
	inText bool    // inside a text object
	shows  bool    // inside a string
}

// noColor stands for no colour, the state at the start of a page.
const noColor Color = 1 << 31

// texts writes the text. Codes are already in visual order.
func (p *pen) texts(ops []op) {
	for i := range ops {
		if o := &ops[i]; o.kind == opText && o.text != "" {
			p.text(o)
		}
	}
	p.unmark()
	if p.inText {
		p.out = append(p.out, "ET\n"...)
	}
}

// text shows a fragment. A fragment that continues where the last one ended, in the same style, continues its string.
func (p *pen) text(o *op) {
	if !p.inText {
		p.inText = true
		p.out = append(p.out, "BT\n"...)
	}
	d := o.x - p.end
	follows := p.base == o.y && d >= -0.02 && d <= 0.02
	if !p.shows || !follows || p.elem != o.elem || p.font != o.weight || p.size != o.size || p.fill != o.color {
		p.start(o, follows)
	}
	for _, code := range o.text {
		p.out = appendCode(p.out, code)
	}
	p.end = o.x + o.w
}

// start opens a string for a fragment: its mark, its style and, unless it follows the last fragment, its place.
func (p *pen) start(o *op, follows bool) {
	p.endString()
	p.mark(o.elem)
	if p.size != o.size || p.font != o.weight {
		p.font, p.size = o.weight, o.size
		p.out = append(append(p.out, '/'), fontNames[o.weight]...)
		p.number(hundredths(o.size), 100, ' ')
		p.out = append(p.out, "Tf\n"...)
	}
	p.setFill(o.color)
	if !follows {
		x, y := tenths(o.x), tenths(pageHeight-o.y)
		p.number(x-p.x, 10, ' ')
		p.number(y-p.y, 10, ' ')
		p.out = append(p.out, "Td"...)
		p.x, p.y, p.base = x, y, o.y
	}
	p.out = append(p.out, '(')
	p.shows = true
}

// fontNames are the names of the fonts in the resources.
var fontNames = [weights]string{"R", "B", "M"}

// endString ends the open string.
func (p *pen) endString() {
	if p.shows {
		p.out = append(p.out, ")Tj\n"...)
		p.shows = false
	}
}

// mark opens the marked content of an element, after closing the last one.
func (p *pen) mark(elem int32) {
	if elem == p.elem {
		return
	}
	p.unmark()
	p.elem = elem
	switch elem {
	case bare:
	case artifact:
		p.out = append(p.out, "/Artifact BMC\n"...)
	default:
		p.out = fmt.Appendf(p.out, "/P<</MCID %d>>BDC\n", p.flow.tree.mark(p.page, elem))
	}
}

func (p *pen) unmark() {
	p.endString()
	if p.elem != none && p.elem != bare {
		p.out = append(p.out, "EMC\n"...)
	}
	p.elem = none
}

// setFill sets the fill colour, which is also the text colour.
func (p *pen) setFill(c Color) {
	if p.fill != c {
		p.fill = c
		p.rgb(c, "rg\n")
	}
}

// setStroke sets the colour and width of lines; the width is in hundredths of a point.
func (p *pen) setStroke(c Color, width int) {
	if p.line != c {
		p.line = c
		p.rgb(c, "RG\n")
	}
	p.number(width, 100, ' ')
	p.out = append(p.out, "w\n"...)
}

func (p *pen) rgb(c Color, operator string) {
	for _, part := range [3]Color{c >> 16 & 255, c >> 8 & 255, c & 255} {
		p.number((int(part)*1000+127)/255, 1000, ' ')
	}
	p.out = append(p.out, operator...)
}

// number writes v/units as a decimal number (units is 10, 100 or 1,000), followed by the byte after.
func (p *pen) number(v, units int, after byte) {
	if n := len(p.out); n > 0 && p.out[n-1] >= '0' && p.out[n-1] <= '9' || n > 0 && isNameEnd(p.out[n-1]) {
		p.out = append(p.out, ' ')
	}
	if v < 0 {
		p.out = append(p.out, '-')
		v = -v
	}
	whole, part := v/units, v%units
	if whole > 0 || part == 0 {
		p.out = fmt.Appendf(p.out, "%d", whole)
	}
	if part > 0 {
		p.out = append(p.out, '.')
		for unit := units / 10; part > 0; unit /= 10 {
			p.out = append(p.out, byte('0'+part/unit))
			part %= unit
		}
	}
	p.out = append(p.out, after)
}

// isNameEnd reports whether b may end an operator or name, which a space must separate from a following number.
func isNameEnd(b byte) bool { return b >= 'A' && b <= 'Z' }

func tenths(v float32) int     { return int(v*10 + 0.5) }
func hundredths(v float32) int { return int(v*100 + 0.5) }
