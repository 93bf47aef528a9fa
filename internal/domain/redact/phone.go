package redact

import "strings"

// phone finds phone numbers: with + or 00 and a country code, in the Saudi forms, in the North American form, and any
// number of 7 to 15 digits that directly follows a word like phone or هاتف.
func (c *candidate) phone() (string, int) {
	if !c.enough(7) {
		return "", 0
	}
	labelled := c.context().after(phoneWord)
	last, loose := -1, -1 // last group of the longest match: in a known form; in any form, after a word like phone
	c.begin()
	from, plus := c.plus()
	if !c.freeBefore(from, labelled) {
		return "", 0
	}
	for ok := true; ok && c.number.n <= 15; ok = c.grow() {
		switch {
		case c.number.n < 7 || !c.gaps() || !c.freeAfter():
		case c.shaped(plus):
			last = c.last
		case labelled && !c.dateLike() && !c.moment():
			loose = c.last
		}
	}
	if last < 0 {
		last = loose
	}
	if last < 0 {
		return "", 0
	}
	c.last = last
	return Phone, from
}

// shaped reports whether the groups taken have the form of a phone number.
func (c *candidate) shaped(plus bool) bool {
	d := c.number.String()
	switch {
	case plus:
		return international(d)
	case strings.HasPrefix(d, "00"):
		return c.sizes()[0] != '1' && !c.inside() && international(d[2:])
	}
	return c.saudi(d) || c.american(d)
}

// plus reports whether a + precedes the number, and returns where the number begins, including the + and a parenthesis
// before it.
func (c *candidate) plus() (from int, plus bool) {
	v, start := &c.f.v, c.f.groups[c.first].start
	if v.peek(start-1) == '+' {
		if v.peek(start-2) == '(' {
			return start - 2, true
		}
		return start - 1, !isDigit(v.peek(start - 2))
	}
	if v.peek(start-1) == '(' {
		if v.peek(start-2) == '+' {
			return start - 2, true
		}
		return start - 1, false
	}
	return start, false
}

// gaps reports whether everything between the groups may occur in a phone number.
func (c *candidate) gaps() bool {
	for k := c.first + 1; k <= c.last; k++ {
		if strings.ContainsAny(c.f.v.ascii(c.f.groups[k-1].end, c.f.groups[k].start), "/") {
			return false
		}
	}
	return c.last-c.first < 8
}

// saudi reports whether d has a national form: 05…, 966…, 01…, 9200… or, in groups, 800….
func (c *candidate) saudi(d string) bool {
	sizes, solid := c.sizes(), c.first == c.last
	if !solid && (!c.sameGaps() || c.inside()) || c.context().after(otherWord) && !strings.HasPrefix(d, "05") {
		return false
	}
	lead := sizes[0] != '1' && sizes[0] != '2'
	switch {
	case len(d) == 12 && strings.HasPrefix(d, "966"):
		return lead && saudiNational(d[3:])
	case len(d) == 10 && strings.HasPrefix(d, "05"):
		return lead || sizes == "28" || sizes == "22222"
	case len(d) == 10 && d[0] == '0':
		return lead && saudiNational(d[1:]) && d != "0123456789"
	case len(d) == 9 && strings.HasPrefix(d, "9200"):
		return lead
	case len(d) == 10 && strings.HasPrefix(d, "800"):
		return sizes == "334" || sizes == "37" || sizes == "343"
	}
	return false
}

// saudiNational reports whether d is the nine digits after 0 or 966: mobiles 5…, landlines 11 to 14, 16 and 17.
func saudiNational(d string) bool {
	if len(d) != 9 {
		return false
	}
	return d[0] == '5' || d[0] == '1' && strings.IndexByte("123467", d[1]) >= 0 && d[2] >= '2' && d[2] <= '8'
}

// sameGaps reports whether all gaps are alike. They are in a phone number, but not in a date followed by a time.
func (c *candidate) sameGaps() bool {
	sep := ""
	for k := c.first + 1; k <= c.last; k++ {
		s := strings.Trim(c.f.v.ascii(c.f.groups[k-1].end, c.f.groups[k].start), "()")
		if s != " " && s != "-" && s != "." && s != "" || sep != "" && s != sep {
			return false
		}
		sep = s
	}
	return true
}

// american reports whether d is written like (415) 555-2671, 415-555-2671, 415.555.2671 or 1-415-555-2671.
func (c *candidate) american(d string) bool {
	sizes := c.sizes()
	if sizes == "1334" && d[0] == '1' {
		d = d[1:]
	} else if sizes != "334" {
		return false
	}
	if d[0] < '2' || c.context().after(otherWord) {
		return false
	}
	area := c.f.groups[c.last-2]
	if c.f.v.peek(area.start-1) == '(' {
		return c.f.v.peek(area.end) == ')'
	}
	gap := c.f.v.ascii(c.f.groups[c.last-1].end, c.f.groups[c.last].start)
	return c.even() && gap != " "
}

// dateLike reports whether the groups begin with a date, like 2024-01-15 or 15.01.2024.
func (c *candidate) dateLike() bool {
	s := c.sizes()
	return strings.HasPrefix(s, "422") || strings.HasPrefix(s, "224") || strings.HasPrefix(s, "124") ||
		strings.HasPrefix(s, "214")
}

// moment reports whether the number follows a word like "at" and may be a Unix time: "call at 1700000000".
func (c *candidate) moment() bool {
	return c.first == c.last && (c.number.n == 10 || c.number.n == 13) && c.number.b[0] == '1' &&
		c.context().near(whenWord, 1) >= 0
}
