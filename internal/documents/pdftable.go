package documents

import (
	"strings"
	"unicode"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/pdftext"
)

// putPage adds the paragraphs of a page of a PDF, and its tables.
func putPage(l *blockList, paragraphs []pdftext.Paragraph, page int) {
	begun := false // whether the page's text has begun
	struck := make([][]string, len(paragraphs))
	for i := range paragraphs {
		struck[i] = standing(&paragraphs[i])
	}
	leave := func(i int) {
		for _, s := range struck[i] {
			l.leave(ledger.Struck, ledger.StruckOut, s, page)
		}
	}
	for i := 0; i < len(paragraphs); {
		n := 0
		for paragraphs[i].Table > 0 && i+n < len(paragraphs) && paragraphs[i+n].Table == paragraphs[i].Table {
			n++
		}
		if t := pdfTable(paragraphs[i : i+n]); t != nil {
			if begun || !continues(l, t, page) {
				l.underCaption(t, false)
				l.putTable(t, page)
			}
			begun = true
			for end := i + n; i < end; i++ {
				leave(i)
			}
			continue
		}
		for end := i + max(n, 1); i < end; i++ {
			l.kind = pdfPartKinds[paragraphs[i].Part]
			leave(i)
			if paragraphs[i].Text != "" {
				l.put(paragraphs[i].Text, paragraphs[i].Level, page)
			}
			l.kind = ledger.Body
			begun = begun || paragraphs[i].Part == pdftext.Body
		}
	}
}

// standing leaves what stands in the texts of a paragraph, and returns those that are struck out, with their marks.
func standing(p *pdftext.Paragraph) (struck []string) {
	take := func(s *string) {
		t := shownText{}
		t.b.WriteString(*s)
		stands, marked := t.take()
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
func continues(l *blockList, t *fileTable, page int) bool {
	n := len(l.blocks)
	if n == 0 || l.blocks[n-1].Page != page-1 {
		return false
	}
	before := ledger.Grids(l.blocks[n-1].Text, ledger.OpenGrid{})
	rows := l.grid(t)
	if len(before) != 1 || len(before[0].Head) == 0 || l.over != nil || headRows(rows) > 0 {
		return false
	}
	columns := len(before[0].Head)
	lines := make([]string, len(rows))
	for i, r := range rows {
		if len(r.cells) > columns {
			return false
		}
		lines[i] = ledger.WriteRow(r.cells, columns)
	}
	l.runes-- // it goes on without an empty line
	l.put(strings.Join(lines, "\n"), 0, page)
	return true
}

// pdfTable returns the table that paragraphs are rows of, nil if they only look like one: a form, a list of names and
// values, a table of contents. Two columns make a table if the second has bare figures under a head, three or more
// always.
func pdfTable(rows []pdftext.Paragraph) *fileTable {
	if len(rows) < 2 {
		return nil
	}
	t := &fileTable{}
	columns, labels := 0, 0
	plain := make([]gridRow, len(rows))
	for i := range rows {
		var r fileRow
		n := 0
		for _, c := range rows[i].Cells {
			r.cells = append(r.cells, fileCell{text: c.Text, columns: c.Columns})
			plain[i].cells = append(plain[i].cells, c.Text)
			n += c.Columns
			if s := strings.TrimSpace(c.Text); strings.HasSuffix(s, ":") || strings.HasSuffix(s, "：") {
				labels++
			}
			if strings.Contains(c.Text, "....") || strings.Contains(c.Text, ". . .") || strings.Contains(c.Text, "…") {
				return nil
			}
		}
		columns = max(columns, n)
		t.rows = append(t.rows, r)
	}
	if labels >= len(rows) || columns < 2 || columns == 2 && (len(rows) < 3 || !nameFigures(plain) || !bareFigures(plain)) {
		return nil
	}
	return t
}

// bareFigures reports whether the second cells of all rows below the first are numbers without a word.
func bareFigures(rows []gridRow) bool {
	for _, r := range rows[1:] {
		if len(r.cells) > 1 && strings.ContainsFunc(r.cells[1], unicode.IsLetter) {
			return false
		}
	}
	return true
}
