package text

import (
	"strings"
	"unicode"
)

// code skips inline code at i up to its closing backtick, or one code point if the line has none. In that case no later
// backtick of the line is searched from again, so the search stays linear.
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

// url skips the URL at i, without the punctuation that ends the sentence around it.
func (sp *splitter) url(i int) int {
	j := i
	for j < len(sp.r) && !isTrim(sp.r[j]) && !strings.ContainsRune("<>\"«»“”،؛", sp.r[j]) {
		j++
	}
	for j > i+1 && (isTerminator(sp.r[j-1]) || isCloser(sp.r[j-1]) || sp.r[j-1] == ',' || sp.r[j-1] == ';' ||
		sp.r[j-1] == ':') {
		j--
	}
	return j
}
