package evidence

import "sanad/internal/domain/text"

// Highlight returns the words of span that match a content word of the claim, for marking in the claim view: words
// match by stem, numbers by value. Function words are not marked. Unlike ContentTokens, whose output is pinned by
// vectors, this handles inflection and Arabic.
func Highlight(claim, span string) []text.Span {
	out, want := []text.Span{}, contentStems(claim)
	for _, t := range text.Tokens(span) {
		if want[stemKey(t)] && !t.Stop {
			out = append(out, t.Span)
		}
	}
	return out
}

func contentStems(claim string) map[key]bool {
	set := map[key]bool{}
	for _, t := range text.Tokens(claim) {
		if !t.Stop {
			set[stemKey(t)] = true
		}
	}
	return set
}

// key distinguishes words from numbers.
type key struct {
	kind text.Kind
	stem string
}

func stemKey(t text.Token) key { return key{t.Kind, t.Stem} }
