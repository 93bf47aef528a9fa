package prose

import (
	"slices"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/exporters/typeset"
)

// mostPairs is how many figures of a claim stand beside those of its source.
const mostPairs = 4

// pairLabels are the labels of the pairs that are shown: figures, limits and dates.
var pairLabels = map[judge.About]string{judge.AboutNumber: "pair_number", judge.AboutBound: "pair_bound",
	judge.AboutDate: "pair_date"}

// Ranked returns figures, those that differ first, as many as are shown.
func Ranked(list []judge.Pair) []judge.Pair {
	out := slices.Clone(list)
	slices.SortStableFunc(out, func(a, b judge.Pair) int { return pairRank(a.Kind) - pairRank(b.Kind) })
	return out[:min(len(out), mostPairs)]
}

func pairRank(k judge.MarkKind) int {
	switch k {
	case judge.MarkConflict:
		return 0
	case judge.MarkDiffers, judge.MarkInstead:
		return 1
	case judge.MarkMissing:
		return 2
	}
	return 3
}

// Lacking says of a claim that the judge holds for weakly supported which of its words the passage lacks; agree says that
// it has all of them. Neither is said where other words stand in their place.
func Lacking(claim, passage string, m *ledger.Match) (words []string, agree bool) {
	c := judge.NewContrast(claim, passage, m)
	if c.Apart || len(c.Missing) > 0 {
		return c.Missing, false
	}
	return nil, len(c.Claim.Marks) > 0 && !slices.ContainsFunc(c.Claim.Marks, func(x judge.Mark) bool {
		return x.Kind != judge.MarkSame && x.Kind != judge.MarkEqual
	})
}

// Sides appends to a claim's cell and to its source's what each says of the same thing. where says of a pair, by its
// index, where the source says it if not in the words that are quoted; it may be nil.
func (p *Lang) Sides(claim, source *Lines, all []judge.Pair, where func(i int) []typeset.Span) {
	for i, x := range all {
		color := typeset.Color(0)
		if x.Kind == judge.MarkConflict || x.Kind == judge.MarkDiffers {
			color = Alarm
		}
		label := typeset.Span{Text: p.T(pairLabels[x.About]) + ": ", Color: Soft, Dir: p.Dir()}
		claim.Line(label, p.side(x.Claim, color))
		said := []typeset.Span{p.side(x.Source, color)}
		if where != nil {
			said = append(said, where(i)...)
		}
		source.Line(append([]typeset.Span{label}, said...)...)
	}
}

// side is what one of the two says, or that it says nothing.
func (p *Lang) side(words string, color typeset.Color) typeset.Span {
	if words == "" {
		return typeset.Span{Text: p.T("pair_none"), Color: color}
	}
	return typeset.Span{Text: Clipped(words, TitleLength), Isolate: true, Bold: true, Color: color}
}
