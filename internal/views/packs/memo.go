package packs

import (
	"slices"
	"strconv"
	"strings"

	"sanad/internal/domain/pack"
	"sanad/internal/domain/text"
	"sanad/internal/views/ui"
	"sanad/internal/words"
)

// MemoView is the memo in both languages, the reader's first.
type MemoView struct {
	Columns   []MemoColumn
	Unsourced bool // a sentence has the mark of those that name no source
	Long      bool // too many blocks for their paragraphs to stand level
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
	m, drafted := &k.Memo, draftedSentences(c, k)
	en := newMemoColumn(c, "en", "ltr", m.TitleEN, m.ExecutiveSummaryEN, m.BodyEN, len(k.Sources))
	ar := newMemoColumn(c, "ar", "rtl", m.TitleAR, m.ExecutiveSummaryAR, m.BodyAR, len(k.Sources))
	v := MemoView{Columns: []MemoColumn{en, ar}}
	for i := range v.Columns {
		for _, blocks := range [][]ui.AnswerBlock{v.Columns[i].Summary, v.Columns[i].Body} {
			v.Unsourced = markUnsourced(c, blocks, drafted) || v.Unsourced
		}
	}
	if c.Lang == "ar" {
		slices.Reverse(v.Columns)
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

// markedSources is the most sources and tool calls of a pack whose page marks sentences: to know which are the program's
// own, it drafts the memo again, which takes longer with each. The PDF marks them however many there are.
const markedSources = 200

// draftedSentences are the sentences of the memo that the program drafts of the pack; nil where none is to be marked.
func draftedSentences(c *ui.Chrome, k *pack.Content) map[string]bool {
	if len(k.Sources)+len(k.ToolCalls) > markedSources {
		return nil
	}
	out, memo := map[string]bool{}, pack.DraftMemo(k)
	for _, f := range memo.Fields() {
		for _, b := range memoBlocks(c, f.Text, len(k.Sources)) {
			pack.AddSentences(out, blockWords(b.Runs))
		}
	}
	return out
}

// blockWords are the words of a block, with its references as the memo writes them.
func blockWords(runs []ui.AnswerRun) string {
	var b strings.Builder
	for _, r := range runs {
		if r.Cite != nil {
			b.WriteString("[" + r.Cite.Label + "]")
		}
		b.WriteString(r.Text)
	}
	return b.String()
}

// markUnsourced puts the mark behind each sentence that names no source, and reports whether there is one.
func markUnsourced(c *ui.Chrome, blocks []ui.AnswerBlock, drafted map[string]bool) (marked bool) {
	for i := range blocks {
		b := &blocks[i]
		if drafted == nil || b.Kind == "h" || b.Kind == "code" {
			continue
		}
		var out []ui.AnswerRun
		ends, at := pack.Unsourced(blockWords(b.Runs), drafted), 0
		for _, r := range b.Runs {
			whole := blockWords([]ui.AnswerRun{r})
			for len(ends) > 0 && r.Cite == nil && ends[0].End <= at+text.Len(whole) {
				before := r
				before.Text = text.Slice(r.Text, text.Span{Start: 0, End: ends[0].End - at})
				r.Text = text.Slice(r.Text, text.Span{Start: ends[0].End - at, End: text.Len(r.Text)})
				out = append(out, before, ui.AnswerRun{Cite: &ui.AnswerCite{Label: pack.NoSource,
					Title: c.T("pk_memo_no_source"), Lang: c.Lang, Broken: true}})
				at, ends, marked = ends[0].End, ends[1:], true
			}
			if at += text.Len(blockWords([]ui.AnswerRun{r})); r.Cite != nil || r.Text != "" {
				out = append(out, r)
			}
		}
		b.Runs = out
	}
	return marked
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
