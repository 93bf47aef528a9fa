package due

import (
	"time"

	"sanad/internal/domain"
)

// Reminders is when those for whom packs wait are reminded: After so many days, then Every so many, at Most so often
// (rule N-7). After 0 means never, Every 0 only once.
type Reminders struct{ After, Every, Most int }

// The bounds of Reminders.
const (
	MaxRemindDays = 90
	MaxReminders  = 10
)

// RemindByDefault is what holds until a tenant chooses.
var RemindByDefault = Reminders{After: 3, Every: 3, Most: 3}

// Check returns an error for what is out of bounds.
func (r Reminders) Check() error {
	for _, x := range []struct {
		field   string
		n, most int
	}{
		{field: "remind_after", n: r.After, most: MaxRemindDays},
		{field: "remind_every", n: r.Every, most: MaxRemindDays},
		{field: "remind_most", n: r.Most, most: MaxReminders},
	} {
		if x.n < 0 || x.n > x.most {
			return domain.Refuse(domain.Invalid, x.field, "refused_remind", "Most", x.most)
		}
	}
	return nil
}

// Steps is how many reminders there are of what goes on waiting.
func (r Reminders) Steps() int {
	switch {
	case r.After <= 0 || r.Most <= 0:
		return 0
	case r.Every <= 0:
		return 1
	}
	return r.Most
}

// Wait is how long something has waited when a reminder is due. Steps are numbered from 1.
func (r Reminders) Wait(step int) time.Duration {
	return time.Duration(r.After+(step-1)*r.Every) * 24 * time.Hour
}
