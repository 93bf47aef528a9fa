package mcp

import (
	"encoding/json"
	"unicode/utf8"
)

// The bounds of what one answer tells, in code points; maxTold bounds a list of
// claims, in bytes of JSON.
const (
	maxText    = 1_000 // a claim, a message
	maxSnippet = 600   // words of a source
	maxName    = 200   // of a document, a title
	maxTold    = 64 << 10
)

// cut returns at most n code points of s, the last of them an ellipsis if something is left out.
func cut(s string, n int) string {
	if len(s) <= n || utf8.RuneCountInString(s) <= n {
		return s
	}
	for i := range s {
		if n--; n == 0 {
			return s[:i] + "…"
		}
	}
	return s
}

// fitting returns how many of the first values fit into most bytes of JSON, with a comma each.
func fitting[T any](values []T, most int) int {
	for i := range values {
		data, err := json.Marshal(values[i])
		if err != nil {
			return i
		}
		if most -= len(data) + 1; most < 0 {
			return i
		}
	}
	return len(values)
}
