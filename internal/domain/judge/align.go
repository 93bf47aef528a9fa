package judge

import (
	"math"
	"unicode"
	"unicode/utf8"

	"sanad/internal/domain/text"
	"sanad/internal/exact"
)

// alignment aligns a sentence with the claim: the words they share in one order are anchors, and what stands between
// two anchors on both sides is a gap.
type alignment struct {
	gaps []gap
	lost []int // claim's terms that the sentence lacks
	own  []int // content tokens of the sentence that stand for none of the claim's terms
}

// gap holds what claim and sentence lack of each other between two anchors.
type gap struct {
	lost []int
	own  []int
}

// maxAligned bounds the words of a sentence that are aligned with a claim.
const maxAligned = 80

// align aligns one sentence with the claim.
func (w *window) align() alignment {
	tokens := w.content()
	n, m := len(w.query.terms), len(tokens)
	shared := w.shared(tokens)
	a := alignment{lost: make([]int, 0, n), own: make([]int, 0, m)}
	lost, own := 0, 0 // where the open gap begins
	i, k := 0, 0
	for i < n || k < m {
		switch {
		case i < n && k < m && shared.anchor(w.query, w.chunk.tokens[tokens[k]].word, i, k):
			lost, own = a.close(lost, own)
			i, k = i+1, k+1
		case k == m || i < n && shared.at(i+1, k) >= shared.at(i, k+1):
			if w.found[i] == 0 && w.query.terms[i].weight > functionWeight {
				a.lost = append(a.lost, i)
			}
			i++
		default:
			if t := &w.chunk.tokens[tokens[k]]; len(w.query.hits(t.word)) == 0 && !w.claims(t) {
				a.own = append(a.own, tokens[k])
			}
			k++
		}
	}
	a.close(lost, own)
	return a
}

// close ends the gap that began with a.lost[lost] and a.own[own], and returns where the next one begins.
func (a *alignment) close(lost, own int) (nextLost, nextOwn int) {
	if lost < len(a.lost) || own < len(a.own) {
		a.gaps = append(a.gaps, gap{a.lost[lost:], a.own[own:]})
	}
	return len(a.lost), len(a.own)
}

// anchors returns the greatest possible number of anchors. Only terms and tokens that stand for one another are
// counted: the rest changes nothing.
type anchors struct {
	length []uint8 // by row and column: the most anchors from there on
	rows   []int   // for each term the row of the first at or after it that some token stands for
	cols   []int   // the same for the tokens
	width  int
}

// shared counts the anchors of the claim and some tokens of the sentence.
func (w *window) shared(tokens []int) anchors {
	q := w.query
	n, m := len(q.terms), len(tokens)
	places := make([]int, n+1+m+1)
	x := anchors{rows: places[:n+1], cols: places[n+1:]}
	for k := range tokens {
		x.cols[k] = x.width
		hits := q.hits(w.chunk.tokens[tokens[k]].word)
		for _, h := range hits {
			x.rows[h.term] = 1
		}
		if len(hits) > 0 {
			x.width++
		}
	}
	x.cols[m] = x.width
	height := 0
	for i, used := range x.rows[:n] {
		x.rows[i] = height
		height += used
	}
	x.rows[n] = height
	x.width++
	x.length = make([]uint8, (height+1)*x.width)
	for i := n - 1; i >= 0; i-- {
		if x.rows[i] == x.rows[i+1] {
			continue
		}
		row, below := x.length[x.rows[i]*x.width:][:x.width], x.length[x.rows[i+1]*x.width:][:x.width]
		for k := m - 1; k >= 0; k-- {
			c := x.cols[k]
			if c == x.cols[k+1] {
				continue
			}
			row[c] = max(below[c], row[c+1])
			if q.stands(w.chunk.tokens[tokens[k]].word, i) {
				row[c] = max(row[c], below[c+1]+1)
			}
		}
	}
	return x
}

// at is the most anchors of the claim's terms from i and the tokens from k.
func (x *anchors) at(i, k int) uint8 { return x.length[x.rows[i]*x.width+x.cols[k]] }

// anchor reports whether term i and token k, which has a word, are one of the most anchors.
func (x *anchors) anchor(q *query, word, i, k int) bool {
	return q.stands(word, i) && x.at(i, k) == x.at(i+1, k+1)+1
}

// content lists the sentence's content tokens; negations and words like "may" are looked at apart.
func (w *window) content() []int {
	out := make([]int, 0, min(maxAligned, w.to()-w.from()))
	for k := w.from(); k < w.to() && len(out) < maxAligned; k++ {
		if t := &w.chunk.tokens[k]; !t.Stop && t.sense == 0 {
			out = append(out, k)
		}
	}
	return out
}

// claims reports whether a token belongs to a quantity of the claim.
func (w *window) claims(t *token) bool {
	k := quantityOf(w.chunk.sentences[t.sentence].quantities, t.Start)
	return k >= 0 && w.query.hasQuantity(w.chunk.sentences[t.sentence].quantities[k])
}

// stands reports whether a word of the index stands for a term.
func (q *query) stands(word, term int) bool {
	for _, h := range q.hits(word) {
		if h.term == term {
			return true
		}
	}
	return false
}

// smallGap is the most words on each side of a gap that counts as one thing replaced by another.
const smallGap = 2

// alignFeatures describes which words of the core sentence replace which words of the claim.
func alignFeatures(v *vector, w *window) {
	a := w.align()
	v[lostCount], v[ownCount] = exact.Log2(1+float64(len(a.lost))), exact.Log2(1+float64(len(a.own)))
	swapped := make([]bool, len(w.query.terms))
	small := false
	for _, g := range a.gaps {
		switch {
		case len(g.lost) == 0:
		case len(g.own) == 0:
			v[gapAdded] += float64(len(g.lost))
		case len(g.lost) <= smallGap && len(g.own) <= smallGap:
			v[gapSwapped]++
			small = true
			for _, i := range g.lost {
				swapped[i] = true
			}
		default:
			v[gapOther]++
		}
	}
	v[gapAdded], v[gapSwapped], v[gapOther] = math.Min(v[gapAdded], 6), math.Min(v[gapSwapped],
		4), math.Min(v[gapOther], 4)
	if small {
		v[swapRest], _ = w.rest(func(t *term) bool { return swapped[t.index] })
	}
	v[pureSwap] = 0
	if len(a.lost) > 0 && len(a.lost) <= smallGap && len(a.own) > 0 && len(a.own) <= smallGap+1 {
		v[pureSwap] = 1
	}
	w.kindFeatures(v, &a)
}

// kindFeatures looks for a word of the claim's own kind (a country for a country, a month for a month, a number for a
// number, a name for a name) among the sentence's words that the claim lacks.
func (w *window) kindFeatures(v *vector, a *alignment) {
	for _, i := range a.lost {
		t := &w.query.terms[i]
		for _, k := range a.own {
			s := &w.chunk.tokens[k]
			same := overlap(t.kinds, w.query.index.kinds[s.word])
			number := t.Kind == text.Number && s.Kind == text.Number
			switch {
			case number:
				v[kindNumber] = 1
			case same:
				v[kindWord] = 1
			case t.name && capital(s.Token) && k > w.from():
				v[kindName] = 1
			default:
				continue
			}
			if number || same {
				rest, _ := w.rest(func(o *term) bool { return o.index == i })
				v[kindRest] = math.Max(v[kindRest], rest)
			}
		}
	}
}

// slotFeatures counts how often a sentence has another word where the claim has one that it lacks: between the same two
// words, or beside one of them.
func slotFeatures(v *vector, w *window) {
	slots := w.slots()
	for i := range w.query.terms {
		t := &w.query.terms[i]
		if w.found[i] > 0 || t.weight <= genericWeight {
			continue
		}
		switch slots[i] {
		case 2:
			v[slotFilled]++
		case 1:
			v[slotBeside]++
		}
	}
	v[slotFilled], v[slotBeside] = math.Min(v[slotFilled], 3), math.Min(v[slotBeside], 3)
}

// slots counts for each of the claim's terms how many of its neighbours are next to one other content word of the
// sentence, 0 to 2.
func (w *window) slots() []uint8 {
	out := make([]uint8, len(w.query.terms))
	before, behind := w.termsBeside()
	for k, t := range w.chunk.tokens[w.from():w.to()] {
		if t.Stop || t.Kind == text.Number || len(w.query.hits(t.word)) > 0 {
			continue
		}
		// the terms whose place the word may have, by what is before it and what is after
		a, b := before[k]+1, behind[k]-1
		if a > 0 && a == b {
			out[a] = 2
			continue
		}
		if a > 0 && a < len(out) {
			out[a] = max(out[a], 1)
		}
		if b >= 0 {
			out[b] = max(out[b], 1)
		}
	}
	return out
}

// otherName finds a name of the sentence that is in the place of one of the claim's: both are next to the same
// word, the claim's name is nowhere in the chunk, and the other, token evidence, nowhere in the claim.
func (w *window) otherName() (claim *term, evidence int, ok bool) {
	var before, behind []int
	for i := range w.query.terms {
		t := &w.query.terms[i]
		if !t.name || w.found[i] > 0 || w.chunk.has(w.query, i) {
			continue
		}
		if before == nil {
			before, behind = w.termsBeside()
		}
		for k := w.from() + 1; k < w.to(); k++ {
			s := &w.chunk.tokens[k]
			if len(w.query.hits(s.word)) == 0 && w.sameSlot(i, before[k-w.from()], behind[k-w.from()]) &&
				capital(s.Token) {
				return t, k, true
			}
		}
	}
	return nil, 0, false
}

// sameSlot reports whether the words before and after the claim's term i are before and after a token of the
// sentence too: one of the two at least, and neither side may disagree. before and after are those of termsBeside.
func (w *window) sameSlot(i, before, behind int) bool {
	agree := 0
	if before >= 0 && i > 0 {
		if before != i-1 {
			return false
		}
		agree++
	}
	if behind >= 0 && i+1 < len(w.query.terms) {
		if behind != i+1 {
			return false
		}
		agree++
	}
	return agree > 0
}

// termsBeside returns, for each token of the sentence, which of the claim's terms the content words before and after
// it stand for; -1 if the word stands for none of them.
func (w *window) termsBeside() (before, behind []int) {
	tokens := w.chunk.tokens[w.from():w.to()]
	both := make([]int, 2*len(tokens))
	before, behind = both[:len(tokens)], both[len(tokens):]
	last := -1
	for k := range tokens {
		before[k] = last
		last = w.termOr(&tokens[k], last)
	}
	last = -1
	for k := len(tokens) - 1; k >= 0; k-- {
		behind[k] = last
		last = w.termOr(&tokens[k], last)
	}
	return before, behind
}

// termOr returns the claim's term that a content word stands for, -1 for none; last for a stop word.
func (w *window) termOr(t *token, last int) int {
	if t.Stop {
		return last
	}
	if hits := w.query.hits(t.word); len(hits) > 0 {
		return hits[0].term
	}
	return -1
}

// has reports whether the chunk has a term of the claim anywhere.
func (c *chunk) has(q *query, term int) bool {
	for _, t := range c.tokens {
		for _, h := range q.hits(t.word) {
			if h.term == term {
				return true
			}
		}
	}
	return false
}

// capital reports whether a word is written with a capital.
func capital(t text.Token) bool {
	r, _ := utf8.DecodeRuneInString(t.Text)
	return t.Kind == text.Word && !t.Stop && unicode.IsUpper(r)
}

// nameFeatures measures how many of the claim's names are there, and whether another name replaces one.
func nameFeatures(v *vector, r *reading) {
	all, window, anywhere := 0.0, 0.0, 0.0
	for i := range r.best.query.terms {
		t := &r.best.query.terms[i]
		if t.name {
			all++
			window += r.best.found[i]
			anywhere += r.best.query.anywhere[i]
		}
	}
	v[nameCover], v[nameCoverAll] = 1, 1
	if all > 0 {
		v[nameCover], v[nameCoverAll] = window/all, anywhere/all
	}
	if _, _, ok := r.core().otherName(); ok {
		v[nameOther] = 1
	}
}
