package judge

import (
	"math"

	"sanad/internal/domain/text"
)

// alignment lays a sentence beside the claim: the words they share in one order are anchors, and what stands between two
// anchors on both sides is a gap.
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

// maxAligned bounds the words of a sentence that are laid beside a claim.
const maxAligned = 80

// align lays one sentence beside the claim.
func (w *window) align() alignment {
	tokens := w.content()
	n, m := len(w.query.terms), len(tokens)
	// length[i][k] is the most anchors of the claim's terms from i and the tokens from k
	length := make([]uint8, (n+1)*(m+1))
	at := func(i, k int) *uint8 { return &length[i*(m+1)+k] }
	for i := n - 1; i >= 0; i-- {
		for k := m - 1; k >= 0; k-- {
			best := max(*at(i+1, k), *at(i, k+1))
			if w.query.stands(w.chunk.tokens[tokens[k]].word, i) {
				best = max(best, *at(i+1, k+1)+1)
			}
			*at(i, k) = best
		}
	}
	var a alignment
	var g gap
	i, k := 0, 0
	for i < n || k < m {
		switch {
		case i < n && k < m && w.query.stands(w.chunk.tokens[tokens[k]].word, i) && *at(i, k) == *at(i+1, k+1)+1:
			a.close(&g)
			i, k = i+1, k+1
		case k == m || i < n && *at(i+1, k) >= *at(i, k+1):
			if w.found[i] == 0 && w.query.terms[i].weight > functionWeight {
				g.lost = append(g.lost, i)
			}
			i++
		default:
			if t := w.chunk.tokens[tokens[k]]; len(w.query.hits(t.word)) == 0 && !w.claims(t) {
				g.own = append(g.own, tokens[k])
			}
			k++
		}
	}
	a.close(&g)
	return a
}

// close ends a gap.
func (a *alignment) close(g *gap) {
	if len(g.lost) > 0 || len(g.own) > 0 {
		a.gaps = append(a.gaps, *g)
		a.lost, a.own = append(a.lost, g.lost...), append(a.own, g.own...)
	}
	*g = gap{}
}

// content lists the sentence's content tokens; negations and words like "may" are looked at apart.
func (w *window) content() []int {
	var out []int
	for k := w.from(); k < w.to() && len(out) < maxAligned; k++ {
		if t := w.chunk.tokens[k]; !t.Stop && t.sense == 0 {
			out = append(out, k)
		}
	}
	return out
}

// claims tells whether a token is part of a quantity that the claim has too.
func (w *window) claims(t token) bool {
	k := quantityOf(w.chunk.sentences[t.sentence].quantities, t.Start)
	return k >= 0 && w.query.hasQuantity(w.chunk.sentences[t.sentence].quantities[k])
}

// stands tells whether a word of the index stands for a term.
func (q *query) stands(word, term int) bool {
	for _, h := range q.hits(word) {
		if h.term == term {
			return true
		}
	}
	return false
}

// smallGap is how many words each side of a gap may have to count as one thing put for another.
const smallGap = 2

// alignFeatures tells what of the core sentence stands in the place of what of the claim.
func alignFeatures(v *vector, w *window) {
	a := w.align()
	v[lostCount], v[ownCount] = math.Log2(1+float64(len(a.lost))), math.Log2(1+float64(len(a.own)))
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
	v[gapAdded], v[gapSwapped], v[gapOther] = math.Min(v[gapAdded], 6), math.Min(v[gapSwapped], 4), math.Min(v[gapOther], 4)
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
			s := w.chunk.tokens[k]
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
