package access_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
)

// A maker and whoever comes from them count as one person, over several steps and as siblings. Who both set up a third
// stay two: neither could act as the other.
func TestOnePerson(t *testing.T) {
	made := func(pairs ...string) (out []access.Made) {
		for _, p := range pairs {
			out = append(out, access.Made{Person: p[:1], By: p[1:]})
		}
		return out
	}
	for name, c := range map[string]struct {
		made []access.Made
		one  bool // a and b
	}{
		"nobody made anybody":         {nil, false},
		"a made b":                    {made("ba"), true},
		"b made a":                    {made("ab"), true},
		"each set up the other":       {made("ab", "ba"), true},
		"the maker's maker":           {made("bx", "xa"), true},
		"over many steps":             {made("bx", "xy", "yz", "za"), true},
		"of one maker":                {made("ax", "bx"), true},
		"of one maker's two makers":   {made("ax", "by", "xz", "yz"), true},
		"of one maker and a's own":    {made("ax", "ay", "by"), true},
		"both set up x":               {made("xa", "xb"), false},
		"both set up x and y":         {made("xa", "xb", "ya", "yb", "xy"), false},
		"each made somebody else":     {made("xa", "yb"), false},
		"b made one who was a's":      {made("xb", "xa", "yx"), false},
		"a's account made what b has": {made("xa", "bx"), true},
		"others":                      {made("xy", "yz", "ac"), false},
		"others in a circle":          {made("xy", "yx", "ax"), false},
		"both of a circle":            {made("xy", "yx", "ax", "by"), true},
	} {
		t.Run(name, func(t *testing.T) {
			m := access.MakersOf(c.made)
			require.Equal(t, c.one, m.OnePerson("a", "b"))
			require.Equal(t, c.one, m.OnePerson("b", "a"))
			require.True(t, m.OnePerson("a", "a"))
			require.Contains(t, m.With("a"), "a")
			require.False(t, m.Two([]string{"a", "a"}))
			require.Equal(t, !c.one, m.Two([]string{"a", "a", "b"}))
			if c.one {
				require.Contains(t, m.With("a"), "b")
			} else {
				require.NotContains(t, m.With("a"), "b")
			}
			for _, id := range []string{"a", "b", "x", "y", "z"} {
				for _, other := range m.With(id) {
					require.True(t, m.OnePerson(id, other))
				}
			}
		})
	}
	require.False(t, access.Makers{}.OnePerson("a", "b"), "the zero Makers")
	require.False(t, access.Makers{}.Two(nil))
}
