package prose

import (
	"slices"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
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
// it has all of them. Of texts in different scripts neither is said.
func Lacking(claim, passage string, m *ledger.Match) (lacking []string, agree bool) {
	c := judge.NewContrast(claim, passage, m)
	if c.Apart {
		return nil, false
	}
	has, compared := map[string]bool{}, 0
	for _, t := range text.Tokens(passage) {
		has[t.Stem] = true
	}
	for _, t := range text.Tokens(claim) {
		if compared++; t.Stop || has[t.Stem] || slices.ContainsFunc(c.Claim.Marks, func(x judge.Mark) bool {
			return (x.Kind == judge.MarkSame || x.Kind == judge.MarkEqual) && x.Start <= t.Start && t.End <= x.End
		}) {
			continue
		}
		lacking = append(lacking, t.Text)
	}
	return lacking, compared > 0 && len(lacking) == 0
}

// Unsaid returns the words that a text does not have in any form.
func Unsaid(words []string, said string) []string {
	has := map[string]bool{}
	for _, t := range text.Tokens(said) {
		has[t.Stem] = true
	}
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool {
		return !slices.ContainsFunc(text.Tokens(w), func(t text.Token) bool { return !has[t.Stem] })
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
