package webpage

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sanad/internal/documents/block"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

var (
	tableElements = map[atom.Atom]string{atom.Table: "table", atom.Caption: "caption", atom.Thead: "head",
		atom.Tbody: "body", atom.Tfoot: "body", atom.Tr: "row", atom.Th: "heading", atom.Td: "cell"}
	tableRoles = map[string]string{"table": "table", "grid": "table", "rowgroup": "body", "row": "row",
		"columnheader": "heading", "rowheader": "heading", "cell": "cell", "gridcell": "cell"}
	tableDisplays = map[string]string{"table": "table", "table-caption": "caption", "table-header-group": "head",
		"table-row-group": "body", "table-footer-group": "body", "table-row": "row", "table-cell": "cell"}
)

// table reads a table as one block; the blocks inside a cell are joined. A table that only lays out a page is read as
// if it were none.
func (w *htmlWalk) table(n *html.Node, l look) {
	w.flush()
	t := &htmlTable{w: w, styled: n.DataAtom != atom.Table && attributeOf(n, "role") == ""}
	t.collect(n, l)
	if t.layout() || l.unseen() != "" {
		w.hidden = nil // it is found again
		w.block(n, l)
		return
	}
	out := block.Table{}
	if t.caption != nil {
		out.Caption = w.cellText(t.caption, t.captionLook)
	}
	for _, tr := range t.rows {
		r := block.Row{Heads: true}
		for _, c := range tr.cells {
			r.Cells = append(r.Cells, block.Cell{
				Text: w.cellText(c.n, c.look), Columns: number(c.n, "colspan", 1), Rows: number(c.n, "rowspan", 1),
			})
			r.Heads = r.Heads && c.head
		}
		r.Heads = r.Heads && len(r.Cells) > 0 || tr.n.Parent != nil && tr.n.Parent.DataAtom == atom.Thead
		out.Rows = append(out.Rows, r)
	}
	w.UnderCaption(&out, false)
	w.PutTable(&out, 0)
}

// cellText returns the text of a cell on one line.
func (w *htmlWalk) cellText(n *html.Node, l look) string {
	w.cell++
	w.children(n, l)
	w.cell--
	standing, marked := w.text.Take()
	w.leaveOut(marked)
	return text.OneLine(standing)
}

// leaveOut lists what is struck and hidden in the open block.
func (w *htmlWalk) leaveOut(marked string) {
	for _, h := range w.hidden {
		w.Leave(ledger.Hidden, h.How, h.Text, 0)
	}
	w.hidden = nil
	if marked != "" {
		w.Leave(ledger.Struck, ledger.StruckOut, marked, 0)
	}
}

// htmlTable is what a table element has, without the tables in its cells.
type htmlTable struct {
	w           *htmlWalk
	caption     *html.Node
	captionLook look
	rows        []htmlRow
	columns     int  // the most cells of a row
	named       bool // it has a heading cell or a caption
	nested      bool // there is another table in a cell
	long        bool // a cell has more than a short text
	styled      bool // it is one by the page's styles only
}

type htmlRow struct {
	n     *html.Node
	cells []htmlCell
}

type htmlCell struct {
	n    *html.Node
	look look
	head bool
}

// isTable reports whether an element is a table: by its name, by its role, or by how it is shown.
func isTable(n *html.Node, l look) bool { return tablePartOf(n, l) == "table" }

// tablePartOf returns which part of a table an element is: table, caption, head, body, row, heading or cell; "" if it
// is none.
func tablePartOf(n *html.Node, l look) string {
	if part := tableElements[n.DataAtom]; part != "" {
		return part
	}
	if part := tableRoles[attributeOf(n, "role")]; part != "" {
		return part
	}
	return tableDisplays[l.display]
}

// collect adds the rows below n, which looks as given.
func (t *htmlTable) collect(n *html.Node, in look) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode || unseen[c.DataAtom] {
			continue
		}
		l, ok := t.seen(c, in)
		if !ok {
			continue
		}
		switch tablePartOf(c, l) {
		case "caption":
			t.caption, t.captionLook, t.named = c, l, true
		case "row":
			t.row(c, l)
		case "head":
			t.named = true
			t.collect(c, l)
		case "body":
			t.collect(c, l)
		case "cell", "heading":
		default:
			if t.styled { // what a styled table holds besides would be lost
				t.nested = true
			}
		}
	}
}

// seen returns how a part of the table looks; false if a reader does not see it, which is noted.
func (t *htmlTable) seen(n *html.Node, in look) (look, bool) {
	l, err := t.w.looks.of(n, in)
	if err != nil {
		t.w.Over = err
		return l, false
	}
	if l.hidden == "" || in.hidden != "" {
		return l, true
	}
	if s := plainText(n); strings.TrimSpace(s) != "" {
		t.w.hide(l.hidden, s)
	}
	return l, false
}

func (t *htmlTable) row(tr *html.Node, in look) {
	columns, row := 0, htmlRow{n: tr}
	for c := tr.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode {
			continue
		}
		l, ok := t.seen(c, in)
		if !ok {
			continue
		}
		part := tablePartOf(c, l)
		if t.styled && part != "cell" {
			t.nested = true
		}
		row.cells = append(row.cells, htmlCell{n: c, look: l, head: part == "heading"})
		columns += min(max(number(c, "colspan", 1), 1), block.MostSpan)
		t.named = t.named || part == "heading"
		inner, blocks := cellContent(c)
		t.nested = t.nested || inner
		t.long = t.long || blocks > 1 || textLeft(c, 2*block.RepeatedCell) < 0
	}
	t.columns = max(t.columns, columns)
	t.rows = append(t.rows, row)
}

// layout reports whether a table has no columns of its own to keep.
func (t *htmlTable) layout() bool {
	if t.styled && (t.nested || t.long || len(t.rows) < 2) {
		return true
	}
	return t.columns < 2 && t.caption == nil || !t.named && (t.nested || len(t.rows) == 1 && t.long)
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
		if table, blocks = table || inner, blocks+more; !isInline(c) && more == 0 && c.DataAtom != atom.Br {
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
					return block.MostCells // "to the end"
				}
				return v
			}
		}
	}
	return none
}
