package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// elided finds a quote with parts left out: each part stands whole, at word boundaries, behind the one before it. The
// parts are then sought backwards, so that the span is no wider than it need be. Three words are the least that show
// where a quote is from.
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
		start = max(places[k], lastIndexWords(p.folded[:start], parts[k]))
	}
	return p.foldedSpan(start, end), true
}

// elisionParts splits a folded quote at its ellipses, plain or in brackets.
func elisionParts(folded string) (parts []string) {
	for _, part := range strings.Split(folded, "...") {
		if part = strings.Trim(part, " .,;:[]()\"'"); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// maxTries bounds the hits looked at that are no whole words: on such a text the search would cost its square.
const maxTries = 1000

// indexWords finds part in s at or behind from, at word boundaries; -1 without.
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

// lastIndexWords finds the last part in s at word boundaries; s ends at a boundary. -1 without.
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

// wordBounds reports whether s[from:to) cuts no word.
func wordBounds(s string, from, to int) bool {
	return !cutsWord(s, from) && !cutsWord(s, to)
}

func cutsWord(s string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	after, _ := decodeAt(s, i)
	return isInWord(before) && isInWord(after)
}

func isInWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) || isDigit(r) }
