package importers

import (
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/words"
)

// leftOut sets what is left out of a document's text: as its file was read, or as the caller says.
func (b *builder) leftOut(i int, w *documentWire, d *ledger.Document) error {
	d.LeftOut = append(d.LeftOut, w.left...)
	field := at("documents", i, "left_out")
	for j := range w.LeftOut {
		x, path := &w.LeftOut[j], at(field, j, "")
		kind, err := one(path+".kind", x.Kind, ledger.LeftOutKinds)
		if err != nil {
			return err
		}
		how, err := one(path+".how", x.How, ledger.LeftOutHows)
		if err != nil {
			return err
		}
		out := ledger.LeftOut{Kind: kind, How: how, Text: x.Text, At: x.At, More: x.More}
		if x.Page != nil {
			out.Page = *x.Page
		}
		if out.Page < 0 || out.Page > maxPage {
			return domain.Refuse(domain.Invalid, path+".page_number", "refused_in_page_or", "N", out.Page, "Most", maxPage)
		}
		if out.At < 0 || out.More < 0 {
			return domain.Refuse(domain.Invalid, path, "refused_in_below", "N", min(out.At, out.More))
		}
		d.LeftOut = append(d.LeftOut, out)
	}
	return nil
}

// leave notes text of the file that a reader does not see, or sees struck out, at the place that the next block has.
func (l *blockList) leave(kind ledger.LeftOutKind, how ledger.LeftOutHow, s string, page int) {
	l.left = ledger.AddLeftOut(l.left, ledger.LeftOut{Kind: kind, How: how, Text: s, Page: page, At: l.runes})
}

// warnLeftOut says that a file holds text that supports nothing.
func (b *builder) warnLeftOut(place, name string, left []ledger.LeftOut) {
	hidden, struck := (&ledger.Document{LeftOut: left}).CountLeftOut()
	if hidden > 0 {
		b.warn(place, words.Msg("warning_hidden", "Name", name, "N", hidden,
			"Words", words.Quoted(text.Slice(firstLeftOut(left, ledger.Hidden), text.Span{End: warnedLeftOut}))))
	}
	if struck > 0 {
		b.warn(place, words.Msg("warning_struck", "Name", name, "N", struck))
	}
}

// warnedLeftOut is how much of a hidden text a warning repeats, in code points.
const warnedLeftOut = 80

func firstLeftOut(left []ledger.LeftOut, kind ledger.LeftOutKind) string {
	for i := range left {
		if left[i].Kind == kind {
			return left[i].Text
		}
	}
	return ""
}
