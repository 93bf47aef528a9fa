package judge

import "math"

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
