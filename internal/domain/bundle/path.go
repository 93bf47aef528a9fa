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
		return domain.Refuse(domain.Invalid, "", "refused_path_length", "N", maxPath)
	case strings.ContainsFunc(p, func(r rune) bool {
		return unicode.IsControl(r) || r == '\\' || unicode.Is(unicode.Bidi_Control, r)
	}):
		return domain.Refuse(domain.Invalid, "", "refused_path_signs")
	case path.IsAbs(p) || path.Clean(p) != p || p == "." || p == ".." || strings.HasPrefix(p, "../") ||
		strings.Contains(p, ":"):
		return domain.Refuse(domain.Invalid, "", "refused_path_form")
	}
	return nil
}
