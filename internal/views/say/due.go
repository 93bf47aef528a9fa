package say

import (
	"time"

	"sanad/internal/domain/due"
)

// DayWord writes a day of the calendar (2026-11-30) in words.
func (r *Reader) DayWord(day string) string {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return r.CalendarDay(at)
}

// ZoneWord names a time zone as it is at a moment: its name, and how far it is from UTC.
func (r *Reader) ZoneWord(name string, at time.Time) string {
	zone, err := due.Zone(name)
	if err != nil || zone == time.UTC {
		return "UTC"
	}
	return Isolated(name) + " (" + Isolated("UTC"+at.In(zone).Format("-07:00")) + ")"
}

// DueMark is a due date in a few words.
type DueMark struct {
	State due.State // "" if there is nothing to show
	Words string    // "Due tomorrow"
	Near  bool      // Words do not name the day
	Full  string    // the day in words, and in which zone it ends
	Day   string    // 2026-11-30
}

// Due words a due date for a list or a head. What is done shows none.
func (r *Reader) Due(d *due.Date) DueMark {
	state := d.State(r.Now)
	if state == due.None || state == due.Done {
		return DueMark{}
	}
	day := r.DayWord(d.Day)
	m := DueMark{State: state, Day: d.Day, Words: r.T("due_on", "Day", day),
		Full: r.T("due_full", "Day", day, "Zone", r.ZoneWord(d.Zone, d.LateAt))}
	m.Near = true
	switch days := d.Days(r.Now); {
	case state == due.Late:
		m.Words = r.N("due_days_late", max(1, -days))
	case days <= 0:
		m.Words = r.T("due_today")
	case days == 1:
		m.Words = r.T("due_tomorrow")
	default:
		m.Near = false
	}
	return m
}
