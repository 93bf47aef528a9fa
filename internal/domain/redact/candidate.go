package redact

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sanad/internal/domain/text"
	"sanad/internal/domain/text/quantity"
)

// candidate is a number that may begin with a group.
type candidate struct {
	f      *finder
	first  int
	after  bool  // another match ends right before it
	words  words // the words before it, read when first needed
	asked  bool
	number digits // of the groups first to last
	last   int
}

// enough reports whether n digits or more are left in the run.
func (c *candidate) enough(n int) bool {
	for _, g := range c.f.groups[c.first:] {
		if n -= g.len(); n <= 0 {
			return true
		}
	}
	return false
}

func (c *candidate) match() (kind string, start, last int) {
	for _, try := range [...]func(*candidate) (string, int){(*candidate).card, (*candidate).nationalID,
		(*candidate).phone} {
		if kind, start := try(c); kind != "" && (kind == Card || !c.isAmount()) {
			return kind, start, c.last
		}
	}
	return "", 0, 0
}

// isAmount reports whether the one reading of figures takes the number for an amount with its unit, and no word before
// it says that it is somebody's: "966501234567 riyals". A card has a check digit and an issuer, and a number with a
// zero or a plus before it is no amount.
func (c *candidate) isAmount() bool {
	if words := c.context(); words.after(phoneWord) || words.near(idWord, backWords) >= 0 {
		return false
	}
	start, end := c.f.v.original(c.f.groups[c.first].start, c.f.groups[c.last].end)
	src := c.f.v.src
	from := max(0, start-besideBytes)
	for from < start && !utf8.RuneStart(src[from]) {
		from++
	}
	near := src[from:end] + clip(src[end:], besideBytes)
	ruler := text.NewRuler(near)
	return slices.ContainsFunc(quantity.Read(near), func(q quantity.Quantity) bool {
		return q.Kind == quantity.Amount && q.Unit != "" && ruler.Byte(q.Numeral.Start) == start-from &&
			ruler.Byte(q.Numeral.End) == end-from &&
			isPlainUnit(near[ruler.Byte(q.Start):start-from]+near[end-from:ruler.Byte(q.End)])
	})
}

// isPlainUnit reports whether what is written beside a number can be nothing but a unit: a word or a currency's sign,
// not a letter alone as in "920012345 m".
func isPlainUnit(s string) bool {
	r, w := utf8.DecodeRuneInString(strings.TrimSpace(s))
	return !unicode.IsLetter(r) || w < len(strings.TrimSpace(s))
}

// besideBytes is how much text is read before and behind a number for its unit.
const besideBytes = 64

// context returns the words before the number. Within a run, only a number stands before it.
func (c *candidate) context() *words {
	if c.first > 0 {
		return &inRun
	}
	if !c.asked {
		c.words, c.asked = c.f.before(c.f.groups[c.first].start), true
	}
	return &c.words
}

var inRun = words{[]word{{number: true}}}

// begin sets the candidate to its first group alone.
func (c *candidate) begin() {
	c.number.n, c.last = 0, c.first-1
	c.grow()
}

// grow adds the next group; it returns false if none or the number would become too long.
func (c *candidate) grow() bool {
	if c.last+1 >= len(c.f.groups) {
		return false
	}
	g := c.f.groups[c.last+1]
	if c.number.n+g.len() > maxDigits {
		return false
	}
	c.number.n += copy(c.number.b[c.number.n:], c.f.v.b[g.start:g.end])
	c.last++
	return true
}

// sizes returns the lengths of the groups as a string of digits: "4444".
func (c *candidate) sizes() string {
	var s [maxDigits]byte
	n := 0
	for _, g := range c.f.groups[c.first : c.last+1] {
		s[n] = byte('a' + g.len() - 10)
		if g.len() < 10 {
			s[n] = byte('0' + g.len())
		}
		n++
	}
	return string(s[:n])
}

// even reports whether every gap between groups is the same single separator.
func (c *candidate) even() bool {
	sep := byte(0)
	for k := c.first + 1; k <= c.last; k++ {
		from := c.f.groups[k-1].end
		s := c.f.v.b[from]
		if c.f.groups[k].start != from+1 || sep != 0 && s != sep || s != ' ' && s != '-' && s != '.' {
			return false
		}
		sep = s
	}
	return true
}

// free reports whether the number is not part of a decimal, an amount or an identifier, on either side. Letters or an
// underscore right before it are allowed if they are a label.
func (c *candidate) free(labelled bool) bool {
	return c.freeBefore(c.f.groups[c.first].start, labelled) && c.freeAfter()
}

func (c *candidate) freeBefore(start int, labelled bool) bool {
	v := &c.f.v
	switch p := v.peek(start - 1); {
	case isAlpha(p) || p == '_':
		return labelled
	case p == '$':
		return false
	case p == '.':
		return !isDigit(v.peek(start - 2))
	case p == '-' && !c.after:
		return !v.digitIn(start - 1)
	}
	return true
}

// digitIn reports whether the identifier that ends at end contains a digit. If so, what follows its dash belongs to it.
func (v *view) digitIn(end int) bool {
	for i := end - 1; i >= 0 && end-i < 12 && isAlnum(v.b[i]); i-- {
		if isDigit(v.b[i]) {
			return true
		}
	}
	return false
}

func (c *candidate) freeAfter() bool {
	v, end := &c.f.v, c.f.groups[c.last].end
	next, third := v.peek(end+1), v.peek(end+2)
	switch v.peek(end) {
	case '.': // a spreadsheet may have written an integer as a decimal
		return !isDigit(next) || next == '0' && !isDigit(third) && third != '.'
	case '_', '%', '$':
		return false
	}
	return !isAlpha(v.peek(end))
}

// inside reports whether another group of four digits stands before a number in groups of four.
func (c *candidate) inside() bool {
	if c.first == 0 || c.first == c.last || c.after {
		return false
	}
	g := c.f.groups[c.first-1 : c.first+2]
	return g[0].len() == g[1].len() && string(c.f.v.b[g[0].end:g[1].start]) == string(c.f.v.b[g[1].end:g[2].start])
}

// dashed reports whether a dash and a digit follow, so that the number is part of an identifier.
func (c *candidate) dashed() bool {
	end := c.f.groups[c.last].end
	return c.f.v.peek(end) == '-' && isDigit(c.f.v.peek(end+1))
}
