package documents

import (
	"encoding/xml"
	"strings"
	"unicode"
	"unicode/utf8"
)

// formula is an element of a formula, of MathML or of Word's OMML.
type formula struct {
	name  string
	attrs map[string]string
	text  string // of an element without others
	parts []*formula
}

// isText reports whether an element holds text, and not others between white space.
func (f *formula) isText() bool {
	switch f.name {
	case "t", "mi", "mn", "mo", "mtext", "ms":
		return true
	}
	return false
}

// line writes a formula on one line: a fraction with a stroke, a power with a caret, a root with its sign.
func (f *formula) line() string {
	if write := formulaLines[f.name]; write != nil {
		return write(f)
	}
	var b strings.Builder
	b.WriteString(f.text)
	for _, p := range f.parts {
		s := p.line()
		if first, _ := utf8.DecodeRuneInString(s); unicode.IsDigit(first) && endsInDigit(b.String()) {
			switch { // two numbers beside each other are none
			case p.isFraction():
				b.WriteByte(' ') // 2 1/2
			case p.isPower():
				b.WriteRune('·')
			}
		}
		b.WriteString(s)
	}
	return b.String()
}

func endsInDigit(s string) bool {
	last, _ := utf8.DecodeLastRuneInString(s)
	return unicode.IsDigit(last)
}

func (f *formula) isFraction() bool {
	switch f.name {
	case "mfrac", "f":
		return true
	case "mrow", "mstyle", "mpadded":
		return len(f.parts) == 1 && f.parts[0].isFraction()
	}
	return false
}

func (f *formula) isPower() bool { return f.name == "msup" || f.name == "sSup" }

// formulaLines write the elements that are more than their parts one after the other: first those of MathML, by the
// order of their parts, then those of OMML, by the names of their parts.
var formulaLines map[string]func(*formula) string

func init() { // its functions call line
	formulaLines = map[string]func(*formula) string{
		"mfrac":          func(f *formula) string { return f.part(0) + "/" + f.part(1) },
		"msup":           func(f *formula) string { return f.part(0) + "^" + f.part(1) },
		"msub":           func(f *formula) string { return f.part(0) + "_" + f.part(1) },
		"msubsup":        func(f *formula) string { return f.part(0) + "_" + f.part(1) + "^" + f.part(2) },
		"munder":         func(f *formula) string { return f.part(0) + "_" + f.part(1) },
		"mover":          func(f *formula) string { return f.part(0) + f.over(1) },
		"munderover":     func(f *formula) string { return f.part(0) + "_" + f.part(1) + "^" + f.part(2) },
		"msqrt":          func(f *formula) string { return "√" + grouped(f.joined("")) },
		"mroot":          func(f *formula) string { return root(f.part(1), f.part(0)) },
		"mtr":            func(f *formula) string { return f.joined(" ") },
		"mtable":         func(f *formula) string { return f.joined("; ") },
		"mfenced":        (*formula).fenced,
		"annotation":     func(*formula) string { return "" },
		"annotation-xml": func(*formula) string { return "" },
		"mo":             func(f *formula) string { return operator(f.text) },
		"mspace":         func(*formula) string { return " " },
		"mphantom":       func(*formula) string { return "" },

		"f":       func(f *formula) string { return f.named("num") + "/" + f.named("den") },
		"sSup":    func(f *formula) string { return f.named("e") + "^" + f.named("sup") },
		"sSub":    func(f *formula) string { return f.named("e") + "_" + f.named("sub") },
		"sSubSup": func(f *formula) string { return f.named("e") + "_" + f.named("sub") + "^" + f.named("sup") },
		"sPre":    func(f *formula) string { return f.after("_", "sub") + f.after("^", "sup") + f.named("e") },
		"rad":     func(f *formula) string { return root(f.named("deg"), f.named("e")) },
		"nary": func(f *formula) string {
			return f.property("naryPr", "chr", "∫") + f.after("_", "sub") + f.after("^", "sup") + " " + f.named("e")
		},
		"limLow": func(f *formula) string { return f.named("e") + "_" + f.named("lim") },
		"limUpp": func(f *formula) string { return f.named("e") + "^" + f.named("lim") },
		"d":      (*formula).delimited,
		"func":   func(f *formula) string { return f.named("fName") + " " + f.named("e") },
		"mr":     func(f *formula) string { return f.joined(" ") },
		"m":      func(f *formula) string { return f.joined("; ") },
		"eqArr":  func(f *formula) string { return f.joined("; ") },
	}
	for _, name := range []string{"fPr", "sSupPr", "sSubPr", "sSubSupPr", "sPrePr", "radPr", "naryPr", "dPr", "funcPr",
		"mPr", "eqArrPr", "rPr", "ctrlPr", "limLowPr", "limUppPr", "accPr", "barPr", "boxPr", "phantPr", "groupChrPr",
		"borderBoxPr", "oMathParaPr"} {
		formulaLines[name] = func(*formula) string { return "" }
	}
}

// root writes a root. Its degree is raised, so that it cannot be taken for a factor.
func root(degree, of string) string {
	switch degree {
	case "", "2":
		return "√" + of
	case "3":
		return "∛" + of
	case "4":
		return "∜" + of
	}
	return strings.Map(func(r rune) rune {
		if i := strings.IndexRune("0123456789n", r); i >= 0 {
			return []rune("⁰¹²³⁴⁵⁶⁷⁸⁹ⁿ")[i]
		}
		return r
	}, degree) + "√" + of
}

// operator writes an operator; those that are not seen, such as that of a product, are nothing.
func operator(s string) string {
	switch s = strings.TrimSpace(s); s {
	case "\u2061", "\u2062", "\u2063", "\u2064":
		return ""
	case "=", "≈", "≤", "≥", "<", ">", "≠", "+", "−", "-", "±", "×", "÷", "⋅", "·":
		return " " + s + " "
	}
	return s
}

// part is a part by its place, in brackets if it is more than a number or a name.
func (f *formula) part(i int) string {
	if i >= len(f.parts) {
		return ""
	}
	return grouped(f.parts[i].line())
}

// over is a sign above something: a bar or an arrow is left out.
func (f *formula) over(i int) string {
	if s := f.part(i); strings.ContainsFunc(s, isLetterOrDigit) {
		return "^" + s
	}
	return ""
}

// named is a part by its name, likewise in brackets.
func (f *formula) named(name string) string {
	for _, p := range f.parts {
		if p.name == name {
			return grouped(p.line())
		}
	}
	return ""
}

// after is a named part behind a sign, "" if it is empty.
func (f *formula) after(sign, name string) string {
	if s := f.named(name); s != "" {
		return sign + s
	}
	return ""
}

// grouped puts what is calculated in brackets.
func grouped(s string) string {
	s = strings.TrimSpace(s)
	calculated := strings.IndexFunc(s, func(r rune) bool {
		return !isLetterOrDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune(".,٫٬%√∞'′", r)
	}) > 0
	if !calculated || strings.HasPrefix(s, "(") && strings.Index(s, ")") == len(s)-1 {
		return s
	}
	return "(" + s + ")"
}

// joined joins the parts that are not empty.
func (f *formula) joined(between string) string {
	var out []string
	for _, p := range f.parts {
		if s := strings.TrimSpace(p.line()); s != "" {
			out = append(out, s)
		}
	}
	return strings.Join(out, between)
}

// fenced is an mfenced element.
func (f *formula) fenced() string {
	open, end := "(", ")"
	if s, ok := f.attrs["open"]; ok {
		open = s
	}
	if s, ok := f.attrs["close"]; ok {
		end = s
	}
	return open + f.joined(", ") + end
}

// delimited is a d element of OMML.
func (f *formula) delimited() string {
	var parts []string
	for _, p := range f.parts {
		if p.name == "e" {
			parts = append(parts, strings.TrimSpace(p.line()))
		}
	}
	return f.property("dPr", "begChr", "(") + strings.Join(parts, ", ") + f.property("dPr", "endChr", ")")
}

// property is the value of a property of an element of OMML.
func (f *formula) property(of, name, none string) string {
	for _, p := range f.parts {
		if p.name != of {
			continue
		}
		for _, q := range p.parts {
			if v, ok := q.attrs["val"]; q.name == name && ok {
				return v
			}
		}
	}
	return none
}

// formulaReader makes a formula of the tokens of its element.
type formulaReader struct {
	open  []*formula
	whole *formula
	done  *formula // once its element is closed
}

// token adds a token.
func (r *formulaReader) token(t xml.Token) {
	n := len(r.open)
	switch t := t.(type) {
	case xml.StartElement:
		f := &formula{name: t.Name.Local}
		for _, a := range t.Attr {
			if f.attrs == nil {
				f.attrs = map[string]string{}
			}
			f.attrs[a.Name.Local] = a.Value
		}
		if n > 0 {
			r.open[n-1].parts = append(r.open[n-1].parts, f)
		} else {
			r.whole = f
		}
		r.open = append(r.open, f)
	case xml.EndElement:
		if n > 0 {
			if r.open = r.open[:n-1]; n == 1 {
				r.done = r.whole
			}
		}
	case xml.CharData:
		if n > 0 && r.open[n-1].isText() {
			r.open[n-1].text += string(t)
		}
	}
}

// add adds text to an element: to itself, or as the value of a property.
func (f *formula) add(s string) {
	switch f.name {
	case "begChr", "endChr", "sepChr", "chr", "degHide", "type":
		f.attrs["val"] += s
	case "r":
		f.parts = append(f.parts, &formula{name: "t", text: s})
	}
}
