package importers

import (
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
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
