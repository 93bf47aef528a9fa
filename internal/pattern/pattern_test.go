package pattern

import (
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

func TestPattern(t *testing.T) {
	p := New(`(\d+)-(\d+)`)
	require.Nil(t, p.re, "nothing is compiled before it is used")
	require.True(t, p.MatchString("7-8"))
	require.Equal(t, []string{"12-34", "12", "34"}, p.FindStringSubmatch("in 12-34"))
	require.Equal(t, "in 12 to 34", p.ReplaceAllString("in 12-34", "$1 to $2"))
	require.NoError(t, Check())
}

// What nothing was replaced in is the text itself: words that are kept of it hold no copy of it in memory.
func TestTextWithoutAMatchIsNotCopied(t *testing.T) {
	src := strings.Repeat("no digits ", 3)
	require.Same(t, unsafe.StringData(src), unsafe.StringData(New(`\d`).ReplaceAllString(src, "")))
}

func TestFaultyPatterns(t *testing.T) {
	p := New(`(`)
	require.ErrorContains(t, Check(), "missing closing )")
	require.Panics(t, func() { p.MatchString("") })
}
