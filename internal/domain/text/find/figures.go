package find

import (
	"sanad/internal/domain/text"
	"sanad/internal/domain/text/quantity"
)

// figure is a figure of a text as it is searched for.
type figure struct {
	text.Span
	parts [][]string // a query for it needs one form of each part; a number has one part, a date has several
	loose []string   // words that find it too: the number of a percentage
	whole bool       // a query for it needs its parts, not the words as written: "15 %" is not just any 15
}

// figures returns the figures of s whose notation says nothing about what they mean. Codes and numbers of sections are
// found as they are written.
func figures(s string, tokens []text.Token) (out []figure) {
	found := quantity.ReadTokens(s, tokens)
	for i := range found {
		q := &found[i]
		switch {
		case q.Kind == quantity.Amount && q.Unit == "%":
			number := q.Number.Absolute().String()
			out = append(out, figure{Span: q.Span, parts: [][]string{{number + "%"}}, loose: []string{number}, whole: true})
		case q.Kind == quantity.Amount && q.Numeral.Len() > 0:
			forms := []string{q.Number.Absolute().String()}
			if q.TwoWays && q.Value == q.Number { // else its second value is in another unit than it is written in
				forms = append(forms, q.Other.Absolute().String())
			}
			out = append(out, figure{Span: q.Numeral, parts: [][]string{forms}})
		case q.Kind == quantity.Ordinal:
			out = append(out, figure{Span: q.Span, parts: [][]string{{q.Value.String()}}})
		case q.Kind == quantity.Day && !q.Date.Open:
			out = append(out, figure{Span: q.Span, parts: dayParts(q.Date), whole: true})
		}
	}
	return out
}

// dayParts are the words of a date: its numbers, and its month by name.
func dayParts(d quantity.Date) (out [][]string) {
	for _, n := range []int{d.Day, d.Year} {
		if n > 0 {
			out = append(out, []string{quantity.Whole(int64(n)).String()})
		}
	}
	for _, t := range text.Tokens(d.MonthName()) {
		out = append(out, []string{t.Stem})
	}
	return out
}

// Figures returns the words by which the figures of s are found, beside the stems of its tokens.
func Figures(s string, tokens []text.Token) (out []string) {
	for _, f := range figures(s, tokens) {
		for _, forms := range f.parts {
			out = append(out, forms...)
		}
		out = append(out, f.loose...)
	}
	return out
}
