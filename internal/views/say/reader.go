// Package say puts what a page shows into the reader's language: numbers, dates, names, messages, sentences of events.
package say

import (
	"strconv"
	"strings"
	"time"

	"sanad/internal/domain/access"
	"sanad/internal/domain/due"
	"sanad/internal/domain/text/quantity"
	"sanad/internal/words"
)

// Reader is who something is said to: language, digits, the present time and how their organisation counts it.
type Reader struct {
	Lang, Dir, Digits string
	Now               time.Time
	Week              access.WeekStart
	Calendar          access.Calendar

	zoneName string         // "" for UTC
	zone     *time.Location // nil for UTC
	words    *words.Catalogue
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
func (r *Reader) Percent(rate float64) string { return r.PerCent(strconv.Itoa(int(rate*100 + 0.5))) }

// PerCent writes a figure with its sign. In Arabic, European digits and their sign are isolated: after an Arabic letter
// the sign would stand at the figure's other side. Arabic-Indic digits have it at their left wherever they stand.
func (r *Reader) PerCent(figure string) string {
	if r.Dir == "rtl" && r.Digits != "arab" {
		return "\u2066" + figure + "%\u2069"
	}
	return r.InDigits(figure + "%")
}

// Decimal writes a figure with two places.
func (r *Reader) Decimal(v float64) string { return r.InDigits(strconv.FormatFloat(v, 'f', 2, 64)) }

// Keep makes the reader read times in a zone of the IANA database; UTC where there is no such zone.
func (r *Reader) Keep(zone string) {
	at, err := due.Zone(zone)
	if err != nil || at == time.UTC {
		r.zoneName, r.zone = "", nil
		return
	}
	r.zoneName, r.zone = zone, at
}

// Local returns an instant in the reader's zone, with the day and the time of day that are there.
func (r *Reader) Local(t time.Time) time.Time {
	if r.zone == nil {
		return t.UTC()
	}
	return t.In(r.zone)
}

// StartOf returns the instant at which a day begins in the reader's zone.
func (r *Reader) StartOf(day time.Time) time.Time {
	y, m, d := day.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, r.Local(day).Location())
}

// Zone names the reader's zone as it is now.
func (r *Reader) Zone() string { return r.ZoneWord(r.zoneName, r.Now) }

// Clock writes the time of day of an instant.
func (r *Reader) Clock(t time.Time) string { return r.InDigits(r.Local(t).Format("15:04")) }

// Time writes an instant in full, with how far its zone is from UTC.
func (r *Reader) Time(t time.Time) string {
	return r.FullDate(t) + r.directionMark() + r.T("list_comma") + r.directionMark() + r.Clock(t) + " " + r.offset(t)
}

// offset is how far the reader's zone is from UTC at an instant.
func (r *Reader) offset(t time.Time) string {
	at := r.Local(t)
	if _, seconds := at.Zone(); seconds == 0 {
		return "UTC"
	}
	offset := strings.TrimSuffix(at.Format("-07:00"), ":00")
	return Isolated("UTC" + offset[:1] + strings.TrimPrefix(offset[1:], "0"))
}

// directionMark is a mark of the page's direction (LRM or RLM); it keeps figures on both sides of a comma in order.
func (r *Reader) directionMark() string {
	if r.Dir == "rtl" {
		return "\u200f"
	}
	return "\u200e"
}

// Date writes the day of an instant.
func (r *Reader) Date(t time.Time) string { return r.CalendarDay(r.Local(t)) }

// FullDate writes the day of an instant, with the Hijri one beside it where the organisation reads it.
func (r *Reader) FullDate(t time.Time) string {
	day := r.Local(t)
	if hijri := r.hijri(day); hijri != "" {
		return r.T("hijri_beside", "Date", r.CalendarDay(day), "Hijri", hijri)
	}
	return r.CalendarDay(day)
}

// hijri writes the Hijri date of a day, "" if the organisation does not read it or none is known.
func (r *Reader) hijri(day time.Time) string {
	year, month, d, ok := quantity.Hijri(day)
	if !ok || r.Calendar != access.Hijri {
		return ""
	}
	return r.T("hijri_date", "Day", r.InDigits(strconv.Itoa(d)), "Month", r.T("hijri_month_"+strconv.Itoa(month)),
		"Year", r.InDigits(strconv.Itoa(year)))
}

// CalendarDay writes the day that a date says, whatever its zone: what has no time of day, such as the first day of a
// week.
func (r *Reader) CalendarDay(t time.Time) string {
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
