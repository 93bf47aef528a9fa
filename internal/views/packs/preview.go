package packs

import (
	"strings"

	"sanad/internal/domain/pack"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// MemoPreview is a part of the memo in both languages as the pack will show it, whether or not it is stored.
type MemoPreview struct {
	ID, Part string
	Columns  []PreviewColumn // in the order of the fields
	Long     bool            // too many blocks for their paragraphs to stand level
}

// PreviewColumn is that part in one language.
type PreviewColumn struct {
	Lang, Dir, Label string
	Blocks           []ui.AnswerBlock
}

// memoPreview lays out the fields by what lays out the memo of a pack.
func memoPreview(c *ui.Chrome, part string, fields []MemoInput, sources int, drafted map[string]bool) *MemoPreview {
	v := &MemoPreview{ID: "pv-" + part, Part: part}
	for _, f := range fields {
		col := PreviewColumn{Lang: f.Lang, Dir: f.Dir, Label: c.T("pk_lang_" + f.Lang)}
		if len(f.Text) <= pack.MaxMemo {
			col.Blocks = c.InColumn(memoBlocks(c, f.Text, sources), f.Dir)
			markUnsourced(c, col.Blocks, drafted)
		}
		v.Long = v.Long || len(col.Blocks) > memoRows
		v.Columns = append(v.Columns, col)
	}
	return v
}

// Chip inserts a reference to a source into the memo.
type Chip struct {
	Insert, Name, Title string
	Top                 bool // the memo must name it
}

// cites reports whether the field names a source, as [E1].
func (f *MemoInput) cites(insert string) bool { return strings.Contains(f.Text, insert) }

// maxChips is how many sources have a chip over each field; all have one in the list of the evidence.
const maxChips = 8

// Chips are the first sources, those that the memo must name before the others.
func (p *EditPage) Chips() (out []Chip) {
	for _, top := range []bool{true, false} {
		for i := range p.Sources {
			if s := &p.Sources[i]; p.Top[s.Ref] == top && len(out) < maxChips {
				out = append(out, p.chip(s))
			}
		}
	}
	return out
}

func (p *EditPage) chip(s *SourceView) Chip {
	title := []string{say.Isolated(s.Name)}
	for _, x := range []string{s.Place, shortened(s.Reference, maxShown)} {
		if x != "" {
			title = append(title, say.Isolated(x))
		}
	}
	return Chip{Insert: "[" + s.Ref + "]", Name: s.Name, Title: strings.Join(title, " · "), Top: p.Top[s.Ref]}
}
