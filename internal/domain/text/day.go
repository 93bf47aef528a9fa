package text

import (
	"strings"
	"time"
	"unicode/utf8"
)

// maxDay bounds a day that somebody typed, in bytes.
const maxDay = 64

// TypedDay reads a day as people type it: year, month and day in digits of any kind, with hyphens, slashes, dots or
// spaces between them. ok is false if s is no day of the years 1900 to 2999.
func TypedDay(s string) (day time.Time, ok bool) {
	if len(s) > maxDay || !utf8.ValidString(s) {
		return time.Time{}, false
	}
	parts := strings.FieldsFunc(Fold(s), func(r rune) bool { return strings.ContainsRune("-/. ", r) })
	if len(parts) != 3 {
		return time.Time{}, false
	}
	for i, p := range parts {
		if len(p) == 1 {
			parts[i] = "0" + p
		}
	}
	day, err := time.Parse(time.DateOnly, strings.Join(parts, "-"))
	return day, err == nil && day.Year() >= 1900 && day.Year() <= 2999
}
