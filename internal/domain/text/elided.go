package text

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// elided finds a quote from which parts were left out: each part must occur whole, at word boundaries, after the one
// before it, and what is left out must not turn the sense: "is … permitted" is not in "is not permitted". The parts are
// searched for backwards, which makes the span as short as possible. A quote of fewer than three words is too short to
// show where it is from.
func (p *Placer) elided(folded string) (Span, bool) {
	parts := elisionParts(folded)
	if len(parts) == 0 || !strings.Contains(folded, "...") || countTokens(folded) < 3 {
		return Span{}, false
	}
	places, end := make([]int, len(parts)), 0
	for k, part := range parts {
		i := indexWords(p.folded, part, end)
		if i < 0 {
			return Span{}, false
		}
		places[k], end = i, i+len(part)
	}
	start := places[len(parts)-1]
	for k := len(parts) - 2; k >= 0; k-- {
		next := start
		start = max(places[k], lastIndexWords(p.folded[:start], parts[k]))
		if turns(p.folded[start+len(parts[k]) : next]) {
			return Span{}, false
		}
	}
	return p.foldedSpan(start, end), true
}

// turns reports whether words that a quote leaves out negate what stands around them: those of a sentence of which the
// quote has a part. What whole sentences in between negate is their own.
func turns(gap string) bool {
	if i, j := strings.IndexAny(gap, ".!?"), strings.LastIndexAny(gap, ".!?"); i >= 0 {
		return turns(gap[:i]) || turns(gap[j+1:])
	}
	return slices.ContainsFunc(normTokens(gap), func(t Token) bool { return negations[t.Norm] || excepting[t.Norm] })
}

// excepting are the words without which a rule has no exception, folded.
var excepting = foldSet(`except unless excluding`, `باستثناء سوى`)

// elisionParts splits a folded quote at its ellipses, plain or in brackets.
func elisionParts(folded string) (parts []string) {
	for _, part := range strings.Split(folded, "...") {
		if part = strings.Trim(part, " .,;:[]()\"'"); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// maxTries bounds the hits that are not whole words: without it, some texts would take quadratic time.
const maxTries = 1000

// indexWords returns the index of part in s at or after from, at word boundaries; -1 if none.
func indexWords(s, part string, from int) int {
	for range maxTries {
		i := strings.Index(s[from:], part)
		if i < 0 {
			break
		}
		if from += i; wordBounds(s, from, from+len(part)) {
			return from
		}
		from++
	}
	return -1
}

// lastIndexWords returns the index of the last part in s at word boundaries; -1 if none. s must end at a boundary.
func lastIndexWords(s, part string) int {
	head := s
	for range maxTries {
		i := strings.LastIndex(head, part)
		if i < 0 {
			break
		}
		if wordBounds(s, i, i+len(part)) {
			return i
		}
		head = head[:i+len(part)-1]
	}
	return -1
}

// wordBounds reports whether neither end of s[from:to) is inside a word.
func wordBounds(s string, from, to int) bool {
	return !cutsWord(s, from) && !cutsWord(s, to)
}

func cutsWord(s string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	after, _ := decodeAt(s, i)
	return isInWord(before) && isInWord(after)
}

func isInWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) || isDigit(r) }
