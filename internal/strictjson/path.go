package strictjson

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// step is one step of a path into a JSON value: a key, or an index if key is "".
type step struct {
	key   string
	index int
	array bool
}

// MaxKey is how many bytes of a key an error's path shows.
const MaxKey = 60

// pathOf writes steps as "claims[3].start_offset". Keys that are not plain names are quoted: `extra["a b"]`. With clip,
// long keys are cut so that a message stays readable.
func pathOf(steps []step, clip bool) string {
	var b strings.Builder
	for _, s := range steps {
		switch {
		case s.array:
			b.WriteByte('[')
			b.WriteString(strconv.Itoa(s.index))
			b.WriteByte(']')
		case isPlainName(s.key) && (!clip || len(s.key) <= MaxKey):
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

// isPlainName reports whether key may appear in a path unquoted.
func isPlainName(key string) bool {
	for i := 0; i < len(key); i++ {
		c := key[i]
		if c != '_' && c != '-' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return key != ""
}

// Path writes keys, the outermost object's first, like the Path of an error.
func Path(keys ...string) string {
	steps := make([]step, len(keys))
	for i, key := range keys {
		steps[i].key = key
	}
	return pathOf(steps, true)
}

// Clip cuts a key or text for a message, to MaxKey bytes.
func Clip(s string) string { return clipKey(s, true) }

func clipKey(key string, clip bool) string {
	if !clip || len(key) <= MaxKey {
		return key
	}
	n := MaxKey
	for n > 0 && !utf8.RuneStart(key[n]) {
		n--
	}
	return key[:n] + "…"
}
