package judge

import "math"

// partLength is how many of a claim's terms in a row are looked for together.
const partLength = 4

// partFeatures looks for the parts of a claim one by one: a claim of several facts is carried by several sentences, which
// need not stand together, but each of its parts must be in one of them.
func partFeatures(v *vector, q *query, readings []reading, r *reading) {
	n := len(q.terms)
	best := make([]float64, max(1, n-partLength+1)) // of each part, by its first term
	near := make([]float64, n)                      // of each term's neighbourhood, by the sentences that have the term
	for i := range readings {
		for k := range readings[i].sentences {
			found := readings[i].sentences[k].found
			for p := range best {
				best[p] = math.Max(best[p], q.part(found, p, min(n, p+partLength)))
			}
			for t := range near {
				if found[t] > 0 {
					near[t] = math.Max(near[t], q.part(found, max(0, t-partLength+1), min(n, t+partLength)))
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
	for i, t := range q.terms {
		v[nearMean] += float64(near[i] * t.weight)
		all += t.weight
		if t.quantity >= 0 || t.name {
			v[nearLeast] = math.Min(v[nearLeast], near[i])
		}
	}
	v[nearMean] /= math.Max(all, 1e-9)
	v[covTopical] = q.share(func(i int) float64 {
		if q.terms[i].tally >= topicTally {
			return math.Max(r.best.found[i], float64(0.9*q.anywhere[i]))
		}
		return r.best.found[i]
	})
	v[covSpecificAll] = q.specific(q.anywhere)
	for i := range r.sentences {
		v[covSpecificBest] = math.Max(v[covSpecificBest], q.specific(r.sentences[i].found))
	}
}

// topicTally is how often the evidence has a word that it is about.
const topicTally = 3
