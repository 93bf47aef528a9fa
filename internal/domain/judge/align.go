package judge

import (
	"math"

	"sanad/internal/domain/text"
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
	v[lostCount], v[ownCount] = log2(1+float64(len(a.lost))), log2(1+float64(len(a.own)))
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
