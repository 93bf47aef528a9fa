package judge

import (
	"regexp"
	"slices"
	"strings"

	"sanad/internal/domain/text"
)

// signed is a number with the sign that stands at it.
var signed = regexp.MustCompile(`(?:^|[\s(=])([-−–]|<=|>=|[<>≤≥]\s*[-−–]?)\s*(\p{Nd}[\p{Nd}.,٫٬]*)`)

// signNames makes signs of one meaning one.
var signNames = strings.NewReplacer("−", "-", "–", "-", "<=", "≤", ">=", "≥", " ", "")

// belowZero are words that say a minus.
var belowZero = []string{"minus", "negative", "below zero", "below freezing", "سالب", "تحت الصفر", "ناقص"}

// signs returns the sign of each number of a text that has one.
func signs(s string) map[string]string {
	out := map[string]string{}
	for _, m := range signed.FindAllStringSubmatch(s, -1) {
		sign := signNames.Replace(m[1])
		if sign == "-" && strings.HasSuffix(m[0], "- "+m[2]) {
			continue // a dash
		}
		if tokens := text.Tokens(m[2]); len(tokens) == 1 {
			out[tokens[0].Norm] = sign
		}
	}
	return out
}

// otherSigns reports whether claim and sentence give one number with different signs: -5 and 5, < 5 and > 5. A sign that
// only one of them has may be said in words by the other, but for a minus.
func (w *window) otherSigns() bool {
	claim, source := w.query.text, w.chunk.ruler.Slice(w.span())
	a, b := signs(claim), signs(source)
	if len(a)+len(b) == 0 {
		return false
	}
	worded := func(s string) bool {
		folded := text.Fold(s)
		return slices.ContainsFunc(belowZero, func(phrase string) bool { return strings.Contains(folded, text.Fold(phrase)) })
	}
	minus := func(sign string) bool { return strings.HasSuffix(sign, "-") }
	for _, t := range w.query.meaning.tokens {
		if t.Kind != text.Number || !w.says(t.Norm) {
			continue
		}
		one, other := a[t.Norm], b[t.Norm]
		switch {
		case one == other:
		case minus(one) != minus(other) && !worded(claim) && !worded(source),
			strings.Trim(one, "-") != "" && strings.Trim(other, "-") != "":
			return true
		}
	}
	return false
}

// says reports whether the sentence has a word as it is.
func (w *window) says(norm string) bool {
	return slices.ContainsFunc(w.chunk.tokens[w.from():w.to()], func(t token) bool { return t.Norm == norm })
}

// permuted reports whether claim and sentence have the same words and the same numbers, and the numbers in another order:
// 5 to 4 and 4 to 5.
func (w *window) permuted() bool {
	split := func(n int, at func(i int) *text.Token) (words, numbers []string) {
		for i := range n {
			if t := at(i); t.Kind == text.Number {
				numbers = append(numbers, t.Norm)
			} else {
				words = append(words, t.Norm)
			}
		}
		return words, numbers
	}
	source := w.chunk.tokens[w.from():w.to()]
	aWords, a := split(len(w.query.meaning.tokens), func(i int) *text.Token { return &w.query.meaning.tokens[i] })
	bWords, b := split(len(source), func(i int) *text.Token { return &source[i].Token })
	return slices.Equal(aWords, bWords) && !slices.Equal(a, b) && slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}
