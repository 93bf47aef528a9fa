package bundle

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"sanad/internal/domain"
)

const maxPath = 1024

// CheckPath returns why a path is no place in the lake: it must be relative, plain and stay inside (rule B-13).
// Links that leave it are for whoever holds the lake to refuse.
func CheckPath(p string) error {
	switch {
	case p == "" || len(p) > maxPath || !utf8.ValidString(p):
		return domain.Invalidf("", "A path in the lake has 1 to %d bytes of UTF-8.", maxPath)
	case strings.ContainsFunc(p, func(r rune) bool { return unicode.IsControl(r) || r == '\\' || unicode.Is(unicode.Bidi_Control, r) }):
		return domain.Invalidf("", "A path in the lake has no backslashes and no control characters.")
	case path.IsAbs(p) || path.Clean(p) != p || p == "." || p == ".." || strings.HasPrefix(p, "../") ||
		strings.Contains(p, ":"):
		return domain.Invalidf("",
			"A path in the lake is relative, without a scheme, without . and .. and empty parts.")
	}
	return nil
}
