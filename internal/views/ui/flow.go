package ui

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"sanad/internal/domain/text"
)

// flowRuns splits words in a block of a direction into runs, so that those of the other direction are isolated (rule
// WEB-14).
func flowRuns(s, dir string) []text.Run { return text.Runs(s, dir == "rtl") }

// quotation matches what stands between quotation marks of one kind.
var quotation = regexp.MustCompile(`«([^«»]+)»|“([^“”]+)”|"([^"\n]+)"`)

// quotedRuns splits words in a block of a direction at the quotations in the other direction, which their first letter
// tells. One within words of its own direction is left to them: they are isolated together.
func quotedRuns(s, dir string) (runs []text.Run) {
	at := 0
	if strings.ContainsAny(s, `«“"`) {
		for _, m := range quotation.FindAllStringSubmatchIndex(s, -1) {
			from, to := max(m[2], m[4], m[6]), max(m[3], m[5], m[7])
			first := strings.IndexFunc(s[from:to], unicode.IsLetter)
			before := strings.LastIndexFunc(s[at:m[0]], unicode.IsLetter)
			if first < 0 || letterDir(s[from+first:]) == dir || before >= 0 && letterDir(s[at+before:]) != dir {
				continue
			}
			runs = append(runs, text.Run{Text: s[at:from]}, text.Run{Text: s[from:to], Foreign: true})
			at = to
		}
	}
	if at < len(s) {
		runs = append(runs, text.Run{Text: s[at:]})
	}
	return runs
}

// letterDir is the direction of the letter that s begins with.
func letterDir(s string) string {
	r, _ := utf8.DecodeRuneInString(s)
	if text.HasRightToLeft(string(r)) {
		return "rtl"
	}
	return "ltr"
}

// saidRuns splits a sentence of ours into its own words and what it quotes, between the isolates that a message puts
// around its values (U+2068 and U+2069). A quotation keeps those that it has itself.
func saidRuns(s string) (runs []text.Run) {
	for s != "" {
		own, rest, found := strings.Cut(s, "\u2068")
		end := isolateEnd(rest)
		if !found || end < 0 {
			return append(runs, text.Run{Text: s})
		}
		if own != "" {
			runs = append(runs, text.Run{Text: own})
		}
		runs = append(runs, text.Run{Text: rest[:end], Foreign: true})
		s = rest[end+len("\u2069"):]
	}
	return runs
}

// isolateEnd returns where the isolate that a text is in ends, -1 if it does not.
func isolateEnd(s string) int {
	depth := 1
	for i, r := range s {
		switch r {
		case '\u2066', '\u2067', '\u2068':
			depth++
		case '\u2069':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// latinPhrase matches three or more words in Latin letters; fewer may be a name or a term of the Arabic text.
var latinPhrase = regexp.MustCompile(`\p{Latin}[\p{Latin}'’-]*(?:[ ,;]+\p{Latin}[\p{Latin}'’-]*){2,}`)

// phraseRuns splits a text at its phrases in Latin letters.
func phraseRuns(s string) (runs []text.Run) {
	at := 0
	for _, m := range latinPhrase.FindAllStringIndex(s, -1) {
		if at < m[0] {
			runs = append(runs, text.Run{Text: s[at:m[0]]})
		}
		runs, at = append(runs, text.Run{Text: s[m[0]:m[1]], Foreign: true}), m[1]
	}
	if at < len(s) {
		runs = append(runs, text.Run{Text: s[at:]})
	}
	return runs
}

// opposite returns the direction of a foreign run in a block of a direction.
func opposite(dir string) string {
	if dir == "rtl" {
		return "ltr"
	}
	return "rtl"
}

// longestFigures is the most bytes of figures that are kept on one line: what is longer may not fit into it.
const longestFigures = 24

// isFigures reports whether a run is a date, a range or another group of figures without letters or spaces.
func isFigures(run string) bool {
	return len(run) <= longestFigures && strings.ContainsFunc(run, unicode.IsDigit) &&
		!strings.ContainsFunc(run, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsSpace(r) })
}

// turnsAll reports whether all letters of a text are of the other direction than its block: a name, whose figures stand
// as in its own language.
func turnsAll(s, dir string) bool {
	letters := false
	for _, r := range s {
		if unicode.IsLetter(r) {
			if letterDir(string(r)) == dir {
				return false
			}
			letters = true
		}
	}
	return letters
}
