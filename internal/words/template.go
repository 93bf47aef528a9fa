package words

import (
	"fmt"
	"strings"
)

// template is a text split at its placeholders, written {{.Name}}: literal, name, literal, name, literal.
type template []string

func parse(s string) template {
	var t template
	for {
		before, rest, ok := strings.Cut(s, "{{.")
		if !ok {
			break
		}
		name, after, ok := strings.Cut(rest, "}}")
		if !ok {
			break
		}
		t = append(t, before, name)
		s = after
	}
	return append(t, s)
}

// fill replaces the placeholders with args, listed as name, value, name, value …. A placeholder without a value stays
// visible.
func (t template) fill(args []any) string {
	if len(t) == 1 {
		return t[0]
	}
	var b strings.Builder
	for i, piece := range t {
		if i%2 == 0 {
			b.WriteString(piece)
		} else {
			b.WriteString(value(piece, args))
		}
	}
	return b.String()
}

func value(name string, args []any) string {
	for i := 0; i+1 < len(args); i += 2 {
		if args[i] != name {
			continue
		}
		if s, ok := args[i+1].(string); ok {
			return s
		}
		return fmt.Sprint(args[i+1])
	}
	return "{{." + name + "}}"
}
