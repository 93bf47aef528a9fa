package wordfile

import "sanad/internal/documents/block"

// word takes a control word that begins no group of its own.
func (r *rtf) word(word string, n int, given bool) {
	switch r.now.to {
	case rtfFonts, rtfColors, rtfStyles:
		r.tableWord(word, n)
		return
	case rtfNone:
		r.rowWord(word, n)
		return
	case rtfMath:
		r.scriptWord(word, n)
		return
	}
	if s, ok := rtfSigns[word]; ok {
		r.write(s)
		return
	}
	on := !given || n != 0
	if r.runWord(word, n, on) || r.scriptWord(word, n) || r.paragraphWord(word, n, on) || r.rowWord(word, n) {
		return
	}
	switch word {
	case "ansicpg":
		if e := codePages[n]; e != nil {
			r.codePage = e
		}
	case "mac":
		r.codePage = codePages[10000]
	case "pc":
		r.codePage = codePages[437]
	case "pca":
		r.codePage = codePages[850]
	case "deff":
		r.usual, r.now.run.font = n, n
	case "uc":
		r.now.uc = min(max(n, 0), 16)
	case "chftn":
		r.mark()
	}
}

// rtfSigns are control words that stand for text.
var rtfSigns = map[string]string{"tab": " ", "line": " ", "page": " ", "column": " ", "softline": " ", "emdash": "—",
	"endash": "–", "bullet": "•", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”", "emspace": " ",
	"enspace": " ", "qmspace": " ", "zwj": "\u200d", "zwnj": "\u200c", "ltrmark": "\u200e", "rtlmark": "\u200f"}

// runWord takes a control word about how text looks, and reports whether it is one.
func (r *rtf) runWord(word string, n int, on bool) bool {
	p := &r.now.run
	switch word {
	case "plain":
		*p = rtfRun{font: r.usual}
	case "v":
		p.hidden = on
	case "strike", "striked":
		p.struck = on
	case "deleted":
		p.deleted = on
	case "super":
		p.level = rtfLevel(block.RaisedSign, on)
	case "sub":
		p.level = rtfLevel(block.LoweredSign, on)
	case "up":
		p.level = rtfLevel(block.RaisedSign, n > 0 || !on)
	case "dn":
		p.level = rtfLevel(block.LoweredSign, n > 0 || !on)
	case "nosupersub":
		p.level = 0
	case "cf":
		p.color = n
	case "cb", "highlight", "chcbpat", "chshdng":
		p.backed = n != 0
	case "fs":
		p.size = n
	default:
		return false
	}
	return true
}

func rtfLevel(sign rune, on bool) rune {
	if on {
		return sign
	}
	return 0
}

// scriptWord takes a control word that selects a font, and reports whether it is one.
func (r *rtf) scriptWord(word string, n int) bool {
	p := &r.now.run
	switch word {
	case "f":
		if p.script != rtfAny {
			p.scripts[p.script-1] = n + 1
		} else {
			p.font = n
		}
	case "af":
		switch {
		case p.script != rtfAny:
			p.scripts[p.script-1] = n + 1
		case p.sideways:
			p.complex = n + 1
		}
	case "rtlch":
		p.sideways, p.script = true, rtfAny
	case "ltrch":
		p.sideways, p.script = false, rtfAny
	case "loch":
		p.script = rtfLow
	case "hich":
		p.script = rtfHigh
	case "dbch":
		p.script = rtfDouble
	default:
		return false
	}
	return true
}

// paragraphWord takes a control word about paragraphs, and reports whether it is one.
func (r *rtf) paragraphWord(word string, n int, on bool) bool {
	p := &r.now.para
	switch word {
	case "par", "sect":
		r.endParagraph()
	case "pard":
		*p = rtfParagraph{}
	case "s":
		p.style = n
	case "outlinelevel":
		if p.level = 0; n >= 0 && n < 6 {
			p.level = n + 1
		}
	case "intbl":
		p.table = on
	case "itap":
		p.nested = min(max(n, 0), rtfTables)
	case "cbpat", "shading":
		p.shaded = n != 0
	default:
		return false
	}
	return true
}
