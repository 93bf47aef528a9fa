package judge

import (
	"slices"
	"strings"
	"sync"

	"sanad/internal/domain/text"
)

// restrictions compares exceptions, conditions and "only".
func (c *comparer) restrictions() {
	a, b := c.claim, c.source
	reached := func(kind operator) bool { // whether the claim speaks of such a segment of the sentence
		return slices.ContainsFunc(c.shared, func(s shared) bool {
			return !slices.ContainsFunc(s.tokens, func(k int) bool { return b.segments[b.segment[k]].kind != kind })
		})
	}
	if b.any(opExcept) && !a.any(opExcept) && !a.any(opOnly) && !reached(opExcept) {
		c.out.excepted = true
		c.name("negation", "", b.written(opExcept))
	}
	if b.limited > 0 && !c.beyond(b.limited) { // "only with approval" is not allowed
		c.out.excepted, c.out.limited = true, true
		c.name("negation", "", b.tokens[b.limited].Text)
	}
	if a.any(opExcept) && !b.any(opExcept) && !b.any(opOnly) {
		c.out.excepted = true
		c.name("negation", a.written(opExcept), "")
	}
	conditions := func(m *meaning) bool { return m.any(opIf) || m.any(opUnless) }
	c.out.condition = conditions(b) && !conditions(a) && !a.any(opEvenIf)
	if a.any(opEvenIf) && !b.any(opEvenIf) && conditions(b) || b.any(opEvenIf) && conditions(a) && !a.any(opEvenIf) {
		c.out.evenIf = true
		c.name("negation", a.written(opEvenIf), b.written(opEvenIf))
	}
	if a.any(opOnly) && !b.any(opOnly) && b.limited == 0 { // "not … unless" is "only if"
		c.out.onlyLost = true
		c.name("negation", a.written(opOnly), "")
	}
	if c.otherOnly() {
		c.out.onlyLost = true
		c.name("negation", a.written(opOnly), b.written(opOnly))
	}
	if b.any(opOnly) && !a.any(opOnly) && (a.any(opToo) || a.any(opExcept) || a.any(opAll) && !b.any(opAll)) {
		c.out.onlyLost = true
		c.name("negation", a.written(opToo), b.written(opOnly))
	}
}

// onlyReach is the most content words that an "only" is about.
const onlyReach = 3

// onlyAbout lists the content words that the first "only" is about: those after it, or before it where it ends its
// sentence or part.
func (m *meaning) onlyAbout() (out []int) {
	at := slices.Index(m.ops, opOnly)
	if at < 0 {
		return nil
	}
	for step := 1; step >= -1 && len(out) == 0; step -= 2 {
		for i := at + step; i >= 0 && i < len(m.tokens) && m.segment[i] == m.segment[at] && len(out) < onlyReach; i += step {
			if !m.tokens[i].Stop && !m.phrase[i] {
				out = append(out, i)
			}
		}
	}
	return out
}

// otherOnly reports whether claim and sentence say "only" of different words that both have.
func (c *comparer) otherOnly() bool {
	a, b := c.claim.onlyAbout(), c.source.onlyAbout()
	if len(a) == 0 || len(b) == 0 || c.window.query.arabic {
		return false
	}
	known, same := false, false
	for i := range c.shared {
		s := &c.shared[i]
		if !slices.Contains(a, s.claim) {
			continue
		}
		known = true
		same = same || slices.ContainsFunc(s.tokens, func(k int) bool { return slices.Contains(b, k) })
	}
	return known && !same
}

// beyond reports whether the claim shares a word that follows token at in the sentence.
func (c *comparer) beyond(at int) bool {
	return slices.ContainsFunc(c.shared, func(s shared) bool {
		return slices.ContainsFunc(s.tokens, func(k int) bool { return k > at })
	})
}

// quantifierReach is how many words before its word a quantifier may be.
const quantifierReach = 3

// quantifierOf is the quantifier of token i; opNone if it has none.
func (m *meaning) quantifierOf(i int) operator {
	for k := i - 1; k >= 0 && k >= i-quantifierReach; k-- {
		switch op := m.ops[k]; op {
		case opAll, opMost, opMany, opSome, opFew:
			return op
		}
		if !m.tokens[k].Stop && !m.phrase[k] && k < i-1 {
			break
		}
	}
	return opNone
}

// implies lists for each quantifier those that follow from it.
var implies = map[operator][]operator{
	opAll: {opAll, opMost, opMany, opSome, opNone}, opMost: {opMost, opMany, opSome}, opMany: {opMany, opSome},
	opSome: {opSome}, opFew: {opFew, opSome},
}

// quantifiers compares the quantifiers of shared words.
func (c *comparer) quantifiers() {
	for i := range c.shared {
		s := &c.shared[i]
		a := c.claim.quantifierOf(s.claim)
		for _, k := range s.tokens {
			b := c.source.quantifierOf(k)
			if a == b || b == opNone || a == opNone && b != opFew || slices.Contains(implies[b], a) {
				continue
			}
			if c.claim.negative(c.claim.segment[s.claim]) && c.source.negative(c.source.segment[k]) {
				continue // "not any" and "none"
			}
			c.out.quantity = true
			c.name("negation", c.claim.written(a), c.source.written(b))
		}
	}
}

var (
	mustWords = text.FoldAll(`must`, `shall`, `required`, `mandatory`, `has to`, `have to`, `obliged`, `always`,
		`guaranteed`, `automatically`, `يجب`, `يلزم`, `يتعين`, `الزامي`, `يلتزم`, `ملزم`, `لا بد`)
	mayWords = text.FoldAll(`may`, `can`, `might`, `could`, `optional`, `sometimes`, `encouraged`, `يجوز`, `يمكن`, `قد`,
		`اختياري`, `له ان`, `يحق`)
	allWords  = text.FoldAll(`all`, `every`, `each`, `always`, `جميع`, `كل`, `كافه`, `دائما`)
	someWords = text.FoldAll(`some`, `certain`, `most`, `many`, `several`, `few`, `sometimes`, `usually`, `بعض`, `معظم`,
		`اغلب`, `احيانا`)
	conditionals = text.FoldAll(`at the discretion`, `discretion of`, `at its discretion`, `sole discretion`, `case by case`,
		`subject to approval`, `subject to availability`, `subject to operational`,
		`وفقا لتقدير`, `حسب تقدير`, `بناء على تقدير`, `رهنا بموافقه`, `بشرط موافقه`)
)

// exceptions are weaker: they are in most rules without touching what a claim says of them.
var exceptions = text.FoldAll(`subject to`, `provided that`, `only if`, `unless`, `except`, `excluding`, `with the approval`,
	`with prior approval`, `بشرط`, `شريطه`, `ما لم`, `الا اذا`, `باستثناء`, `بموافقه`)

// qualification returns the id of how the evidence says less than the claim: it permits what the claim requires, speaks
// of some where the claim speaks of all, or makes a condition that the claim leaves out. "" when it doesn't.
func (w *window) qualification() string {
	claim, evidence := w.query.marks, w.marks()
	switch {
	case claim&saysMust != 0 && evidence&saysMay != 0 && evidence&saysMust == 0:
		return "note_must"
	case claim&saysAll != 0 && evidence&saysSome != 0 && evidence&saysAll == 0:
		return "note_all"
	case evidence&saysCondition != 0 && claim&saysCondition == 0:
		return "note_condition"
	}
	return ""
}

// marks are those of the window's sentences.
func (w *window) marks() marks {
	var out marks
	for _, s := range w.chunk.sentences[w.first : w.last+1] {
		out |= s.marks
	}
	return out
}

var (
	extremes = text.FoldAll(`only`, `first`, `last`, `never`, `always`, `all`, `every`, `most`, `best`, `largest`, `biggest`,
		`highest`, `oldest`, `youngest`, `longest`, `sole`, `solely`, `exclusively`, `entirely`, `completely`, `none`,
		`فقط`, `اول`, `اخر`, `ابدا`, `دائما`, `كل`, `جميع`, `اكبر`, `اعلى`, `افضل`)
	hedges = text.FoldAll(`may`, `might`, `could`, `alleged`, `allegedly`, `reportedly`, `rumored`, `rumoured`, `claimed`,
		`claims`, `possible`, `possibly`, `probably`, `likely`, `believed`, `thought`, `planned`, `plans`, `proposed`,
		`considered`, `if`, `قد`, `ربما`, `يحتمل`, `يزعم`, `يعتزم`)
)

// modalityFeatures describes how the window says less than the claim.
func modalityFeatures(v *vector, r *reading) {
	claim, evidence := r.best.query.marks, r.best.marks()
	set := func(f feature, on bool) {
		if on {
			v[f] = 1
		}
	}
	set(modalityLess, claim&saysMust != 0 && evidence&saysMay != 0 && evidence&saysMust == 0)
	set(quantifierLess, claim&saysAll != 0 && evidence&saysSome != 0 && evidence&saysAll == 0)
	set(conditionLess, evidence&saysCondition != 0 && claim&saysCondition == 0)
	set(exceptionLess, claim&saysException == 0 && evidence&saysException != 0)
	set(hedgeLess, evidence&saysHedge != 0 && claim&saysHedge == 0)
	set(extremeLost, claim&extremeMarks&^evidence != 0)
}

// modalities compares what must, should and may be, and whether it is said as a fact.
func (c *comparer) modalities() {
	a, b := c.claim, c.source
	c.out.modality = a.any(opMust) && !b.any(opMust) && (b.permits() || b.any(opShould))
	for _, op := range [...]operator{opSays, opPlan, opMaybe} {
		if b.any(op) && !a.any(opSays) && !a.any(opPlan) && !a.any(opMaybe) && !(op == opMaybe && a.any(opAllow)) {
			c.out.hedged, c.out.planned = true, c.out.planned || op == opPlan && !a.any(opMust)
		}
	}
}

// permits reports whether something may be so; who "may not" is not permitted.
func (m *meaning) permits() bool {
	for i, op := range m.ops {
		forbids := m.tokens[i].Norm == "may" && i+1 < len(m.tokens) && m.tokens[i+1].Norm == "not"
		if (op == opAllow || op == opMaybe) && !forbids {
			return true
		}
	}
	return false
}

// marks says which words of some families a text has, a bit for each family, and for each extreme word.
type marks uint64

const (
	saysMust marks = 1 << iota
	saysMay
	saysAll
	saysSome
	saysCondition
	saysException
	saysHedge
	firstExtreme
)

// markedPhrase is a phrase of a family by the words after its first one.
type markedPhrase struct {
	rest []string
	bit  marks
}

// markTable finds phrases by their first word.
var markTable = sync.OnceValue(func() map[string][]markedPhrase {
	table := map[string][]markedPhrase{}
	add := func(bit marks, phrases ...string) {
		for _, p := range phrases {
			words := strings.Fields(p)
			table[words[0]] = append(table[words[0]], markedPhrase{words[1:], bit})
		}
	}
	add(saysMust, mustWords...)
	add(saysMay, mayWords...)
	add(saysAll, allWords...)
	add(saysSome, someWords...)
	add(saysCondition, conditionals...)
	add(saysException, exceptions...)
	add(saysHedge, hedges...)
	for i, p := range extremes {
		add(firstExtreme<<i, p)
	}
	return table
})

// extremeMarks are the bits of all extreme words.
const extremeMarks = ^(firstExtreme - 1)

// marksOf reads the families of n words.
func marksOf(n int, word func(i int) string) marks {
	table := markTable()
	var out marks
	for i := range n {
		w := word(i)
		phrases := table[w]
		if phrases == nil && (strings.HasPrefix(w, "و") || strings.HasPrefix(w, "ف")) {
			phrases = table[w[len("و"):]]
		}
		for _, p := range phrases {
			k := 0
			for k < len(p.rest) && i+1+k < n && word(i+1+k) == p.rest[k] {
				k++
			}
			if k == len(p.rest) && (p.bit != saysMay || i+1 == n || word(i+1) != "not") {
				out |= p.bit
			}
		}
	}
	return out
}

// sense is what a word does to what stands by it.
type sense uint8

const (
	negates sense = 1 << iota // "not", "refused"; one that states a limit ("no more than") doesn't
	lightWord
)

// senseOf returns the sense of token i.
func senseOf(tokens []text.Token, i int) sense {
	var out sense
	if isNegation(tokens[i].Norm) && !limited(tokens, i) {
		out |= negates
	}
	if light[tokens[i].Norm] {
		out |= lightWord
	}
	return out
}
