package access

import (
	"slices"
	"time"
)

// WeekStart is the day that a tenant's weeks begin with. Stored.
type WeekStart string

// The days that weeks begin with.
const (
	Monday   WeekStart = ""
	Sunday   WeekStart = "sunday"
	Saturday WeekStart = "saturday"
)

// WeekStarts lists them as a form offers them.
var WeekStarts = []WeekStart{Sunday, Monday, Saturday}

// Valid reports whether there is such a day.
func (w WeekStart) Valid() bool { return slices.Contains(WeekStarts, w) }

// Weekday is the day.
func (w WeekStart) Weekday() time.Weekday {
	switch w {
	case Sunday:
		return time.Sunday
	case Saturday:
		return time.Saturday
	}
	return time.Monday
}

// Week returns the first day of the week that a day lies in.
func (w WeekStart) Week(day time.Time) time.Time {
	return day.AddDate(0, 0, -(int(day.Weekday()-w.Weekday())+7)%7)
}

// Calendar is what a tenant's dates are written in. Stored.
type Calendar string

// The calendars: Hijri is that of Umm al-Qura beside Gregorian.
const (
	Gregorian Calendar = ""
	Hijri     Calendar = "hijri"
)

// Calendars lists them as a form offers them.
var Calendars = []Calendar{Gregorian, Hijri}

// Valid reports whether there is such a calendar.
func (c Calendar) Valid() bool { return slices.Contains(Calendars, c) }
