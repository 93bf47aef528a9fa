package judge

import (
	"math"

	"sanad/internal/domain/text"
)

// slotFeatures tells how often a sentence has another word where the claim has one that it lacks: between the same two words,
// or beside one of them.
func slotFeatures(v *vector, w *window) {
	n := 0.0
	for i := range w.query.terms {
		t := &w.query.terms[i]
		if w.found[i] > 0 || t.weight <= genericWeight {
			continue
		}
		n++
		switch w.slot(i) {
		case 2:
			v[slotFilled]++
		case 1:
			v[slotBeside]++
		}
	}
	v[slotFilled], v[slotBeside] = math.Min(v[slotFilled], 3), math.Min(v[slotBeside], 3)
}

// slot counts how many neighbours of the claim's missing term i stand beside one other content word of the sentence, 0 to 2.
func (w *window) slot(i int) int {
	best := 0
	for k := w.from(); k < w.to(); k++ {
		t := w.chunk.tokens[k]
		if t.Stop || len(w.query.hits(t.word)) > 0 || t.Kind == text.Number {
			continue
		}
		n := 0
		if i > 0 && w.termAt(k, -1) == i-1 {
			n++
		}
		if i+1 < len(w.query.terms) && w.termAt(k, 1) == i+1 {
			n++
		}
		best = max(best, n)
	}
	return best
}
