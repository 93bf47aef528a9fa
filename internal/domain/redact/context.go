package redact

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sanad/internal/domain/text"
)

// class is what a word says about the number after it; a word may have several classes.
type class uint

const (
	phoneWord   class = 1 << iota
	idWord            // a personal identity number follows
	cardWord          // a payment card follows
	bookWord          // a book or article number
	otherWord         // some other number follows: an order, an amount, a time
	whenWord          // a time follows directly
	versionWord       // a version or section follows
	fillWord          // carries no information: number, is, رقم
	copula            // joins a number and a word for it: "… is his national id"
)

// word is a word before a number, normalised for comparison.
type word struct {
	text   string
	number bool
	ends   bool // punctuation follows: a colon, a comma, a parenthesis
	class  class
}

func (w word) is(c class) bool { return w.class&c != 0 }

// words are the words before a number, the nearest first.
type words struct{ list []word }

// near returns the index of the first word of that class among the nearest n, -1 if none. A number in between ends the
// search.
func (w *words) near(c class, n int) int {
	for k, word := range w.list[:min(n, len(w.list))] {
		if word.is(c) {
			return k
		}
		if word.number {
			break
		}
	}
	return -1
}

// after reports whether a word of that class stands before the number, with nothing but fill words in between.
func (w *words) after(c class) bool {
	for _, word := range w.list {
		if word.is(c) {
			return true
		}
		if !word.is(fillWord) {
			break
		}
	}
	return false
}

// Bounds on the context that is read before a number.
const (
	backBytes = 96
	backWords = 8
)

// before returns the words before v.b[i], back to the end of the sentence before. They are valid until the next call.
func (f *finder) before(i int) words {
	end, _ := f.v.original(i, i+1)
	start := max(0, end-backBytes)
	for start < end && !utf8.RuneStart(f.v.src[start]) {
		start++
	}
	f.back = split(f.v.src[start:end], f.back[:0])
	list := f.back[max(0, len(f.back)-backWords):]
	slices.Reverse(list)
	return words{classed(list)}
}

// clip cuts s to at most n bytes, at a code point.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// breaks are the characters that separate a word from the one after it.
const breaks = ":,;=()[]{}|،؛\n"

// split returns the words of s in order. A name like nationalId or phone_no is split into its parts. Words before the
// end of a sentence are dropped.
func split(s string, list []word) []word {
	start, prev, before := -1, rune(0), 0
	for i, r := range s {
		in := unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) || unicode.Is(unicode.Cf, r)
		hump := in && start >= 0 && i-start > 1 && unicode.IsUpper(r) && unicode.IsLower(prev)
		if start >= 0 && (!in || hump || unicode.IsDigit(r) != unicode.IsDigit(prev) && unicode.IsDigit(prev)) {
			list = appendWord(list, s[start:i])
			start = -1
		}
		if in && start < 0 {
			start = i
		}
		if n := len(list); n > 0 && !in && start < 0 && strings.ContainsRune(breaks, r) {
			list[n-1].ends = true
		}
		if unicode.IsSpace(r) && (prev == '.' && before > 3 || prev == '!' || prev == '?' || prev == '؟') {
			list = list[:0]
		}
		if in {
			before++
		} else if unicode.IsSpace(r) {
			before = 0
		}
		prev = r
	}
	if start >= 0 {
		list = appendWord(list, s[start:])
	}
	return list
}

// appendWord appends a word as it is written, unless it consists of invisible characters only.
func appendWord(list []word, s string) []word {
	if strings.TrimFunc(s, func(r rune) bool { return plain(r) == 0 }) == "" {
		return list
	}
	return append(list, word{text: s})
}

// classed normalises the words of a list and sets their classes.
func classed(list []word) []word {
	for k := range list {
		w := &list[k]
		w.text = text.Fold(w.text)
		if r, _ := utf8.DecodeRuneInString(w.text); unicode.IsDigit(r) {
			w.number = true
		} else if w.class = english[w.text]; w.class == 0 && r >= utf8.RuneSelf {
			w.class = arabicClass(w.text)
		}
	}
	return list
}

// arabicClass looks up a normalised Arabic word by its stem: without "and", article and preposition, and without
// suffixes (هاتفه, his phone).
func arabicClass(w string) class {
	for _, p := range []string{"", "و", "ف"} {
		rest, ok := strings.CutPrefix(w, p)
		if !ok {
			continue
		}
		for _, q := range []string{"", "ال", "بال", "لل", "كال", "ب", "ل"} {
			stem, ok := strings.CutPrefix(rest, q)
			if !ok || utf8.RuneCountInString(stem) < 1 {
				continue
			}
			if c := arabicWord(stem); c != 0 {
				return c
			}
		}
	}
	return 0
}

func arabicWord(s string) class {
	if c := arabicWhole[s]; c != 0 {
		return c
	}
	for n, k := 0, 0; k < len(s) && n < 7; n++ {
		_, w := utf8.DecodeRuneInString(s[k:])
		k += w
		if c := arabicStems[s[:k]]; c != 0 && n >= 2 {
			return c
		}
	}
	return 0
}
