package slides

import (
	"encoding/xml"
	"strconv"
	"strings"

	"sanad/internal/documents/block"
	"sanad/internal/documents/wordfile"
	"sanad/internal/domain/ledger"
)

type slideParagraph struct {
	runs   []slideRun
	level  int
	bullet slideBullet
}

// slideRun is a run of text.
type slideRun struct {
	text   string
	look   wordfile.RunLook
	color  slideColor
	number bool // it is a field with the slide's number
}

// on is the text as the slide of a number shows it.
func (r *slideRun) on(number int) string {
	if r.number {
		return strconv.Itoa(number)
	}
	return r.text
}

// slideBullet is what stands before a paragraph.
type slideBullet struct {
	stated bool
	sign   bool   // a sign
	format string // or a number
	start  int
}

// paragraph is the open paragraph; nil if none is.
func (r *sheetReader) paragraph() *slideParagraph {
	if r.shape == nil {
		return nil
	}
	list := r.shape.paragraphs
	if t := r.shape.table; t != nil && len(t.rows) > 0 {
		row := t.rows[len(t.rows)-1]
		if len(row) == 0 {
			return nil
		}
		list = row[len(row)-1].paragraphs
	}
	if len(list) == 0 {
		return nil
	}
	return &list[len(list)-1]
}

// write adds text to the open run.
func (r *sheetReader) write(s string) {
	p := r.paragraph()
	if p == nil {
		return
	}
	run := slideRun{}
	if r.run != nil {
		run = *r.run
	}
	run.text = s
	p.runs = append(p.runs, run)
}

// startText takes an element of a text or table.
func (r *sheetReader) startText(e xml.StartElement) {
	x := r.shape
	switch name := e.Name.Local; name {
	case "fillRef":
		if x != nil {
			x.styled = slideFill{stated: wordfile.Whole(block.Attribute(e, "idx")) > 0}
		}
	case "bgRef":
		r.sheet.ground = slideFill{stated: true}
	case "tbl":
		if x != nil {
			x.table = &slideTable{}
		}
	case "tblPr":
		if x != nil && x.table != nil {
			x.table.heads = block.IsSet(e, "firstRow")
		}
	case "tr":
		if x != nil && x.table != nil {
			x.table.rows = append(x.table.rows, nil)
		}
	case "tc":
		r.startCell(e)
	case "p":
		r.startParagraph()
	case "pPr":
		if p := r.paragraph(); p != nil && r.within(0) == "p" {
			p.level = min(wordfile.Whole(block.Attribute(e, "lvl")), slideLevels-1)
		}
	case "r", "fld":
		r.run = &slideRun{number: name == "fld" && block.Attribute(e, "type") == "slidenum"}
	case "rPr":
		r.runProperties(e)
	case "br":
		r.write(" ")
	case "buNone", "buChar", "buBlip", "buAutoNum":
		r.bullet(e)
	}
}

func (r *sheetReader) startParagraph() {
	x := r.shape
	if x == nil || r.within(0) != "txBody" {
		return
	}
	if x.table == nil {
		x.paragraphs = append(x.paragraphs, slideParagraph{})
		return
	}
	if n := len(x.table.rows); n > 0 && len(x.table.rows[n-1]) > 0 {
		c := &x.table.rows[n-1][len(x.table.rows[n-1])-1]
		c.paragraphs = append(c.paragraphs, slideParagraph{})
	}
}

// runProperties takes the properties of the open run.
func (r *sheetReader) runProperties(e xml.StartElement) {
	if r.run == nil {
		return
	}
	l := &r.run.look
	for _, a := range e.Attr {
		switch a.Name.Local {
		case "strike":
			l.Struck = a.Value != "noStrike"
		case "baseline":
			switch n, err := strconv.Atoi(strings.TrimSuffix(a.Value, "%")); {
			case err != nil || n == 0:
			case n > 0:
				l.Level = block.RaisedSign
			default:
				l.Level = block.LoweredSign
			}
		case "sz":
			if n := wordfile.Whole(a.Value); n > 0 && n <= wordfile.TinySize*50 {
				l.Hidden = ledger.Tiny
			}
		}
	}
}

// slideLevels is how many levels paragraphs have.
const slideLevels = 9

// bullet takes what stands before the paragraphs of the open element.
func (r *sheetReader) bullet(e xml.StartElement) {
	b := slideBullet{stated: true}
	switch e.Name.Local {
	case "buChar", "buBlip":
		b.sign = true
	case "buAutoNum":
		b.format, b.start = block.Attribute(e, "type"), max(1, wordfile.Whole(block.Attribute(e, "startAt")))
	}
	of := r.within(0)
	if of == "pPr" {
		if p := r.paragraph(); p != nil {
			p.bullet = b
		}
		return
	}
	level := 0
	if strings.HasPrefix(of, "lvl") && strings.HasSuffix(of, "pPr") && len(of) == len("lvl1pPr") {
		level = int(of[3] - '1')
	}
	var levels *map[int]slideBullet
	switch {
	case r.within(1) == "lstStyle" && r.shape != nil:
		levels = &r.shape.levels
	case r.within(1) == "bodyStyle":
		levels = &r.sheet.levels
	default:
		return
	}
	if *levels == nil {
		*levels = map[int]slideBullet{}
	}
	(*levels)[level] = b
}
