package evidence

import "strings"

// This file implements the reference program's _SENTENCE_END_RE (rule E-8),
//
//	[.!?]["')\]]?\s+(?=[A-Z"'(\[])  |  [.!?]["')\]]?$
//
// because Go's regexp has no look-ahead and no start and end positions, and its "$" differs: Python's also matches
// before a new line at the end of the text.

// sentenceEnd returns the end of the first match that begins at or after pos, within r[:end]; ok is false if none.
func sentenceEnd(r []rune, pos, end int) (after int, ok bool) {
	for i := max(0, pos); i < end; i++ {
		if r[i] != '.' && r[i] != '!' && r[i] != '?' {
			continue
		}
		if after, ok = matchEnd(r, i+1, end); ok {
			return after, true
		}
	}
	return 0, false
}

// matchEnd matches what follows the mark, at i. White space is taken greedily: backtracking would only put white space
// where the pattern needs a capital or an opening mark.
func matchEnd(r []rune, i, end int) (after int, ok bool) {
	if i < end && strings.ContainsRune("\"')]", r[i]) {
		i++
	}
	j := i
	for j < end && isSpace(r[j]) {
		j++
	}
	if j > i && j < end && opensSentence(r[j]) {
		return j, true
	}
	if i == end || i == end-1 && r[i] == '\n' {
		return i, true
	}
	return 0, false
}

func opensSentence(r rune) bool {
	return 'A' <= r && r <= 'Z' || strings.ContainsRune("\"'([", r)
}

// expand extends a window to the sentences it touches (rule E-8).
func expand(r []rune, start, end int) (from, to int) {
	if start <= 0 && end >= len(r) {
		return 0, len(r)
	}
	for after, ok := sentenceEnd(r, 0, start); ok; after, ok = sentenceEnd(r, after, start) {
		from = after
	}
	to = len(r)
	if after, ok := sentenceEnd(r, end, len(r)); ok {
		to = after
	}
	return from, to
}

// wordStart returns the first place at or after i that follows white space.
func wordStart(r []rune, i int) int {
	if i <= 0 {
		return 0
	}
	for i < len(r) && !isSpace(r[i-1]) {
		i++
	}
	return i
}

// wordEnd returns the last place at or before i that is white space.
func wordEnd(r []rune, i int) int {
	if i >= len(r) {
		return len(r)
	}
	for i > 0 && !isSpace(r[i]) {
		i--
	}
	return max(i, 0)
}
