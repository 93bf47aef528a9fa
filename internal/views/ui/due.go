package ui

import "time"

// DayWord writes a day of the calendar (2026-11-30) in words.
func (c *Chrome) DayWord(day string) string {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return c.Date(at)
}
