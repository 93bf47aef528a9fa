package text

import "strings"

// isControl reports whether r can disguise a file name or a title: bidi controls reorder what the reader sees; control
// codes other than new line and tab are invisible.
func isControl(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < 0x20, r >= 0x7f && r < 0xa0:
		return true
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return r == 0x200e || r == 0x200f || r == 0x061c
}

// HasControl reports whether CleanControls would remove something from s.
func HasControl(s string) bool { return strings.IndexFunc(s, isControl) >= 0 }

// CleanControls removes bidi controls and control codes other than new line and tab from s, for file names and titles.
// Invalid UTF-8 becomes U+FFFD.
func CleanControls(s string) string {
	return strings.Map(func(r rune) rune {
		if isControl(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// OneLine returns s with each run of white space replaced by a space.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// CleanName returns a name or a title on one line, without control and bidi characters.
func CleanName(s string) string { return OneLine(CleanControls(OneLine(s))) }
