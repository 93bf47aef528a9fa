package importers

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"strconv"
	"strings"

	"sanad/internal/isolated"
	"sanad/internal/words"
)

// Limits of a Word file.
const (
	docxBytes = 64 << 20 // of all unpacked parts together
	docxDepth = 256      // of nested elements
	docxParts = 10_000   // entries of the archive
)

var (
	errDOCXBig  = isolated.Over(words.Msg("bound_unpacked", "N", docxBytes>>20))
	errDOCXDeep = isolated.Over(words.Msg("bound_deep", "N", docxDepth))
)

// readWord reads the text of a Word file: headings with their level, paragraphs, list items, tables
// (rule F-20), then its footnotes and endnotes. For tracked changes, deleted text is left out and inserted text
// is included.
func readWord(data []byte, out *blockList) error {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return err
	}
	if len(z.File) > docxParts {
		return isolated.Over(words.Msg("bound_parts", "N", docxParts))
	}
	parts := map[string]*zip.File{}
	for _, f := range z.File {
		parts[path.Clean(strings.ToLower(f.Name))] = f
	}
	left := int64(docxBytes)
	main, err := relatedParts(parts, "_rels/.rels", &left)
	if err != nil {
		return err
	}
	document := cmp.Or(main["officeDocument"], "word/document.xml")
	if parts[document] == nil || !strings.HasPrefix(document, "word/") {
		return errNotWord
	}
	dir, name := path.Split(document)
	others, err := relatedParts(parts, dir+"_rels/"+name+".rels", &left)
	if err != nil {
		return err
	}
	part := func(kind string) *zip.File { return parts[cmp.Or(others[kind], dir+kind+".xml")] }
	w := word{out: out, levels: map[string]int{}, captions: map[string]bool{}}
	if err := readPart(part("styles"), &left, w.style); err != nil {
		return err
	}
	for _, f := range []*zip.File{parts[document], part("footnotes"), part("endnotes")} {
		if err := readPart(f, &left, w.token); err != nil {
			return err
		}
		w.end()
	}
	return w.out.over
}

// relatedParts reads a part of relationships (ECMA-376, part 2, 9.3): the names of other parts, by the last word of
// their type. Word's editor on the web does not use the usual names. Names that are in no part of the archive are left out.
func relatedParts(parts map[string]*zip.File, name string, left *int64) (map[string]string, error) {
	found := map[string]string{}
	dir := path.Dir(path.Dir(name))
	err := readPart(parts[name], left, func(t xml.Token) error {
		e, ok := t.(xml.StartElement)
		if !ok || e.Name.Local != "Relationship" {
			return nil
		}
		target, kind := strings.ToLower(attribute(e, "Target")), path.Base(attribute(e, "Type"))
		if !strings.HasPrefix(target, "/") {
			target = dir + "/" + target
		}
		target = strings.TrimPrefix(path.Clean(target), "/")
		if parts[target] != nil && found[kind] == "" {
			found[kind] = target
		}
		return nil
	})
	return found, err
}

// readPart passes the tokens of a part to take, and subtracts what it unpacked from left. It counts the unpacked bytes
// itself, as the sizes stated in the archive can't be trusted.
func readPart(f *zip.File, left *int64, take func(xml.Token) error) error {
	if f == nil {
		return nil
	}
	r, err := f.Open()
	if err != nil {
		return err
	}
	defer r.Close() //nolint:errcheck // only read
	limited := &io.LimitedReader{R: r, N: *left + 1}
	counted := newTagReader(limited)
	d := xml.NewDecoder(counted)
	depth := 0
	for {
		t, err := d.RawToken()
		if limited.N <= 0 {
			return errDOCXBig
		}
		if errors.Is(err, io.EOF) {
			*left = limited.N - 1
			return nil
		}
		if err != nil {
			return err
		}
		_, text := t.(xml.CharData)
		counted.next(text)
		switch t.(type) {
		case xml.StartElement:
			if depth++; depth > docxDepth {
				return errDOCXDeep
			}
		case xml.EndElement:
			depth--
		}
		if err := take(t); err != nil {
			return err
		}
	}
}

// word processes the elements of a Word document. Names are compared without their namespace, since the older and the
// strict format have different ones.
type word struct {
	out      *blockList
	levels   map[string]int  // heading level by style
	captions map[string]bool // the styles of captions

	styleID string // the style being read
	text    strings.Builder
	level   int
	item    bool
	shown   int // open elements whose text belongs to the document
	unseen  int // open elements whose text does not: deleted text, field codes, fallbacks
	open    []*wordTable
	caption bool // the open paragraph's style is that of captions
	named   bool // that of the last block was
}

// wordTable is a table that is being read.
type wordTable struct {
	rows   []wordRow
	nested bool
}

type wordRow struct {
	heads bool // it names the columns
	skip  int  // columns before the first cell
	cells []wordCell
}

type wordCell struct {
	columns    int
	above      bool // it is a part of the cell above
	paragraphs []wordParagraph
}

// wordParagraph is a paragraph or a table of a cell.
type wordParagraph struct {
	text    string
	level   int
	item    bool
	caption bool
	table   *wordTable
}

// unseenWord are elements whose text readers don't see, or would see twice.
var unseenWord = map[string]bool{"del": true, "moveFrom": true, "instrText": true, "delText": true, "Fallback": true,
	"rPrChange": true, "pPrChange": true}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// style records the styles that are headings, by their outline level or their name.
func (w *word) style(t xml.Token) error {
	e, ok := t.(xml.StartElement)
	if !ok {
		return nil
	}
	switch e.Name.Local {
	case "style":
		w.styleID = attribute(e, "styleId")
	case "name":
		if level := headingName(attribute(e, "val")); level > 0 && w.levels[w.styleID] == 0 {
			w.levels[w.styleID] = level
		}
		if strings.EqualFold(attribute(e, "val"), "caption") {
			w.captions[w.styleID] = true
		}
	case "outlineLvl":
		if n, err := strconv.Atoi(attribute(e, "val")); err == nil && n >= 0 && n < 6 && w.styleID != "" {
			w.levels[w.styleID] = n + 1
		}
	}
	return nil
}

// headingName returns the level of a style called "Title" or "Heading 1" to "Heading 6", 0 for any other name.
func headingName(name string) int {
	name = strings.ToLower(strings.TrimSpace(name))
	if name == "title" {
		return 1
	}
	rest, ok := strings.CutPrefix(name, "heading")
	if n, err := strconv.Atoi(strings.TrimSpace(rest)); ok && err == nil && n >= 1 && n <= 6 {
		return n
	}
	return 0
}

func (w *word) token(t xml.Token) error {
	switch t := t.(type) {
	case xml.StartElement:
		w.start(t)
	case xml.EndElement:
		w.close(t.Name.Local)
	case xml.CharData:
		if w.shown > 0 && w.unseen == 0 {
			w.text.Write(t)
		}
	}
	return w.out.over
}

func (w *word) start(e xml.StartElement) {
	switch name := e.Name.Local; name {
	case "t":
		w.shown++
	case "tab":
		w.text.WriteByte(' ')
	case "br", "cr":
		w.text.WriteByte(' ')
	case "noBreakHyphen":
		w.text.WriteByte('-')
	case "pStyle":
		id := attribute(e, "val")
		if w.level = w.levels[id]; w.level == 0 {
			w.level = headingName(id)
		}
		w.caption = w.captions[id] || strings.EqualFold(id, "caption")
	case "outlineLvl":
		if n, err := strconv.Atoi(attribute(e, "val")); err == nil && n >= 0 && n < 6 {
			w.level = n + 1
		}
	case "numPr":
		w.item = true
	default:
		if !w.openTable(e) && unseenWord[name] {
			w.unseen++
		}
	}
}

// openTable begins a part of a table, and reports whether the element is one.
func (w *word) openTable(e xml.StartElement) bool {
	if e.Name.Local == "tbl" {
		w.paragraph()
		w.open = append(w.open, &wordTable{})
		return true
	}
	if len(w.open) == 0 {
		return false
	}
	t := w.open[len(w.open)-1]
	switch e.Name.Local {
	case "tr":
		t.rows = append(t.rows, wordRow{})
	case "tc":
		w.paragraph()
		w.out.countCell()
		r := t.row()
		r.cells = append(r.cells, wordCell{})
	case "tblHeader":
		on := attribute(e, "val")
		t.row().heads = on != "0" && on != "false" && on != "off"
	case "gridBefore":
		t.row().skip = count(e)
	case "gridSpan":
		t.cell().columns = count(e)
	case "vMerge":
		t.cell().above = attribute(e, "val") != "restart"
	default:
		return false
	}
	return true
}

func count(e xml.StartElement) int {
	n, err := strconv.Atoi(attribute(e, "val"))
	if err != nil {
		return 0
	}
	return min(max(n, 0), mostSpan)
}

// row is the open row of the table, cell its open cell.
func (t *wordTable) row() *wordRow {
	if len(t.rows) == 0 {
		t.rows = append(t.rows, wordRow{})
	}
	return &t.rows[len(t.rows)-1]
}

func (t *wordTable) cell() *wordCell {
	r := t.row()
	if len(r.cells) == 0 {
		r.cells = append(r.cells, wordCell{})
	}
	return &r.cells[len(r.cells)-1]
}

func (w *word) close(name string) {
	switch name {
	case "t":
		w.shown = max(0, w.shown-1)
	case "p":
		w.paragraph()
	case "tbl":
		w.closeTable()
	default:
		if unseenWord[name] {
			w.unseen = max(0, w.unseen-1)
		}
	}
}

// paragraph ends the open paragraph; in a table, it is added to its cell.
func (w *word) paragraph() {
	p := wordParagraph{text: folded(w.text.String()), level: w.level, item: w.item, caption: w.caption}
	w.text.Reset()
	w.level, w.item, w.caption = 0, false, false
	if p.text != "" {
		w.add(p)
	}
}

// add adds a paragraph or table to the open cell, or to the text.
func (w *word) add(p wordParagraph) {
	if n := len(w.open); n > 0 {
		if p.table != nil {
			w.open[n-1].nested = true
		}
		c := w.open[n-1].cell()
		c.paragraphs = append(c.paragraphs, p)
		return
	}
	w.put(p)
}

// put adds a paragraph or table to the text.
func (w *word) put(p wordParagraph) {
	switch {
	case p.table != nil:
		w.putTable(p.table)
	case p.item && p.level == 0:
		w.out.put("- "+p.text, 0, 0)
	default:
		w.out.put(p.text, p.level, 0)
	}
	w.named = p.caption
}

// closeTable ends the innermost table.
func (w *word) closeTable() {
	w.paragraph()
	n := len(w.open)
	if n == 0 {
		return
	}
	t := w.open[n-1]
	w.open = w.open[:n-1]
	w.add(wordParagraph{table: t})
}

// putTable adds a table to the text. What only lays out a page becomes paragraphs.
func (w *word) putTable(t *wordTable) {
	if t.layout() {
		for i := range t.rows {
			for _, c := range t.rows[i].cells {
				for _, p := range c.paragraphs {
					w.put(p)
				}
			}
		}
		return
	}
	out := fileTable{}
	for _, r := range t.rows {
		row := fileRow{heads: r.heads}
		for range r.skip {
			row.cells = append(row.cells, fileCell{})
		}
		for _, c := range r.cells {
			row.cells = append(row.cells, fileCell{text: c.words(), columns: c.columns, above: c.above})
		}
		out.rows = append(out.rows, row)
	}
	w.out.underCaption(&out, w.named)
	w.out.putTable(&out, 0)
}

// layout reports whether a table has no columns to keep: it has one, or one row of more than short texts, or nothing but
// other tables and what stands beside them.
func (t *wordTable) layout() bool {
	columns, long, heads := 0, false, false
	for _, r := range t.rows {
		n := 0
		for _, c := range r.cells {
			n += max(c.columns, 1)
			long = long || len(c.paragraphs) > 1 || len(c.paragraphs) == 1 && len(c.paragraphs[0].text) > 2*repeatedCell
		}
		columns, heads = max(columns, n), heads || r.heads
	}
	return columns < 2 || len(t.rows) == 1 && !heads && (long || t.nested)
}

// words joins what is in a cell.
func (c *wordCell) words() string {
	var parts []string
	for _, p := range c.paragraphs {
		if p.table == nil {
			parts = append(parts, p.text)
			continue
		}
		for _, r := range p.table.rows {
			for i := range r.cells {
				if s := r.cells[i].words(); s != "" {
					parts = append(parts, s)
				}
			}
		}
	}
	return strings.Join(parts, " ")
}

// end ends a part, even if some of its elements were not closed.
func (w *word) end() {
	w.paragraph()
	for len(w.open) > 0 {
		w.closeTable()
	}
	w.shown, w.unseen, w.named = 0, 0, false
}
