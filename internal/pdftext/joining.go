package pdftext

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// vocabulary has the words of a file, in lower case, to tell a hyphen of a word from one at the end of a line.
type vocabulary map[string]bool

// isHyphen reports whether r may part a word at the end of a line.
func isHyphen(r rune) bool { return r == '-' || r == '\u2010' || r == '\u2011' }

// brokenWord reports whether a line ends in a part of a word.
func brokenWord(s []rune) bool {
	n := len(s)
	return n > 1 && isHyphen(s[n-1]) && (unicode.IsLetter(s[n-2]) || unicode.IsDigit(s[n-2]))
}

// vocabularyOf returns the words that stand within the lines of a file.
func vocabularyOf(pages [][]line) vocabulary {
	v := vocabulary{}
	for _, lines := range pages {
		broken := false
		for i := range lines {
			words := strings.Fields(string(lines[i].text))
			if broken && len(words) > 0 {
				words = words[1:]
			}
			if broken = brokenWord(lines[i].text); broken && len(words) > 0 {
				words = words[:len(words)-1]
			}
			for _, w := range words {
				v[bareWord(w)] = true
			}
		}
	}
	return v
}

// bareWord returns a word in lower case without marks around it.
func bareWord(w string) string {
	return strings.ToLower(strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }))
}

// firstParts and lastParts are words that stand before and behind the hyphen of compound words.
var (
	firstParts = strings.Fields(`all anti co cross ex first full half high inter left long low mid multi near non off on
		one out over part post pre pro right second self semi short single so state sub third top two three under up
		well year`)
	lastParts = strings.Fields(`and based by day down driven free friendly fold form held in known level like made
		month of off old on or out party related sized specific style term the time to type up week wide year years`)
)

// unbroken returns two lines as one text: the second begins with the rest of a word of which the first ends in a part.
// The hyphen goes if the word stands elsewhere in the file without it, and stays if it does with it, if its parts are
// words of the file, or if they are such as make compound words.
func (v vocabulary) unbroken(a, b string) string {
	head := a[strings.LastIndexByte(a, ' ')+1:]
	hyphen, size := utf8.DecodeLastRuneInString(head)
	if !isHyphen(hyphen) || b == "" {
		return a + " " + b
	}
	tail, _, _ := strings.Cut(b, " ")
	first, last := bareWord(head), bareWord(tail)
	inCompound := false
	if at := strings.LastIndexFunc(first, isHyphen); at >= 0 { // of "state-of-the-" the last part counts
		first = first[at+1:]
		inCompound = slices.Contains(leading, first)
	}
	next, _ := utf8.DecodeRuneInString(b)
	switch {
	case !unicode.IsLower(next):
		if unicode.IsLetter(next) || unicode.IsDigit(next) {
			return a + b // "Jean-Paul", "COVID-19"
		}
		return a + " " + b // "pre- and"
	case slices.Contains([]string{"and", "or", "to", "und", "et"}, last) && !v[first+"-"+last]:
		return a + " " + b // "pre- and post-natal"
	case v[bareWord(head[:len(head)-size]+tail)]:
	case inCompound, v[bareWord(head+tail)], v[first] && v[last], slices.Contains(firstParts, first),
		slices.Contains(lastParts, last):
		return a + b
	}
	return a[:len(a)-size] + b
}

// Sentences.
const (
	enders     = ".!?؟。;؛:"
	moreEnders = "\"')]}»”’"
)

// open reports whether a text ends within a sentence.
func open(s string) bool {
	s = strings.TrimRight(s, moreEnders+" ")
	r, _ := utf8.DecodeLastRuneInString(s)
	return s != "" && !strings.ContainsRune(enders, r) && (unicode.IsLetter(r) || unicode.IsDigit(r) || isHyphen(r) ||
		strings.ContainsRune(",،–—", r))
}

// goesOn reports whether a text begins within a sentence that the text before leaves open.
func goesOn(before, s string) bool {
	if !open(before) || item.MatchString(s) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, "\"'([«“‘"))
	last, _ := utf8.DecodeLastRuneInString(before)
	switch {
	case unicode.IsLower(r):
		return true
	case unicode.IsUpper(r):
		word := bareWord(before[strings.LastIndexByte(before, ' ')+1:])
		return last == ',' || isHyphen(last) || slices.Contains(leading, word)
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// leading are words that no sentence ends with.
var leading = strings.Fields(`a an the of to in on at by for with from within and or but nor as than that which who
	is are was were be been will shall must may can not its their his her this these those under per between into
	upon`)

// mostMoved is the longest rest of a sentence, in code points, that is read with its beginning.
const mostMoved = 1500

// sentenceEnd returns the length of the rest of a sentence that a text begins with, in bytes; 0 if it is too long.
func sentenceEnd(s string) int {
	n := 0
	for i, r := range s {
		if n++; n > mostMoved {
			return 0
		}
		if !strings.ContainsRune(".!?؟。", r) {
			continue
		}
		end := i + utf8.RuneLen(r)
		for end < len(s) && strings.IndexByte("\"')]", s[end]) >= 0 {
			end++
		}
		if end == len(s) {
			return end
		}
		if s[end] != ' ' {
			continue
		}
		if next, _ := utf8.DecodeRuneInString(s[end+1:]); !unicode.IsLower(next) && !unicode.IsDigit(next) {
			return end
		}
	}
	return len(s)
}
