package text

import (
	"strings"
	"unicode"
)

// headingWidth is the length in code points below which a line is not wrapped text, so that its new line is
// significant.
const headingWidth = 40

// newline handles the new line at i: it cuts if a new paragraph, list item or separate line begins after it.
func (sp *splitter) newline(i int) int {
	next, blank := i, -1
	for next < len(sp.r) && isTrim(sp.r[next]) {
		if isNewline(sp.r[next]) && !(sp.r[next] == '\n' && next > i && sp.r[next-1] == '\r') {
			blank++
		}
		next++
	}
	if next == len(sp.r) {
		return next
	}
	marker := sp.skipMarker(next)
	if blank > 0 || sp.isRow(sp.line) || sp.isRow(next) || sp.r[i] == '\u2029' || sp.r[i] == '\f' || marker > next ||
		sp.ownLine(i, next) {
		sp.cut(i)
		sp.start = marker
		next = marker
	}
	sp.line = next
	return sp.row(next)
}

// isRow reports whether the line whose first letter is at i is a row of a table.
func (sp *splitter) isRow(i int) bool { return i < len(sp.r) && sp.r[i] == '|' }

// row returns the end of the row at i, or i if it is none.
func (sp *splitter) row(i int) int {
	if !sp.isRow(i) {
		return i
	}
	for i < len(sp.r) && !isNewline(sp.r[i]) {
		i++
	}
	return i
}

// ownLine reports whether the line before i is complete in itself: short, not broken off, and not continued by the
// next.
func (sp *splitter) ownLine(i, next int) bool {
	end := i
	for end > sp.line && isTrim(sp.r[end-1]) {
		end--
	}
	if end > sp.line && isTerminator(sp.r[end-1]) {
		return false // terminator has decided
	}
	if end == sp.line || end-sp.line >= headingWidth || strings.ContainsRune(",،;؛-–—(/&", sp.r[end-1]) {
		return false
	}
	first := sp.r[sp.skipOpeners(next)]
	if sp.r[end-1] == ':' || sp.r[end-1] == '：' {
		return true
	}
	return (unicode.IsUpper(first) || isArabicLetter(first)) && !sp.endsInStopWord(end)
}

// endsInStopWord reports whether a line was broken off after a function word ("… of the").
func (sp *splitter) endsInStopWord(end int) bool {
	j := end
	for j > sp.line && end-j <= maxAbbreviation && unicode.IsLetter(sp.r[j-1]) {
		j--
	}
	return isStop(Fold(string(sp.r[j:end])))
}

// skipMarker returns the place after a list marker and its blanks at i, or i: "- ", "• ", "1. ", "2) ", "(a) ", "b) ".
// A capital with a full stop is an initial, and more than three digits are a year.
func (sp *splitter) skipMarker(i int) int {
	j := i
	for j < len(sp.r) && isTrim(sp.r[j]) {
		j++
	}
	body, open := j, j < len(sp.r) && sp.r[j] == '('
	switch {
	case j < len(sp.r) && strings.ContainsRune("-*+•–—▪◦‣●○·■□►✓", sp.r[j]):
		body++
	default:
		body = sp.enumerator(j, open)
	}
	if body == j || body >= len(sp.r) || !isBlank(sp.r[body]) {
		return i
	}
	return sp.skipBlanks(body)
}

// enumerator returns the place after an enumerator at j, or j.
func (sp *splitter) enumerator(j int, open bool) int {
	k := j
	if open {
		k++
	}
	from := k
	for k < len(sp.r) && k-from < 3 && isDigit(sp.r[k]) {
		k++
	}
	letter := k == from && k < len(sp.r) && (unicode.IsLower(sp.r[k]) || isArabicLetter(sp.r[k]))
	if letter {
		k++
	}
	if k == from || k >= len(sp.r) {
		return j
	}
	switch c := sp.r[k]; {
	case c == ')':
		return k + 1
	case !open && (c == '.' && !(letter && isArabicLetter(sp.r[from])) || c == '-' && !unicode.IsLower(sp.r[from])):
		return k + 1
	}
	return j
}

// afterMarker reports whether the full stop at i closes the number of a list item in running text: the number begins
// its sentence.
func (sp *splitter) afterMarker(i int) bool {
	j := i
	for j > sp.start && i-j <= 3 && isDigit(sp.r[j-1]) {
		j--
	}
	return j < i && i-j <= 3 && sp.skipBack(j) == sp.start
}

func isNewline(r rune) bool {
	return r == '\n' || r == '\r' || r == '\f' || r == '\v' || r == 0x85 || r == 0x2028 || r == 0x2029
}

func isBlank(r rune) bool { return isTrim(r) && !isNewline(r) }
