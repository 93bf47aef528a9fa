package importers

import (
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
// table rows (cells separated by " | "), quotes, preformatted text. It fails only on nesting that the parser
// refuses, and with a boundError.
func readHTML(s string) (*page, error) {
	if err := checkTags(s); err != nil {
		return nil, err
	}
	root, err := html.ParseWithOptions(strings.NewReader(s), html.ParseOptionEnableScripting(false))
	if err != nil {
		return nil, err
	}
	w := htmlWalk{page: page{blockList: blockList{blocks: []ledger.Block{}}}, tables: map[*html.Node]int{}}
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
	text   strings.Builder
	level  int // of the open heading, 0 if none
	pre    int // open preformatted elements
	tables map[*html.Node]int
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
	case n.Type == html.ElementNode && n.DataAtom == atom.Tr:
		w.row(n)
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

// row reads a table row as one block; the blocks inside a cell are joined.
func (w *htmlWalk) row(n *html.Node) {
	w.flush()
	r := TableRow{Table: w.tableOf(n), Header: true}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && !hidden(c) {
			w.countCell()
			r.Cells = append(r.Cells, folded(plainText(c)))
			r.Header = r.Header && c.DataAtom == atom.Th
		}
	}
	r.Header = r.Header || n.Parent != nil && n.Parent.DataAtom == atom.Thead
	w.putRow(r)
}

// tableOf returns the number of a row's table, in order of first rows.
func (w *htmlWalk) tableOf(row *html.Node) int {
	n := row
	for n.Parent != nil && n.DataAtom != atom.Table {
		n = n.Parent
	}
	if w.tables[n] == 0 {
		w.tables[n] = len(w.tables) + 1
	}
	return w.tables[n]
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
