package judge

import (
	"cmp"
	"math"
	"slices"
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
			q.special[i] = t.rarity / (1 + log2(float64(t.tally)))
		}
		q.specials += q.special[i]
	}
}
