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
