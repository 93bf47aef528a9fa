package auth

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// asciiDigit maps a digit of the Arabic scripts to the one of ASCII, and leaves every other character alone.
func asciiDigit(r rune) rune {
	switch {
	case r >= '٠' && r <= '٩':
		return r - '٠' + '0'
	case r >= '۰' && r <= '۹':
		return r - '۰' + '0'
	}
	return r
}

// typedCode normalises a code as people copy it: digits of any script or width, in groups, with dashes, and with the
// invisible marks that surround numbers in Arabic text.
func typedCode(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.In(r, unicode.Pd, unicode.Cf) || r == '_' {
			return -1
		}
		return asciiDigit(r)
	}, norm.NFKC.String(s))
}

// The rows of the Arabic (101) keyboard above the same keys in Latin letters. The B key types two letters; latinKeys
// handles it.
const (
	arabicRows = "ضصثقفغعهخحجد" + "شسيبلاتنمكط" + "ئءؤرىةوزظ" + "ذ"
	latinRows  = "qwertyuiop[]" + "asdfghjkl;'" + "zxcvnm,./" + "`"
)

var latinKey = func() map[rune]rune {
	keys, latin := map[rune]rune{}, []rune(latinRows)
	for i, r := range []rune(arabicRows) {
		keys[r] = latin[i]
	}
	return keys
}()

// latinKeys returns the Latin letters on the keys that type s on an Arabic keyboard, for both ways to type lam-alef;
// nil if s has no Arabic letter.
func latinKeys(s string) []string {
	if !strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Arabic, r) }) {
		return nil
	}
	keys := func(r rune) rune {
		if k, ok := latinKey[r]; ok {
			return k
		}
		return r
	}
	return []string{strings.Map(keys, s), strings.Map(keys, strings.ReplaceAll(s, "لا", "b"))}
}
