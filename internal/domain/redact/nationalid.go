package redact

import "strings"

// nationalID finds a Saudi national id (1…) or iqama (2…): ten digits, Luhn. Ten digits up to 2147483647 may also be a
// Unix time, and one in ten of those passes Luhn. So numbers in that range, and numbers in groups, count only if the
// words around them say that they are ids.
func (c *candidate) nationalID() (string, int) {
	c.begin()
	for c.number.n < 10 && c.even() && c.grow() {
	}
	d := &c.number
	if d.n != 10 || d.b[0] != '1' && d.b[0] != '2' || !c.even() || !d.luhn() {
		return "", 0
	}
	said := c.saidID()
	alone := said == 0 && c.first == c.last && d.String() > maxUnix
	if said <= 0 && !alone || !c.free(said > 0) || c.dashed() {
		return "", 0
	}
	return NationalID, c.f.groups[c.first].start
}

// maxUnix is the largest 32-bit Unix time.
const maxUnix = "2147483647"

// saidID weighs the words around the number: 1 if they call it an id, -1 if they call it something else, 0 if neither.
// The nearest word decides. A word for something else counts only if no punctuation separates it from the number.
func (c *candidate) saidID() int {
	w, apart := c.context(), false
	for k, word := range w.list {
		apart = apart || k > 0 && word.ends
		switch {
		case word.is(idWord):
			return 1
		case word.is(otherWord|phoneWord|cardWord) && !apart, k == 0 && word.is(whenWord):
			return -1
		case word.text == "id":
			if k+1 < len(w.list) && w.list[k+1].is(otherWord) && !w.list[k+1].ends { // order id
				return -1
			}
			return 1
		case word.number:
			return c.saidAfter()
		}
	}
	return c.saidAfter()
}

// saidAfter does the same for the words after the number: "1012345678 (national id)", "… is his national id".
func (c *candidate) saidAfter() int {
	v := &c.f.v
	_, end := v.original(c.f.groups[c.last].start, c.f.groups[c.last].end)
	rest := strings.TrimLeftFunc(clip(v.src[end:], backBytes),
		func(r rune) bool { return plain(r) == ' ' || plain(r) == 0 })
	list := split(rest, nil)
	list = classed(list[:min(len(list), 6)])
	if len(list) == 0 || !strings.HasPrefix(rest, "(") && !list[0].is(copula) {
		return 0
	}
	for k, word := range list {
		if word.is(idWord) || word.text == "id" && k > 0 && !list[k-1].is(otherWord) {
			return 1
		}
		if word.number || word.is(otherWord) {
			break
		}
	}
	return 0
}
