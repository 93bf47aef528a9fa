package text

import (
	"strings"
	"unicode"
)

// ends reports whether the marks r[i:end), whose closers end at closed, end the sentence.
func (sp *splitter) ends(i, end, closed int) bool {
	next := sp.skipBlanks(sp.anchors(closed)) // an anchor cites what precedes it
	atEnd := next >= len(sp.r) || isNewline(sp.r[next])
	mark := sp.strongest(i, end)
	if next == closed && !atEnd {
		return sp.endsWithoutSpace(i, closed, mark)
	}
	if sp.start == sp.skipBack(i) && mark != '?' {
		return false // marks alone, as in "... and so on", belong to the text after them
	}
	if atEnd {
		return !(end == i+1 && sp.r[i] == '.' && next < len(sp.r) && sp.neverEnds(i))
	}
	lower := sp.continuesLower(next)
	switch {
	case mark == '?':
		return !(lower && closed > end)
	case mark == '!':
		return !lower
	case end > i+1 || sp.r[i] == '…':
		return sp.ellipsisEnds(i, next)
	case sp.r[i] == '。' || sp.r[i] == '۔':
		return true
	}
	return !lower && !sp.abbreviation(i, next)
}

// strongest returns the mark that decides a run: "?" outweighs "!", which outweighs a full stop.
func (sp *splitter) strongest(i, end int) rune {
	mark := '.'
	for _, c := range sp.r[i:end] {
		switch c {
		case '?', '؟', '？':
			return '?'
		case '!', '！':
			mark = '!'
		}
	}
	return mark
}

// endsWithoutSpace handles marks without white space after them: CJK never has any, and Arabic is often typed without
// ("الأجر.يجوز"); there both words must be too long to be abbreviations.
func (sp *splitter) endsWithoutSpace(i, next int, mark rune) bool {
	switch sp.r[i] {
	case '。', '！', '？', '؟':
		return true
	}
	if mark != '.' && mark != '!' || sp.r[i] == '…' || !isArabicLetter(sp.r[next]) {
		return false
	}
	return sp.arabicBefore(i) >= 2 && sp.arabicAfter(next) >= 2
}

func (sp *splitter) arabicBefore(i int) (n int) {
	for j := i - 1; j >= sp.start && n < 2 && (isArabicLetter(sp.r[j]) || isTashkeel(sp.r[j])); j-- {
		if isArabicLetter(sp.r[j]) {
			n++
		}
	}
	return n
}

func (sp *splitter) arabicAfter(i int) (n int) {
	for ; i < len(sp.r) && n < 2 && (isArabicLetter(sp.r[i]) || isTashkeel(sp.r[i])); i++ {
		if isArabicLetter(sp.r[i]) {
			n++
		}
	}
	return n
}

// ellipsisEnds reports whether an ellipsis ends a sentence: not if it stands apart (an elision); if it touches its
// word, only before a capital. Arabic has no capitals, so there it never does.
func (sp *splitter) ellipsisEnds(i, next int) bool {
	if i == 0 || isSpace(sp.r[i-1]) || strings.ContainsRune("[(", sp.r[i-1]) {
		return false
	}
	return unicode.IsUpper(sp.r[sp.skipOpeners(next)])
}

// continuesLower reports whether the next word begins in lower case; "iPhone" counts as a capital.
func (sp *splitter) continuesLower(i int) bool {
	i = sp.skipOpeners(i)
	if !unicode.IsLower(sp.r[i]) {
		return false
	}
	return i+1 >= len(sp.r) || !unicode.IsUpper(sp.r[i+1])
}

// skipOpeners skips opening quotes and brackets, but not the last code point.
func (sp *splitter) skipOpeners(i int) int {
	for i+1 < len(sp.r) && strings.ContainsRune("\"'([{“‘«*_‹„", sp.r[i]) {
		i++
	}
	return i
}

// skipBack moves back from i over white space to the end of the text before it.
func (sp *splitter) skipBack(i int) int {
	for i > sp.start && isTrim(sp.r[i-1]) {
		i--
	}
	return i
}

func isTerminator(r rune) bool {
	switch r {
	case '.', '!', '?', '؟', '…', '。', '！', '？', '۔':
		return true
	}
	return false
}

func isCloser(r rune) bool {
	return strings.ContainsRune("\"')]}”’»›*_", r)
}

// isTrim reports whether r is trimmed off a sentence: white space and invisible characters.
func isTrim(r rune) bool { return isSpace(r) || isInvisible(r) }
