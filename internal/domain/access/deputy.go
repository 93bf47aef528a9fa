package access

import (
	"slices"
	"time"

	"sanad/internal/domain"
)

// MaxDeputyTime is how long somebody may have a deputy at most, and how far ahead that may begin.
const MaxDeputyTime = 366 * 24 * time.Hour

// Deputy is somebody who signs packs for another person for a time (rule P-31).
type Deputy struct {
	ID           string
	For, By      Person // who is away, and the deputy
	Starts, Ends time.Time
	Zone         string // in which the days were chosen, "" for UTC
	SetBy        string // id of who named the deputy: the person, or an administrator
	SetName      string // as shown then
	SetAt        time.Time
	LogIndex     int64     // of its event in the tenant's log, from 0
	EndedAt      time.Time // when it was ended before its time, zero if it was not
	EndedBy      string
}

// Person is a member of a tenant as others see them.
type Person struct {
	ID, Name string
	Role     Role   // "" of who has left or is disabled
	Title    string // job title, of those that reads.Members lists; "" for none
}

// Actor returns the person as somebody who acts in a tenant.
func (p *Person) Actor(tenant string) Actor {
	return Actor{Tenant: tenant, ID: p.ID, User: p.Name, Role: p.Role, Human: true}
}

// MayDecide reports whether the person has a role that approves packs.
func (p *Person) MayDecide() bool { return p.Role.May(DecidePack) }

// Until is when the deputy's time ends, or ended.
func (d *Deputy) Until() time.Time {
	if !d.EndedAt.IsZero() && d.EndedAt.Before(d.Ends) {
		return d.EndedAt
	}
	return d.Ends
}

// At reports whether a moment is within the deputy's time. Its last moment is not part of it.
func (d *Deputy) At(now time.Time) bool { return !now.Before(d.Starts) && now.Before(d.Until()) }

// Open reports whether the deputy's time is not over.
func (d *Deputy) Open(now time.Time) bool { return now.Before(d.Until()) }

// Lapsed reports whether one of the two has lost the role that approves packs: then the deputy signs for nobody.
func (d *Deputy) Lapsed() bool { return !d.For.MayDecide() || !d.By.MayDecide() }

// Holds reports whether the deputy may sign for the person at a moment: it is within the time, and both have the role.
func (d *Deputy) Holds(now time.Time) bool { return d.At(now) && !d.Lapsed() }

// Meets reports whether the times of two have a moment in common.
func (d *Deputy) Meets(other *Deputy) bool {
	return d.Starts.Before(other.Until()) && other.Starts.Before(d.Until())
}

// Check returns why somebody may not be named as a deputy now, nil if they may. others are the deputies of the tenant
// whose time is not over. A deputy has no deputy meanwhile, so that there is neither a chain nor a circle.
func (d *Deputy) Check(now time.Time, others []Deputy, makers Makers) error {
	switch {
	case d.By.ID == d.For.ID:
		return domain.Refuse(domain.Invalid, "deputy", "refused_deputy_oneself")
	case d.By.ID == d.SetBy:
		return domain.Refuse(domain.Invalid, "deputy", "refused_deputy_setter")
	case !d.For.MayDecide():
		return domain.Refuse(domain.Conflict, "deputy", "refused_deputy_no_need")
	case !d.By.MayDecide():
		return domain.Refuse(domain.Invalid, "deputy", "refused_deputy_role")
	case makers.OnePerson(d.By.ID, d.For.ID):
		return domain.Refuse(domain.Invalid, "deputy", "refused_deputy_maker")
	}
	if err := d.checkTime(now); err != nil {
		return err
	}
	for i := range others {
		if other := &others[i]; d.Meets(other) {
			if err := d.checkBeside(other); err != nil {
				return err
			}
		}
	}
	return nil
}

// DeputyTime returns from when until when somebody has a deputy on some days of a zone, the last one included. What
// begins today begins now. Both days are as due.Parse returns them; no first one means today.
func DeputyTime(from, until string, zone *time.Location, now time.Time) (starts, ends time.Time, err error) {
	starts, now = now, now.In(zone)
	if from != "" && from != now.Format(time.DateOnly) {
		if starts, err = time.ParseInLocation(time.DateOnly, from, zone); err != nil {
			return starts, ends, domain.Refuse(domain.Invalid, "from", "refused_deputy_day")
		}
		if starts.Before(now) {
			return starts, ends, domain.Refuse(domain.Invalid, "from", "refused_deputy_began")
		}
	}
	last, err := time.ParseInLocation(time.DateOnly, until, zone)
	if err != nil {
		return starts, ends, domain.Refuse(domain.Invalid, "until", "refused_deputy_day")
	}
	y, m, day := last.Date()
	ends = time.Date(y, m, day+1, 0, 0, 0, 0, zone)
	return starts.UTC().Truncate(time.Second), ends.UTC(), nil
}

func (d *Deputy) checkTime(now time.Time) error {
	switch {
	case !now.Before(d.Ends):
		return domain.Refuse(domain.Invalid, "until", "refused_deputy_over")
	case !d.Starts.Before(d.Ends):
		return domain.Refuse(domain.Invalid, "until", "refused_deputy_order")
	case d.Starts.Sub(now) > MaxDeputyTime:
		return domain.Refuse(domain.Invalid, "from", "refused_deputy_far")
	case d.Ends.Sub(d.Starts) > MaxDeputyTime:
		return domain.Refuse(domain.Invalid, "until", "refused_deputy_long")
	}
	return nil
}

// checkBeside refuses a deputy beside one whose time meets theirs.
func (d *Deputy) checkBeside(other *Deputy) error {
	switch {
	case other.For.ID == d.For.ID:
		return domain.Refuse(domain.Conflict, "from", "refused_deputy_two")
	case other.For.ID == d.By.ID && other.By.ID == d.For.ID:
		return domain.Refuse(domain.Conflict, "deputy", "refused_deputy_circle", "Name", d.By.Name)
	case other.For.ID == d.By.ID:
		return domain.Refuse(domain.Conflict, "deputy", "refused_deputy_away", "Name", d.By.Name)
	case other.By.ID == d.For.ID:
		return domain.Refuse(domain.Conflict, "deputy", "refused_deputy_chain", "Name", other.For.Name)
	}
	return nil
}

// DeputiesOf returns those of some deputies that are of, or are deputies for, a person, whose time is not over.
func DeputiesOf(all []Deputy, id string, now time.Time) (own, others []Deputy) {
	for _, d := range all {
		switch {
		case !d.Open(now):
		case d.For.ID == id:
			own = append(own, d)
		case d.By.ID == id:
			others = append(others, d)
		}
	}
	order := func(a, b Deputy) int { return a.Starts.Compare(b.Starts) }
	slices.SortStableFunc(own, order)
	slices.SortStableFunc(others, order)
	return own, others
}
