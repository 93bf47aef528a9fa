package importers

import (
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// restoreImports reads from which files the exported session had been imported itself.
func (b *builder) restoreImports(list []importWire) {
	for i := range list {
		w := &list[i]
		b.s.Imports = append(b.s.Imports, ledger.Import{
			File: text.CleanName(w.File), ByName: text.CleanControls(w.ByName), At: w.At.UTC(), Judge: w.Judge,
			Version: w.Version, JudgedAt: w.JudgedAt.UTC(),
		})
	}
}

// restoreImported reads what those files said about a claim.
func (b *builder) restoreImported(path string, w *ledgerClaim, c *ledger.Claim) error {
	for i := range w.Imported {
		x, err := b.restoreSaid(at(path+".imported_reviews", i, ""), &w.Imported[i])
		if err != nil {
			return err
		}
		c.Imported = append(c.Imported, *x)
	}
	return nil
}

func (b *builder) restoreSaid(path string, w *importedWire) (*ledger.Imported, error) {
	if w.Import < 0 || w.Import >= len(b.s.Imports) {
		return nil, domain.Refuse(domain.Invalid, path+".import", "refused_ledger_import", "N", w.Import)
	}
	if w.Confidence < 0 || w.Confidence > 1 {
		return nil, domain.Refuse(domain.Invalid, path+".confidence_score", "refused_ledger_confidence")
	}
	x := &ledger.Imported{Import: w.Import, Judge: w.Judge, Confidence: w.Confidence, Stale: w.Stale}
	var err error
	if x.Machine, err = one(path+".machine_verdict", w.Machine, ledger.Verdicts); err != nil {
		return nil, err
	}
	if x.Verdict, err = one(path+".verdict", w.Verdict, ledger.Verdicts); err != nil {
		return nil, err
	}
	for j := range w.Reviews {
		r, err := b.restoreReview(at(path+".reviews", j, ""), &w.Reviews[j])
		if err != nil {
			return nil, err
		}
		x.Reviews = append(x.Reviews, r.AsImported())
		b.reviews++
	}
	if x.Passages, err = b.restorePassages(path, w.Passages); err != nil {
		return nil, err
	}
	if x.Stale < 0 || x.Stale > len(x.Reviews) {
		return nil, domain.Refuse(domain.Invalid, path+".stale_reviews", "refused_ledger_stale_imported",
			"N", len(x.Reviews), "Most", x.Stale)
	}
	return x, nil
}

// restorePassages reads the passages that people had attached to the claim. They must lie within the file's documents,
// since the page shows their words from there.
func (b *builder) restorePassages(path string, list []importedPassageWire) ([]ledger.ImportedPassage, error) {
	var out []ledger.ImportedPassage
	for i := range list {
		w, place := &list[i], at(path+".passages", i, "")
		x := ledger.ImportedPassage{Actor: text.CleanControls(w.Actor), At: w.At.UTC(), Document: w.Document,
			Chunk: w.Chunk, Start: w.Start, End: w.End}
		c := b.s.Chunk(x.Ref())
		if c == nil {
			return nil, domain.Refuse(domain.Invalid, place+".chunk", "refused_ledger_document", "N", w.Document,
				"Most", w.Chunk)
		}
		if erased := b.s.Document(w.Document).Status == ledger.Erased; w.Start < 0 || w.End < w.Start ||
			!erased && w.End > text.Len(c.Text) {
			return nil, domain.Refuse(domain.Invalid, place+".end", "refused_ledger_place", "N", w.Start,
				"Most", w.End, "All", text.Len(c.Text))
		}
		out = append(out, x)
	}
	return out, nil
}
