package ui

import "sanad/internal/domain/text"

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
