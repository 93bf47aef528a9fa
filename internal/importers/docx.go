package importers

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"
)

// Limits of a Word file.
const (
	docxBytes = 64 << 20 // of all unpacked parts together
	docxDepth = 256      // of nested elements
	docxParts = 10_000   // entries of the archive
)

var (
	errDOCXBig  = boundError(fmt.Sprintf("it unpacks to more than %d MiB", docxBytes>>20))
	errDOCXDeep = overBound("its elements nest deeper than %s", docxDepth)
)

// readWord reads the text of a Word file: headings with their level, paragraphs, list items, table rows (cells
// separated by " | "), then its footnotes and endnotes. For tracked changes, deleted text is left out and inserted text
// is included.
func readWord(data []byte, out *blockList) error {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return err
	}
	if len(z.File) > docxParts {
		return overBound("its archive has more than %s parts", docxParts)
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
	w := word{out: out, levels: map[string]int{}}
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
	out    *blockList
	levels map[string]int // heading level by style

	styleID string // the style being read
	text    strings.Builder
	level   int
	item    bool
	shown   int      // open elements whose text belongs to the document
	unseen  int      // open elements whose text does not: deleted text, field codes, fallbacks
	tables  int      // open tables
	table   int      // number of tables begun so far
	header  bool     // the open row names the columns
	cells   []string // of the open row of the outermost table
	cell    []string // paragraphs of the open cell
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
		w.open(t)
	case xml.EndElement:
		w.close(t.Name.Local)
	case xml.CharData:
		if w.shown > 0 && w.unseen == 0 {
			w.text.Write(t)
		}
	}
	return w.out.over
}

func (w *word) open(e xml.StartElement) {
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
	case "outlineLvl":
		if n, err := strconv.Atoi(attribute(e, "val")); err == nil && n >= 0 && n < 6 {
			w.level = n + 1
		}
	case "numPr":
		w.item = true
	case "tbl":
		w.paragraph()
		if w.tables++; w.tables == 1 {
			w.table++
		}
	case "tblHeader":
		on := attribute(e, "val")
		w.header = w.header || w.tables == 1 && on != "0" && on != "false" && on != "off"
	default:
		if unseenWord[name] {
			w.unseen++
		}
	}
}

func (w *word) close(name string) {
	switch name {
	case "t":
		w.shown = max(0, w.shown-1)
	case "p":
		w.paragraph()
	case "tc":
		if w.tables == 1 {
			w.out.countCell()
			w.cells, w.cell = append(w.cells, strings.Join(w.cell, " ")), nil
		}
	case "tr":
		if w.tables == 1 {
			w.row()
		}
	case "tbl":
		w.tables = max(0, w.tables-1)
	default:
		if unseenWord[name] {
			w.unseen = max(0, w.unseen-1)
		}
	}
}

// paragraph ends the open paragraph; in a table, it is added to its cell.
func (w *word) paragraph() {
	s, level, item := folded(w.text.String()), w.level, w.item
	w.text.Reset()
	w.level, w.item = 0, false
	switch {
	case s == "":
	case w.tables > 0:
		w.cell = append(w.cell, s)
	case item && level == 0:
		w.out.put("- "+s, 0, 0)
	default:
		w.out.put(s, level, 0)
	}
}

func (w *word) row() {
	w.out.putRow(TableRow{Table: w.table, Header: w.header, Cells: w.cells})
	w.cells, w.header = nil, false
}

// end ends a part, even if some of its elements were not closed.
func (w *word) end() {
	w.paragraph()
	if len(w.cell) > 0 {
		w.cells = append(w.cells, strings.Join(w.cell, " "))
	}
	w.row()
	w.tables, w.shown, w.unseen, w.cell = 0, 0, 0, nil
}
