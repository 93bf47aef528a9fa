package slides

import (
	"encoding/xml"

	"sanad/internal/documents/block"
	"sanad/internal/documents/chart"
)

// putRelated adds the chart or diagram of a shape.
func (s *slides) putRelated(l *slideLook, x *shape) error {
	if x.chart == "" && x.diagram == "" {
		return nil
	}
	how := l.hides(x)
	if name := l.on.related.TargetOf(x.chart); name != "" && how == "" {
		c := chart.NewReader(s.out)
		if err := block.ReadPart(s.parts[name], s.left, c.Token); err != nil {
			return err
		}
		c.Put(s.number)
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
