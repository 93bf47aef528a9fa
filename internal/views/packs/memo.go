package packs

import (
	"strconv"

	"sanad/internal/domain/pack"
	"sanad/internal/views/ui"
	"sanad/internal/words"
)

// MemoView is the memo in both languages, the reader's first.
type MemoView struct {
	Columns []MemoColumn
	Long    bool // too many blocks for their paragraphs to stand level
}

// MemoColumn is the memo in one language.
type MemoColumn struct {
	Lang, Dir, Label string
	Title            string
	Summary, Body    []ui.AnswerBlock
	Pad              []struct{} // rows that keep the bodies level where this summary has fewer blocks
	SummaryLabel     string     // in the column's own language
	BodyLabel        string
}

// memoRows is how many blocks are aligned with those of the other language; see .memo in the style sheet.
const memoRows = 100

func memoView(c *ui.Chrome, k *pack.Content) MemoView {
	m := &k.Memo
	en := newMemoColumn(c, "en", "ltr", m.TitleEN, m.ExecutiveSummaryEN, m.BodyEN, len(k.Sources))
	ar := newMemoColumn(c, "ar", "rtl", m.TitleAR, m.ExecutiveSummaryAR, m.BodyAR, len(k.Sources))
	v := MemoView{Columns: []MemoColumn{en, ar}}
	if c.Lang == "ar" {
		v.Columns = []MemoColumn{ar, en}
	}
	most := max(len(en.Summary), len(ar.Summary))
	for i := range v.Columns {
		col := &v.Columns[i]
		col.Pad = make([]struct{}, most-len(col.Summary))
		v.Long = v.Long || most+len(col.Body) > memoRows
	}
	return v
}

func newMemoColumn(c *ui.Chrome, lang, dir, title, summary, body string, sources int) MemoColumn {
	return MemoColumn{
		Lang: lang, Dir: dir, Label: c.T("pk_lang_" + lang), Title: title,
		Summary:      c.InColumn(memoBlocks(c, summary, sources), dir),
		Body:         c.InColumn(memoBlocks(c, body, sources), dir),
		SummaryLabel: words.In(lang).Text("pk_memo_executive_summary"), BodyLabel: words.In(lang).Text("pk_memo_body"),
	}
}

// wordsOf returns "12 of 120 words".
func wordsOf(c *ui.Chrome, n, most int) string {
	return c.T("pk_words_of", "N", c.Num(n), "Most", c.Num(most))
}

// memoBlocks lays out a memo's Markdown with its references as links to the evidence.
func memoBlocks(c *ui.Chrome, markdown string, sources int) []ui.AnswerBlock {
	var anchors []ui.AnchorPlace
	for _, r := range pack.References(markdown) {
		cite := &ui.AnswerCite{Label: pack.Reference(r.Position), Href: "#e" + strconv.Itoa(r.Position+1),
			Title: c.T("pk_see_evidence", "Ref", pack.Reference(r.Position)), Lang: c.Lang}
		if r.Position >= sources {
			*cite = ui.AnswerCite{Label: pack.Reference(r.Position), Title: c.T("pk_no_evidence"), Lang: c.Lang,
				Broken: true}
		}
		anchors = append(anchors, ui.AnchorPlace{Start: r.Start, End: r.End, Cite: cite})
	}
	return ui.CitedBlocks(markdown, anchors)
}
