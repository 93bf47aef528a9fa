package auth

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// What guessers try besides lists: names, rows of keys, sequences, repetitions (rule SEC-2).

const (
	leastName    = 3 // letters of a name that counts
	leastRun     = 3 // characters of a row of keys or a sequence; they count as one
	leastKept    = 4 // characters of a run that is left out when what is left is compared with the lists
	leastCounted = 6 // characters that a password has when runs count as one and repetitions once
)

// ownNames are names that no password may mostly consist of, besides the person's and the organisation's: the
// program's.
var ownNames = []string{"sanad", "سند"}

// keyRows are the rows and columns of keyboards, alphabets and digits.
var keyRows = []string{
	"1234567890", "0123456789", "!@#$%^&*()",
	"qwertyuiop[]", "asdfghjkl;'", "zxcvbnm,./", "qwertzuiop", "azertyuiop", "qsdfghjklm", "wxcvbn",
	"1qaz", "2wsx", "3edc", "4rfv", "5tgb", "6yhn", "7ujm", "8ik,", "9ol.", "0p;/",
	"abcdefghijklmnopqrstuvwxyz",
	"ضصثقفغعهخحجد", "شسيبلاتنمكط", "ئءؤرىةوزظ", "ابتثجحخدذرزسشصضطظعغفقكلمنهوي", "ابجدهوزحطيكلمنسعفصقرشتثخذضظغ",
}

// keySteps has a bit for each row, and for each backwards, in which one character follows another.
var keySteps = sync.OnceValue(func() map[[2]rune]uint64 {
	steps := map[[2]rune]uint64{}
	for i, row := range keyRows {
		keys := []rune(row)
		for k := range len(keys) - 1 {
			steps[[2]rune{keys[k], keys[k+1]}] |= 1 << (2 * i)
			steps[[2]rune{keys[k+1], keys[k]}] |= 1 << (2*i + 1)
		}
	}
	return steps
})

const sameKey = uint64(1) << 63

// runAt returns the length of the run that begins at the first of some characters: a row of keys, a sequence, or one
// character again and again.
func runAt(p []rune) int {
	n := 1
	for step := ^uint64(0); n < len(p); n++ {
		next := keySteps()[[2]rune{p[n-1], p[n]}]
		if p[n-1] == p[n] {
			next |= sameKey
		}
		if step &= next; step == 0 {
			break
		}
	}
	return n
}

// counted returns how many characters a password has when each run counts as one.
func counted(p []rune) (n int) {
	for len(p) > 0 {
		run := runAt(p)
		if run < leastRun {
			run = 1
		}
		p = p[run:]
		n++
	}
	return n
}

// withoutRuns leaves out the runs.
func withoutRuns(p string) string {
	var out []rune
	for rest := []rune(p); len(rest) > 0; {
		run := runAt(rest)
		if run < leastKept {
			run = 1
			out = append(out, rest[0])
		}
		rest = rest[run:]
	}
	return string(out)
}

// once returns what a password repeats at least twice from its beginning to its end, or else the password.
func once(p []rune) []rune {
	for size := 1; size <= len(p)/2; size++ {
		if slices.Equal(p[size:], p[:len(p)-size]) {
			return p[:size]
		}
	}
	return p
}

// patterned reports whether a folded password is little more than rows of keys, sequences and repetitions, also with
// signs between the characters, or two of them in turn ("1q2w3e4r5t6y").
func patterned(p string) bool {
	keys := once([]rune(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || strings.ContainsRune("-_.,:/", r) {
			return -1
		}
		return r
	}, p)))
	var turns [2][]rune
	for i, r := range keys {
		turns[i%2] = append(turns[i%2], r)
	}
	return min(counted(keys), counted([]rune(p)), counted(turns[0])+counted(turns[1])) < leastCounted
}

// unswapped returns a password with letters in place of the digits and signs that are written for them, 1 and ! as one.
func unswapped(p string, one rune) string {
	return strings.Map(func(r rune) rune {
		if r == '1' || r == '!' || r == '|' {
			return one
		}
		if i := strings.IndexRune("@4380$579+", r); i >= 0 {
			return rune("aaebosstgt"[i])
		}
		return r
	}, p)
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }

// spellings returns the words that a folded password may be, as guessers spell them: without spaces; without digits and
// signs at its beginning and end; without rows of keys; what it repeats, once; with letters in place of digits; typed
// in Latin letters on an Arabic keyboard.
func spellings(p string) (all []string) {
	p = strings.ReplaceAll(p, " ", "")
	for _, s := range append([]string{p}, latinKeys(p)...) {
		all = append(all, s)
		for _, cut := range []string{s, strings.TrimRightFunc(s, notLetter), strings.TrimFunc(s, notLetter),
			strings.TrimFunc(withoutRuns(s), notLetter)} {
			for _, word := range []string{cut, unswapped(cut, 'i'), unswapped(cut, 'l')} {
				block := string(once([]rune(word)))
				all = append(all, word, block, strings.TrimFunc(block, notLetter))
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// leastStems is how many passwords of the list are a word with different digits for the word to be common, too.
const leastStems = 3

// commonStems are the words that common passwords of the list are made of.
var commonStems = sync.OnceValue(func() map[string]bool {
	seen, common := map[string]int{}, map[string]bool{}
	for _, list := range commonLists() {
		for _, word := range list {
			stem := strings.TrimFunc(word, notLetter)
			if seen[stem]++; utf8.RuneCountInString(stem) > leastName && seen[stem] >= leastStems {
				common[stem] = true
			}
		}
	}
	return common
})

// mostlyNames reports whether names are at least half of the letters of a folded password.
func mostlyNames(p string, names []string) bool {
	var words []string
	for _, name := range append(slices.Clone(ownNames), names...) {
		name = fold(normalPassword(name))
		for _, word := range append(strings.FieldsFunc(name, notLetter), strings.Map(onlyLetters, name)) {
			if utf8.RuneCountInString(word) >= leastName {
				words = append(words, word)
			}
		}
	}
	slices.SortFunc(words, func(a, b string) int { return len(b) - len(a) })
	core := strings.TrimFunc(p, notLetter)
	for _, p := range []string{p, unswapped(core, 'i'), unswapped(core, 'l')} {
		p = strings.Map(onlyLetters, p)
		rest := p
		for _, word := range words {
			rest = strings.ReplaceAll(rest, word, " ")
		}
		left := utf8.RuneCountInString(strings.ReplaceAll(rest, " ", ""))
		if rest != p && 2*left <= utf8.RuneCountInString(p) {
			return true
		}
	}
	return false
}

func onlyLetters(r rune) rune {
	if notLetter(r) {
		return -1
	}
	return r
}
