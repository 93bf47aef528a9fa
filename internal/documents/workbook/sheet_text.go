package workbook

import (
	"encoding/xml"
	"regexp"
	"strconv"
	"strings"

	"sanad/internal/documents/block"
	"sanad/internal/domain/ledger"
)

// sheetText is the text of a cell; marked is the same with what is struck out, "" if nothing is.
type sheetText struct{ text, marked string }

// sheetTextReader reads a text that may consist of runs with a format of their own.
type sheetTextReader struct {
	b        strings.Builder // while no run has a sign
	shown    block.ShownText
	signs    bool // a run is struck, raised or lowered
	depth    int  // of elements that hold text: t
	phonetic int  // of elements that say how the text is spoken
	struck   bool // the run
	level    rune // sign of the run, 0 on the line
}

// token takes a token, and reports whether the element that holds a text has ended.
func (r *sheetTextReader) token(t xml.Token, element string) (ended bool) {
	switch t := t.(type) {
	case xml.StartElement:
		switch t.Name.Local {
		case "t", "text":
			if r.phonetic == 0 {
				r.depth++
			}
		case "rPh":
			r.phonetic++
		case "r":
			r.struck, r.level = false, 0
		case "strike":
			r.struck = block.IsOn(t)
		case "vertAlign":
			r.level = verticalSign(block.Attribute(t, "val"))
		}
	case xml.EndElement:
		switch t.Name.Local {
		case "t":
			r.depth = max(0, r.depth-1)
		case "text":
			r.depth = 0
		case "rPh":
			r.phonetic = max(0, r.phonetic-1)
		case "r":
			r.struck, r.level = false, 0
		}
		return t.Name.Local == element
	case xml.CharData:
		if r.depth > 0 && r.phonetic == 0 {
			r.write(string(t))
		}
	}
	return false
}

func verticalSign(value string) rune {
	switch value {
	case "superscript":
		return block.RaisedSign
	case "subscript":
		return block.LoweredSign
	}
	return 0
}

func (r *sheetTextReader) write(s string) {
	if (r.struck || r.level != 0) && !r.signs {
		r.signs = true
		r.shown.Write(r.b.String())
	}
	if !r.signs {
		r.b.WriteString(s)
		return
	}
	if r.struck {
		r.shown.Sign(block.StruckSign)
	}
	if r.level != 0 {
		r.shown.Between(r.level, block.LevelSign, s)
	} else {
		r.shown.Write(s)
	}
	if r.struck {
		r.shown.Sign(block.StandingSign)
	}
}

// take returns the text, and begins another one.
func (r *sheetTextReader) take() sheetText {
	out := sheetText{text: r.b.String()}
	if r.signs {
		out.text, out.marked = r.shown.Take()
	}
	r.b.Reset()
	r.signs, r.depth, r.phonetic = false, 0, 0
	return sheetText{text: CellLine(out.text), marked: CellLine(out.marked)}
}

var escapedSign = regexp.MustCompile(`_x[0-9A-Fa-f]{4}_`)

// CellLine writes the text of a cell in one line. "_x000D_" in it is a sign that XML cannot have.
func CellLine(s string) string {
	if strings.Contains(s, "_x") {
		s = escapedSign.ReplaceAllStringFunc(s, func(code string) string {
			n, err := strconv.ParseUint(code[2:6], 16, 16)
			if err != nil || n < ' ' || n >= 0xD800 && n < 0xE000 || block.IsSign(rune(n)) {
				return " "
			}
			return string(rune(n))
		})
	}
	return strings.Join(strings.Fields(s), " ")
}

// struckText is a text that is struck out as a whole.
func struckText(s string) string { return ledger.StruckMark + s + ledger.StruckMark }
