package bundle

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"sanad/internal/domain"
)

const maxPath = 1024

// CheckPath returns an error unless p is a plain relative path that stays inside the lake (rule B-13). Symbolic links
// that lead out of it have to be refused by the storage.
func CheckPath(p string) error {
	switch {
	case p == "" || len(p) > maxPath || !utf8.ValidString(p):
		return domain.Invalidf("", "A path in the lake has 1 to %d bytes of UTF-8.", maxPath)
	case strings.ContainsFunc(p, func(r rune) bool {
		return unicode.IsControl(r) || r == '\\' || unicode.Is(unicode.Bidi_Control, r)
	}):
		return domain.Invalidf("", "A path in the lake has no backslashes and no control characters.")
	case path.IsAbs(p) || path.Clean(p) != p || p == "." || p == ".." || strings.HasPrefix(p, "../") ||
		strings.Contains(p, ":"):
		return domain.Invalidf("",
			"A path in the lake is relative, without a scheme, without . and .. and empty parts.")
	}
	return nil
}
