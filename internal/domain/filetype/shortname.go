package filetype

import (
	"strings"
	"unicode/utf8"
)

// ShortName returns a file's name fit for display: valid text, with the beginning of a long name cut off.
func ShortName(name string) string {
	const most = 200
	name = strings.ToValidUTF8(name, "\uFFFD")
	if utf8.RuneCountInString(name) <= most {
		return name
	}
	runes := []rune(name)
	return "…" + string(runes[len(runes)-most+1:])
}
