package importers

import (
	"fmt"
	"strings"
)

// shapeOf returns the path without its indexes: all places of one field have the same shape.
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

// at returns the path of an item, or of a field of it.
func at(list string, i int, field string) string {
	if field == "" {
		return fmt.Sprintf("%s[%d]", list, i)
	}
	return fmt.Sprintf("%s[%d].%s", list, i, field)
}

// joined returns the path of a field beneath a path.
func joined(path, field string) string {
	switch {
	case path == "":
		return field
	case field == "" || strings.HasPrefix(field, "["):
		return path + field
	}
	return path + "." + field
}
