package redact

import "bytes"

// group is a run of digits, v.b[start:end].
type group struct{ start, end int }

func (g group) len() int { return g.end - g.start }

// maxDigits is the length of the longest number that any detector takes, a payment card's.
const maxDigits = 19

// digits holds a number without its separators. Detectors look at digits as characters: their groups, their beginning
// and check digits. What a number amounts to is read by package quantity alone; see isAmount.
type digits struct {
	b [maxDigits]byte
	n int
}

func (d *digits) String() string { return string(d.b[:d.n]) }

// luhn reports whether the check digit of ISO/IEC 7812-1 is right: every second digit from the right is doubled, and
// the digits of the result are added.
func (d *digits) luhn() bool {
	sum := 0
	for i := range d.n {
		v := int(d.b[d.n-1-i] - '0')
		if i%2 == 1 {
			if v *= 2; v > 9 {
				v -= 9
			}
		}
		sum += v
	}
	return sum%10 == 0
}

// numbers finds cards, national ids and phone numbers. It looks at runs: groups of digits on one line, separated only
// by spaces, dashes, dots, slashes and parentheses.
func (f *finder) numbers() {
	b := f.v.b
	for i := 0; i < len(b); {
		if !isDigit(b[i]) {
			i++
			continue
		}
		f.groups = f.groups[:0]
		for i < len(b) && isDigit(b[i]) {
			start := i
			for i < len(b) && isDigit(b[i]) {
				i++
			}
			f.groups = append(f.groups, group{start, i})
			i = f.gapEnd(i)
		}
		f.inRun()
	}
}

// gapEnd returns where the next group begins if only a gap separates it, else end.
func (f *finder) gapEnd(end int) int {
	for i := end; i < end+4; i++ {
		c := f.v.peek(i)
		if isDigit(c) {
			return i
		}
		if c == 0 || bytes.IndexByte([]byte(" -./()"), c) < 0 {
			break
		}
	}
	return end
}

// inRun looks for a number that begins at each group of the run.
func (f *finder) inRun() {
	matched := 0 // groups before this one belong to a match
	for i := 0; i < len(f.groups); i++ {
		if f.groups[i].len() > maxDigits {
			continue
		}
		c := candidate{f: f, first: i, after: matched == i && i > 0}
		if kind, start, last := c.match(); kind != "" {
			f.add(kind, start, f.groups[last].end)
			i = last
			matched = last + 1
		}
	}
}
