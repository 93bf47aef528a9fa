package web

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func somePages() *pages {
	var p pages
	for _, pattern := range []string{"/", "/sessions", "/sessions/:id", "/sessions/:id/claims/:n", "/packs/:id"} {
		p.add(pattern)
	}
	return &p
}

func TestPageAbove(t *testing.T) {
	p := somePages()
	for at, want := range map[string]string{
		"/": "/", "": "/", "/nowhere": "/", "/sessions": "/sessions", "/sessions/7": "/sessions/7",
		"/sessions/7/claims/2/reviews": "/sessions/7/claims/2", "/sessions/7/claims": "/sessions/7",
		"/sessions/7/claims/2/a/b/c/d/e/f": "/sessions/7/claims/2", "/sessions//7/": "/sessions/7",
		"/sessions/../packs/1/x": "/packs/1", "/sessions/7/claims/\\evil": "/sessions/7", "/sessions/a;b": "/sessions",
		"sessions/7/x": "/sessions/7", "/packs/1\n": "/",
	} {
		require.Equal(t, want, p.above(at), "%q", at)
		require.True(t, p.has(want), "%q", want)
	}
}

// What a path costs does not grow with the number of its segments: every prefix used to be cleaned, split and compared
// anew.
func TestPageAboveIsLinear(t *testing.T) {
	p := somePages()
	cost := func(segments int) float64 {
		at := "/sessions/" + strings.Repeat("a/", segments)
		return testing.AllocsPerRun(10, func() { p.above(at) })
	}
	require.LessOrEqual(t, cost(12_000), cost(20))
}
