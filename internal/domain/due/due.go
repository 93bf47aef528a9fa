// Package due holds the rules of due dates of sessions and packs (rule N-4). A due date is a day of a calendar; it ends
// at midnight of a time zone, and what is not done by then is late.
package due

import (
	"strings"
	"time"

	"sanad/internal/domain"
)

// Most is how many years ahead a day may be.
const Most = 10

// Near is how long before its end a day is soon.
const Near = 7 * 24 * time.Hour

// Date is the day by which a session is to be reviewed, or a pack signed. The zero value means that no date is set.
type Date struct {
	Day      string    // 2026-11-30; "" if none
	Zone     string    // of the IANA database, "" for UTC
	LateAt   time.Time // when the day ends there
	Open     bool      // what it is about is not done yet
	Revision int       // grows with every change; 0 if there never was one
	SetBy    string    // id
	SetName  string    // as shown
	SetAt    time.Time
}

// State is how a due date stands. States are names in the API.
type State string

// The states.
const (
	None  State = "none"
	Later State = "later" // in more than Near
	Soon  State = "soon"
	Late  State = "late"
	Done  State = "done" // reviewed, closed, signed or given up
)

// AboutFilter says what a filter of a list by due date leaves in it, for the description of the API.
const AboutFilter = "late: the due date is over; soon: it ends within seven days."

// Filters lists the states that lists can be filtered by.
var Filters = []State{Late, Soon}

// State returns how the date stands at a moment.
func (d *Date) State(now time.Time) State {
	switch {
	case d.Day == "":
		return None
	case !d.Open:
		return Done
	case !now.Before(d.LateAt):
		return Late
	case d.LateAt.Sub(now) <= Near:
		return Soon
	}
	return Later
}

// Days returns how many days there are from today, in the date's zone, to its day: 0 is today, a negative number is how
// many days it is late.
func (d *Date) Days(now time.Time) int {
	day, err := time.Parse(time.DateOnly, d.Day)
	zone, unknown := Zone(d.Zone)
	if err != nil || unknown != nil {
		return 0
	}
	y, m, n := now.In(zone).Date()
	return int(day.Sub(time.Date(y, m, n, 0, 0, 0, 0, time.UTC)) / (24 * time.Hour))
}

// field is the place of a day in the input.
const field = "due_on"

// Parse reads a day: year, month and day with dashes, in Latin or Arabic-Indic digits. "" means no day.
func Parse(text string) (string, error) {
	text = strings.TrimSpace(strings.Map(plain, text))
	if text == "" {
		return "", nil
	}
	day, err := time.Parse(time.DateOnly, text)
	if err != nil || day.Format(time.DateOnly) != text {
		return "", NoDay()
	}
	return text, nil
}

// NoDay refuses a text that is not a day.
func NoDay() error {
	return domain.Refuse(domain.Invalid, field, "refused_due_day")
}

// plain writes the digits and dashes of other scripts as those of ISO 8601, and drops marks of direction.
func plain(r rune) rune {
	switch {
	case r >= '٠' && r <= '٩':
		return '0' + r - '٠'
	case r >= '۰' && r <= '۹':
		return '0' + r - '۰'
	case r == '\u2010' || r == '\u2011' || r == '\u2212' || r == '\u2013':
		return '-'
	case r == '\u200e' || r == '\u200f' || r == '\u061c' || r >= '\u2066' && r <= '\u2069' || r >= '\u202a' && r <= '\u202e':
		return -1
	}
	return r
}

// On returns the date of a day that somebody sets at a moment. The day, as Parse returns it, is not over in the zone,
// and not more than Most years ahead.
func On(day string, zone *time.Location, now time.Time) (Date, error) {
	at, err := time.ParseInLocation(time.DateOnly, day, zone)
	if err != nil {
		return Date{}, NoDay()
	}
	d := Date{Day: day, Zone: ZoneName(zone), LateAt: midnight(at, 1), Open: true}
	switch {
	case !now.Before(d.LateAt):
		return Date{}, domain.Refuse(domain.Invalid, field, "refused_due_over")
	case at.After(now.AddDate(Most, 0, 0)):
		return Date{}, domain.Refuse(domain.Invalid, field, "fault_due_far", "N", Most)
	}
	return d, nil
}

// midnight returns when the day that lies days after a day begins.
func midnight(day time.Time, days int) time.Time {
	y, m, d := day.Date()
	return time.Date(y, m, d+days, 0, 0, 0, 0, day.Location()).UTC()
}

// Told is what people were told of a due date. The values are stored.
type Told string

// What is told: that the day is tomorrow, and that it is over.
const (
	ToldNothing Told = ""
	ToldSoon    Told = "soon"
	ToldLate    Told = "late"
)

// Tell returns what people are to be told of a date at a moment, ToldNothing if nothing, where told is what they were
// told already; and when to ask again, the zero time for never. If the day is over before they were told that it comes,
// they are told only that it is over.
func (d *Date) Tell(told Told, now time.Time) (what Told, next time.Time) {
	before := d.FirstTold()
	switch {
	case d.Day == "" || told == ToldLate:
		return ToldNothing, time.Time{}
	case !now.Before(d.LateAt):
		return ToldLate, time.Time{}
	case told == ToldNothing && !now.Before(before):
		return ToldSoon, d.LateAt
	case told == ToldNothing:
		return ToldNothing, before
	}
	return ToldNothing, d.LateAt
}

// FirstTold returns when people are told of the date for the first time: when the day before it begins.
func (d *Date) FirstTold() time.Time {
	zone, err := Zone(d.Zone)
	if err != nil {
		zone = time.UTC
	}
	at, err := time.ParseInLocation(time.DateOnly, d.Day, zone)
	if err != nil {
		return d.LateAt
	}
	return midnight(at, -1)
}

// Item is a session or pack with a due date, on the home page.
type Item struct {
	Date
	Object, ID, Title string // Object is "session" or "pack"
}

// Home is what is late or due soon and concerns a person, and how much of their tenant is late.
type Home struct {
	Items                   []Item // late ones first, then by their day
	More                    bool   // there are others
	LateSessions, LatePacks int    // of the whole tenant, up to MaxLate
	SoonSessions, SoonPacks int    // likewise, of what is due within Near
}

// MaxLate is up to which number late sessions and packs are counted.
const MaxLate = 1000
