package ui

import (
	"strings"
	"unicode"

	"sanad/internal/domain/text"
)

// flowRuns splits words in a block of a direction into runs, so that those of the other direction are isolated (rule
// WEB-14).
func flowRuns(s, dir string) []text.Run { return text.Runs(s, dir == "rtl") }

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
