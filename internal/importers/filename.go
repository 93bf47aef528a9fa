package importers

import (
	"fmt"
	"path"
	"strings"

	"sanad/internal/domain/text"
)

// maxName is the maximum length of a file name that is kept, in code points.
const maxName = 150

// cleanName returns a name that can be shown and stored: no folders, control or bidi characters, valid UTF-8, limited
// length. If nothing is left, it makes a name from position.
func cleanName(name string, position int) string {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	name = text.CleanName(name)
	name = strings.TrimRight(name, " .")
	ext := path.Ext(name)
	if base := strings.TrimSuffix(name, ext); text.Len(name) > maxName {
		if text.Len(ext) > 10 {
			ext = ""
		}
		name = text.Slice(base, text.Span{End: maxName - text.Len(ext)}) + ext
	}
	if strings.Trim(name, ".- ") == "" {
		return fmt.Sprintf("document-%d.txt", position+1)
	}
	return name
}

// distinct appends a number if the name is taken, ignoring case: "rules (2).txt".
func distinct(taken map[string]bool, name string) string {
	ext := path.Ext(name)
	base := strings.TrimSuffix(name, ext)
	out := name
	for n := 2; taken[strings.ToLower(out)]; n++ {
		out = fmt.Sprintf("%s (%d)%s", base, n, ext)
	}
	taken[strings.ToLower(out)] = true
	return out
}
