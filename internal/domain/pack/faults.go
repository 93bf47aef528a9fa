package pack

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"sanad/internal/domain"
	"sanad/internal/words"
)

// faults collects the errors of an input.
type faults []*domain.Error

func (f *faults) add(path, format string, args ...any) *domain.Error {
	e := domain.Invalidf(path, format, args...)
	*f = append(*f, e)
	return e
}

// RefusalText returns what an error says in a language, "" if the catalogue does not have it.
func RefusalText(e *domain.Error, lang string) string {
	if e.Word == "" {
		return ""
	}
	return words.In(lang).Text("fault_"+e.Word, e.Args...)
}

func (f *faults) need(path, value string, limit int) {
	if blank(value) {
		f.add(path, "This is missing.").Worded("missing")
	}
	f.short(path, value, limit)
}

// id requires a name that is not visually ambiguous.
func (f *faults) id(path, value string) {
	f.need(path, value, MaxID)
	if strings.TrimSpace(value) != value || strings.ContainsFunc(value,
		func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }) {
		f.add(path, "No line breaks, no invisible characters, no spaces at either end.").Worded("id_signs")
	}
}

// data limits the size of any JSON.
func (f *faults) data(path string, raw []byte) {
	if len(raw) > MaxData {
		*f = append(*f, domain.TooLargef(path, "This has %d KiB; %d are the most. Keep it elsewhere and give its URI.",
			len(raw)>>10, MaxData>>10).Worded("data_large", "N", len(raw)>>10, "Most", MaxData>>10))
	}
}

func (f *faults) short(path, value string, limit int) {
	if n := utf8.RuneCountInString(value); n > limit {
		f.add(path, "This has %d characters; %d are the most.", n, limit).Worded("characters", "N", n, "Most", limit)
	}
}

func (f *faults) inList(path, value string, all []string) {
	for _, x := range all {
		if x == value {
			return
		}
	}
	f.add(path, "Choose one of %s.", strings.Join(all, ", ")).Worded("one_of", "All", strings.Join(all, ", "))
}

// optional is inList for values that may be absent.
func (f *faults) optional(path, value string, all []string) {
	if value != "" {
		f.inList(path, value, all)
	}
}

// time accepts an absent value, which is checked elsewhere.
func (f *faults) time(path, value string) {
	if _, err := time.Parse(time.RFC3339, value); value != "" && err != nil {
		f.add(path, "Give a time in the form of RFC 3339, such as 2026-03-01T09:30:00Z.").Worded("time_form")
	}
}

func (f *faults) count(path string, n int) {
	if n > MaxItems {
		*f = append(*f, domain.TooLargef(path, "There are %d items; %d are the most.", n, MaxItems).
			Worded("items", "N", n, "Most", MaxItems))
	}
}

// share reports whether x is a number from 0 to 1.
func share(x float64) bool { return x >= 0 && x <= 1 }
