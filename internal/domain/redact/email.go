package redact

import (
	"bytes"
	"slices"
)

// The longest local part and domain (RFC 5321 section 4.5.3.1).
const (
	maxLocal  = 64
	maxDomain = 255
)

// fileEndings look like top-level domains but are not: icon@2x.png is a file.
var fileEndings = []string{"png", "jpg", "jpeg", "gif", "svg", "webp", "css", "js", "json", "html", "txt", "pdf"}

// emails finds name@domain.tld, also with letters beyond ASCII (RFC 6531).
func (f *finder) emails() {
	b := f.v.b
	for from := 0; ; {
		k := bytes.IndexByte(b[from:], '@')
		if k < 0 {
			return
		}
		k += from
		i, j := f.localPart(k), f.domain(k+1)
		if i < k && j > 0 {
			f.add(Email, i, j)
			from = j
			continue
		}
		from = k + 1
	}
}

// localPart returns where the name before the @ at k begins, k if none.
func (f *finder) localPart(k int) int {
	b, i := f.v.b, k
	for i > 0 && k-i < maxLocal && isLocal(b[i-1]) {
		i--
	}
	for i < k && (b[i] == '.' || b[i] == '\'' || b[i] == '-') {
		i++
	}
	if i < k && b[k-1] == '.' {
		return k
	}
	return i
}

func isLocal(c byte) bool {
	return isAlnum(c) || c == letter || bytes.IndexByte([]byte("._%+-'&"), c) >= 0
}

// domain returns the end of the domain name that begins at i, 0 if none. Its last label has letters only.
func (f *finder) domain(i int) (end int) {
	start := i
	for n := 1; i-start < maxDomain; n++ {
		j := f.label(i)
		if j == i {
			break
		}
		if n > 1 && f.isTop(i, j) {
			end = j
		}
		if f.v.peek(j) != '.' {
			break
		}
		i = j + 1
	}
	return end
}

// label returns the end of the label at i. A label has one script, so an Arabic word that follows without a space is
// not part of it.
func (f *finder) label(i int) int {
	b, j := f.v.b, i
	for j < len(b) && j-i < maxLocal && (isAlnum(b[j]) || b[j] == '-' || b[j] == letter) {
		if j > i && (b[j] == letter) != (b[i] == letter) && b[j] != '-' && !isDigit(b[j]) {
			break
		}
		j++
	}
	for j > i && b[j-1] == '-' {
		j--
	}
	return j
}

// isTop reports whether v.b[i:j] can be a top-level domain: two letters or more, or the encoded form (xn--).
func (f *finder) isTop(i, j int) bool {
	if j-i < 2 || slices.Contains(fileEndings, string(bytes.ToLower(f.v.b[i:j]))) {
		return false
	}
	if j-i > 4 && f.v.ascii(i, i+4) == "xn--" {
		return true
	}
	return !bytes.ContainsFunc(f.v.b[i:j], func(r rune) bool { return r >= '0' && r <= '9' || r == '-' })
}
