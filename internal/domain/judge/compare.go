package judge

import (
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
	// counterpart is a word of the claim with the word of the other side that stands in its place
	counterpart ledger.Conflict
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

// vetoes names the differences that forbid support in a sentence that says rest of the claim, the surest first.
func (c *comparison) vetoes(rest float64) (out []string) {
	for _, v := range []struct {
		name string
		yes  bool
	}{
		{"polarity", c.polarity >= polarityMark}, {"exception", c.excepted}, {"evenif", c.evenIf}, {"only", c.onlyLost},
		{"quantifier", c.quantity}, {"time", c.time}, {"comparison", c.compared}, {"cancelled", c.cancelled},
		{"exchanged", c.exchanged && rest >= wholeMark}, {"mixed", c.mixed && rest >= wholeMark}, {"unit", c.unit},
		{"kind", c.kind},
	} {
		if v.yes {
			out = append(out, v.name)
		}
	}
	return out
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
	c.otherSide()
	c.rates()
	return c.out
}

// meaning analyses the window's sentence.
func (w *window) meaning() *meaning {
	var gaps []gapMark
	for _, t := range w.chunk.tokens[w.from():w.to()] {
		gaps = append(gaps, t.gap)
	}
	return analyse(w.tokens(), gaps)
}

// name keeps the words of the first difference that is found.
func (c *comparer) name(kind, claim, evidence string) {
	if c.out.conflict.Kind == "" && (claim != "" || evidence != "") {
		c.out.conflict = ledger.Conflict{Kind: kind, Claim: claim, Evidence: evidence}
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

// shared is where the sentence has a term of the claim.
type shared struct {
	term   *term
	claim  int   // token of the claim's meaning
	tokens []int // tokens of the sentence's meaning
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
