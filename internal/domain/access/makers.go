package access

import (
	"slices"
	"time"
)

// MakerFor is how long whoever made an account, or gave it what it is used with, could have acted as its person.
const MakerFor = 30 * 24 * time.Hour

// Made says that one actor made another's account, or gave its role, password, second factor, token, invitation or
// one-time code.
type Made struct{ Person, By string }

// Makers tells who counts as one person where two are asked (rule P-22): a maker and all that come from them over any
// number of steps, so also two of one maker. One pair of hands could hold all of them. Two people who both set up a
// third stay two: neither could act as the other. The zero Makers links nobody.
type Makers struct{ of map[string][]string } // who made an id

// MakersOf returns the Makers of all that was made within MakerFor.
func MakersOf(made []Made) Makers {
	out := Makers{of: make(map[string][]string, len(made))}
	for _, m := range made {
		if !slices.Contains(out.of[m.Person], m.By) {
			out.of[m.Person] = append(out.of[m.Person], m.By)
		}
	}
	return out
}

// OnePerson reports whether two ids count as one person: one made the other, or a third made both, over any number of
// steps. It is the only test of whether two people are two: for an approval, and for the confirmation of an erasure, a
// purge or a change of administration. It is not transitive.
func (m Makers) OnePerson(a, b string) bool {
	return a == b || share(m.origins(a), m.origins(b))
}

// With returns everybody who counts as one person with id, id included, in order.
func (m Makers) With(id string) []string {
	origins := m.origins(id)
	out := slices.Clone(origins)
	for other := range m.of {
		if share(origins, m.origins(other)) {
			out = append(out, other)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Two reports whether two of some ids count as two people.
func (m Makers) Two(ids []string) bool {
	for i, a := range ids {
		if slices.ContainsFunc(ids[:i], func(b string) bool { return !m.OnePerson(a, b) }) {
			return true
		}
	}
	return false
}

// origins returns an id, its makers, their makers and so on.
func (m Makers) origins(id string) []string {
	out := []string{id}
	for i := 0; i < len(out); i++ {
		for _, maker := range m.of[out[i]] {
			if !slices.Contains(out, maker) {
				out = append(out, maker)
			}
		}
	}
	return out
}

func share(a, b []string) bool {
	return slices.ContainsFunc(a, func(id string) bool { return slices.Contains(b, id) })
}
