package numberformat

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// lastDay is the last day that spreadsheets know: the end of the year 9999.
const lastDay = 2_958_465

// between1900And1904 are the days from the one system of dates to the other.
const between1900And1904 = 1_462

// Time returns the date and the time of day that a number stands for; false if it stands for none. Spreadsheets count a
// 29 February 1900, which there was not: the days before it are one later than they say.
func Time(v float64, epoch1904 bool) (time.Time, bool) {
	if epoch1904 {
		v += between1900And1904
	}
	if v < 1 || v >= lastDay+1 || v >= 60 && v < 61 {
		return time.Time{}, false
	}
	if v < 60 {
		v++
	}
	day, part := math.Modf(v)
	ms := math.Round(part * 24 * 60 * 60 * 1000)
	return time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC).AddDate(0, 0, int(day)).
		Add(time.Duration(ms) * time.Millisecond), true
}

// dateParts are the letters of a section, the longest of each: "yyyy", "mmm", "d".
type dateParts struct{ year, month, day, hour, minute, second, fraction, elapsed string }

func (s *section) dateParts() (p dateParts) {
	longer := func(to *string, text string) {
		if len(text) > len(*to) {
			*to = text
		}
	}
	for _, t := range s.tokens {
		switch {
		case t.kind == elapsed:
			longer(&p.elapsed, t.text)
		case t.kind == fraction:
			longer(&p.fraction, t.text)
		case t.kind == timePart && t.text[0] == 'h':
			longer(&p.hour, t.text)
		case t.kind == timePart && t.text[0] == 'm':
			longer(&p.minute, t.text)
		case t.kind == timePart:
			longer(&p.second, t.text)
		case t.kind == datePart && t.text[0] == 'y':
			longer(&p.year, t.text)
		case t.kind == datePart && t.text[0] == 'm':
			longer(&p.month, t.text)
		case t.kind == datePart && len(t.text) <= 2: // names of weekdays are longer
			longer(&p.day, t.text)
		}
	}
	return p
}

func (p *dateParts) onlyTime() bool { return p.year == "" && p.month == "" && p.day == "" }

// date writes a date or a time. It can be read one way only: years have four digits, and where the month is a number
// the order is year, month, day (ISO 8601), in the calendar that is stored. Days that a cell counts but does not show
// are stored.
func (s *section) date(v float64, epoch1904 bool) Shown {
	p := s.dateParts()
	switch {
	case p.elapsed != "":
		return s.duration(v)
	case v < 0:
		return Shown{Text: General(v)}
	}
	at, ok := Time(v, epoch1904)
	if p.onlyTime() {
		if _, part := math.Modf(v); !ok || p.hour+p.minute+p.second == "" {
			at, _ = Time(1+part, false)
		}
		return Shown{Text: s.written(roundedTo(at, &p), &p)}
	}
	if !ok {
		return Shown{Text: General(v)}
	}
	at = roundedTo(at, &p)
	iso := at.Format(time.DateOnly)
	switch named := len(p.month) > 2; {
	case s.hijri || !named && p.month != "" && (p.day != "" || p.year == ""):
		return Shown{Text: strings.TrimSpace(iso + " " + s.clock(at, &p))}
	case !named && p.month != "":
		return Shown{Text: at.Format("01/2006"), Stored: unlessFirst(at, iso)}
	case p.day == "":
		return Shown{Text: s.written(at, &p), Stored: unlessFirst(at, iso)}
	case p.year == "" || p.month == "":
		return Shown{Text: s.written(at, &p), Stored: iso}
	}
	return Shown{Text: s.written(at, &p)}
}

// unlessFirst returns a day that is not shown; "" for the first of a month, which stands for the month.
func unlessFirst(at time.Time, iso string) string {
	if at.Day() == 1 {
		return ""
	}
	return iso
}

// roundedTo rounds to the seconds that are shown.
func roundedTo(at time.Time, p *dateParts) time.Time {
	if p.fraction != "" {
		return at
	}
	return at.Round(time.Second)
}

// clock writes the time of day, "" if the section shows none.
func (s *section) clock(at time.Time, p *dateParts) string {
	switch {
	case p.hour == "" && p.minute == "" && p.second == "":
		return ""
	case p.second != "":
		return at.Format("15:04:05")
	}
	return at.Format("15:04")
}

// arabicMonths are the names of the months in the languages that are written, beside English.
var arabicMonths = [...]string{"يناير", "فبراير", "مارس", "أبريل", "مايو", "يونيو", "يوليو", "أغسطس", "سبتمبر",
	"أكتوبر",
	"نوفمبر", "ديسمبر"}

var arabicDays = [...]string{"الأحد", "الاثنين", "الثلاثاء", "الأربعاء", "الخميس", "الجمعة", "السبت"}

// written writes a date as the section lays it out.
func (s *section) written(at time.Time, p *dateParts) string {
	half := s.has(halfDay)
	var b strings.Builder
	for _, t := range s.tokens {
		switch t.kind {
		case literal:
			b.WriteString(t.text)
		case datePart:
			b.WriteString(s.datePart(at, t.text))
		case timePart:
			b.WriteString(clockPart(at, t.text, half))
		case fraction:
			b.WriteString("." + fmt.Sprintf("%09d", at.Nanosecond())[:min(len(t.text), 9)])
		case halfDay:
			b.WriteString(at.Format("PM"))
		}
	}
	return s.inItsDigits(strings.Join(strings.Fields(b.String()), " "))
}

func (s *section) datePart(at time.Time, letters string) string {
	arabic := s.lang == arabicLanguage
	switch n := len(letters); letters[0] {
	case 'y':
		return at.Format("2006")
	case 'd':
		switch {
		case n > 2 && arabic:
			return arabicDays[at.Weekday()]
		case n > 3:
			return at.Weekday().String()
		case n == 3:
			return at.Weekday().String()[:3]
		}
		return padded(at.Day(), n)
	default:
		switch {
		case n > 2 && arabic:
			return arabicMonths[at.Month()-1]
		case n > 3:
			return at.Month().String()
		case n == 3:
			return at.Month().String()[:3]
		}
		return padded(int(at.Month()), n)
	}
}

func clockPart(at time.Time, letters string, half bool) string {
	n := at.Second()
	switch letters[0] {
	case 'h':
		if n = at.Hour(); half {
			n = (n+11)%12 + 1
		}
	case 'm':
		n = at.Minute()
	}
	return padded(n, len(letters))
}

func padded(n, digits int) string {
	if digits > 1 && n < 10 {
		return "0" + strconv.Itoa(n)
	}
	return strconv.Itoa(n)
}

// mostHours is the longest duration that is written as one.
const mostHours = 1e9

// duration writes a time that counts on: as it is shown, and with its units, since "36:30" alone may be hours or
// minutes.
func (s *section) duration(v float64) Shown {
	if math.Abs(v)*24 > mostHours {
		return Shown{Text: General(v)}
	}
	p, sign := s.dateParts(), ""
	ms := int64(math.Round(math.Abs(v) * 24 * 60 * 60 * 1000))
	if v < 0 && ms > 0 {
		sign = "-"
	}
	seconds := ms / 1000
	if p.fraction == "" {
		seconds = (ms + 500) / 1000
	}
	var b strings.Builder
	b.WriteString(sign)
	for _, t := range s.tokens {
		switch t.kind {
		case literal:
			b.WriteString(t.text)
		case elapsed, timePart:
			b.WriteString(counted(seconds, t))
		case fraction:
			b.WriteString("." + fmt.Sprintf("%03d", ms%1000)[:min(len(t.text), 3)])
		}
	}
	return Shown{Text: s.inItsDigits(strings.TrimSpace(b.String())), Stored: sign + inUnits(seconds)}
}

// counted writes one part of a duration: hours, minutes or seconds, all of them or those that are left.
func counted(seconds int64, t token) string {
	n, within := seconds, int64(60)
	switch t.text[0] {
	case 'h':
		n, within = seconds/3600, 24
	case 'm':
		n = seconds / 60
	}
	if t.kind == timePart {
		n %= within
	}
	s := strconv.FormatInt(n, 10)
	return strings.Repeat("0", max(0, len(t.text)-len(s))) + s
}

func inUnits(seconds int64) string {
	var out []string
	for _, u := range []struct {
		n    int64
		name string
	}{{seconds / 3600, "h"}, {seconds / 60 % 60, "min"}, {seconds % 60, "s"}} {
		if u.n > 0 {
			out = append(out, strconv.FormatInt(u.n, 10)+" "+u.name)
		}
	}
	if len(out) == 0 {
		return "0 min"
	}
	return strings.Join(out, " ")
}
