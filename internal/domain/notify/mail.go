package notify

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

// Choice is when a person is told by mail of one kind of notification (rule N-5). Choices are stored.
type Choice string

// The choices.
const (
	Once  Choice = "once"  // soon after it happened
	Daily Choice = "daily" // in one mail a day
	Off   Choice = "off"
)

// AllChoices lists them.
var AllChoices = []Choice{Once, Daily, Off}

// Choices are a person's choices by kind; a kind that is not named has its default.
type Choices map[Kind]Choice

// byDefault are the choices of who has chosen nothing. What only reminds comes once a day.
var byDefault = map[Kind]Choice{Assigned: Once, Mentioned: Once, Replied: Once, Returned: Once, ToSign: Once,
	Deputy: Once}

// Of returns the choice for a kind.
func (c Choices) Of(k Kind) Choice { return cmp.Or(c[k], byDefault[k], Daily) }

// All returns the choice for every kind.
func (c Choices) All() Choices {
	out := Choices{}
	for _, k := range Kinds {
		out[k] = c.Of(k)
	}
	return out
}

// AllOff returns the choices of who wants no mail.
func AllOff() Choices {
	out := Choices{}
	for _, k := range Kinds {
		out[k] = Off
	}
	return out
}

// With returns these choices with the changes made. Both have to be of known kinds and choices.
func (c Choices) With(changes Choices) (Choices, error) {
	out := c.All()
	for _, k := range slices.Sorted(maps.Keys(changes)) {
		if !slices.Contains(Kinds, k) {
			return nil, domain.Refuse(domain.Invalid, "choices."+string(k), "refused_such_kind_notification")
		}
		if !slices.Contains(AllChoices, changes[k]) {
			return nil, domain.Refuse(domain.Invalid, "choices."+string(k), "refused_choose_once_daily")
		}
		out[k] = changes[k]
	}
	return out, nil
}

// The bounds of what is mailed.
const (
	// MailGrace is how long a mail "at once" waits: what was read or done meanwhile is not mailed, and what happens
	// together comes as one mail.
	MailGrace = time.Minute
	// MailsPerHour is how many mails a person gets within an hour from all tenants; more wait for the daily one.
	MailsPerHour = 6
	// PerMail is how many notifications a mail lists; of more it gives the number.
	PerMail = 30
	// MailStale is how old a notification may be when its mail is first put together: of older ones, such as after a
	// long outage, nobody is told by mail.
	MailStale = 3 * 24 * time.Hour
	// MailsKept is how long it is kept that a mail was sent, or why not.
	MailsKept = 30 * 24 * time.Hour
	// MailAttempts is how often a mail is tried before it is given up, after about a day.
	MailAttempts = 12

	firstMailWait = time.Minute
	maxMailWait   = 6 * time.Hour
)

// MailWait returns how long to wait after the failure of an attempt (numbered from 1): twice as long each time, up to
// six hours. jitter, in [0, 1), shortens it by up to a quarter. more is false after the last attempt.
func MailWait(attempt int, jitter float64) (wait time.Duration, more bool) {
	if attempt >= MailAttempts {
		return 0, false
	}
	wait = firstMailWait
	for i := 1; i < attempt && wait < maxMailWait; i++ {
		wait *= 2
	}
	wait = min(wait, maxMailWait)
	return wait - time.Duration(jitter*float64(wait)/4), true
}

// Schedule is when the daily mail is sent.
type Schedule struct {
	Hour, Minute int
	Zone         *time.Location // nil for UTC
}

// ParseSchedule reads a time of day such as 07:00, and the name of a zone (Asia/Riyadh) or its distance from UTC
// (+03:00).
func ParseSchedule(at, zone string) (s Schedule, err error) {
	t, err := time.Parse("15:04", at)
	if err != nil {
		return s, fmt.Errorf("%q is not a time of day such as 07:00", at)
	}
	s.Hour, s.Minute = t.Hour(), t.Minute()
	if t, err := time.Parse("-07:00", zone); err == nil {
		_, seconds := t.Zone()
		s.Zone = time.FixedZone(zone, seconds)
		return s, nil
	}
	if s.Zone, err = time.LoadLocation(zone); err != nil || zone == "Local" {
		return s, fmt.Errorf("%q is neither a time zone that this machine knows, such as Asia/Riyadh, nor a distance from UTC, such as +03:00",
			zone)
	}
	return s, nil
}

func (s Schedule) zone() *time.Location {
	if s.Zone == nil {
		return time.UTC
	}
	return s.Zone
}

// In returns the schedule in another zone, by its name in the IANA database; "" or an unknown name leaves it.
func (s Schedule) In(zone string) Schedule {
	if zone != "" {
		if at, err := time.LoadLocation(zone); err == nil {
			s.Zone = at
		}
	}
	return s
}

// Next returns the first moment of the daily mail after a time.
func (s Schedule) Next(after time.Time) time.Time {
	local := after.In(s.zone())
	for day := local.Day(); ; day++ {
		at := time.Date(local.Year(), local.Month(), day, s.Hour, s.Minute, 0, 0, s.zone())
		if at.After(after) {
			return at.UTC()
		}
	}
}

// String is the schedule as people read it: "07:00 (Asia/Riyadh)".
func (s Schedule) String() string {
	return fmt.Sprintf("%02d:%02d (%s)", s.Hour, s.Minute, s.zone())
}

// MailTo returns the address that mails of a tenant go to, "" if none. Only addresses that the operator or an
// administrator set count, and people cannot change them: users.email of an account of the whole installation, and of
// an account of one tenant the address for contact, for mails of that tenant alone (rules N-5, SEC-21).
func MailTo(login, email, contact, slug string) string {
	if email != "" || contact == "" || !access.OfOneTenant(login) {
		return email
	}
	scope := login[strings.LastIndexByte(login, '@')+1:]
	if before, number, found := strings.Cut(scope, "."); found {
		if _, err := strconv.Atoi(number); err != nil {
			return ""
		}
		scope = before
	}
	if scope != slug {
		return ""
	}
	return contact
}

// What a mail is.
const (
	MailNotices = "notices"
	MailDigest  = "digest"
	MailTest    = "test"
)

// The states of a mail.
const (
	MailWaiting = "waiting"
	MailSent    = "sent"
	MailFailed  = "failed"  // refused for good, or after the last attempt
	MailDropped = "dropped" // there was nothing left to tell, or nobody to tell it to
)

// The reasons why a mail was not sent. Each may be shown to an administrator: no text of the mail server is kept.
const (
	MailRefused     = "refused" // the mail server refused it for good (5xx)
	MailPutOff      = "put_off" // the mail server refused it for now (4xx)
	MailTimeout     = "timeout"
	MailConnect     = "connect" // the mail server cannot be reached, or the connection broke
	MailTLS         = "tls"     // its certificate is not trusted, or it has no TLS
	MailLogin       = "login"   // it does not take our user and password
	MailUnreadable  = "message" // the mail could not be put together
	MailNobody      = "nobody"  // the person has left, was disabled, or has no address
	MailNothingLeft = "nothing" // all was read or done, may no longer be seen, or is no longer wanted by mail
)

// MailReasons lists all of them, for the translations.
var MailReasons = []string{MailRefused, MailPutOff, MailTimeout, MailConnect, MailTLS, MailLogin, MailUnreadable, MailNobody,
	MailNothingLeft}

// MailRow is a mail as administrators see it.
type MailRow struct {
	ID        string
	UserID    string
	Name      string // of the person, "" if they have left
	Kind      string
	State     string
	Attempts  int
	Status    int // SMTP reply code, 0 if none
	Reason    string
	CreatedAt time.Time
	NextAt    time.Time // zero unless it waits
	EndedAt   time.Time // zero while it waits
}

// MailSummary is what an administrator sees of a tenant's mails.
type MailSummary struct {
	Queued  int // notifications that are in no mail yet
	Waiting int
	Sent    int // within MailsKept, as the two below
	Failed  int
	Dropped int
	Titles  bool   // mails name the titles of sessions and packs
	Zone    string // of the tenant, "" if none was set
	Recent  []MailRow
}
