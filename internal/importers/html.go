package importers

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sanad/internal/domain/ledger"
)

// page is the text of an HTML document.
type page struct {
	title     string
	blockList // in reading order, with spans as if separated by empty lines
}

// readHTML reads the visible text of an HTML page block by block: headings with their level, paragraphs, list items,
// tables (rule F-20), quotes, preformatted text. It fails only on nesting that the parser
// refuses, and with an isolated.Bound.
func readHTML(s string) (*page, error) {
	if err := checkTags(s); err != nil {
		return nil, err
	}
	root, err := html.ParseWithOptions(strings.NewReader(s), html.ParseOptionEnableScripting(false))
	if err != nil {
		return nil, err
	}
	w := htmlWalk{page: page{blockList: blockList{blocks: []ledger.Block{}}}}
	w.walk(root)
	w.flush()
	if w.over != nil {
		return nil, w.over
	}
	return &w.page, nil
}

// htmlWalk collects text until a block ends.
type htmlWalk struct {
	page
	text  strings.Builder
	level int // of the open heading, 0 if none
	pre   int // open preformatted elements
}

// unseen are elements whose text readers don't see as part of the page.
var unseen = map[atom.Atom]bool{
	atom.Script: true, atom.Style: true, atom.Noscript: true, atom.Template: true, atom.Iframe: true, atom.Object: true,
	atom.Svg: true, atom.Math: true, atom.Canvas: true, atom.Select: true, atom.Textarea: true, atom.Button: true,
	atom.Datalist: true,
}

// inline are elements that don't end a block.
var inline = map[atom.Atom]bool{
	atom.A: true, atom.Abbr: true, atom.B: true, atom.Bdi: true, atom.Bdo: true, atom.Big: true, atom.Cite: true,
	atom.Code: true,
	atom.Data: true, atom.Del: true, atom.Dfn: true, atom.Em: true, atom.Font: true, atom.I: true, atom.Ins: true,
	atom.Kbd:   true,
	atom.Label: true, atom.Mark: true, atom.Q: true, atom.S: true, atom.Samp: true, atom.Small: true, atom.Span: true,
	atom.Strike: true, atom.Strong: true, atom.Sub: true, atom.Sup: true, atom.Time: true, atom.Tt: true, atom.U: true,
	atom.Var: true, atom.Wbr: true, atom.Img: true, atom.Input: true, atom.Nobr: true,
}

var headingLevels = map[atom.Atom]int{atom.H1: 1, atom.H2: 2, atom.H3: 3, atom.H4: 4, atom.H5: 5, atom.H6: 6}

func (w *htmlWalk) walk(n *html.Node) {
	switch {
	case n.Type == html.TextNode:
		w.text.WriteString(n.Data)
	case n.Type == html.ElementNode && n.DataAtom == atom.Title:
		if w.title == "" {
			w.title = folded(plainText(n))
		}
	case n.Type == html.ElementNode && (unseen[n.DataAtom] || hidden(n)):
	case n.Type == html.ElementNode && n.DataAtom == atom.Br:
		w.text.WriteByte('\n')
	case n.Type == html.ElementNode && n.DataAtom == atom.Table:
		w.table(n)
	case n.Type == html.ElementNode && !inline[n.DataAtom]:
		w.block(n)
	case n.Type == html.ElementNode || n.Type == html.DocumentNode:
		w.children(n)
	}
}

func (w *htmlWalk) children(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.walk(c)
	}
}

// block reads an element that starts and ends a block.
func (w *htmlWalk) block(n *html.Node) {
	w.flush()
	level := w.level
	if l := headingLevels[n.DataAtom]; l > 0 {
		w.level = l
	}
	if n.DataAtom == atom.Pre {
		w.pre++
	}
	w.children(n)
	w.flush()
	if n.DataAtom == atom.Pre {
		w.pre--
	}
	w.level = level
}

// table reads a table as one block; the blocks inside a cell are joined. A table that only lays out a page is read as if
// it were none.
func (w *htmlWalk) table(n *html.Node) {
	w.flush()
	t := &htmlTable{}
	t.collect(n)
	if t.layout() {
		w.block(n)
		return
	}
	out := fileTable{caption: t.caption}
	for _, tr := range t.rows {
		r := fileRow{heads: true}
		for c := tr.FirstChild; c != nil; c = c.NextSibling {
			if c.Type == html.ElementNode && !hidden(c) {
				r.cells = append(r.cells, fileCell{
					text: folded(plainText(c)), columns: number(c, "colspan", 1), rows: number(c, "rowspan", 1),
				})
				r.heads = r.heads && c.DataAtom == atom.Th
			}
		}
		r.heads = r.heads && len(r.cells) > 0 || tr.Parent != nil && tr.Parent.DataAtom == atom.Thead
		out.rows = append(out.rows, r)
	}
	w.underCaption(&out, false)
	w.putTable(&out, 0)
}

// htmlTable is what a table element has, without the tables in its cells.
type htmlTable struct {
	caption string
	rows    []*html.Node
	columns int  // the most cells of a row
	named   bool // it has a heading cell or a caption
	nested  bool // there is another table in a cell
	long    bool // a cell has more than a short text
}

// collect adds the rows below n.
func (t *htmlTable) collect(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type != html.ElementNode || unseen[c.DataAtom] || hidden(c):
		case c.DataAtom == atom.Caption:
			t.caption, t.named = folded(plainText(c)), true
		case c.DataAtom == atom.Tr:
			t.row(c)
		case c.DataAtom == atom.Thead:
			t.named = true
			t.collect(c)
		case c.DataAtom == atom.Tbody || c.DataAtom == atom.Tfoot:
			t.collect(c)
		}
	}
}

func (t *htmlTable) row(tr *html.Node) {
	columns := 0
	for c := tr.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode || hidden(c) {
			continue
		}
		columns += min(max(number(c, "colspan", 1), 1), mostSpan)
		t.named = t.named || c.DataAtom == atom.Th
		inner, blocks := cellContent(c)
		t.nested = t.nested || inner
		t.long = t.long || blocks > 1 || textLeft(c, 2*repeatedCell) < 0
	}
	t.columns = max(t.columns, columns)
	t.rows = append(t.rows, tr)
}

// layout reports whether a table has no columns of its own to keep.
func (t *htmlTable) layout() bool {
	return t.columns < 2 && t.caption == "" || !t.named && (t.nested || len(t.rows) == 1 && t.long)
}

// cellContent reports whether a cell holds a table, and how many blocks it has.
func cellContent(n *html.Node) (table bool, blocks int) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode {
			continue
		}
		if c.DataAtom == atom.Table {
			return true, blocks + 1
		}
		inner, more := cellContent(c)
		if table, blocks = table || inner, blocks+more; !inline[c.DataAtom] && more == 0 && c.DataAtom != atom.Br {
			blocks++
		}
	}
	return table, blocks
}

// textLeft returns what is left of so many bytes of text after that below n, and stops where nothing is.
func textLeft(n *html.Node, left int) int {
	if n.Type == html.TextNode {
		return left - len(strings.TrimSpace(n.Data))
	}
	for c := n.FirstChild; c != nil && left >= 0; c = c.NextSibling {
		left = textLeft(c, left)
	}
	return left
}

// number reads an attribute that counts something.
func number(n *html.Node, key string, none int) int {
	for _, a := range n.Attr {
		if a.Key == key {
			if v, err := strconv.Atoi(strings.TrimSpace(a.Val)); err == nil && v >= 0 {
				if v == 0 {
					return mostCells // "to the end"
				}
				return v
			}
		}
	}
	return none
}

// plainText returns the visible text below n; elements that are not part of a word are separated by spaces.
func plainText(n *html.Node) string {
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		if n.Type == html.ElementNode && (unseen[n.DataAtom] || hidden(n)) {
			return
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
		if n.Type == html.ElementNode && !inline[n.DataAtom] {
			b.WriteByte(' ')
		}
	}
	walk(n)
	return b.String()
}

// flush ends the current block.
func (w *htmlWalk) flush() {
	s := w.text.String()
	w.text.Reset()
	if w.pre > 0 {
		s = strings.Trim(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	} else {
		s = folded(s)
	}
	if strings.TrimSpace(s) != "" {
		w.put(s, w.level, 0)
	}
}

// folded returns s with each run of white space replaced by a space.
func folded(s string) string { return strings.Join(strings.Fields(s), " ") }

// hidden reports whether an element is hidden by its attribute or its own style.
func hidden(n *html.Node) bool {
	for _, a := range n.Attr {
		switch a.Key {
		case "hidden":
			return true
		case "style":
			style := strings.ToLower(strings.Join(strings.Fields(a.Val), ""))
			if strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden") {
				return true
			}
		}
	}
	return false
}
