package prose

import (
	"sanad/internal/domain/letterhead"
	"sanad/internal/exporters/typeset"
)

// Headed puts a letterhead at the head of a document, and of each of its parts.
func Headed(doc *typeset.Doc, letter *letterhead.Letterhead) {
	if letter.Empty() {
		return
	}
	doc.Letterhead = &typeset.Letterhead{Name: letter.Name, Address: letter.Address, Logo: drawn(letter.Picture())}
	for i := range doc.Sections {
		s := &doc.Sections[i]
		s.Blocks = append([]typeset.Block{typeset.Letter{}}, s.Blocks...)
	}
}

// drawn returns a logo as the typesetter draws it, nil for none.
func drawn(p *letterhead.Picture) *typeset.Picture {
	if p == nil {
		return nil
	}
	out := &typeset.Picture{Width: p.Width, Height: p.Height, RGB: p.RGB}
	for _, s := range p.Shapes {
		shape := typeset.Shape{Fill: typeset.Color(s.Fill), EvenOdd: s.EvenOdd, Steps: make([]typeset.Step, len(s.Steps))}
		for i, step := range s.Steps {
			shape.Steps[i] = typeset.Step{Op: step.Op, At: step.At}
		}
		out.Shapes = append(out.Shapes, shape)
	}
	return out
}
