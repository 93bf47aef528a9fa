package typeset

import (
	"bytes"
	"fmt"

	"github.com/go-pdf/fpdf"
)

// families are the names fpdf knows the derived fonts by; post.go gives them their real ones.
var families = [weights]string{"plexregular", "plexbold"}

// draw writes the pages with fpdf, which is a page and stream writer here and nothing more (spec page 8, step 5).
// Display lists are dropped page by page.
func (f *flow) draw() ([]byte, error) {
	pdf := fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt", Size: fpdf.SizeType{Wd: pageWidth, Ht: pageHeight}})
	pdf.SetCatalogSort(true)
	pdf.SetCreationDate(f.doc.Date)
	pdf.SetModificationDate(f.doc.Date)
	pdf.SetCompression(true)
	pdf.SetAutoPageBreak(false, 0)
	pdf.SetMargins(0, 0, 0)
	for w := range weights {
		if font := derive(&f.set.faces[w], f.set.slicers[w].list); font != nil {
			pdf.AddUTF8FontFromBytes(families[w], "", font)
		}
	}
	for i, p := range f.pages {
		pdf.AddPage()
		(&pen{pdf: pdf, flow: f, page: i, elem: -2, fill: noColor, line: noColor}).draw(p)
		f.pages[i].ops = nil
	}
	var out bytes.Buffer
	if err := pdf.Output(&out); err != nil {
		return nil, fmt.Errorf("typeset: %w", err)
	}
	return out.Bytes(), nil
}

// pen draws one page.
type pen struct {
	pdf  *fpdf.Fpdf
	flow *flow
	page int
	elem int32 // of the marked content that is open, -2 for none
	font weight
	size float32
	fill Color // the fill colour in force
	line Color // the stroke colour in force
	wide float64
}

func (p *pen) draw(pg *page) {
	for i := range pg.ops {
		o := &pg.ops[i]
		p.mark(o.elem)
		switch o.kind {
		case opText:
			p.text(o)
		case opFill:
			p.rect(o)
		case opRule:
			p.stroke(o.color, float64(o.size))
			p.pdf.Line(float64(o.x), float64(o.y), float64(o.x+o.w), float64(o.y))
		case opIcon:
			p.icon(o)
		}
	}
	p.close()
}

// mark opens the marked content of an element, closing the last.
func (p *pen) mark(elem int32) {
	if elem == p.elem {
		return
	}
	p.close()
	p.elem = elem
	if elem == artifact {
		p.pdf.RawWriteStr("/Artifact BMC\n")
		return
	}
	role := p.flow.tree.elements[elem].role
	p.pdf.RawWriteStr(fmt.Sprintf("/%s <</MCID %d>> BDC\n", role, p.flow.tree.mark(p.page, elem)))
}

func (p *pen) close() {
	if p.elem != -2 {
		p.pdf.RawWriteStr("EMC\n")
	}
	p.elem = -2
}

// text draws a fragment: codes are in visual order, so fpdf has nothing to decide.
func (p *pen) text(o *op) {
	if p.size != o.size || p.font != o.weight {
		p.pdf.SetFont(families[o.weight], "", float64(o.size))
		p.font, p.size = o.weight, o.size
	}
	p.ground(o.color)
	p.pdf.SetTextColor(o.color.rgb()) // the fill's colour: fpdf writes no q…Q around the text then
	p.pdf.Text(float64(o.x), float64(o.y), o.text)
}

// noColor is no colour: what a page starts with.
const noColor Color = 1 << 31

// ground sets the fill colour, which is the text's too.
func (p *pen) ground(c Color) {
	if p.fill != c {
		p.fill = c
		p.pdf.SetFillColor(c.rgb())
	}
}

// stroke sets the lines' colour and width.
func (p *pen) stroke(c Color, width float64) {
	if p.line != c {
		p.line = c
		p.pdf.SetDrawColor(c.rgb())
	}
	if p.wide != width {
		p.wide = width
		p.pdf.SetLineWidth(width)
	}
}

// rect draws a rectangle; those of a line's height have rounded corners.
func (p *pen) rect(o *op) {
	p.ground(o.color)
	x, y, w, h := float64(o.x), float64(o.y), float64(o.w), float64(o.h)
	if h > 4 && h <= badgeHeight && w > 6 {
		p.rounded(o, 2.5)
		return
	}
	p.pdf.Rect(x, y, w, h, "F")
}

// rounded draws a rectangle with round corners: a smaller one with a thick edge of its own colour and round joins.
// As a path of curves badges would be half of a long ledger's bytes.
func (p *pen) rounded(o *op, r float64) {
	p.stroke(o.color, 2*r)
	p.pdf.SetLineJoinStyle("round")
	p.pdf.Rect(float64(o.x)+r, float64(o.y)+r, float64(o.w)-2*r, float64(o.h)-2*r, "FD")
}

// dot draws a disc.
func (p *pen) dot(x, y, diameter float64, c Color) {
	p.stroke(c, diameter)
	p.pdf.SetLineCapStyle("round")
	p.pdf.Line(x, y, x, y)
}

// icon draws a badge's icon as a path in its square.
func (p *pen) icon(o *op) {
	pdf, s := p.pdf, float64(o.w)
	x, y := float64(o.x), float64(o.y)
	p.stroke(o.color, 1.2)
	pdf.SetLineCapStyle("round")
	pdf.SetLineJoinStyle("round")
	switch o.icon {
	case Good:
		pdf.MoveTo(x+0.05*s, y+0.55*s)
		pdf.LineTo(x+0.36*s, y+0.86*s)
		pdf.LineTo(x+0.95*s, y+0.16*s)
	case Unsure:
		pdf.MoveTo(x+0.22*s, y+0.24*s)
		pdf.CurveBezierCubicTo(x+0.3*s, y-0.08*s, x+0.8*s, y-0.04*s, x+0.78*s, y+0.28*s)
		pdf.CurveBezierCubicTo(x+0.76*s, y+0.5*s, x+0.5*s, y+0.45*s, x+0.5*s, y+0.68*s)
		pdf.MoveTo(x+0.5*s, y+0.96*s)
		pdf.LineTo(x+0.5*s, y+0.965*s)
	case Bad:
		pdf.MoveTo(x+0.12*s, y+0.12*s)
		pdf.LineTo(x+0.88*s, y+0.88*s)
		pdf.MoveTo(x+0.88*s, y+0.12*s)
		pdf.LineTo(x+0.12*s, y+0.88*s)
	default:
		_, ground := o.icon.colors()
		p.dot(x+0.5*s, y+0.5*s, 0.84*s+1.2, o.color)
		p.dot(x+0.5*s, y+0.5*s, 0.84*s-1.2, ground)
		return
	}
	pdf.DrawPath("D")
}

// rgb is a colour's parts, as fpdf takes them.
func (c Color) rgb() (r, g, b int) { return int(c >> 16 & 255), int(c >> 8 & 255), int(c & 255) }
