package domain_test

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
)

// Whoever is linked by makers counts as one person: over several steps, siblings, and those who set up the same person.
func TestOnePerson(t *testing.T) {
	made := func(pairs ...string) (out []domain.Made) {
		for _, p := range pairs {
			out = append(out, domain.Made{Person: p[:1], By: p[1:]})
		}
		return out
	}
	for name, c := range map[string]struct {
		made []domain.Made
		one  bool // a and b
	}{
		"nobody made anybody":       {nil, false},
		"a made b":                  {made("ba"), true},
		"b made a":                  {made("ab"), true},
		"the maker's maker":         {made("bx", "xa"), true},
		"over many steps":           {made("bx", "xy", "yz", "za"), true},
		"of one maker":              {made("ax", "bx"), true},
		"of one maker's two makers": {made("ax", "by", "xz", "yz"), true},
		"both set up x":             {made("xa", "xb"), true},
		"each made somebody else":   {made("xa", "yb"), false},
		"others":                    {made("xy", "yz", "ac"), false},
	} {
		t.Run(name, func(t *testing.T) {
			m := domain.MakersOf(c.made)
			require.Equal(t, c.one, m.OnePerson("a", "b"))
			require.Equal(t, c.one, m.OnePerson("b", "a"))
			require.True(t, m.OnePerson("a", "a"))
			require.Contains(t, m.With("a"), "a")
			if c.one {
				require.Contains(t, m.With("a"), "b")
				require.Equal(t, 1, m.People([]string{"a", "b"}))
			} else {
				require.NotContains(t, m.With("a"), "b")
				require.Equal(t, 2, m.People([]string{"a", "b"}))
			}
		})
	}
	require.False(t, domain.Makers{}.OnePerson("a", "b"), "the zero Makers")
}

// Only who is linked counts, not by which links: a star gives the same answers as the links that it stands for. The
// model check of access stands on it.
func TestOnlyGroupsCount(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		var made, star []domain.Made
		for range r.IntN(12) {
			made = append(made, domain.Made{Person: strconv.Itoa(r.IntN(9)), By: strconv.Itoa(r.IntN(9))})
		}
		m := domain.MakersOf(made)
		for i := range 9 {
			star = append(star, domain.Made{Person: strconv.Itoa(i), By: m.With(strconv.Itoa(i))[0]})
		}
		s := domain.MakersOf(star)
		for i := range 81 {
			a, b := strconv.Itoa(i/9), strconv.Itoa(i%9)
			if m.OnePerson(a, b) != s.OnePerson(a, b) {
				t.Fatalf("%v: %s and %s", made, a, b)
			}
		}
	}
}
