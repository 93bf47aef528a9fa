package redact

import (
	"bytes"
	"net/netip"
	"strings"
)

// ipv4s finds four numbers of 0 to 255 separated by dots, unless they are a version or the number of a section.
func (f *finder) ipv4s() {
	b := f.v.b
	for i := 0; i < len(b); i++ {
		if !isDigit(b[i]) {
			continue
		}
		j := f.quad(i)
		if j > 0 && f.freeQuad(i, j) {
			f.add(IPv4, i, j)
			i = j
			continue
		}
		for i+1 < len(b) && (isDigit(b[i+1]) || b[i+1] == '.') {
			i++
		}
	}
}

// quad returns the end of the dotted quad at i, 0 if none.
func (f *finder) quad(i int) int {
	for n := 1; ; n++ {
		value, digits := 0, 0
		for ; digits < 4 && isDigit(f.v.peek(i)); i, digits = i+1, digits+1 {
			value = value*10 + int(f.v.b[i]-'0')
		}
		if digits == 0 || digits > 3 || value > 255 || digits > 1 && f.v.b[i-digits] == '0' {
			return 0
		}
		if n == 4 {
			return i
		}
		if f.v.peek(i) != '.' {
			return 0
		}
		i++
	}
}

// freeQuad reports whether the quad at i:j is neither part of something longer nor a version or a section.
func (f *finder) freeQuad(i, j int) bool {
	before, after, next := f.v.peek(i-1), f.v.peek(j), f.v.peek(j+1)
	switch {
	case isAlnum(before) || before == '_' || before == '.' && isDigit(f.v.peek(i-2)):
		return false
	case isAlnum(after) || after == '_' || after == '.' && isDigit(next) || after == '-' && isAlpha(next):
		return false
	}
	if f.outline(i, j) {
		return false
	}
	w := f.before(i)
	return w.near(versionWord, 2) < 0
}

// outline reports whether i:j is the number of a section at the start of a line: small numbers, a space and a word.
func (f *finder) outline(i, j int) bool {
	if before := f.v.peek(i - 1); before != 0 && before != '\n' {
		return false
	}
	if next := f.v.peek(j + 1); f.v.peek(j) != ' ' || !isAlpha(next) && next != letter {
		return false
	}
	parts := strings.Split(f.v.ascii(i, j), ".")
	same := true
	for _, p := range parts {
		if len(p) > 2 || len(p) == 2 && p > "20" {
			return false
		}
		same = same && p == parts[0]
	}
	return !same && parts[0] != "10"
}

// ipv6s finds what parses as an IPv6 address, unless it is a time, a hardware address, or a slice or name in a program.
func (f *finder) ipv6s() {
	b := f.v.b
	for from := 0; ; {
		k := bytes.IndexByte(b[from:], ':')
		if k < 0 {
			return
		}
		k += from
		i, j := k, k
		for i > from && isHexPart(b[i-1]) {
			i--
		}
		for j < len(b) && isHexPart(b[j]) {
			j++
		}
		from = j
		if f.wholeV6(&i, &j) {
			f.add(IPv6, i, f.zone(j))
		}
	}
}

func isHexPart(c byte) bool {
	return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' || c == ':' || c == '.'
}

// longestV6 is the longest text form of an address, with an IPv4 part.
const longestV6 = 45

// wholeV6 trims punctuation around the token i:j, and reports whether an address is left.
func (f *finder) wholeV6(i, j *int) bool {
	b := f.v.b
	for *j-*i > 2 && (b[*j-1] == '.' || b[*j-1] == ':' && b[*j-2] != ':') {
		*j--
	}
	if after := f.v.peek(*j); isAlnum(after) || after == '_' || after == letter {
		return false
	}
	if b[*i] == ':' && f.v.peek(*i+1) != ':' {
		*i++
	} else if before := f.v.peek(*i - 1); isAlnum(before) || before == '_' || before == letter {
		k := bytes.IndexByte(b[*i:*j], ':') // "IPv6:2001:…": what comes before the first colon is a label
		if k <= 0 || f.v.peek(*i+k+1) == ':' && f.v.peek(*i+k+2) != ':' {
			return false
		}
		*i += k + 1
	}
	return f.isV6(*i, *j)
}

func (f *finder) isV6(i, j int) bool {
	if j-i < 3 || j-i > longestV6 {
		return false
	}
	s := f.v.ascii(i, j)
	addr, err := netip.ParseAddr(s)
	if err != nil || !addr.Is6() {
		return false
	}
	if strings.Contains(s, "::") {
		indexed := f.v.peek(i-1) == '[' && (isAlnum(f.v.peek(i-2)) || bytes.IndexByte([]byte("])_"),
			f.v.peek(i-2)) >= 0 && i > 1)
		return strings.ContainsAny(s, "0123456789") && !indexed && (s == "::1" || !allShort(s, 2, true))
	}
	return !allShort(s, 2, true) && !allShort(s, 2, false)
}

// allShort reports whether each group of s has at most n digits (decimal), or exactly n hexadecimal ones.
func allShort(s string, n int, decimal bool) bool {
	for g := range strings.SplitSeq(s, ":") {
		if decimal && (len(g) > n || strings.ContainsAny(g, "abcdefABCDEF.")) || !decimal && len(g) != n {
			return false
		}
	}
	return true
}

// zone returns the end of the zone that follows an address at j: fe80::1%eth0.
func (f *finder) zone(j int) int {
	if f.v.peek(j) != '%' || !isAlnum(f.v.peek(j+1)) {
		return j
	}
	for j++; isAlnum(f.v.peek(j)); j++ {
	}
	return j
}
