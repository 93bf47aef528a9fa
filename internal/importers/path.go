package importers

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// step is one member of a path into a JSON value: a key, or an index where key is "".
type step struct {
	key   string
	index int
	array bool
}

// maxKey is how many bytes of a key an error's path shows.
const maxKey = 60

// pathOf writes steps as "claims[3].start_offset"; keys that are no plain names stand quoted: `extra["a b"]`.
// With clip, long keys are cut so that a message stays readable.
func pathOf(steps []step, clip bool) string {
	var b strings.Builder
	for _, s := range steps {
		switch {
		case s.array:
			b.WriteByte('[')
			b.WriteString(strconv.Itoa(s.index))
			b.WriteByte(']')
		case plain(s.key) && (!clip || len(s.key) <= maxKey):
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(s.key)
		default:
			b.WriteByte('[')
			b.WriteString(strconv.QuoteToGraphic(clipKey(s.key, clip)))
			b.WriteByte(']')
		}
	}
	return b.String()
}

// shapeOf is the path with its indexes left out: all places of one field have the same shape.
func shapeOf(path string) string {
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		b.WriteByte(path[i])
		if path[i] == '[' {
			for i+1 < len(path) && path[i+1] >= '0' && path[i+1] <= '9' {
				i++
			}
		}
	}
	return b.String()
}

// plain tells whether key can stand in a path unquoted.
func plain(key string) bool {
	for i := 0; i < len(key); i++ {
		c := key[i]
		if c != '_' && c != '-' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return key != ""
}

func clipKey(key string, clip bool) string {
	if !clip || len(key) <= maxKey {
		return key
	}
	n := maxKey
	for n > 0 && !utf8.RuneStart(key[n]) {
		n--
	}
	return key[:n] + "…"
}
