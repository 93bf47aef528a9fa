package domain

import (
	"slices"
	"time"
)

// MakerFor is how long whoever made an account, or gave it what it is used with, could have acted as its person.
const MakerFor = 30 * 24 * time.Hour

// Made says that one actor made another's account, or gave its role, password, second factor, token, invitation or
// one-time code.
type Made struct{ Person, By string }

// Makers tells who counts as one person where two are asked (rule P-22): whoever is linked by makers, over any number
// of steps and in either direction. One pair of hands may hold all of them. The zero Makers links nobody.
type Makers struct {
	of map[string]string // the lowest id of those that an id counts as one person with; an id that is missing is alone
}

// MakersOf returns the Makers of all that was made within MakerFor.
func MakersOf(made []Made) Makers {
	linked := map[string][]string{}
	for _, m := range made {
		linked[m.Person], linked[m.By] = append(linked[m.Person], m.By), append(linked[m.By], m.Person)
	}
	out := Makers{of: make(map[string]string, len(linked))}
	for id := range linked {
		if _, done := out.of[id]; done {
			continue
		}
		group := reached(linked, id)
		lowest := slices.Min(group)
		for _, member := range group {
			out.of[member] = lowest
		}
	}
	return out
}

// reached returns an id with all that links lead to from there.
func reached(linked map[string][]string, from string) []string {
	out, seen := []string{from}, map[string]bool{from: true}
	for i := 0; i < len(out); i++ {
		for _, next := range linked[out[i]] {
			if !seen[next] {
				out, seen[next] = append(out, next), true
			}
		}
	}
	return out
}

// OnePerson reports whether two ids count as one person. It is the only test of whether two people are two: for an
// approval, and for the confirmation of an erasure, a purge or a change of administration.
func (m Makers) OnePerson(a, b string) bool { return m.lowest(a) == m.lowest(b) }

// With returns everybody who counts as one person with id, id included, in order.
func (m Makers) With(id string) []string {
	out := []string{id}
	for other := range m.of {
		if other != id && m.OnePerson(other, id) {
			out = append(out, other)
		}
	}
	slices.Sort(out)
	return out
}

// People returns how many people some ids are.
func (m Makers) People(ids []string) int {
	seen := map[string]bool{}
	for _, id := range ids {
		seen[m.lowest(id)] = true
	}
	return len(seen)
}

func (m Makers) lowest(id string) string {
	if lowest, linked := m.of[id]; linked {
		return lowest
	}
	return id
}
