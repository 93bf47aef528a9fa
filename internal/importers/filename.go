package importers

import (
	"fmt"
	"path"
	"strings"

	"sanad/internal/domain/text"
)

// maxName is the longest file name that is kept, in code points.
const maxName = 150

// cleanName makes a name that can be shown and stored: no folders, no controls, no bidi controls, UTF-8, of sane
// length. position makes one up where nothing is left.
func cleanName(name string, position int) string {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	name = cleaned(name)
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

// distinct numbers a name that is taken, letter case apart: "rules (2).txt".
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
