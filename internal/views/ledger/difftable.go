package ledger

import (
	"slices"
	"strings"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/views/ui"
)

// How much of a table is shown as evidence: the rows that the passage touches.
const (
	mostDiffRows  = 6
	mostDiffCells = 24
)

// DiffTable is a passage that stands in a table of its source: the rows that it touches, under the table's heads.
type DiffTable struct {
	Heads []string // empty if it has none, or they stand in a part of the document that is not loaded
	Rows  [][]DiffCell
	More  bool // it touches more rows
}

// DiffCell is a cell of such a row.
type DiffCell struct {
	Runs   []DiffRun
	Quoted bool // the passage is this cell, or this cell is what it is about
}

// table lays a side out as rows of a table, if what is compared stands in one of the chunk. quote is the passage
// itself.
func (s *DiffSide) table(c *ui.Chrome, in *ledger.Session, m *ledger.Match, whole string, side *judge.Side,
	pairs []judge.Pair) {
	g := gridOf(in, m.Chunk, whole, side.Core)
	if g == nil {
		return
	}
	d, t := in.Document(m.Chunk.Document), &DiffTable{}
	for _, h := range g.Heads() {
		t.Heads = append(t.Heads, d.Shown(h))
	}
	shown := d.Slicer(whole)
	for i := range g.Rows {
		row := &g.Rows[i]
		if !overlaps(row.Span, side.Core) {
			continue
		}
		if t.More = len(t.Rows) == mostDiffRows; t.More {
			break
		}
		var cells []DiffCell
		for _, cell := range row.Cells[:min(len(row.Cells), mostDiffCells)] {
			cells = append(cells, DiffCell{
				Runs:   withoutBackslashes(diffRuns(c, shown, cell.Span, side.Marks, pairs, "diff_in_answer")),
				Quoted: cell.Span.Len() > 0 && overlaps(cell.Span, m.Quote.Span),
			})
		}
		markCells(cells)
		t.Rows = append(t.Rows, cells)
	}
	if len(t.Rows) == 0 { // its heads
		return
	}
	s.Table, s.Before, s.After = t, "", ""
}

// markCells keeps the marks of a row that tell: where all of its cells are quoted, those with words of the claim.
func markCells(cells []DiffCell) {
	if slices.ContainsFunc(cells, func(c DiffCell) bool { return !c.Quoted && len(c.Runs) > 0 }) {
		return
	}
	for i := range cells {
		cells[i].Quoted = slices.ContainsFunc(cells[i].Runs, func(r DiffRun) bool {
			return r.Kind != "" && r.Kind != judge.MarkDecides
		})
	}
}

// gridOf returns the table of a chunk that a span of it lies in, nil if none.
func gridOf(in *ledger.Session, ref ledger.ChunkRef, whole string, core text.Span) *ledger.Grid {
	grids := ledger.Grids(whole, openBefore(in.Document(ref.Document), ref.Chunk))
	if len(grids) == 0 && strings.HasPrefix(strings.TrimSpace(whole), "|") { // its heads may be in a part that is not loaded
		grids = ledger.Grids(whole, ledger.OpenTable())
	}
	for i := range grids {
		if g := &grids[i]; g.Span.Start <= core.Start && core.End <= g.Span.End {
			return g
		}
	}
	return nil
}

// openBefore is the table that the chunks before one leave open, as far as they are loaded up to there.
func openBefore(d *ledger.Document, chunk int) (open ledger.OpenGrid) {
	if d == nil {
		return open
	}
	next := 0
	for i := range d.Chunks {
		c := &d.Chunks[i]
		if c.Position >= chunk {
			break
		}
		if c.Position != next {
			open = ledger.OpenGrid{}
		}
		open, next = open.After(c.Text), c.Position+1
	}
	if next != chunk {
		return ledger.OpenGrid{}
	}
	return open
}

func overlaps(a, b text.Span) bool { return a.Start < b.End && b.Start < a.End }

// diffRuns cuts a stretch of a side into runs. other is the message that says what stands on the other side.
func diffRuns(c *ui.Chrome, shown text.Slicer, within text.Span, marks []judge.Mark, pairs []judge.Pair, other string,
) (out []DiffRun) {
	slice := func(from, to int) string {
		return shown.Slice(text.Span{
			Start: min(max(from, within.Start), within.End),
			End:   min(max(to, within.Start), within.End),
		})
	}
	plain := func(from, to int) {
		if words := slice(from, to); words != "" { // not only marks of Markdown
			out = append(out, DiffRun{Text: words})
		}
	}
	at := within.Start
	for _, m := range marks {
		if !overlaps(m.Span, within) {
			continue
		}
		if m.Start > at {
			plain(at, m.Start)
		}
		r := DiffRun{Kind: m.Kind, Text: slice(m.Start, m.End)}
		if m.Turn.Len() > 0 && overlaps(m.Turn, within) {
			r.Text, r.Turn, r.Behind = slice(m.Start, m.Turn.Start), slice(m.Turn.Start, m.Turn.End), slice(m.Turn.End, m.End)
		}
		if m.Pair > 0 {
			r.N, r.Title = c.Num(m.Pair), diffTitle(c, m.Kind, pairs[m.Pair-1], other)
		} else if m.Kind == judge.MarkMissing {
			r.Title = c.T("diff_missing")
		}
		out = append(out, r)
		at = m.End
	}
	if at < within.End {
		plain(at, within.End)
	}
	return out
}

// withoutBackslashes leaves out of the words of a cell the backslashes that a table needs before a bar.
func withoutBackslashes(runs []DiffRun) []DiffRun {
	for i := range runs {
		for _, words := range []*string{&runs[i].Text, &runs[i].Turn, &runs[i].Behind} {
			*words = strings.ReplaceAll(*words, `\|`, "|")
		}
	}
	return runs
}
