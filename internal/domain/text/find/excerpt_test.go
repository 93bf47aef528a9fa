package find_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/text"
	"sanad/internal/domain/text/find"
)

// marked returns the excerpt with brackets around its marks and an ellipsis where the text continues.
func marked(e text.Excerpt) string {
	r, at := []rune(e.Text), 0
	var b strings.Builder
	if e.Before {
		b.WriteString("… ")
	}
	for _, m := range e.Marks {
		b.WriteString(string(r[at:m.Start]) + "[" + string(r[m.Start:m.End]) + "]")
		at = m.End
	}
	b.WriteString(string(r[at:]))
	if e.After {
		b.WriteString(" …")
	}
	return b.String()
}

func TestExcerpt(t *testing.T) {
	long := strings.Repeat("one two three four ", 30)
	for _, c := range []struct{ query, text, want string }{
		{"employee", "Employees are entitled to leave.", "[Employees] are entitled to leave."},
		{"the leave of", "The leave of the year", "The [leave] of the year"},
		{"the of", "The leave of the year", "[The] leave [of] [the] year"},
		{"اجازه", "يستحق الموظف إجازةً سنوية", "يستحق الموظف [إجازةً] سنوية"},
		{"15", "لكل موظف ١٥ يومًا", "لكل موظف [١٥] يومًا"},
		{"١٥", "Each has 15 days", "Each has [15] days"},
		{"nothing", "short", "short"},
		{"", "", ""},
		{"nothing", long, "one two three four one two three four …"},
		{"policy rules", long + "policy " + long + "rules of the policy " + long,
			"… four [rules] of the [policy] one two three …"},
		{"x", "x" + strings.Repeat("y", 100), strings.Repeat("x", 1) + strings.Repeat("y", 39) + " …"},
	} {
		e := find.NewFinder(c.query, text.SameWords).Excerpt(c.text, 40)
		require.Equal(t, c.want, marked(e), "%q in %q", c.query, c.text)
		require.LessOrEqual(t, text.Len(e.Text), 40)
		require.Equal(t, e.Text, string([]rune(c.text)[e.Start:e.Start+text.Len(e.Text)]))
	}
}

func TestExcerptFocus(t *testing.T) {
	require.Equal(t, 12, find.NewFinder("claim 7", text.SameWords).Excerpt("claim claim 7 claim", 40).Focus)
	require.Zero(t, find.NewFinder("x", text.SameWords).Excerpt("claim", 40).Focus)
}

func FuzzExcerpt(f *testing.F) {
	f.Add("leave", "Employees have leave, إجازة", 12)
	f.Add("ا", "\xff\xfe ا", 1)
	f.Fuzz(func(t *testing.T, query, s string, length int) {
		e := find.NewFinder(query, text.SameWords).Excerpt(s, length)
		n := text.Len(e.Text)
		require.LessOrEqual(t, n, max(length, 1))
		require.LessOrEqual(t, e.Start+n, text.Len(s))
		at := 0
		require.True(t, e.Focus >= 0 && e.Focus <= n)
		for _, m := range e.Marks {
			require.True(t, at <= m.Start && m.Start < m.End && m.End <= n)
			at = m.End
		}
	})
}
