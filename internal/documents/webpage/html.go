// Package webpage reads HTML and Markdown as their readers see them, with the styles that hide and strike out.
package webpage

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sanad/internal/documents/block"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// ReadHTML reads a page in UTF-8.
func ReadHTML(data []byte, out *block.Page) error {
	p, err := Parse(string(data))
	if err == nil {
		*out = *p
	}
	return err
}

// Parse reads the text of an HTML page as its reader sees it, block by block: headings with their level, paragraphs,
// list items, tables (rule F-20), quotes, preformatted text. What the page's own styles hide, and what is struck out,
// is left out and listed (rule L-38). It fails only on nesting that the parser refuses, and with an isolated.Bound.
func Parse(s string) (*block.Page, error) {
	if err := block.CheckTags(s); err != nil {
		return nil, err
	}
	root, err := html.ParseWithOptions(strings.NewReader(s), html.ParseOptionEnableScripting(false))
	if err != nil {
		return nil, err
	}
	w := htmlWalk{Page: block.Page{List: block.List{Blocks: []ledger.Block{}}}, looks: newLooks(root)}
	w.walk(root, pageLook(w.looks.external))
	w.flush()
	if w.Over != nil {
		return nil, w.Over
	}
	return &w.Page, nil
}

// htmlWalk collects text until a block ends.
type htmlWalk struct {
	block.Page
	looks  *looks
	text   block.ShownText
	hidden []block.HiddenRun // of the open block
	level  int               // of the open heading, 0 if none
	named  int               // open headings and summaries
	pre    int               // open preformatted elements
	cell   int               // open cells of tables: blocks in them are joined
}

// unseen are elements whose text readers don't see as part of the page.
var unseen = map[atom.Atom]bool{
	atom.Script: true, atom.Style: true, atom.Noscript: true, atom.Template: true, atom.Iframe: true, atom.Object: true,
	atom.Svg: true, atom.Canvas: true, atom.Select: true, atom.Textarea: true, atom.Button: true,
	atom.Datalist: true, atom.Rt: true, atom.Rp: true,
	atom.Meter: true, atom.Progress: true,
}

// inline are elements that don't end a block.
var inline = map[atom.Atom]bool{
	atom.A: true, atom.Abbr: true, atom.B: true, atom.Bdi: true, atom.Bdo: true, atom.Big: true, atom.Cite: true,
	atom.Code: true,
	atom.Data: true, atom.Del: true, atom.Dfn: true, atom.Em: true, atom.Font: true, atom.I: true, atom.Ins: true,
	atom.Kbd:   true,
	atom.Label: true, atom.Mark: true, atom.Q: true, atom.S: true, atom.Samp: true, atom.Small: true, atom.Span: true,
	atom.Strike: true, atom.Strong: true, atom.Sub: true, atom.Sup: true, atom.Time: true, atom.Tt: true, atom.U: true,
	atom.Var: true, atom.Wbr: true, atom.Img: true, atom.Input: true, atom.Nobr: true, atom.Acronym: true,
	atom.Ruby: true, atom.Rb: true, atom.Output: true, atom.Picture: true,
}

var headingLevels = map[atom.Atom]int{atom.H1: 1, atom.H2: 2, atom.H3: 3, atom.H4: 4, atom.H5: 5, atom.H6: 6}

func (w *htmlWalk) walk(n *html.Node, in look) {
	switch n.Type {
	case html.TextNode:
		w.write(n.Data, &in)
	case html.CommentNode:
		w.comment(n.Data)
	case html.ElementNode:
		l, err := w.looks.of(n, in)
		if err != nil {
			w.Over = err
			return
		}
		w.element(n, l)
	case html.DocumentNode:
		w.children(n, in)
	}
}

// element reads an element that looks as given.
func (w *htmlWalk) element(n *html.Node, l look) {
	switch {
	case n.DataAtom == atom.Title && n.Namespace == "":
		if w.Title == "" {
			w.Title = text.OneLine(plainText(n))
		}
	case n.Data == "math":
		if l.unseen() == "" {
			w.text.WriteFormula(mathOf(n).Line())
		}
	case n.DataAtom == atom.Script && strings.HasPrefix(attributeOf(n, "type"), "math/tex"):
		w.write(plainScript(n), &l)
	case isUnread(n) && !(n.DataAtom == atom.Button && w.isNamed(n)):
	case n.DataAtom == atom.Br:
		w.write("\n", &l)
	case isTable(n, l) && w.cell == 0:
		w.table(n, l)
	case n.DataAtom == atom.Sup || n.DataAtom == atom.Sub || isInline(n) && l.level != 0:
		w.raised(n, l)
	case n.DataAtom == atom.Q:
		w.write("“", &l)
		w.children(n, l)
		w.write("”", &l)
	case isInline(n) && l.apart:
		w.text.Write(" ")
		w.children(n, l)
		w.text.Write(" ")
	case n.DataAtom == atom.Button && w.named > 0, isInline(n):
		w.children(n, l)
	case l.hidden != "":
		w.flush()
		w.children(n, l)
		w.flush()
	default:
		w.block(n, l)
	}
}

// isInline reports whether an element doesn't end a block. Names with a colon are those of an office's own elements.
func isInline(n *html.Node) bool {
	return inline[n.DataAtom] || n.DataAtom == 0 && n.Namespace == "" && strings.Contains(n.Data, ":")
}

// isNamed reports whether a button names a part of the page.
func (w *htmlWalk) isNamed(n *html.Node) bool {
	return n.DataAtom == atom.Button &&
		(w.named > 0 || opens(n) || hasAttribute(n, "aria-expanded") || togglesNext(n))
}

// plainScript returns the source of a script.
func plainScript(n *html.Node) string {
	if n.FirstChild == nil {
		return ""
	}
	return n.FirstChild.Data
}

// isUnread reports whether readers don't see an element's text as part of the page. A formula for the eyes stands
// beside the same one for programs, which is read.
func isUnread(n *html.Node) bool {
	if unseen[n.DataAtom] {
		return true
	}
	if attributeOf(n, "aria-hidden") != "true" {
		return false
	}
	before := n.PrevSibling
	return before != nil && before.Type == html.ElementNode && holdsMath(before)
}

func holdsMath(n *html.Node) bool {
	for range 4 { // KaTeX and MathJax wrap it
		if n == nil || n.Type != html.ElementNode {
			return false
		}
		if n.Data == "math" {
			return true
		}
		n = n.FirstChild
	}
	return false
}

// write adds text that looks as given.
func (w *htmlWalk) write(s string, l *look) {
	if how := l.unseen(); how != "" {
		if strings.TrimSpace(s) != "" {
			w.hide(how, s)
		}
		return
	}
	if !l.isStruck() || strings.TrimSpace(s) == "" {
		w.text.Write(s)
		return
	}
	w.text.Between(block.StruckSign, block.StandingSign, s)
}

// hide notes text that is not seen.
func (w *htmlWalk) hide(how ledger.LeftOutHow, s string) {
	if n := len(w.hidden); n > 0 && w.hidden[n-1].How == how {
		w.hidden[n-1].Text += " " + s
		return
	}
	w.hidden = append(w.hidden, block.HiddenRun{How: how, Text: s})
}

// leastComment is how many words a comment of the source has that says something: most name a place in the page.
const leastComment = 4

// comment notes a comment of the source if it says something.
func (w *htmlWalk) comment(s string) {
	if len(strings.Fields(s)) >= leastComment && !strings.ContainsAny(s, "<>{}[]=") {
		w.hide(ledger.InComment, s)
	}
}

// raised reads raised or lowered text. What leads to another place of the page is the mark of a note.
func (w *htmlWalk) raised(n *html.Node, l look) {
	if l.unseen() != "" {
		w.children(n, l)
		return
	}
	sign := block.RaisedSign
	switch {
	case n.DataAtom == atom.Sub || l.level == block.LoweredSign:
		sign = block.LoweredSign
	case leadsToNote(n):
		sign = block.MarkSign
	}
	l.level = 0
	w.text.Sign(sign)
	w.children(n, l)
	w.text.Sign(block.LevelSign)
}

// leadsToNote reports whether a raised element is the mark of a note, by a link or by how it is called.
func leadsToNote(n *html.Node) bool {
	called := attributeOf(n, "class") + " " + attributeOf(n, "id") + " " + attributeOf(n, "role")
	if n.DataAtom == atom.A {
		called += attributeOf(n, "href")
		if strings.HasPrefix(attributeOf(n, "href"), "#") {
			return true
		}
	}
	for _, word := range []string{"footnote", "reference", "fnref", "noteref", "cite"} {
		if strings.Contains(strings.ToLower(called), word) {
			return true
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && leadsToNote(c) {
			return true
		}
	}
	return n.Parent != nil && n.Parent.DataAtom == atom.A && n.DataAtom == atom.Sup &&
		strings.HasPrefix(attributeOf(n.Parent, "href"), "#")
}

// mathOf returns a formula of MathML.
func mathOf(n *html.Node) *block.Formula {
	f := &block.Formula{Name: strings.ToLower(n.Data), Attrs: map[string]string{}}
	for _, a := range n.Attr {
		f.Attrs[a.Key] = a.Val
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == html.TextNode && f.IsText():
			f.Text += text.OneLine(c.Data)
		case c.Type == html.ElementNode:
			f.Parts = append(f.Parts, mathOf(c))
		}
	}
	return f
}

func (w *htmlWalk) children(n *html.Node, l look) {
	for c := n.FirstChild; c != nil && w.Over == nil; c = c.NextSibling {
		w.walk(c, l)
	}
}

// block reads an element that starts and ends a block.
func (w *htmlWalk) block(n *html.Node, l look) {
	w.flush()
	level := w.level
	heading := headingLevels[n.DataAtom]
	if n.DataAtom != atom.Summary && heading == 0 && attributeOf(n, "role") == "heading" {
		heading = min(max(number(n, "aria-level", 2), 1), 6)
	}
	if heading > 0 {
		w.level = heading
	}
	if heading > 0 || n.DataAtom == atom.Summary {
		w.named++
		defer func() { w.named-- }()
	}
	if n.DataAtom == atom.Pre {
		w.pre++
	}
	w.children(n, l)
	w.flush()
	if n.DataAtom == atom.Pre {
		w.pre--
	}
	w.level = level
}

// plainText returns the text below n; elements that are not part of a word are separated by spaces.
func plainText(n *html.Node) string {
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		if n.Type == html.ElementNode && unseen[n.DataAtom] {
			return
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
		if n.Type == html.ElementNode && !isInline(n) {
			b.WriteByte(' ')
		}
	}
	walk(n)
	return b.String()
}

// flush ends the current block. In a cell it only parts words.
func (w *htmlWalk) flush() {
	if w.cell > 0 {
		w.text.Write(" ")
		return
	}
	s, marked := w.text.Take()
	w.leaveOut(marked)
	if w.pre > 0 {
		s = strings.Trim(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	} else {
		s = text.OneLine(s)
	}
	if strings.TrimSpace(s) != "" {
		w.Put(s, w.level, 0)
	}
}
