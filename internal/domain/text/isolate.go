package text

import (
	"slices"
	"unicode"
)

// The controls that isolate a direction.
const (
	firstIsolate = '\u2066' // LRI
	lastIsolate  = '\u2069' // PDI
)

// Isolations returns the stretches of a right-to-left paragraph that are read from left to right as one unit. They
// don't overlap and are in order. Without isolates a range, date, phone number, percentage, file name or digest after
// Arabic letters would be reordered: "2024-2026" would read 2026-2024 (UAX #9 W2; rules PDF-9, WEB-14).
func Isolations(text []rune) [][2]int {
	var out [][2]int
	for i := 0; i < len(text); {
		if endsToken(text[i]) {
			i++
			continue
		}
		next := tokenEnd(text, i)
		start, end := trimToken(text, i, next)
		if i > 0 && IsArabicBlock(text[i-1]) { // a sign at the end of an Arabic word belongs to the word: "سياسة….pdf"
			for start < end && !IsAlnum(text[start]) {
				start++
			}
		}
		if start < end {
			if grown := max(figureEnd(text, start, end), phraseEnd(text, start, end)); grown > end {
				end, next = grown, tokenEnd(text, grown)
			}
			if needsIsolate(text[start:end]) {
				out = append(out, [2]int{start, end})
			}
		}
		i = next
	}
	return out
}

// endsToken reports whether a character ends a token: spaces, Arabic letters, and the isolates that spans contain.
func endsToken(r rune) bool {
	return r == ' ' || r == '\u00a0' || r == '\n' || IsArabicBlock(r) || r >= firstIsolate && r <= lastIsolate
}

// AfterArabic returns the stretches whose nearest letter before them is Arabic.
func AfterArabic(text []rune, found [][2]int) [][2]int {
	at, arabic := 0, false
	return slices.DeleteFunc(found, func(f [2]int) bool {
		for ; at < f[0]; at++ {
			if unicode.IsLetter(text[at]) {
				arabic = IsArabicBlock(text[at])
			}
		}
		return !arabic
	})
}

// tokenEnd returns the end of the token at i.
func tokenEnd(text []rune, i int) int {
	for i < len(text) && !endsToken(text[i]) {
		i++
	}
	return i
}

// trimToken excludes the punctuation around a token that belongs to the sentence.
func trimToken(text []rune, start, end int) (int, int) {
	for start < end && !IsAlnum(text[start]) && !isSign(text[start]) {
		start++
	}
	for end > start && !IsAlnum(text[end-1]) && !isTail(text, start, end) {
		end--
	}
	for start < end && (text[start] == '-' || text[start] == '/' || text[start] == '.') && start+1 < end &&
		!IsAlnum(text[start+1]) {
		start++
	}
	return start, end
}

// phraseEnd extends a Latin word over the words and numbers that follow it and are read with it: "ISO/IEC 27001:2022",
// "tender 2026-90417". In isolates of their own, they would be ordered like the Arabic around them. Brackets that open
// in the phrase close in it.
func phraseEnd(text []rune, start, end int) int {
	if !slices.ContainsFunc(text[start:end], isLatin) {
		return end
	}
	open, last := 0, end
	for at, to := start, end; ; {
		open = brackets(text[at:to], open)
		if open < 0 {
			return last
		}
		if open == 0 && slices.ContainsFunc(text[at:to], IsAlnum) {
			last = to
		}
		at = to
		for to < len(text) && (text[to] == ' ' || text[to] == '\u00a0') {
			to++
		}
		word := to
		if to = tokenEnd(text, word); word == at || word == to || to-last > maxBracketed {
			return last
		}
		if slices.ContainsFunc(text[word:to], IsAlnum) {
			_, to = trimToken(text, start, to)
		}
	}
}

// brackets returns the number of brackets open after a text; it is negative if more close than open.
func brackets(text []rune, open int) int {
	for _, r := range text {
		switch r {
		case '(', '[':
			open++
		case ')', ']':
			if open--; open < 0 {
				return open
			}
		}
	}
	return open
}

// figureEnd extends a number over groups of digits separated by single spaces: "+971 4 123 4567", "12 500 000".
func figureEnd(text []rune, start, end int) int {
	phone := text[start] == '+'
	if !phone && !(allEuropean(text[start:end]) && end-start <= 3) {
		return end
	}
	for end+1 < len(text) && (text[end] == ' ' || text[end] == '\u00a0') {
		next := end + 1
		for next < len(text) && (isEuropean(text[next]) || phone && (text[next] == '-' || text[next] == '(' ||
			text[next] == ')')) {
			next++
		}
		whole := next == len(text) || !IsAlnum(text[next]) && !IsArabicBlock(text[next])
		if !whole || next == end+1 || !phone && next-end != 4 {
			break
		}
		end = next
	}
	return end
}

// needsIsolate reports whether a token has European digits or Latin letters next to neutral characters.
func needsIsolate(token []rune) bool {
	strong, neutral := false, false
	for _, r := range token {
		switch {
		case IsAlnum(r):
			strong = true
		case r != ' ' && r != '\u00a0' || !isLatin(token[0]): // a token that begins with a Latin letter keeps its order
			neutral = true
		}
	}
	return strong && neutral
}

func allEuropean(token []rune) bool {
	for _, r := range token {
		if !isEuropean(r) {
			return false
		}
	}
	return true
}

func isEuropean(r rune) bool { return r >= '0' && r <= '9' }

// IsAlnum reports whether a character is a European digit or a Latin letter.
func IsAlnum(r rune) bool { return isEuropean(r) || isLatin(r) }

func isLatin(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= 0xC0 && r < 0x250 && r != 0xD7 && r != 0xF7
}

// IsArabicBlock reports whether a character is a letter, digit or punctuation of the Arabic blocks; it ends a token.
func IsArabicBlock(r rune) bool { return r >= 0x590 && r < 0x900 || r >= 0xFB1D && r <= 0xFEFC }

// isSign reports whether a character may precede the first letter of a token and belong to it.
func isSign(r rune) bool {
	switch r {
	case '+', '-', '−', '±', '#', '$', '€', '£', '~', '@', '/', '.', '<', '>', '≥', '≤':
		return true
	}
	return false
}

// maxBracketed bounds the search for the other bracket, so that a text of brackets only doesn't take quadratic time.
const maxBracketed = 120

// isTail reports whether a token's last character belongs to it: a unit, or a bracket that opens in it.
func isTail(text []rune, start, end int) bool {
	switch text[end-1] {
	case '%', '‰', '°', '+', '$', '€', '£', '/':
		return true
	case ')', ']':
		open := '('
		if text[end-1] == ']' {
			open = '['
		}
		for i := end - 2; i >= max(start, end-maxBracketed); i-- {
			if text[i] == open {
				return true
			}
		}
	}
	return false
}
