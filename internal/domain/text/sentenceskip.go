package text

import (
	"strings"
	"unicode"
)

// code goes over inline code at i to behind its closing backtick, or to the next code point when it has none on its
// line. An unclosed backtick has none after it on the line, so the looking ahead stays linear.
func (sp *splitter) code(i int) int {
	for j := i + 1; j < len(sp.r) && !isNewline(sp.r[j]); j++ {
		if sp.r[j] == '`' {
			return j + 1
		}
	}
	return i + 1
}

// isURL reports whether a URL begins at i, at the beginning of a word.
func (sp *splitter) isURL(i int) bool {
	if i > 0 && (unicode.IsLetter(sp.r[i-1]) || isDigit(sp.r[i-1])) {
		return false
	}
	head := strings.ToLower(string(sp.r[i:min(len(sp.r), i+8)]))
	return strings.HasPrefix(head, "http://") || strings.HasPrefix(head, "https://") || strings.HasPrefix(head, "www.")
}

// url goes over the URL at i, less the punctuation that ends the sentence it stands in.
func (sp *splitter) url(i int) int {
	j := i
	for j < len(sp.r) && !isTrim(sp.r[j]) && !strings.ContainsRune("<>\"«»“”،؛", sp.r[j]) {
		j++
	}
	for j > i+1 && (isTerminator(sp.r[j-1]) || isCloser(sp.r[j-1]) || sp.r[j-1] == ',' || sp.r[j-1] == ';' || sp.r[j-1] == ':') {
		j--
	}
	return j
}
