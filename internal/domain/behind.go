package domain

import (
	"slices"
	"time"
)

// BehindFor is how long whoever set somebody's credentials could have acted as that person.
const BehindFor = 30 * 24 * time.Hour

// Behind says that one person of the app made another's account, or set their password, role, token or one-time code,
// within BehindFor: what Person does counts as done by By too (rule P-22). It is not transitive.
type Behind struct{ Person, By string }

// Standing returns a person with those that this person's acts count for as well.
func Standing(behind []Behind, who string) []string {
	out := []string{who}
	for _, x := range behind {
		if x.Person == who {
			out = append(out, x.By)
		}
	}
	return out
}

// SharePerson reports whether one person is in both of two results of Standing.
func SharePerson(a, b []string) bool {
	return slices.ContainsFunc(a, func(x string) bool { return slices.Contains(b, x) })
}
