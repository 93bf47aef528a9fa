package judge

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"sanad/internal/domain/text"
	"sanad/internal/exact"
)

// coverageFeatures measures how much of the claim is in the sentence, the window, the chunk and all the evidence.
func (x *Index) coverageFeatures(v *vector, q *query, r *reading) {
	w := &r.best
	for i := range r.sentences {
		v[covSentence] = math.Max(v[covSentence], r.sentences[i].coverage)
	}
	v[covWindow], v[covChunk], v[covAll] = w.coverage, q.covered(r.all), q.covered(q.anywhere)
	v[covExact] = q.share(func(i int) float64 { return floor1(w.found[i]) })
	plain, n := 0.0, 0.0
	for i := range q.terms {
		if q.terms[i].weight > genericWeight {
			plain, n = plain+w.found[i], n+1
		}
	}
	v[covPlain] = plain / math.Max(n, 1)
	if n == 0 {
		v[covPlain] = w.coverage
	}
	half := (len(q.terms) + 1) / 2
	v[covHead], v[covTail] = q.part(w.found, 0, half), q.part(w.found, len(q.terms)-half, len(q.terms))
	v[covRare], v[covRareAll] = q.of(q.rare, w.found), q.of(q.rare, q.anywhere)
	v[covSpecific] = q.specific(w.found)
	for i := range q.terms {
		t := &q.terms[i]
		v[lostWindow] += float64((1 - w.found[i]) * t.rarity)
		v[lostAll] += float64((1 - q.anywhere[i]) * t.rarity)
		v[lostWorst] = math.Max(v[lostWorst], float64((1-w.found[i])*t.rarity))
		v[lostWorstAll] = math.Max(v[lostWorstAll], float64((1-q.anywhere[i])*t.rarity))
	}
}

// floor1 is 1 for an equal word and 0 for any other.
func floor1(found float64) float64 { return math.Floor(found + 1e-9) }

// share is the weighted share of the claim's terms by what found gives for each.
func (q *query) share(found func(i int) float64) float64 {
	sum := 0.0
	for i := range q.terms {
		t := &q.terms[i]
		sum += float64(t.weight * found(i))
	}
	return sum / math.Max(q.weight, 1e-9)
}

// part is the coverage of the terms [from, to).
func (q *query) part(found []float64, from, to int) float64 {
	all, sum := 0.0, 0.0
	for i := from; i < to; i++ {
		all += q.terms[i].weight
		sum += float64(q.terms[i].weight * found[i])
	}
	return sum / math.Max(all, 1e-9)
}

// rareCount is the number of words that count as the claim's rarest.
const rareCount = 3

// rarest lists the claim's rarest terms, the rarest first.
func (q *query) rarest() []int {
	out := make([]int, len(q.terms))
	for i := range out {
		out[i] = i
	}
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(q.terms[b].rarity, q.terms[a].rarity) })
	return out[:min(len(out), rareCount)]
}

// of is the mean of found over some terms.
func (q *query) of(terms []int, found []float64) float64 {
	sum := 0.0
	for _, i := range terms {
		sum += found[i]
	}
	return sum / math.Max(1, float64(len(terms)))
}

// specific is coverage in which a word counts less the more of the evidence's chunks and sentences have it: what an
// article is about is everywhere in it and says little of the claim.
func (q *query) specific(found []float64) float64 {
	sum := 0.0
	for i, weight := range q.special {
		sum += float64(weight * found[i])
	}
	return sum / math.Max(q.specials, 1e-9)
}

// specialise computes what the terms weigh in specific.
func (q *query) specialise() {
	q.special = make([]float64, len(q.terms))
	for i := range q.terms {
		t := &q.terms[i]
		q.special[i] = t.rarity
		if t.tally > 0 {
			q.special[i] = t.rarity / (1 + exact.Log2(float64(t.tally)))
		}
		q.specials += q.special[i]
	}
}

// partLength is the number of consecutive terms of a claim that are searched for together.
const partLength = 4

// partFeatures looks for the parts of a claim one by one in all that was read: a claim of several facts is carried by
// several sentences, which need not stand together, but each of its parts must be in one of them. So these figures are
// the same for all passages of a claim.
func partFeatures(v *vector, q *query, readings []reading) {
	n := len(q.terms)
	best := make([]float64, max(1, n-partLength+1)) // of each part, by its first term
	near := make([]float64, n)                      // of each term's neighbourhood, by the sentences that have the term
	for i := range readings {
		for k := range readings[i].sentences {
			s := &readings[i].sentences[k]
			if s.coverage == 0 {
				continue
			}
			for p := range best {
				if c := q.part(s.found, p, min(n, p+partLength)); c > best[p] {
					best[p] = c
				}
			}
			for t, f := range s.found {
				if f == 0 {
					continue
				}
				if c := q.part(s.found, max(0, t-partLength+1), min(n, t+partLength)); c > near[t] {
					near[t] = c
				}
			}
		}
	}
	v[partLeast], v[nearLeast] = 1, 1
	for _, b := range best {
		v[partLeast] = math.Min(v[partLeast], b)
		v[partMean] += b / float64(len(best))
	}
	all := 0.0
	for i := range q.terms {
		t := &q.terms[i]
		v[nearMean] += float64(near[i] * t.weight)
		all += t.weight
		if t.quantity >= 0 || t.name {
			v[nearLeast] = math.Min(v[nearLeast], near[i])
		}
	}
	v[nearMean] /= math.Max(all, 1e-9)
	v[covSpecificAll] = q.specific(q.anywhere)
}

// topicFeatures is coverage in which what the evidence is about is taken as read, or counts less.
func topicFeatures(v *vector, q *query, r *reading) {
	v[covTopical] = q.share(func(i int) float64 {
		if q.terms[i].tally >= topicTally {
			return math.Max(r.best.found[i], float64(0.9*q.anywhere[i]))
		}
		return r.best.found[i]
	})
	for i := range r.sentences {
		if r.sentences[i].coverage > 0 {
			v[covSpecificBest] = math.Max(v[covSpecificBest], q.specific(r.sentences[i].found))
		}
	}
}

// topicTally is how often the evidence has a word that it is about.
const topicTally = 3

// gramBits is the size of the set of letter triples, a power of two; two triples that share a bit cost little.
const gramBits = 1 << 13

// grams is a set of letter triples of words.
type grams [gramBits / 64]uint64

// eachGram calls f with the hash of each letter triple of a word, its ends included.
func eachGram(word string, f func(h uint32)) {
	a, b := uint32(' '), uint32(' ')
	for _, r := range word {
		f(gramHash(a, b, uint32(r)))
		a, b = b, uint32(r)
	}
	f(gramHash(a, b, ' '))
}

func gramHash(a, b, c uint32) uint32 {
	h := (a*0x9e3779b1 ^ b) * 0x85ebca6b
	h = (h ^ h>>15 ^ c) * 0xc2b2ae35
	return (h ^ h>>13) % gramBits
}

// sharedGrams is the share of the letter triples of the claim's content words that the window's words have: forms of a
// word that no stemmer brings together still share most of them.
func (w *window) sharedGrams() float64 {
	var set grams
	for _, t := range w.chunk.tokens[w.from():w.to()] {
		if !t.Stop {
			eachGram(t.Norm, func(h uint32) { set[h/64] |= 1 << (h % 64) })
		}
	}
	all, sum := 0.0, 0.0
	for i := range w.query.terms {
		t := &w.query.terms[i]
		n, shared := 0.0, 0.0
		eachGram(t.Norm, func(h uint32) {
			n++
			if set[h/64]&(1<<(h%64)) != 0 {
				shared++
			}
		})
		all += t.rarity
		sum += float64(t.rarity * shared / n)
	}
	return sum / math.Max(all, 1e-9)
}

// orderFeatures reports whether the claim's words stand together and in the claim's order.
func orderFeatures(v *vector, w *window) {
	v[adjacency] = w.adjacency()
	seq, at := w.sequence()
	n := math.Max(1, float64(len(w.query.terms)))
	v[longestRun] = float64(longest(seq)) / n
	rising, inversions := order(seq)
	v[inOrder] = float64(rising) / n
	v[inverted] = inversions
	if len(at) > 1 {
		v[compact] = float64(len(at)) / math.Max(1, float64(at[len(at)-1]-at[0]+1))
	}
}

// sequence returns the claim's terms as the window has them, in its order, and the tokens where they stand.
func (w *window) sequence() (terms, at []int) {
	terms, at = make([]int, 0, 2*len(w.query.terms)), make([]int, 0, 2*len(w.query.terms))
	for k := w.from(); k < w.to(); k++ {
		hits := w.query.hits(w.chunk.tokens[k].word)
		if len(hits) == 0 {
			continue
		}
		best := hits[0]
		for _, h := range hits[1:] { // a word that the claim has twice follows what went before
			if len(terms) > 0 && h.term == terms[len(terms)-1]+1 {
				best = h
			}
		}
		terms, at = append(terms, best.term), append(at, k)
	}
	return terms, at
}

// longest is the most terms that follow one another in the window as they do in the claim.
func longest(seq []int) int {
	best, run := 0, 0
	for i, t := range seq {
		if i > 0 && t == seq[i-1]+1 {
			run++
		} else {
			run = 1
		}
		best = max(best, run)
	}
	return best
}

// maxSequence bounds the work of order.
const maxSequence = 64

// order returns the length of the longest rising part of a sequence, and the share of pairs of first places that are
// the wrong way round.
func order(seq []int) (rising int, inversions float64) {
	seq = seq[:min(len(seq), maxSequence)]
	length := make([]int, len(seq))
	for i := range seq {
		length[i] = 1
		for j := range i {
			if seq[j] < seq[i] && length[j]+1 > length[i] {
				length[i] = length[j] + 1
			}
		}
		rising = max(rising, length[i])
	}
	pairs, wrong := 0, 0
	for i := 1; i < len(seq); i++ {
		if seq[i] == seq[i-1] {
			continue
		}
		pairs++
		if seq[i] < seq[i-1] {
			wrong++
		}
	}
	return rising, float64(wrong) / math.Max(1, float64(pairs))
}

// mutual are words by which two may change places and the same is said, or which turn a sentence round ("by").
var mutual = wordSet("by with between together each other marry married marries met meet meets border borders bordered equal equals resemble resembles من مع بين معا تزوج التقى يساوي")

// swapped reports whether the sentence says all of the claim, but of two names each in the place of the other: "A leads
// B", "B leads A". Where no capitals show names, the claim must have two words and what stands between them.
func (w *window) swapped() bool {
	terms := w.query.terms
	if len(terms) < 3 || slices.Contains(w.found, 0) {
		return false
	}
	at := make([]int, len(terms))
	for k := w.from(); k < w.to(); k++ {
		t := w.chunk.tokens[k]
		if mutual[t.Norm] || joined(t.Token) {
			return false
		}
		for _, h := range w.query.hits(t.word) {
			if at[h.term] != 0 { // it is there twice: which place it has is open
				return false
			}
			at[h.term] = k + 1
		}
	}
	if slices.ContainsFunc(text.Tokens(w.query.text), func(t text.Token) bool { return mutual[t.Norm] || joined(t) }) {
		return false
	}
	for a := range terms {
		for b := a + 2; b < len(terms); b++ {
			if named := capital(terms[a].Token) && capital(terms[b].Token) || len(terms) == 3 &&
				text.Script(w.query.text) == "ar"; named && between(at, a, b) {
				return true
			}
		}
	}
	return false
}

// joined reports whether a word is an Arabic noun with an attached preposition ("للنفط"), which modifies wherever it
// is.
func joined(t text.Token) bool {
	return strings.HasPrefix(t.Norm, "لل") || strings.HasPrefix(t.Norm, "بال")
}

// between reports whether b is before a in the sentence, with a term between them that the claim has there too.
func between(at []int, a, b int) bool {
	for p := a + 1; p < b; p++ {
		if at[b] != 0 && at[b] < at[p] && at[p] < at[a] {
			return true
		}
	}
	return false
}
