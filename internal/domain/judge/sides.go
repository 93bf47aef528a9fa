package judge

import (
	"slices"
	"strings"
	"unicode/utf8"

	"sanad/internal/domain/text"
	"sanad/internal/domain/text/quantity"
)

// A relation puts two things on its two sides: the earlier and the later, cause and effect, more and less, whence and
// whither. A sentence may name either side first; what counts is which thing is on which side.
type relation uint8

const (
	byTime relation = iota
	byCause
	byRank
	byDirection
	byAgent
	relationCount
)

// down are comparatives that put what they are said of on the lower side.
var down = wordSet(`less fewer smaller lower cheaper shorter younger slower lighter weaker worse narrower nearer newer
	earlier below under اقل اصغر ادني اقصر ارخص ابطا اخف اضعف اسوا احدث اضيق اقرب`)

// up are Arabic comparatives that put it on the higher side; English ones are known by "than".
var up = wordSet(`اكبر اكثر اعلى اطول اغلى اسرع اثقل اقوى افضل اقدم اوسع ابعد احسن اعلا اشد`)

// sidesOf returns for each token its side of a relation: 1, -1, or 0 where the sentence has no such
// relation.
func (m *meaning) sidesOf(r relation) []int8 {
	for i := range m.tokens {
		if sign, at := m.marker(r, i); sign != 0 {
			return m.around(at, sign, r)
		}
	}
	return nil
}

// marker reports whether token i says a relation: the side of what is after it, and where that begins.
func (m *meaning) marker(r relation, i int) (sign int8, at int) {
	op := m.ops[i]
	_, length := operatorAt(m.tokens, i)
	at = i + length
	switch {
	case r == byTime && op == opBefore:
		return -1, at
	case r == byTime && op == opAfter:
		return 1, at
	case r == byCause && op == opBecause:
		return 1, at
	case r == byCause && op == opLeads:
		return -1, at
	case r == byRank && op == opBound && (m.tokens[i].Norm == "more" || up[m.tokens[i].Norm]) && !m.numberAt(at):
		return -1, at
	case r == byRank && op == opBound && down[m.tokens[i].Norm] && !m.numberAt(at):
		return 1, at
	case r == byCause && split[m.tokens[i].Norm].prep != "":
		if k := m.find(split[m.tokens[i].Norm].prep, i+1); k > 0 {
			return split[m.tokens[i].Norm].sign, k + 1
		}
	case r == byRank && (op == opThan || op == opFrom && i > 0 && m.tokens[i].Norm == "من" && m.comparative(i) != 0):
		return m.comparative(i), at
	case r == byAgent && op == opBy && !m.numberAt(at) && !(at < len(m.tokens) &&
		quantity.IsNumberWord(m.tokens[at].Norm)):
		return 1, at
	}
	return 0, at
}

// numberAt reports whether a number is at token i.
func (m *meaning) numberAt(i int) bool { return i < len(m.tokens) && m.tokens[i].Kind == text.Number }

// find returns the first token from i on that is a word, -1 for none.
func (m *meaning) find(norm string, i int) int {
	for ; i < len(m.tokens); i++ {
		if m.tokens[i].Norm == norm {
			return i
		}
	}
	return -1
}

// split are Arabic verbs that have what they cause, or what causes them, after a preposition further on.
var split = splitVerbs()

type splitVerb struct {
	prep string
	sign int8 // the side of what is after the preposition
}

func splitVerbs() map[string]splitVerb {
	out := map[string]splitVerb{}
	add := func(words, prep string, sign int8) {
		for w := range wordSet(words) {
			out[w] = splitVerb{text.Fold(prep), sign}
		}
	}
	add("ادى ادت يؤدي تؤدي افضى افضت", "الى", -1)
	add("تسبب تسببت يتسبب تتسبب", "في", -1)
	add("اسفر اسفرت", "عن", -1)
	add("نتج نتجت ينتج تنتج نجم نجمت ينجم تنجم ناتج ناتجه ناجم", "عن", 1)
	return out
}

// comparativeReach is the greatest distance, in words, of a comparative before its "than".
const comparativeReach = 4

// comparative is the side of what follows "than" at token i.
func (m *meaning) comparative(i int) int8 {
	for k := i - 1; k >= 0 && k >= i-comparativeReach; k-- {
		switch norm := m.tokens[k].Norm; {
		case down[norm]:
			return 1
		case up[norm]:
			return -1
		}
	}
	if m.tokens[i].Norm == "than" {
		return -1
	}
	return 0
}

// around puts what follows a marker on one side, up to the end of its segment, and all else on the other.
func (m *meaning) around(at int, sign int8, r relation) []int8 {
	out := make([]int8, len(m.tokens))
	if at >= len(m.tokens) {
		return out
	}
	end := at
	for end < len(m.tokens) && m.segment[end] == m.segment[at] && (end == at || m.part[end] == m.part[at] || r != byRank) &&
		!(r == byAgent && end > at+1 && m.tokens[end].Stop) {
		end++
	}
	for i := range out {
		if i >= at && i < end {
			out[i] = sign
		} else {
			out[i] = -sign
		}
	}
	return out
}

// sides looks for two things that are on each other's side.
func (c *comparer) sides() {
	for r := range relationCount {
		a, b := c.claim.sidesOf(r), c.source.sidesOf(r)
		if a != nil && b != nil {
			c.exchangedBetween(func(i int) int8 { return a[i] }, func(i int) int8 { return b[i] })
		}
	}
	c.exchangedBetween(c.claim.direction, c.source.direction)
	for i := range c.shared { // "rose to 70 %" of "rose from 70 % to 77 %"
		s := &c.shared[i]
		if s.term.quantity >= 0 && len(s.tokens) == 1 && c.claim.direction(s.claim)*c.source.direction(s.tokens[0]) < 0 {
			c.out.exchanged = true
		}
	}
	for i := range c.shared { // "until 3 May" and "from 3 May"
		s := &c.shared[i]
		if s.term.Kind == text.Number && len(s.tokens) == 1 && c.claim.edge(s.claim)*c.source.edge(s.tokens[0]) < 0 {
			c.out.exchanged = true
		}
	}
	c.agents()
	c.turnedRound()
	c.verbFirst()
}

// agents compares a passive's "by" in the one sentence with who is before the verb in the other.
func (c *comparer) agents() {
	passive, active, turned := c.claim, c.source, false
	if passive.sidesOf(byAgent) == nil {
		passive, active, turned = c.source, c.claim, true
	}
	sides := passive.sidesOf(byAgent)
	if sides == nil || active.sidesOf(byAgent) != nil || active.turns() || isArabic(c.shared[0].term.Norm) {
		return // an Arabic verb is before both
	}
	by := slices.Index(sides, 1)
	verb := -1 // the word before "by"
	for i := range c.shared {
		s := &c.shared[i]
		k := s.claim
		if turned {
			k = s.tokens[0]
		}
		if sides[k] < 0 && k < by && k >= by-2 {
			verb = k
		}
	}
	at := -1 // the verb in the active sentence
	for i := range c.shared {
		s := &c.shared[i]
		switch {
		case len(s.tokens) != 1:
		case turned && s.tokens[0] == verb:
			at = s.claim
		case !turned && s.claim == verb:
			at = s.tokens[0]
		}
	}
	if at <= 0 {
		return
	}
	agent := func(i int) int8 {
		if i < at {
			return 1
		}
		return -1
	}
	side := func(i int) int8 { return sides[i] }
	if turned {
		c.exchangedBetween(agent, side)
	} else {
		c.exchangedBetween(side, agent)
	}
}

// exchangedBetween notes an exchange: of the words that claim and sentence put on sides one is on the other side, and
// one changed back for it.
func (c *comparer) exchangedBetween(a, b func(i int) int8) {
	up, down := 0, 0
	for i := range c.shared {
		s := &c.shared[i]
		if len(s.tokens) != 1 {
			continue
		}
		switch x, y := a(s.claim), b(s.tokens[0]); {
		case x == 0 || y == 0 || x == y:
		case x > y:
			up++
		default:
			down++
		}
	}
	if up > 0 && down > 0 {
		c.out.exchanged = true
	}
}

// direction is 1 after "from" and -1 after "to", up to the next of them or the end of the part.
func (m *meaning) direction(i int) int8 {
	for k := i - 1; k >= 0 && k >= i-comparativeReach && m.segment[k] == m.segment[i]; k-- {
		switch m.ops[k] {
		case opFrom:
			if m.comparative(k) == 0 {
				return 1
			}
		case opTo:
			return -1
		}
	}
	return 0
}

// edgeReach is the greatest distance, in words, of a bound from its date.
const edgeReach = 4

// edge is -1 where what happens ends with the date at token i, 1 where it begins with it.
func (m *meaning) edge(i int) int8 {
	for k := i - 1; k >= 0 && k >= i-edgeReach; k-- {
		switch m.ops[k] {
		case opLatest, opBefore:
			return -1
		case opEarliest, opAfter:
			return 1
		case opFrom:
			if m.tokens[k].Norm == "from" {
				return 1
			}
		}
	}
	for k := i + 1; k < len(m.tokens) && k <= i+edgeReach; k++ {
		switch m.ops[k] {
		case opLatest:
			return -1
		case opEarliest:
			return 1
		}
	}
	return 0
}

// verbFirst looks for two nouns that change places after one Arabic verb that both sentences begin with.
func (c *comparer) verbFirst() {
	if len(c.shared) < 3 || !isArabic(c.shared[0].term.Norm) || c.source.turns() || c.claim.turns() {
		return
	}
	verb := &c.shared[0]
	if n := len(c.source.tokens) - len(c.claim.tokens); n > unlike || -n > unlike || c.window.share() < wholeMark {
		return // titles put the same in another order
	}
	if !c.claim.begins(verb.claim) || !c.source.begins(verb.tokens[0]) {
		return
	}
	for i := 1; i < len(c.shared); i++ {
		for k := i + 1; k < len(c.shared); k++ {
			a, b := &c.shared[i], &c.shared[k]
			if len(a.tokens) == 1 && len(b.tokens) == 1 && b.tokens[0] < a.tokens[0] && c.around(a, nil, b) {
				c.out.exchanged = true
			}
		}
	}
}

// begins reports whether a sentence begins with token i, negators apart.
func (m *meaning) begins(i int) bool {
	for k := range i {
		if m.ops[k] != opNot {
			return false
		}
	}
	return true
}

// turnedRound looks for two words that are before and after a third one in the claim, and the other way round in the
// sentence: "A sued B", "B sued A". A passive, a converse or a comparison turns round by itself.
func (c *comparer) turnedRound() {
	if c.source.turns() || c.claim.turns() || c.out.antonym {
		return
	}
	var list []*shared
	for i := range c.shared {
		if s := &c.shared[i]; len(s.tokens) == 1 {
			list = append(list, s)
		}
	}
	if c.source.any(opSays) && c.claim.any(opSays) { // "A said that B", "B said that A"
		for k := range len(list) - 1 {
			if a, b := list[k], list[k+1]; c.around(a, nil, b) && c.saidBetween(a, b) {
				c.out.exchanged = true
			}
		}
	}
	for p := 1; p+1 < len(list); p++ {
		for _, a := range list[:p] {
			for _, b := range list[p+1:] {
				if c.around(a, list[p], b) {
					c.out.exchanged = true
					return
				}
			}
		}
	}
}

// saidBetween reports whether a verb of saying stands between two words in the claim and in the sentence.
func (c *comparer) saidBetween(a, b *shared) bool {
	between := func(m *meaning, from, to int) bool {
		return slices.Contains(m.ops[from:to], opSays) || slices.ContainsFunc(m.tokens[from:to],
			func(t text.Token) bool { return t.Norm == "ان" || t.Norm == "بان" })
	}
	return between(c.claim, a.claim, b.claim) && between(c.source, b.tokens[0], a.tokens[0])
}

// around reports whether two words with a third between them in the claim have changed sides in the sentence, in one
// segment of each; p may be nil.
func (c *comparer) around(a, p, b *shared) bool {
	x, z := a.tokens[0], b.tokens[0]
	return z < x && (p == nil || z < p.tokens[0] && p.tokens[0] < x) && c.source.segment[x] == c.source.segment[z] &&
		c.claim.segment[a.claim] == c.claim.segment[b.claim] && c.claim.joint[a.claim] == c.claim.joint[b.claim] &&
		!c.free(a) && !c.free(b)
}

// free reports whether a word may be anywhere: it goes with the same preposition in both, or is part of a date.
func (c *comparer) free(s *shared) bool {
	i, k := s.claim, s.tokens[0]
	if c.claim.dated(i) || c.source.dated(k) {
		return true
	}
	prep := c.claim.preposition(i)
	return prep != "" && (prep == c.source.preposition(k) || prepositions[prep] && prepositions[c.source.preposition(k)])
}

// turns reports whether a sentence may say the same the other way round: it has a passive's "by", a comparison, a
// cause, or "with".
func (m *meaning) turns() bool {
	if m.sidesOf(byRank) != nil {
		return true
	}
	for i, t := range m.tokens {
		switch m.ops[i] {
		case opBy, opThan, opLeads:
			return true
		}
		if mutual[t.Norm] && t.Norm != "من" {
			return true
		}
	}
	return false
}

// dated reports whether a token is a number or beside one.
func (m *meaning) dated(i int) bool {
	return m.numberAt(i) || m.numberAt(i+1) || i > 0 && m.numberAt(i-1)
}

// preposition is the one that a word goes with: the nearest before it, or the one attached to it; "" if none is near.
func (m *meaning) preposition(i int) string {
	for k := i; k >= 0 && k > i-quantifierReach; k-- {
		norm := m.tokens[k].Norm
		switch op := m.ops[k]; {
		case k < i && (prepositions[norm] || arabicParticles[norm] || norm == "of" || op == opTo || op == opFrom):
			return norm
		case strings.HasPrefix(norm, "لل") || norm == "لكل":
			return "ل"
		case strings.HasPrefix(norm, "بال"):
			return "ب"
		}
	}
	return ""
}

var prepositions = wordSet(`in on at for of during under within with near over through since until في عن مع خلال عند منذ
	لدى ضمن تحت`)

// isArabic reports whether a folded word is written in Arabic letters.
func isArabic(norm string) bool {
	r, _ := utf8.DecodeRuneInString(norm)
	return r >= 0x600 && r < 0x700
}

// mixtures looks for a claim that joins words of two parallel parts of a sentence: of "40 million in 2021 and 55
// million in 2022" the claim "40 million in 2022". Each of the two words must have its rival in the other's part, one
// that the claim lacks.
func (c *comparer) mixtures() {
	own := c.ownWords()
	for i := range c.shared {
		a := &c.shared[i]
		if len(a.tokens) != 1 {
			continue
		}
		for k := range c.shared {
			b := &c.shared[k]
			if k == i || len(b.tokens) != 1 || c.claim.joint[a.claim] != c.claim.joint[b.claim] {
				continue
			}
			x, y := a.tokens[0], b.tokens[0]
			p, q := c.source.part[x], c.source.part[y]
			if p >= q || !c.parallel(p, q) {
				continue
			}
			if c.rival(own, x, q) && c.rival(own, y, p) || c.short() && (c.rival(own, x, q) && c.owns(own, p) ||
				c.rival(own, y, p) && c.owns(own, q)) {
				c.out.mixed = true
				return
			}
		}
	}
}

// ownWords marks the words of the sentence that the claim lacks.
func (c *comparer) ownWords() []bool {
	out := make([]bool, len(c.source.tokens))
	for i := range c.source.tokens {
		t := &c.window.chunk.tokens[c.window.from()+i]
		unit := t.Kind != text.Number && quantityOf(c.window.chunk.sentences[c.window.first].quantities, t.Start) >= 0
		out[i] = !t.Stop && !c.source.phrase[i] && !unit && !c.window.claims(t)
	}
	for i := range c.shared {
		for _, k := range c.shared[i].tokens {
			out[k] = false
		}
	}
	return out
}

// rival reports whether a part has a word that the claim lacks and that is to it what word at is to its own part: of
// one kind, or after the same little word.
func (c *comparer) rival(own []bool, at, part int) bool {
	m := c.source
	for k, yes := range own {
		if !yes || m.part[k] != part {
			continue
		}
		a, b := &m.tokens[at], &m.tokens[k]
		switch {
		case a.Kind != b.Kind:
		case a.Kind == text.Number:
			return true
		case overlap(kinds().of[a.Stem], kinds().of[b.Stem]), text.IsCapitalised(a.Text) && text.IsCapitalised(b.Text) && at > 0:
			return true
		case at > 0 && k > 0 && m.tokens[at-1].Stop && m.tokens[at-1].Norm == m.tokens[k-1].Norm:
			return true
		case at > 0 && k > 0 && m.tokens[at-1].Stem != "" && m.tokens[at-1].Stem == m.tokens[k-1].Stem:
			return true
		case m.follow(at) != "" && m.follow(at) == m.follow(k):
			return true
		}
	}
	return false
}

// follow is the content word right after token i, "" if none is.
func (m *meaning) follow(i int) string {
	if i+1 >= len(m.tokens) || m.tokens[i+1].Stop {
		return ""
	}
	return m.tokens[i+1].Norm
}

// owns reports whether a part has a content word that the claim lacks.
func (c *comparer) owns(own []bool, part int) bool {
	for k, yes := range own {
		if yes && c.source.part[k] == part {
			return true
		}
	}
	return false
}

// unlike is by how many words two parts may differ and still be parallel.
const unlike = 4

// parallel reports whether two parts are of about one length.
func (c *comparer) parallel(p, q int) bool {
	n := 0
	for _, part := range c.source.part {
		switch part {
		case p:
			n++
		case q:
			n--
		}
	}
	return n <= unlike && -n <= unlike
}

// shortParts is the most words of a sentence in which one rival is enough: its parts are then hardly about
// different things.
const shortParts = 16

func (c *comparer) short() bool { return len(c.source.tokens) <= shortParts }
