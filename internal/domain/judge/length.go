package judge

// lengthFeatures measures how much text there is, how much of the sentence is about the claim, and how many others are
// too.
func (x *Index) lengthFeatures(v *vector, q *query, r *reading, core *window) {
	v[density] = core.share()
	v[evidenceLength] = log2(1 + float64(x.size))
	v[claimLength] = log2(1 + float64(len(q.terms)))
	v[sentenceLength] = log2(1 + float64(core.to()-core.from()))
	v[windowSize] = float64(r.best.last - r.best.first)
	near := 0.0
	for i := range r.sentences {
		if r.sentences[i].coverage >= 0.7*core.coverage {
			near++
		}
	}
	v[others] = log2(near + 1)
	if len(x.chunks) == 1 && len(r.sentences) == 1 {
		v[oneSentence] = 1
	}
}
