package quantity_test

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"sanad/internal/domain/text"
	"sanad/internal/domain/text/quantity"
)

func forms(t testing.TB) [][2]string {
	t.Helper()
	b, err := os.ReadFile("testdata/forms.tsv")
	require.NoError(t, err)
	var out [][2]string
	for line := range strings.SplitSeq(strings.TrimSpace(string(b)), "\n") {
		form, want, ok := strings.Cut(line, "\t")
		require.True(t, ok, line)
		out = append(out, [2]string{form, want})
	}
	return out
}

func TestForms(t *testing.T) {
	all := forms(t)
	require.GreaterOrEqual(t, len(all), 400)
	for _, f := range all {
		assert.Equal(t, f[1], written(f[0]), f[0])
	}
}

func TestWrittenFiguresReadTheSame(t *testing.T) {
	for _, f := range forms(t) {
		for _, q := range quantity.Read(f[0]) {
			if !q.IsFigure() {
				continue
			}
			q.Link = quantity.NoLink
			s := quantity.Write(q)
			again := quantity.Read("It is " + s + ".")
			if !assert.Len(t, again, 1, "%s: %s", f[0], s) {
				continue
			}
			assert.Equal(t, s, quantity.Write(again[0]), f[0])
			assert.True(t, quantity.Compare(q, again[0]).Supports(), "%s: %s", f[0], s)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, form := range forms(f) {
		f.Add(form[0])
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, q := range quantity.Read(s) {
			require.LessOrEqual(t, q.End, utf8.RuneCountInString(s))
			require.Equal(t, text.Slice(s, q.Span), q.Raw)
			quantity.Write(q)
		}
	})
}
