package importers

import (
	"slices"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/strictjson"
	"sanad/internal/words"
)

// restoreClaim reads a claim's judgements, resolved citations and reviews.
func (b *builder) restoreClaim(path string, w *ledgerClaim, c *ledger.Claim, answer int) error {
	for j := range w.Matches {
		m, err := b.restoreMatch(at(path+".matches", j, ""), &w.Matches[j])
		if err != nil {
			return err
		}
		c.Matches = append(c.Matches, *m)
	}
	if !slices.IsSortedFunc(c.Matches, func(a, b ledger.Match) int {
		switch {
		case a.Similarity > b.Similarity:
			return -1
		case a.Similarity < b.Similarity:
			return 1
		}
		return 0
	}) {
		return domain.Refuse(domain.Invalid, path+".matches", "refused_ledger_order")
	}
	for j := range w.Citations {
		x, err := restoreCitation(at(path+".citations", j, ""), &w.Citations[j], answer)
		if err != nil {
			return err
		}
		c.Citations = append(c.Citations, *x)
	}
	if err := b.restoreChecks(path, w, c, answer); err != nil {
		return err
	}
	for j := range w.Reviews {
		r, err := b.restoreReview(at(path+".reviews", j, ""), &w.Reviews[j])
		if err != nil {
			return err
		}
		if err := checkUndo(at(path+".reviews", j, ""), c.Reviews, r); err != nil {
			return err
		}
		c.Reviews = append(c.Reviews, *r)
		b.reviews++
	}
	if err := b.restoreImported(path, w, c); err != nil {
		return err
	}
	if c.Stale = w.Stale; c.Stale < 0 || c.Stale > len(c.Reviews) {
		return domain.Refuse(domain.Invalid, path+".stale_reviews", "refused_ledger_stale", "N", len(c.Reviews),
			"Most", w.Stale)
	}
	c.Since = max(0, w.Since)
	var err error
	if c.Replaces, err = b.positionsOf(path+".replaces", w.Replaces); err != nil {
		return err
	}
	if c.Withheld = w.Withheld; c.Withheld < 0 || c.Withheld > c.Stale {
		return domain.Refuse(domain.Invalid, path+".withheld_reviews", "refused_ledger_sealed", "N", c.Stale,
			"Most", w.Withheld)
	}
	return nil
}

func (b *builder) restoreMatch(path string, w *ledgerMatch) (*ledger.Match, error) {
	m, err := b.match(path, &w.matchWire)
	if err != nil {
		return nil, err
	}
	if m.Chunk, err = b.findPath(path+".chunk_id", w.Document, w.Chunk); err != nil {
		return nil, err
	}
	if w.Quote.Kind == "" {
		w.Quote.Kind = text.NotPlaced
	}
	if m.Quote.Kind, err = one(path+".quote.kind", string(w.Quote.Kind),
		[]text.PlacementKind{text.Exact, text.Normalised, text.Fuzzy, text.NotPlaced}); err != nil {
		return nil, err
	}
	span, err := spanOf(path+".quote", "start", "end", w.Quote.Start, w.Quote.End)
	if err != nil {
		return nil, err
	}
	if span != nil {
		m.Quote.Span = *span
	}
	m.Note = w.Note
	if w.Attached != nil {
		m.Attached = &ledger.Attached{Actor: text.CleanControls(w.Attached.Actor), At: w.Attached.At.UTC()}
	}
	m.Conflicts, m.Missing, m.Features = orNil(w.Conflicts), orNil(w.Missing), orNil(w.Features)
	return m, nil
}

func restoreCitation(path string, w *citationWire, answer int) (*ledger.Citation, error) {
	if !ledger.IsHash(w.Hash) {
		return nil, domain.Refuse(domain.Invalid, path+".hash", "refused_ledger_hash",
			"Name", words.Quoted(strictjson.Clip(w.Hash)))
	}
	span, err := spanOf(path, "start", "end", w.Start, w.End)
	if err != nil {
		return nil, err
	}
	if span.End > answer {
		return nil, domain.Refuse(domain.Invalid, path+".end", "refused_ledger_outside", "N", span.End,
			"Most", answer)
	}
	status, err := one(path+".status", string(w.Status),
		[]ledger.CiteStatus{ledger.Resolved, ledger.Ambiguous, ledger.Unresolved})
	if err != nil {
		return nil, err
	}
	return &ledger.Citation{Hash: w.Hash, Span: *span, Status: status, Places: orNil(w.Places)}, nil
}

func (b *builder) restoreReview(path string, w *reviewWire) (*ledger.Review, error) {
	r := &ledger.Review{Actor: text.CleanControls(w.Actor), Role: w.Role, At: w.At.UTC(), Reason: w.Reason,
		Undoes: w.Undoes, Adjudicates: w.Settles, Batch: text.CleanControls(w.Bulk),
		Asks: w.Asks, Thread: w.Thread}
	var err error
	if r.Into, err = b.positionsOf(path+".replaced_by", w.ReplacedBy); err != nil {
		return nil, err
	}
	if r.Action, err = one(path+".action", w.Action, ledger.Actions); err != nil {
		return nil, err
	}
	if r.Verdict, err = one(path+".verdict", w.Verdict, ledger.Verdicts); err != nil {
		return nil, err
	}
	if r.Type, err = one(path+".claim_type", w.Type, ledger.ClaimTypes); err != nil {
		return nil, err
	}
	if r.Importance, err = one(path+".importance", w.Importance, ledger.Importances); err != nil {
		return nil, err
	}
	if r.Verdict == "" && (r.Action == ledger.Confirm || r.Action == ledger.Override) {
		return nil, domain.Refuse(domain.Invalid, path+".verdict", "refused_ledger_verdict",
			"Name", words.Quoted(string(r.Action)))
	}
	return r, nil
}

// positionsOf returns the positions, from 0, of claims of the file that are given by number, nil if none.
func (b *builder) positionsOf(path string, numbers []int) (out []int, err error) {
	for i, n := range numbers {
		if n < 1 || n > len(b.s.Claims) {
			return nil, domain.Refuse(domain.Invalid, at(path, i, ""), "refused_ledger_claim_number", "N", n,
				"Most", len(b.s.Claims))
		}
		out = append(out, n-1)
	}
	return out, nil
}

// checkUndo refuses a review that takes back a review that is not before it or somebody else's, one that names a review
// without taking it back, and one that settles a difference without a verdict.
func checkUndo(path string, before []ledger.Review, r *ledger.Review) error {
	switch {
	case r.Action != ledger.Undo && r.Undoes != 0:
		return domain.Refuse(domain.Invalid, path+".undoes", "refused_ledger_undoes",
			"Name", words.Quoted(string(r.Action)))
	case r.Action == ledger.Undo && (r.Undoes < 1 || r.Undoes > len(before) ||
		before[r.Undoes-1].Action == ledger.Undo || before[r.Undoes-1].Actor != r.Actor):
		return domain.Refuse(domain.Invalid, path+".undoes", "refused_ledger_earlier",
			"Name", words.Quoted(strictjson.Clip(r.Actor)))
	case r.Adjudicates && r.Action != ledger.Confirm && r.Action != ledger.Override:
		return domain.Refuse(domain.Invalid, path+".adjudicates", "refused_ledger_adjudicates")
	}
	return checkThread(path, before, r)
}

// checkThread refuses a review that belongs to a thread that no comment before it begins. One whose comment was sealed
// for who exported it names none.
func checkThread(path string, before []ledger.Review, r *ledger.Review) error {
	switch n := r.Thread; {
	case r.Asks && (r.Action != ledger.Comment || n != 0):
		return domain.Refuse(domain.Invalid, path+".asks", "refused_ledger_asks")
	case n == 0:
		return nil
	case n < 1 || n > len(before) || r.Action != ledger.Comment && !r.Action.OfThread() ||
		before[n-1].Action != ledger.Comment || before[n-1].Thread != 0:
		return domain.Refuse(domain.Invalid, path+".thread", "refused_ledger_thread")
	}
	return nil
}

// orNil returns the list, or nil if it is empty.
func orNil[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return list
}
