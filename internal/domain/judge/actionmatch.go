package judge

import (
	"strings"
)

// match pairs equal terms: first those that are in the same role, then all others.
func (c *actionComparer) match() {
	for _, strict := range [...]bool{true, false} {
		for i := range c.intended.terms {
			t := &c.intended.terms[i]
			for k := range c.actual.terms {
				if s := &c.actual.terms[k]; t.peer < 0 && s.peer < 0 && (!strict || t.role == s.role) && sameTerm(t, s) {
					t.peer, s.peer = k, i
				}
			}
		}
	}
	c.matchVerbs()
	for i := range c.intended.terms { // the other side shows whether the first word is a name
		if t := &c.intended.terms[i]; t.peer >= 0 {
			s := &c.actual.terms[t.peer]
			t.kind, s.kind = max(t.kind, s.kind), max(t.kind, s.kind)
		}
	}
}

// matchVerbs pairs Arabic verbs with their verbal nouns and other tenses, where both begin an action.
func (c *actionComparer) matchVerbs() {
	for i := range c.intended.terms {
		for k := range c.actual.terms {
			t, s := &c.intended.terms[i], &c.actual.terms[k]
			if t.peer < 0 && s.peer < 0 && c.begins(t) && c.begins(s) && isArabic(t.norm) && isArabic(s.norm) &&
				root(t.norm) == root(s.norm) {
				t.peer, s.peer = k, i
			}
		}
	}
}

// begins reports whether a term stands where a verb of action does.
func (c *actionComparer) begins(t *actionTerm) bool { return t.position == 0 || t.joined }

func sameTerm(a, b *actionTerm) bool {
	if a.figure() || b.figure() {
		return a.figure() && b.figure() && strings.TrimSpace(a.key) == strings.TrimSpace(b.key)
	}
	return a.key == b.key || overlap(forms().of[a.key], forms().of[b.key])
}

// root returns the consonants of an Arabic verb or verbal noun that tense and form leave: يسترجع, استرجاع and استرجع
// share one.
func root(norm string) string {
	r := []rune(strings.TrimPrefix(norm, "ال"))
	if n := len(r); n > 3 && (r[n-1] == 'ه' || r[n-1] == 'ت') {
		r = r[:n-1] // a feminine ending
	}
	switch n := len(r); {
	case n == 5 && r[0] == 'ت' && r[3] == 'ي': // تحديث
		r = r[1:]
	case n >= 4 && (r[0] == 'ي' || r[0] == 'ت' || r[0] == 'ن' || r[0] == 'م'):
		r = r[1:]
	}
	return strings.Map(func(c rune) rune {
		if strings.ContainsRune("اويىءأإآؤئ", c) {
			return -1
		}
		return c
	}, string(r))
}
