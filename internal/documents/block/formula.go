package block

import (
	"encoding/xml"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Formula is an element of a formula, of MathML or of Word's OMML.
type Formula struct {
	Name  string
	Attrs map[string]string
	Text  string // of an element without others
	Parts []*Formula
}

// IsText reports whether an element holds text, and not others between white space.
func (f *Formula) IsText() bool {
	switch f.Name {
	case "t", "mi", "mn", "mo", "mtext", "ms":
		return true
	}
	return false
}

// Line writes a formula on one line: a fraction with a stroke, a power with a caret, a root with its sign.
func (f *Formula) Line() string {
	if write := formulaLines[f.Name]; write != nil {
		return write(f)
	}
	var b strings.Builder
	b.WriteString(f.Text)
	for _, p := range f.Parts {
		s := p.Line()
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

func (f *Formula) isFraction() bool {
	switch f.Name {
	case "mfrac", "f":
		return true
	case "mrow", "mstyle", "mpadded":
		return len(f.Parts) == 1 && f.Parts[0].isFraction()
	}
	return false
}

func (f *Formula) isPower() bool { return f.Name == "msup" || f.Name == "sSup" }

// formulaLines write the elements that are more than their parts one after the other: first those of MathML, by the
// order of their parts, then those of OMML, by the names of their parts.
var formulaLines map[string]func(*Formula) string

func init() { // its functions call line
	formulaLines = map[string]func(*Formula) string{
		"mfrac":          func(f *Formula) string { return f.part(0) + "/" + f.part(1) },
		"msup":           func(f *Formula) string { return f.part(0) + "^" + f.part(1) },
		"msub":           func(f *Formula) string { return f.part(0) + "_" + f.part(1) },
		"msubsup":        func(f *Formula) string { return f.part(0) + "_" + f.part(1) + "^" + f.part(2) },
		"munder":         func(f *Formula) string { return f.part(0) + "_" + f.part(1) },
		"mover":          func(f *Formula) string { return f.part(0) + f.over(1) },
		"munderover":     func(f *Formula) string { return f.part(0) + "_" + f.part(1) + "^" + f.part(2) },
		"msqrt":          func(f *Formula) string { return "√" + grouped(f.joined("")) },
		"mroot":          func(f *Formula) string { return root(f.part(1), f.part(0)) },
		"mtr":            func(f *Formula) string { return f.joined(" ") },
		"mtable":         func(f *Formula) string { return f.joined("; ") },
		"mfenced":        (*Formula).fenced,
		"annotation":     func(*Formula) string { return "" },
		"annotation-xml": func(*Formula) string { return "" },
		"mo":             func(f *Formula) string { return operator(f.Text) },
		"mspace":         func(*Formula) string { return " " },
		"mphantom":       func(*Formula) string { return "" },

		"f":       func(f *Formula) string { return f.named("num") + "/" + f.named("den") },
		"sSup":    func(f *Formula) string { return f.named("e") + "^" + f.named("sup") },
		"sSub":    func(f *Formula) string { return f.named("e") + "_" + f.named("sub") },
		"sSubSup": func(f *Formula) string { return f.named("e") + "_" + f.named("sub") + "^" + f.named("sup") },
		"sPre":    func(f *Formula) string { return f.after("_", "sub") + f.after("^", "sup") + f.named("e") },
		"rad":     func(f *Formula) string { return root(f.named("deg"), f.named("e")) },
		"nary": func(f *Formula) string {
			return f.property("naryPr", "chr", "∫") + f.after("_", "sub") + f.after("^", "sup") + " " + f.named("e")
		},
		"limLow": func(f *Formula) string { return f.named("e") + "_" + f.named("lim") },
		"limUpp": func(f *Formula) string { return f.named("e") + "^" + f.named("lim") },
		"d":      (*Formula).delimited,
		"func":   func(f *Formula) string { return f.named("fName") + " " + f.named("e") },
		"mr":     func(f *Formula) string { return f.joined(" ") },
		"m":      func(f *Formula) string { return f.joined("; ") },
		"eqArr":  func(f *Formula) string { return f.joined("; ") },
	}
	for _, name := range []string{"fPr", "sSupPr", "sSubPr", "sSubSupPr", "sPrePr", "radPr", "naryPr", "dPr", "funcPr",
		"mPr", "eqArrPr", "rPr", "ctrlPr", "limLowPr", "limUppPr", "accPr", "barPr", "boxPr", "phantPr", "groupChrPr",
		"borderBoxPr", "oMathParaPr"} {
		formulaLines[name] = func(*Formula) string { return "" }
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
func (f *Formula) part(i int) string {
	if i >= len(f.Parts) {
		return ""
	}
	return grouped(f.Parts[i].Line())
}

// over is a sign above something: a bar or an arrow is left out.
func (f *Formula) over(i int) string {
	if s := f.part(i); strings.ContainsFunc(s, IsLetterOrDigit) {
		return "^" + s
	}
	return ""
}

// named is a part by its name, likewise in brackets.
func (f *Formula) named(name string) string {
	for _, p := range f.Parts {
		if p.Name == name {
			return grouped(p.Line())
		}
	}
	return ""
}

// after is a named part behind a sign, "" if it is empty.
func (f *Formula) after(sign, name string) string {
	if s := f.named(name); s != "" {
		return sign + s
	}
	return ""
}

// grouped puts what is calculated in brackets.
func grouped(s string) string {
	s = strings.TrimSpace(s)
	calculated := strings.IndexFunc(s, func(r rune) bool {
		return !IsLetterOrDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune(".,٫٬%√∞'′", r)
	}) > 0
	if !calculated || strings.HasPrefix(s, "(") && strings.Index(s, ")") == len(s)-1 {
		return s
	}
	return "(" + s + ")"
}

// joined joins the parts that are not empty.
func (f *Formula) joined(between string) string {
	var out []string
	for _, p := range f.Parts {
		if s := strings.TrimSpace(p.Line()); s != "" {
			out = append(out, s)
		}
	}
	return strings.Join(out, between)
}

// fenced is an mfenced element.
func (f *Formula) fenced() string {
	open, end := "(", ")"
	if s, ok := f.Attrs["open"]; ok {
		open = s
	}
	if s, ok := f.Attrs["close"]; ok {
		end = s
	}
	return open + f.joined(", ") + end
}

// delimited is a d element of OMML.
func (f *Formula) delimited() string {
	var parts []string
	for _, p := range f.Parts {
		if p.Name == "e" {
			parts = append(parts, strings.TrimSpace(p.Line()))
		}
	}
	return f.property("dPr", "begChr", "(") + strings.Join(parts, ", ") + f.property("dPr", "endChr", ")")
}

// property is the value of a property of an element of OMML.
func (f *Formula) property(of, name, none string) string {
	for _, p := range f.Parts {
		if p.Name != of {
			continue
		}
		for _, q := range p.Parts {
			if v, ok := q.Attrs["val"]; q.Name == name && ok {
				return v
			}
		}
	}
	return none
}

// FormulaReader makes a formula of the tokens of its element.
type FormulaReader struct {
	open  []*Formula
	whole *Formula
	Done  *Formula // once its element is closed
}

// Token adds a token.
func (r *FormulaReader) Token(t xml.Token) {
	n := len(r.open)
	switch t := t.(type) {
	case xml.StartElement:
		f := &Formula{Name: t.Name.Local}
		for _, a := range t.Attr {
			if f.Attrs == nil {
				f.Attrs = map[string]string{}
			}
			f.Attrs[a.Name.Local] = a.Value
		}
		if n > 0 {
			r.open[n-1].Parts = append(r.open[n-1].Parts, f)
		} else {
			r.whole = f
		}
		r.open = append(r.open, f)
	case xml.EndElement:
		if n > 0 {
			if r.open = r.open[:n-1]; n == 1 {
				r.Done = r.whole
			}
		}
	case xml.CharData:
		if n > 0 && r.open[n-1].IsText() {
			r.open[n-1].Text += string(t)
		}
	}
}

// Add adds text to an element: to itself, or as the value of a property.
func (f *Formula) Add(s string) {
	switch f.Name {
	case "begChr", "endChr", "sepChr", "chr", "degHide", "type":
		f.Attrs["val"] += s
	case "r":
		f.Parts = append(f.Parts, &Formula{Name: "t", Text: s})
	}
}
