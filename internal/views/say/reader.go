// Package say puts what a page shows into the reader's language: numbers, dates, names, messages, sentences of events.
package say

import (
	"strconv"
	"time"

	"sanad/internal/words"
)

// Reader is who something is said to: language, digits and the present time.
type Reader struct {
	Lang, Dir, Digits string
	Now               time.Time
	words             *words.Catalogue
}

// To returns the reader of a language; English where there is no such language.
func To(lang, digits string, now time.Time) Reader {
	r := Reader{Lang: lang, Dir: "ltr", Digits: digits, Now: now, words: words.In(lang)}
	if r.words == nil {
		r.Lang, r.words = "en", words.In("en")
	}
	if r.Lang == "ar" {
		r.Dir = "rtl"
	}
	return r
}

// T returns the message id; args are name, value pairs for its placeholders.
func (r *Reader) T(id string, args ...any) string { return r.words.Text(id, args...) }

// N returns the message id in the plural form for count.
func (r *Reader) N(id string, count int, args ...any) string {
	return r.words.Plural(id, count, r.Num(count), args...)
}

// Num writes a whole number with grouped thousands.
func (r *Reader) Num(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return r.InDigits(s)
}

// Percent writes a rate from 0 to 1 as a whole percentage.
func (r *Reader) Percent(rate float64) string {
	return r.InDigits(strconv.Itoa(int(rate*100+0.5)) + "%")
}

// Decimal writes a figure with two places.
func (r *Reader) Decimal(v float64) string { return r.InDigits(strconv.FormatFloat(v, 'f', 2, 64)) }

// Time writes an instant with its zone.
func (r *Reader) Time(t time.Time) string {
	return r.Date(t) + r.directionMark() + r.T("list_comma") + r.directionMark() + r.InDigits(t.UTC().Format("15:04")) + " UTC"
}

// directionMark is a mark of the page's direction (LRM or RLM); it keeps figures on both sides of a comma in order.
func (r *Reader) directionMark() string {
	if r.Dir == "rtl" {
		return "\u200f"
	}
	return "\u200e"
}

// Date writes the day of an instant (UTC).
func (r *Reader) Date(t time.Time) string {
	t = t.UTC()
	return r.InDigits(strconv.Itoa(t.Day())) + " " + r.T("month_"+strconv.Itoa(int(t.Month()))) + " " +
		r.InDigits(strconv.Itoa(t.Year()))
}

// InDigits replaces Latin digits by the reader's.
func (r *Reader) InDigits(s string) string {
	if r.Digits != "arab" {
		return s
	}
	return words.ArabicDigits(s)
}

// Size writes a number of bytes in MiB, or in KiB where it is small.
func (r *Reader) Size(n int64) string {
	if n < 1<<20 {
		return r.T("size_kib", "N", r.Num(int((n+1023)>>10)))
	}
	return r.T("size_mib", "N", r.Decimal(float64(n)/(1<<20)))
}

// InBoth returns the message id in both languages, for what is found by its name in either.
func (r *Reader) InBoth(id string) []string {
	return []string{words.In("en").Text(id), words.In("ar").Text(id)}
}

// Stamp writes an instant for a datetime attribute.
func Stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
