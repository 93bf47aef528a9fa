package judge

import (
	"math"

	"sanad/internal/domain/text"
)

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
