package documents

import (
	"strings"
	"unicode"

	"sanad/internal/documents/block"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/pdftext"
)

// putPage adds the paragraphs of a page of a PDF, and its tables.
func putPage(l *block.List, paragraphs []pdftext.Paragraph, page int) {
	begun := false // whether the page's text has begun
	struck := make([][]string, len(paragraphs))
	for i := range paragraphs {
		struck[i] = standing(&paragraphs[i])
	}
	leave := func(i int) {
		for _, s := range struck[i] {
			l.Leave(ledger.Struck, ledger.StruckOut, s, page)
		}
	}
	for i := 0; i < len(paragraphs); {
		n := 0
		for paragraphs[i].Table > 0 && i+n < len(paragraphs) && paragraphs[i+n].Table == paragraphs[i].Table {
			n++
		}
		if t := pdfTable(paragraphs[i : i+n]); t != nil {
			if begun || !continues(l, t, page) {
				l.UnderCaption(t, false)
				l.PutTable(t, page)
			}
			begun = true
			for end := i + n; i < end; i++ {
				leave(i)
			}
			continue
		}
		for end := i + max(n, 1); i < end; i++ {
			l.Kind = pdfPartKinds[paragraphs[i].Part]
			leave(i)
			if paragraphs[i].Text != "" {
				l.Put(paragraphs[i].Text, paragraphs[i].Level, page)
			}
			l.Kind = ledger.Body
			begun = begun || paragraphs[i].Part == pdftext.Body
		}
	}
}

// standing leaves what stands in the texts of a paragraph, and returns those that are struck out, with their marks.
func standing(p *pdftext.Paragraph) (struck []string) {
	take := func(s *string) {
		t := block.ShownText{}
		t.B.WriteString(*s)
		stands, marked := t.Take()
		if *s = text.OneLine(stands); marked != "" {
			struck = append(struck, text.OneLine(marked))
		}
	}
	take(&p.Text)
	if len(p.Cells) > 0 {
		struck = nil // they are said cell by cell
	}
	for i := range p.Cells {
		take(&p.Cells[i].Text)
	}
	return struck
}

// continues adds the rows of a table without heads at the top of a page to the table at the end of the page before, if
// it has as many columns, and reports whether it did.
func continues(l *block.List, t *block.Table, page int) bool {
	n := len(l.Blocks)
	if n == 0 || l.Blocks[n-1].Page != page-1 {
		return false
	}
	before := ledger.Grids(l.Blocks[n-1].Text, ledger.OpenGrid{})
	if len(before) != 1 || len(before[0].Head) == 0 {
		return false
	}
	rows := l.Grid(t)
	if l.Over != nil || block.HeadRows(rows) > 0 {
		return false
	}
	columns := len(before[0].Head)
	lines := make([]string, len(rows))
	for i, r := range rows {
		if len(r.Cells) > columns {
			return false
		}
		lines[i] = ledger.WriteRow(r.Cells, columns)
	}
	l.Runes-- // it goes on without an empty line
	l.Put(strings.Join(lines, "\n"), 0, page)
	return true
}

// pdfTable returns the table that paragraphs are rows of, nil if they only look like one: a form, a list of names and
// values, a table of contents. Two columns make a table if the second has bare figures under a head, three or more
// always.
func pdfTable(rows []pdftext.Paragraph) *block.Table {
	if len(rows) < 2 {
		return nil
	}
	t := &block.Table{}
	columns, labels := 0, 0
	plain := make([]block.GridRow, len(rows))
	for i := range rows {
		var r block.Row
		n := 0
		for _, c := range rows[i].Cells {
			r.Cells = append(r.Cells, block.Cell{Text: c.Text, Columns: c.Columns})
			plain[i].Cells = append(plain[i].Cells, c.Text)
			n += c.Columns
			if s := strings.TrimSpace(c.Text); strings.HasSuffix(s, ":") || strings.HasSuffix(s, "：") {
				labels++
			}
			if strings.Contains(c.Text, "....") || strings.Contains(c.Text, ". . .") || strings.Contains(c.Text, "…") {
				return nil
			}
		}
		columns = max(columns, n)
		t.Rows = append(t.Rows, r)
	}
	if labels >= len(rows) || columns < 2 ||
		columns == 2 && (len(rows) < 3 || !block.NameFigures(plain) || !bareFigures(plain)) {
		return nil
	}
	return t
}

// bareFigures reports whether the second cells of all rows below the first are numbers without a word.
func bareFigures(rows []block.GridRow) bool {
	for _, r := range rows[1:] {
		if len(r.Cells) > 1 && strings.ContainsFunc(r.Cells[1], unicode.IsLetter) {
			return false
		}
	}
	return true
}
