package due

import (
	"time"
	_ "time/tzdata" // so that every program has the same zones, whatever the machine has

	"sanad/internal/domain"
)

// longestZone is a bound for names of zones; the longest of the IANA database has 32 characters.
const longestZone = 64

// Zone returns a time zone of the IANA database by its name, "" for UTC. Invalid for a name that it does not have.
func Zone(name string) (*time.Location, error) {
	if name == "" || name == "UTC" {
		return time.UTC, nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil || name == "Local" || len(name) > longestZone {
		return nil, domain.Refuse(domain.Invalid, "time_zone", "refused_due_zone")
	}
	return zone, nil
}

// ZoneName returns the name of a zone as it is stored, "" for UTC.
func ZoneName(zone *time.Location) string {
	if zone == time.UTC || zone.String() == "UTC" {
		return ""
	}
	return zone.String()
}
