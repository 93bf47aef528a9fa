package recode

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzPython checks that what is read of Python's literals is JSON.
func FuzzPython(f *testing.F) {
	for _, s := range []string{`['a', "b's"]`, `{'a': (1, -2.5e3, None), 'b': {'c': True}}`, "['a'\n 'b']", `['\\x41\\u0623\\U0001F600\\n']`, "{}", "[nan"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if raw, ok := pythonJSON(s); ok {
			require.True(t, json.Valid(raw), "%q gave %s", s, raw)
		}
	})
}

// TestPython reads numbers of NumPy and each escape, and refuses what is not understood.
func TestPython(t *testing.T) {
	for in, want := range map[string]string{
		`[1. 2.5 -3.]`:               `[1,2.5,-3]`,
		`['\a\b\f\v']`:               `["\u0007\b\f\u000b"]`,
		`['\101\0x\1012']`:           `["A\u0000xA2"]`,
		`['\ud83d\ude00\U0001F600']`: `["😀😀"]`,
	} {
		raw, ok := pythonJSON(in)
		require.True(t, ok, in)
		require.JSONEq(t, want, string(raw), in)
	}
	for _, in := range []string{`['\q']`, `['\ud83d']`, `['\ud83d\u0041']`, `['\ude00\ud83d']`, `['\x4']`, `[.]`, `[1..]`} {
		_, ok := pythonJSON(in)
		require.False(t, ok, in)
	}
}
