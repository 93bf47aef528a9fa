package web

import (
	"fmt"
	"strings"
	"unicode"

	"sanad/internal/domain/text"
)

// SafeName removes from a file name what could mislead a person (control characters, bidirectional marks) and replaces
// what could mislead a system (separators, wildcards, quotes).
func SafeName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
			return -1
		case strings.ContainsRune(`/\:*?"<>|`, r):
			return '-'
		}
		return r
	}, text.CleanControls(name))
}

// Attachment writes a Content-Disposition with an ASCII name for old clients and, if it differs, the real one in UTF-8
// (RFC 6266, RFC 8187).
func Attachment(name string) string {
	name = strings.Trim(SafeName(name), ". ")
	if name == "" {
		name = "download"
	}
	ascii := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || r == '%' {
			return '_'
		}
		return r
	}, name)
	plain := `attachment; filename="` + ascii + `"`
	if ascii == name {
		return plain
	}
	return plain + "; filename*=UTF-8''" + extValue(name)
}

// extValue writes text as RFC 8187's value-chars.
func extValue(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		if c < 0x80 && (unicode.IsLetter(rune(c)) || unicode.IsDigit(rune(c)) || strings.IndexByte("!#$&+-.^_`|~",
			c) >= 0) {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

// DownloadsPath is the prefix of the personal links of exports; the rest of such a path is a secret.
const DownloadsPath = "/downloads/"

// isDownload reports whether a route is a personal link. It takes a login or a token, because either may have created
// it.
func isDownload(route string) bool {
	return route == DownloadsPath+":token" || route == DownloadsPath+"packs/:token"
}
