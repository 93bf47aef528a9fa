package redact

import "strings"

// card finds a payment card number: known issuer, right length, valid Luhn digit; written solid or in the usual groups.
func (c *candidate) card() (string, int) {
	best := -1
	c.begin()
	for ok := true; ok && c.even(); ok = c.grow() {
		if c.number.n >= 13 && cardSizes(c.sizes()) && c.issued() && c.number.luhn() && c.freeAfter() && !c.dashed() {
			best = c.last
		}
	}
	if best < 0 {
		return "", 0
	}
	labelled := c.context().near(cardWord, 8) >= 0
	c.begin()
	for c.last < best {
		c.grow()
	}
	if !c.free(labelled) || c.inside() || c.number.n == 13 && !labelled || c.context().near(bookWord, 2) >= 0 {
		return "", 0
	}
	return Card, c.f.groups[c.first].start
}

// cardSizes reports whether cards are written in groups of these sizes.
func cardSizes(s string) bool {
	switch s {
	case "465", "464", "88", "6a", "6d", "4444", "44443":
		return true
	}
	return len(s) == 1 || strings.HasPrefix(s, "444") && len(s) == 4 && s[3] <= '4'
}

// issued reports whether the number belongs to a scheme in use: Visa, Mastercard, American Express, Discover, Diners,
// JCB, UnionPay, Maestro, mada, RuPay, Mir, Troy. None begins with 1, as times in milliseconds do.
func (c *candidate) issued() bool {
	p := 0
	for _, d := range c.number.b[:4] {
		p = p*10 + int(d-'0')
	}
	n := c.number.n
	switch {
	case p/1000 == 4:
		return n == 13 || n == 16 || n == 19
	case p/100 >= 51 && p/100 <= 55, p >= 2221 && p <= 2720, p >= 2200 && p <= 2204, p == 9682, p == 9792:
		return n == 16
	case p/100 == 34 || p/100 == 37:
		return n == 15
	case p/100 == 36, p/100 == 38, p/100 == 39, p/10 >= 300 && p/10 <= 305:
		return n >= 14 && n != 15
	case p >= 3528 && p <= 3589:
		return n >= 16
	case p/100 == 50, p/100 >= 56 && p/100 <= 69, p/100 == 81, p/100 == 82:
		return n >= 14
	}
	return false
}
