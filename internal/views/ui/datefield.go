package ui

import (
	"strconv"
	"strings"
	"time"
)

// DateField is a field for a day. A browser draws its own date fields in its own language, so this one is a text field
// that names its format; date.js adds a calendar in the page's language.
type DateField struct {
	ID, Name, Label, Help, Fault string
	Value                        string // as Day writes it, or as it was typed
	Required                     bool
	Invalid                      bool // the fault is said elsewhere
}

func (f DateField) describedBy() string {
	return TextField{ID: f.ID, Fault: f.Fault, Help: f.Help}.describedBy()
}

// Day writes a day as a date field shows it, in the reader's digits; "" for the zero time.
func (c *Chrome) Day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return c.InDigits(t.UTC().Format(time.DateOnly))
}

// firstWeekday is the day that a calendar's weeks begin with, Sunday as 0.
func (c *Chrome) firstWeekday() string {
	if c.Lang == "ar" {
		return "0"
	}
	return "1"
}

// months are the names of the months, as dates are written.
func (c *Chrome) months() string {
	names := make([]string, 12)
	for i := range names {
		names[i] = c.T("month_" + strconv.Itoa(i+1))
	}
	return strings.Join(names, "|")
}
