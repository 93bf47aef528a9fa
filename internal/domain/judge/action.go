package judge

import (
	"slices"
	"strings"
	"unicode"
)

// ActionResult says how what a tool did stands to what it was to do.
type ActionResult string

// The results. They are stored and signed: never change one.
const (
	ActionSame    ActionResult = "same"
	ActionDiffers ActionResult = "differs"
	ActionUnclear ActionResult = "cannot_tell" // the words leave it open, so a person decides
)

// ActionWords are words of an action that have no counterpart in the other; one side may be empty.
type ActionWords struct {
	Intended string `json:"intended"`
	Actual   string `json:"actual"`
}

// maxActionTerms bounds an action that is compared; nobody writes a longer one by hand.
const maxActionTerms = 300

// maxActionWords bounds the differences that are named.
const maxActionWords = 8

// CompareActions compares what was intended with what was done. Tense, voice, inflexion and word order don't matter;
// numbers, names, negations, what was left out and what was done besides do. Where the words allow both readings, as
// with synonyms and details that one side doesn't give, the result is ActionUnclear.
func CompareActions(intended, actual string) (ActionResult, []ActionWords) {
	if fold := strings.Join(strings.Fields(intended), " "); fold == strings.Join(strings.Fields(actual), " ") {
		if fold == "" {
			return ActionUnclear, nil
		}
		return ActionSame, nil
	}
	c := actionComparer{intended: readAction(intended), actual: readAction(actual)}
	if c.intended.none != "" && len(c.intended.terms) == 0 && len(c.actual.terms) > 0 {
		return ActionDiffers, []ActionWords{{Intended: c.intended.none, Actual: c.actual.terms[0].text}}
	}
	if len(c.intended.terms) == 0 || len(c.intended.terms) > maxActionTerms || len(c.actual.terms) > maxActionTerms {
		return ActionUnclear, nil
	}
	c.match()
	c.undone()
	if c.intended.script == c.actual.script || len(c.actual.terms) == 0 {
		c.negations()
		c.figures()
		c.words()
		c.order()
	} else if len(c.differs) == 0 {
		return ActionUnclear, nil // of two languages
	}
	switch {
	case len(c.differs) > 0:
		return ActionDiffers, c.differs[:min(len(c.differs), maxActionWords)]
	case len(c.open) > 0:
		return ActionUnclear, c.open[:min(len(c.open), maxActionWords)]
	}
	return ActionSame, nil
}

// actionComparer compares an actual action with the intended one.
type actionComparer struct {
	intended, actual *action
	differs, open    []ActionWords
}

func (c *actionComparer) differ(intended, actual string) {
	c.differs = append(c.differs, ActionWords{Intended: intended, Actual: actual})
}

func (c *actionComparer) leave(intended, actual string) {
	c.open = append(c.open, ActionWords{Intended: intended, Actual: actual})
}

// undone finds words by which the action was not done, or is not done yet.
func (c *actionComparer) undone() {
	a := c.actual
	if a.none != "" && c.intended.none == "" {
		c.differ("", a.none)
	}
	if a.planned != "" && !slices.ContainsFunc(c.intended.terms, func(t actionTerm) bool { return t.text == a.planned }) {
		c.differ("", a.planned)
	}
	for i := range a.terms {
		if t := &a.terms[i]; t.peer < 0 && actionUndone[t.norm] {
			c.differ("", t.text)
		}
	}
}

// negations compares what is negated.
func (c *actionComparer) negations() {
	for i := range c.intended.terms {
		t := &c.intended.terms[i]
		if t.peer < 0 || t.negated == c.actual.terms[t.peer].negated {
			continue
		}
		done := &c.actual.terms[t.peer]
		c.differ(negatedText(c.intended.negator, t), negatedText(c.actual.negator, done))
		return
	}
	if c.intended.negator == "" && c.actual.negator != "" {
		c.differ("", c.actual.negator)
	} else if c.intended.negator != "" && c.actual.negator == "" {
		c.leave(c.intended.negator, "")
	}
}

// negatedText is a word with the negator of its side where that negates it: "not released".
func negatedText(negator string, t *actionTerm) string {
	if t.negated && negator != "" {
		return negator + " " + t.text
	}
	return t.text
}

// NothingDone reports whether an action says that nothing was done, such as "none".
func NothingDone(actual string) bool {
	did := readAction(actual)
	return did.none != "" && len(did.terms) == 0
}

// figures compares the numbers and codes that have no counterpart.
func (c *actionComparer) figures() {
	lost, own := unmatched(c.intended, (*actionTerm).figure), unmatched(c.actual, (*actionTerm).figure)
	both := min(len(lost), len(own))
	for i := range both {
		c.differ(lost[i].text, own[i].text)
	}
	for _, t := range lost[both:] {
		if t.joined || c.alike(t, c.intended) {
			c.differ(t.text, "")
		} else {
			c.leave(t.text, "")
		}
	}
	for _, t := range own[both:] {
		if t.joined || c.alike(t, c.actual) {
			c.differ("", t.text)
		} else {
			c.leave("", t.text)
		}
	}
}

// alike reports whether a figure without a counterpart looks like one with a counterpart: one more of a kind.
func (c *actionComparer) alike(t *actionTerm, a *action) bool {
	return slices.ContainsFunc(a.terms, func(s actionTerm) bool {
		return s.peer >= 0 && s.figure() && shape(s.text) == shape(t.text)
	})
}

// shape replaces letters and digits by their class.
func shape(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsDigit(r):
			return '0'
		case unicode.IsLetter(r):
			return 'a'
		}
		return r
	}, s)
}

func unmatched(a *action, is func(*actionTerm) bool) (out []*actionTerm) {
	for i := range a.terms {
		if t := &a.terms[i]; t.peer < 0 && is(t) {
			out = append(out, t)
		}
	}
	return out
}

// words compares the words that have no counterpart.
func (c *actionComparer) words() {
	word := func(t *actionTerm) bool { return !t.figure() }
	lost := unmatched(c.intended, word)
	own := unmatched(c.actual, func(t *actionTerm) bool { return word(t) && !actionUndone[t.norm] })
	used := map[*actionTerm]bool{}
	for _, t := range lost {
		for _, s := range own {
			if !used[t] && !used[s] && excludes(t, s) {
				used[t], used[s] = true, true
				c.differ(t.text, s.text)
			}
		}
	}
	lost = slices.DeleteFunc(lost, func(t *actionTerm) bool { return used[t] })
	own = slices.DeleteFunc(own, func(t *actionTerm) bool { return used[t] })
	for i := 0; i < max(len(lost), len(own)); i++ {
		switch {
		case i >= len(own) && lost[i].joined:
			c.differ(lost[i].text, "") // less than was asked for
		case i >= len(lost) && own[i].joined:
			c.differ("", own[i].text) // more than was asked for
		default:
			c.leave(at(lost, i), at(own, i))
		}
	}
}

func at(terms []*actionTerm, i int) string {
	if i >= len(terms) {
		return ""
	}
	return terms[i].text
}

// excludes reports whether two words cannot say the same: names, opposites, words of one kind, verbs of different
// effects, "all" and "some".
func excludes(a, b *actionTerm) bool {
	if a.kind == nameTerm && b.kind == nameTerm || overlap(kinds().of[a.key], kinds().of[b.key]) {
		return true
	}
	for _, g := range opposites().of[a.key] {
		if slices.Contains(opposites().of[b.key], g^1) {
			return true
		}
	}
	if actionMore[a.norm] && actionLess[b.norm] || actionLess[a.norm] && actionMore[b.norm] {
		return true
	}
	x, y := actionGroups().of[a.key], actionGroups().of[b.key]
	return len(x) > 0 && len(y) > 0 && !overlap(x, y)
}

// order finds things that are in each other's place: "from A to B" and "from B to A", "A notified B" and "B notified
// A".
func (c *actionComparer) order() {
	terms := c.intended.terms
	for i := range terms {
		for k := i + 1; k < len(terms); k++ {
			x, y := &terms[i], &terms[k]
			if x.peer < 0 || y.peer < 0 {
				continue
			}
			v, w := &c.actual.terms[x.peer], &c.actual.terms[y.peer]
			roles := x.role != y.role && x.role == w.role && y.role == v.role
			sides := x.role == y.role && v.role == w.role && x.role == v.role && v.position > w.position &&
				x.kind != plainTerm && y.kind != plainTerm && !(c.list(c.intended, i, k) && c.list(c.actual, y.peer, x.peer))
			if roles || sides && c.intended.passive == c.actual.passive {
				c.differ(x.text+" … "+y.text, w.text+" … "+v.text)
				return
			}
		}
	}
}

// list reports whether only names and figures stand from term i to term k.
func (c *actionComparer) list(a *action, i, k int) bool {
	for _, t := range a.terms[i : k+1] {
		if t.kind == plainTerm {
			return false
		}
	}
	return slices.ContainsFunc(a.terms[i+1:k+1], func(t actionTerm) bool { return t.joined })
}

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
