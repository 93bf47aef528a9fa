package judge

import (
	"slices"

	"sanad/internal/domain/text"
)

// dating says how the dates of a passage stand to those of the claim.
type dating int

const (
	datesAgree  dating = iota // or one of them has none
	datesOpen                 // one may be the same: "5/3/2024" is 5 March or 3 May
	datesDiffer               // one differs in its day, month or year alone, and the claim's is nowhere
)

// undated lists the claim's dates that surely are nowhere in the evidence.
func (x *Index) undated(dates []text.Date) []text.Date {
	return slices.DeleteFunc(dates, func(d text.Date) bool {
		return slices.ContainsFunc(x.dates, d.Same)
	})
}

// dating compares the window's dates with those of the claim.
func (w *window) dating() dating {
	out := datesAgree
	if len(w.query.undated) == 0 {
		return out
	}
	span := w.span()
	for _, d := range w.query.undated {
		for _, e := range w.chunk.dates {
			switch {
			case e.Start < span.Start || e.End > span.End:
			case d.MayBe(e):
				return datesOpen
			case nearDate(d, e):
				out = datesDiffer
			}
		}
	}
	return out
}

// nearDate reports whether two dates differ in one part only. Dates further apart may state different facts.
func nearDate(a, b text.Date) bool {
	return a.Year == b.Year && (a.Month == b.Month || a.Day == b.Day) || a.Month == b.Month && a.Day == b.Day
}
