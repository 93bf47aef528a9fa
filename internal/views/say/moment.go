package say

import (
	"strconv"
	"strings"
	"time"
)

// Moment is an instant as a table shows it. The zero Moment stands for no instant.
type Moment struct{ Short, Full, Stamp string }

// Moment converts an instant: its day for a table, and the full time for its tooltip.
func (r *Reader) Moment(t time.Time) Moment {
	if t.IsZero() {
		return Moment{}
	}
	return Moment{r.Date(t), r.Time(t), Stamp(t)}
}

// Minute is a moment that shows its time of day too.
func (r *Reader) Minute(t time.Time) Moment {
	m := r.Moment(t)
	m.Short = m.Full
	return m
}

// Span writes a time whose end is no longer part of it: days where it begins and ends at midnight, else minutes.
func (r *Reader) Span(from, to time.Time) string {
	id, begins := "span", r.Minute(from).Short
	if r.midnight(from) {
		begins = r.Date(from)
	}
	if r.midnight(to) {
		id = "span_days"
	}
	return r.T(id, "From", begins, "To", r.To(to))
}

// To writes when a time ends whose end is no longer part of it: the last day where that is midnight, else the minute.
func (r *Reader) To(t time.Time) string {
	if r.midnight(t) {
		return r.Date(t.Add(-time.Nanosecond))
	}
	return r.Minute(t).Short
}

// midnight reports whether a day begins at an instant in the reader's zone.
func (r *Reader) midnight(t time.Time) bool { return !t.IsZero() && r.StartOf(r.Local(t)).Equal(t) }

// Day writes a day as a date field shows it, in the reader's digits; "" for the zero time.
func (r *Reader) Day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return r.InDigits(t.UTC().Format(time.DateOnly))
}

// FirstWeekday is the day that a calendar's weeks begin with, Sunday as 0.
func (r *Reader) FirstWeekday() string { return strconv.Itoa(int(r.Week.Weekday())) }

// Months are the names of the months, as dates are written.
func (r *Reader) Months() string {
	names := make([]string, 12)
	for i := range names {
		names[i] = r.T("month_" + strconv.Itoa(i+1))
	}
	return strings.Join(names, "|")
}
