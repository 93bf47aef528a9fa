package judge

import (
	"slices"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// comparison is how what one sentence says of the words that it shares with a claim differs from what the claim says.
type comparison struct {
	polarity  float64 // share of the shared words that one of the two negates
	excepted  bool    // the sentence makes an exception that the claim leaves out
	limited   bool    // what the claim says is only so with what it leaves out
	condition bool    // the sentence makes a condition that the claim leaves out
	evenIf    bool    // the one makes a condition of what the other says doesn't matter
	onlyLost  bool    // the claim says "only", the sentence doesn't, or the claim says "too" of what is "only"
	quantity  bool    // quantifiers differ: "all" of the claim is "some" of the sentence
	hedged    bool    // the sentence says it of a plan, a possibility or as somebody's word
	planned   bool    // the sentence says it of a plan, the claim as done
	modality  bool    // the claim obliges where the sentence permits or advises
	time      bool    // was and is
	exchanged bool    // two things are in each other's place
	mixed     bool    // the claim joins words of two parallel parts
	unit      bool    // percent and percentage points
	kind      bool    // a word of the same kind is in the place of the only words that the sentence lacks
	antonym   bool    // a word stands against its opposite
	compared  bool    // the claim says that something is more or less than another, the sentence compares nothing
	cancelled bool    // a negation turns a bound into the other's: "not less than three", "at least three"
	conflict  ledger.Conflict
}

// features writes the comparison's figures.
func (c *comparison) features(v *vector) {
	v[polarityDiffers] = c.polarity
	for f, yes := range map[feature]bool{exceptionLost: c.excepted, conditionLost: c.condition, evenIfDiffers: c.evenIf,
		onlyLost: c.onlyLost, quantifierDiffers: c.quantity, saidAsPlan: c.hedged, modalityDiffers: c.modality,
		timeDiffers: c.time, sidesExchanged: c.exchanged, partsMixed: c.mixed, unitDiffers: c.unit, kindDiffers: c.kind,
		antonymTurns: c.antonym} {
		if yes {
			v[f] = 1
		}
	}
}

// polarityMark is from which share of its words a difference in negation counts.
const polarityMark = 0.2

// wholeMark is how much of the claim a sentence must say for its order to count.
const wholeMark = 0.9

// veto names the difference that forbids support in a sentence that says rest of the claim, "" for none.
func (c *comparison) veto(rest float64) string {
	switch {
	case c.polarity >= polarityMark:
		return "polarity"
	case c.excepted:
		return "exception"
	case c.evenIf:
		return "condition"
	case c.onlyLost:
		return "only"
	case c.quantity:
		return "quantifier"
	case c.time:
		return "time"
	case c.compared:
		return "comparison"
	case c.cancelled:
		return "cancelled"
	case c.exchanged && rest >= wholeMark:
		return "exchanged"
	case c.mixed && rest >= wholeMark:
		return "mixed"
	case c.unit:
		return "unit"
	case c.kind:
		return "kind"
	}
	return ""
}

// shared is where the sentence has a term of the claim.
type shared struct {
	term   *term
	claim  int   // token of the claim's meaning
	tokens []int // tokens of the sentence's meaning
}

// comparer compares a sentence with the claim.
type comparer struct {
	window        *window
	claim, source *meaning
	shared        []shared
	out           comparison
}

// compareMark is the coverage from which a sentence is compared.
const compareMark = 0.45

// compare compares one sentence with the claim; one that shares too little of it gives the zero comparison.
func (w *window) compare() comparison {
	if w.coverage < compareMark {
		return comparison{}
	}
	if w.compared == nil {
		out := w.compareNow()
		w.compared = &out
	}
	return *w.compared
}

func (w *window) compareNow() comparison {
	c := comparer{window: w, claim: w.query.meaning, source: w.meaning()}
	c.share()
	if len(c.shared) == 0 {
		return c.out
	}
	c.polarity()
	c.cancels()
	c.restrictions()
	c.quantifiers()
	c.modalities()
	c.times()
	c.sides()
	c.comparatives()
	c.mixtures()
	c.points()
	c.kinds()
	return c.out
}

// meaning analyses the window's sentence.
func (w *window) meaning() *meaning {
	from, to := w.from(), w.to()
	tokens, gaps := make([]text.Token, 0, to-from), make([]gapMark, 0, to-from)
	for k := from; k < to; k++ {
		tokens, gaps = append(tokens, w.chunk.tokens[k].Token), append(gaps, w.chunk.tokens[k].gap)
	}
	return analyse(tokens, gaps)
}

// share finds the claim's content words in the sentence.
func (c *comparer) share() {
	w := c.window
	at := make([][]int, len(w.query.terms))
	for k := w.from(); k < w.to(); k++ {
		for _, h := range w.query.hits(w.chunk.tokens[k].word) {
			if w.found[h.term] > 0 {
				at[h.term] = append(at[h.term], k-w.from())
			}
		}
	}
	for i := range w.query.terms {
		t := &w.query.terms[i]
		if t.token < 0 || c.claim.phrase[t.token] {
			continue
		}
		if t.quantity >= 0 && w.found[i] > 0 {
			at[i] = w.quantityTokens(t.quantity)
		}
		if len(at[i]) > 0 {
			c.shared = append(c.shared, shared{t, t.token, at[i]})
		}
	}
}

// quantityTokens lists where the sentence has quantities that meet the claim's quantity k: the first number of each.
func (w *window) quantityTokens(k int) (out []int) {
	list, last := w.chunk.sentences[w.first].quantities, -1
	for i := w.from(); i < w.to(); i++ {
		t := &w.chunk.tokens[i]
		q := quantityOf(list, t.Start)
		if q >= 0 && q != last && (t.Kind == text.Number || t.Start == list[q].Start) && w.query.meets(k, list[q]) > 0 {
			last = q
			out = append(out, i-w.from())
		}
	}
	return out
}

// place is the token of the sentence that stands for a shared term: one in the segment that most of the claim's segment
// is in, if there is one.
func (c *comparer) place(s *shared, best []int) int {
	for _, k := range s.tokens {
		if c.source.segment[k] == best[c.claim.segment[s.claim]] {
			return k
		}
	}
	return s.tokens[0]
}

// aligned returns for each segment of the claim the sentence's segment that has most of its words, -1 for none.
func (c *comparer) aligned() []int {
	out := make([]int, len(c.claim.segments))
	sums := make([]float64, len(c.source.segments))
	for i := range out {
		clear(sums)
		out[i] = -1
		for k := range c.shared {
			s := &c.shared[k]
			if c.claim.segment[s.claim] != i {
				continue
			}
			last := -1
			for _, t := range s.tokens {
				if at := c.source.segment[t]; at != last {
					sums[at] += s.term.weight
					last = at
				}
			}
		}
		for at, sum := range sums {
			if sum > 0 && (out[i] < 0 || sum > sums[out[i]]) {
				out[i] = at
			}
		}
	}
	return out
}

// polarity compares what is negated.
func (c *comparer) polarity() {
	best := c.aligned()
	all, differs := 0.0, 0.0
	flips := c.antonyms(best)
	var from, to *segment
	for i := range c.shared {
		s := &c.shared[i]
		k := c.place(s, best)
		a, b := c.claim.segment[s.claim], c.source.segment[k]
		if c.subject(i, b, best) {
			continue
		}
		all += s.term.weight
		says := c.source.negative(b) != flips[a]
		if x := c.exceptFor(a); x >= 0 {
			says = c.source.negative(x)
		}
		if c.claim.negative(a) != says && !c.needless(a, b) {
			differs += s.term.weight
			from, to = &c.claim.segments[a], &c.source.segments[b]
		}
	}
	c.out.polarity = differs / max(all, 1e-9)
	if from != nil {
		c.name("negation", c.negatorOf(c.claim, from), c.negatorOf(c.source, to))
	}
}

// subject reports whether shared word i is the first of its segment in the claim and is in another clause of the
// sentence than the next one: a subject that two clauses share.
func (c *comparer) subject(i, source int, best []int) bool {
	at := c.claim.segment[c.shared[i].claim]
	if i > 0 && c.claim.segment[c.shared[i-1].claim] == at || !c.source.segments[source].clausal() ||
		i+1 == len(c.shared) || c.claim.segment[c.shared[i+1].claim] != at {
		return false
	}
	return c.source.segment[c.place(&c.shared[i+1], best)] != source
}

// negatorOf is the word that negates a segment, "" if none does.
func (c *comparer) negatorOf(m *meaning, s *segment) string {
	if s.negator >= 0 {
		return m.tokens[s.negator].Text
	}
	for _, op := range [...]operator{opExcept, opWithout, opInstead, opUnless} {
		if s.kind == op {
			return m.written(op)
		}
	}
	return ""
}

// needless reports whether the claim says that something is not needed where the sentence says "without" it, or the
// other way round.
func (c *comparer) needless(claim, source int) bool {
	a, b := &c.claim.segments[claim], &c.source.segments[source]
	return a.has[opNot] && a.has[opMust] && c.source.any(opWithout) || b.has[opNot] && b.has[opMust] &&
		c.claim.any(opWithout)
}

// exceptFor returns the sentence's exception that a segment of the claim speaks of without being one, -1 for none.
func (c *comparer) exceptFor(claim int) int {
	if k := c.claim.segments[claim].kind; k == opExcept || k == opInstead || c.claim.any(opExcept) {
		return -1
	}
	for i := range c.shared {
		s := &c.shared[i]
		if c.claim.segment[s.claim] != claim || len(s.tokens) != 1 {
			continue
		}
		if at := c.source.segment[s.tokens[0]]; c.source.segments[at].kind == opExcept {
			return at
		}
	}
	return -1
}

// antonyms reports for each segment of the claim whether the sentence has the opposite of one of its words.
func (c *comparer) antonyms(best []int) []bool {
	out := make([]bool, len(best))
	w, ranked := c.window, c.claim.sidesOf(byRank) != nil && c.source.sidesOf(byRank) != nil
	for i := range w.query.terms {
		t := &w.query.terms[i]
		if w.found[i] > 0 || len(t.against) == 0 || t.token < 0 || !c.claim.opposable(t.token) {
			continue
		}
		for k := w.from(); k < w.to(); k++ {
			s := &w.chunk.tokens[k]
			if overlap(t.against, w.query.index.sides[s.word]) && c.source.opposable(k-w.from()) && len(w.query.hits(s.word)) == 0 {
				c.out.antonym = true
				if ranked {
					break // "larger than" and "smaller than": see sides
				}
				a := c.claim.segment[t.token]
				out[a] = !out[a]
				c.out.conflict = ledger.Conflict{Kind: "negation", Claim: t.Text, Evidence: s.Text}
				break
			}
		}
	}
	return out
}

// opposable reports whether a word may stand against its opposite: those that relate others are compared apart.
func (m *meaning) opposable(i int) bool {
	return !m.phrase[i] || m.ops[i] == opMust || m.ops[i] == opAllow || m.ops[i] == opShould
}

// name keeps the words of the first difference that is found.
func (c *comparer) name(kind, claim, evidence string) {
	if c.out.conflict.Kind == "" && (claim != "" || evidence != "") {
		c.out.conflict = ledger.Conflict{Kind: kind, Claim: claim, Evidence: evidence}
	}
}

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
	if a.any(opOnly) && !b.any(opOnly) {
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

// modalities compares what must, should and may be, and whether it is said as a fact.
func (c *comparer) modalities() {
	a, b := c.claim, c.source
	may := func(m *meaning) bool { return m.any(opAllow) || m.any(opMaybe) }
	c.out.modality = a.any(opMust) && !b.any(opMust) && (may(b) || b.any(opShould))
	for _, op := range [...]operator{opSays, opPlan, opMaybe} {
		if b.any(op) && !a.any(opSays) && !a.any(opPlan) && !a.any(opMaybe) && !(op == opMaybe && a.any(opAllow)) {
			c.out.hedged, c.out.planned = true, c.out.planned || op == opPlan && !a.any(opMust)
		}
	}
}

// times compares what was and what is.
func (c *comparer) times() {
	past := func(m *meaning) bool { return m.any(opPast) }
	now := func(m *meaning) bool { return m.any(opNow) || m.any(opStill) }
	if now(c.claim) != past(c.claim) {
		numbers := len(c.claim.tokens) > 0 && len(c.window.query.numbers) > 0
		agree, differ := 0.0, 0.0
		for i := range c.shared {
			s := &c.shared[i]
			if len(s.tokens) != 1 || numbers && s.term.quantity < 0 {
				continue
			}
			g := &c.source.segments[c.source.segment[s.tokens[0]]]
			from := c.source.direction(s.tokens[0]) == 1 // "from 2 % to 1 %": it was 2 %
			switch isNow, was := g.has[opNow] || g.has[opStill], g.has[opPast] || from; {
			case was == isNow:
			case now(c.claim) == isNow:
				agree += s.term.weight
			default:
				differ += s.term.weight
			}
		}
		c.out.time = differ > agree
	}
	if c.claim.any(opStill) && c.source.any(opEnded) || c.source.any(opStill) && c.claim.any(opEnded) {
		c.out.time = true
	}
}

// comparatives looks for a comparison of the claim ("fewer than in 2023") where the sentence makes none.
func (c *comparer) comparatives() {
	a, b := c.claim, c.source
	if a.sidesOf(byRank) == nil || b.sidesOf(byRank) != nil || slices.Contains(b.ops, opBound) {
		return
	}
	for i := range a.tokens {
		if !ranks(&a.tokens[i]) || c.bounds(i) {
			continue
		}
		c.out.compared = true
		for k := range b.tokens {
			if b.tokens[k].Stem == a.tokens[i].Stem {
				c.out.compared = false
				return
			}
		}
	}
}

// ranks reports whether a word puts what it is said of above or below another.
func ranks(t *text.Token) bool {
	return down[t.Norm] || up[t.Norm] || t.Norm == "more" || t.Norm == "greater"
}

// boundWords is the most words between a comparative and the number that it bounds: "more than 40".
const boundWords = 2

// bounds reports whether the comparative at token i of the claim only bounds a number.
func (c *comparer) bounds(i int) bool {
	for _, q := range c.window.query.quantities {
		for k := i + 1; k <= i+boundWords && k < len(c.claim.tokens); k++ {
			if c.claim.tokens[k].Start == q.Start {
				return true
			}
		}
	}
	return false
}

// cancels looks for a negation of the one side that does to a bound what the other side says without it. Such sentences
// nearly say the same, so that the negation is no difference, but a rule still keeps them from full support.
func (c *comparer) cancels() {
	if c.out.polarity < polarityMark {
		return
	}
	for _, q := range c.window.query.quantities {
		for _, e := range c.window.chunk.sentences[c.window.first].quantities {
			if q.bound != 0 && q.bound == -e.bound && q.open != e.open && sameQuantity(q, e) > 0 {
				c.out.cancelled, c.out.polarity, c.out.conflict = true, 0, ledger.Conflict{}
				return
			}
		}
	}
}

// points compares percent with percentage points.
func (c *comparer) points() {
	follows := func(m *meaning, i int) bool {
		for k := i + 1; k <= i+2 && k < len(m.tokens); k++ {
			if m.ops[k] == opPoints {
				return true
			}
		}
		return false
	}
	for i := range c.shared {
		s := &c.shared[i]
		if s.term.quantity < 0 {
			continue
		}
		a, same := follows(c.claim, s.claim), false
		for _, k := range s.tokens {
			same = same || follows(c.source, k) == a && !c.otherUnit(s.claim, k)
		}
		c.out.unit = c.out.unit || !same
	}
}

// unitReach is how many words after a number are searched for its unit.
const unitReach = 3

// otherUnit reports whether two equal numbers are followed by different words of one kind: working and calendar days,
// dinars of two countries.
func (c *comparer) otherUnit(claim, source int) bool {
	for i := claim + 1; i <= claim+unitReach && i < len(c.claim.tokens); i++ {
		a := &c.claim.tokens[i]
		if len(kinds.of[a.Stem]) == 0 || c.inDate(a) {
			continue
		}
		differs := false
		for k := source + 1; k <= source+unitReach && k < len(c.source.tokens); k++ {
			b := &c.source.tokens[k]
			if a.Stem == b.Stem {
				return false
			}
			differs = differs || overlap(kinds.of[a.Stem], kinds.of[b.Stem])
		}
		if differs {
			return true
		}
	}
	return false
}

// inDate reports whether a word of the claim is part of a date, whose month may have another name.
func (c *comparer) inDate(t *text.Token) bool {
	return slices.ContainsFunc(c.window.query.dates, func(d text.Date) bool { return t.Start >= d.Start && t.End <= d.End })
}

// kindMark is the coverage of the other words from which a word of the same kind in the place of one forbids support.
const kindMark = 0.75

// kinds looks for a word of the claim that the sentence lacks and has another one of its kind for: a month, a colour, a
// unit.
func (c *comparer) kinds() {
	w := c.window
	for i := range w.query.terms {
		t := &w.query.terms[i]
		if w.found[i] > 0 || len(t.kinds) == 0 {
			continue
		}
		for k := w.from(); k < w.to(); k++ {
			s := &w.chunk.tokens[k]
			if len(w.query.hits(s.word)) > 0 || !overlap(t.kinds, w.query.index.kinds[s.word]) || w.claims(s) {
				continue
			}
			if rest, _ := w.rest(func(o *term) bool { return o.index == i }); rest >= kindMark {
				c.out.kind = true
				claim, evidence := w.written(t, k)
				c.name("entity", claim, evidence)
			}
		}
	}
}
