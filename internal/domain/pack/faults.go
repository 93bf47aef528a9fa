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

func (f *faults) add(path, id string, args ...any) {
	*f = append(*f, domain.Refuse(domain.Invalid, path, id, args...))
}

func (f *faults) need(path, value string, limit int) {
	if blank(value) {
		f.add(path, "refused_missing")
	}
	f.short(path, value, limit)
}

// id requires a name that is not visually ambiguous.
func (f *faults) id(path, value string) {
	f.need(path, value, MaxID)
	if strings.TrimSpace(value) != value || strings.ContainsFunc(value,
		func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }) {
		f.add(path, "refused_id_signs")
	}
}

// data limits the size of any JSON.
func (f *faults) data(path string, raw []byte) {
	if len(raw) > MaxData {
		*f = append(*f, domain.Refuse(domain.TooLarge, path, "refused_data_large", "N", len(raw)>>10, "Most",
			MaxData>>10))
	}
}

func (f *faults) short(path, value string, limit int) {
	if n := utf8.RuneCountInString(value); n > limit {
		f.add(path, "refused_characters", "N", n, "Most", limit)
	}
}

func (f *faults) inList(path, value string, all []string) {
	for _, x := range all {
		if x == value {
			return
		}
	}
	f.add(path, "fault_one_of", "All", words.ListOf(all))
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
		f.add(path, "fault_time_form")
	}
}

func (f *faults) count(path string, n int) {
	if n > MaxItems {
		*f = append(*f, domain.Refuse(domain.TooLarge, path, "refused_items", "N", n, "Most", MaxItems))
	}
}

// share reports whether x is a number from 0 to 1.
func share(x float64) bool { return x >= 0 && x <= 1 }
