package ledger

import (
	"strconv"

	"sanad/internal/domain/ledger"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// LeftOutView is what the document's page says of text in its file that a reader does not see, or sees struck out.
type LeftOutView struct {
	Counts []string // "3 passages that a reader does not see"
	Lines  []LeftOutLine
	More   string // how many more are not listed, "" if none
}

// LeftOutLine is one such passage.
type LeftOutLine struct {
	ID       string
	How, Dir string
	Page     string // "" if unknown
	Parts    []string
	Struck   bool // every second part is struck
}

// newLeftOutView lists what a document leaves out; nil if nothing.
func newLeftOutView(c *ui.Chrome, d *ledger.Document) *LeftOutView {
	if len(d.LeftOut) == 0 {
		return nil
	}
	v := &LeftOutView{}
	hidden, struck := d.CountLeftOut()
	if hidden > 0 {
		v.Counts = append(v.Counts, c.N("doc_left_out_hidden", hidden))
	}
	if struck > 0 {
		v.Counts = append(v.Counts, c.N("doc_left_out_struck", struck))
	}
	for i := range d.LeftOut {
		x := &d.LeftOut[i]
		line := LeftOutLine{ID: "left-out-" + strconv.Itoa(i+1), How: leftOutHow(c, x.How), Dir: say.Dir(x.Text),
			Parts: x.StruckParts(), Struck: x.Kind == ledger.Struck}
		if x.Page > 0 {
			line.Page = c.T("page_label", "N", c.Num(x.Page))
		}
		v.Lines = append(v.Lines, line)
		if x.More > 0 {
			v.More = c.N("doc_left_out_more", x.More)
		}
	}
	return v
}

// leftOutHow says by what a passage is hidden or struck.
func leftOutHow(c *ui.Chrome, how ledger.LeftOutHow) string {
	if how == ledger.StruckOut {
		return c.T("doc_left_out_struck_out")
	}
	return c.T("doc_left_out_" + string(how))
}
