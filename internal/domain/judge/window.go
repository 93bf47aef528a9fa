package judge

import (
	"math"

	"sanad/internal/domain/text"
)

// maxWindow is the most consecutive sentences that are read together.
const maxWindow = 3

// window is one to three sentences of a chunk compared with a claim.
type window struct {
	query       *query
	chunk       *chunk
	first, last int       // sentences
	found       []float64 // for each term of the claim how well the window has it, 0 to 1
	pairs       []bool    // for each term but the last whether it stands by the next one in the window too
	coverage    float64   // weighted share of the claim's terms
	compared    *comparison
	alike       *likened     // see likened
	stand       *figureStand // see figuresStand
}

func (w *window) from() int { return w.chunk.sentences[w.first].from }
func (w *window) to() int   { return w.chunk.sentences[w.last].to }

// span is where the window is in its chunk.
func (w *window) span() text.Span {
	return text.Span{Start: w.chunk.sentences[w.first].span.Start, End: w.chunk.sentences[w.last].span.End}
}

// readSentences holds each sentence of a chunk against the claim.
func readSentences(q *query, c *chunk) []window { return readRange(q, c, 0, len(c.sentences)) }

// readRange holds the sentences [from, to) of a chunk against the claim.
func readRange(q *query, c *chunk, from, to int) []window {
	out := make([]window, max(0, to-from))
	n := len(q.terms)
	found, pairs := make([]float64, n*len(out)), make([]bool, n*len(out))
	for i := range out {
		out[i] = window{query: q, chunk: c, first: from + i, last: from + i, found: found[i*n : (i+1)*n],
			pairs: pairs[i*n : (i+1)*n]}
		out[i].read()
	}
	return out
}

// pairReach is the greatest distance, in words, between two neighbours.
const pairReach = 4

// read finds the terms in the window's one sentence.
func (w *window) read() {
	tokens := w.chunk.tokens[w.from():w.to()]
	var recent [pairReach][]hit
	for i := range tokens {
		hits := w.query.hits(tokens[i].word)
		for _, h := range hits {
			if w.query.refutes(h.term, w.chunk.sentences[w.first].quantities, tokens[i].Start) {
				continue
			}
			if h.value > w.found[h.term] {
				w.found[h.term] = h.value
			}
			for _, before := range recent {
				w.neighbours(before, h.term)
			}
		}
		recent[i%pairReach] = hits
	}
	for _, i := range w.query.numbers {
		w.readQuantity(i)
	}
	w.readDates()
	w.measure()
}

// readDates finds the words of dates, times, ordinals and names that the sentence writes otherwise.
func (w *window) readDates() {
	w.query.meetNames(w.found, w.figures())
}

// neighbours marks the pairs that a term makes with the terms shortly before it.
func (w *window) neighbours(before []hit, term int) {
	for _, b := range before {
		if b.term-term == 1 || term-b.term == 1 {
			w.pairs[min(term, b.term)] = true
		}
	}
}

// readQuantity looks for a term that is a quantity by value and unit.
func (w *window) readQuantity(i int) {
	k := w.query.terms[i].quantity
	for _, q := range w.chunk.sentences[w.first].quantities {
		w.found[i] = math.Max(w.found[i], w.query.meets(k, q))
	}
	if w.found[i] == 0 {
		return
	}
	// where a quantity is in the sentence says little: its neighbours need only be there too
	w.pairs[i] = i+1 < len(w.found) && w.found[i+1] > 0
	if i > 0 && w.found[i-1] > 0 {
		w.pairs[i-1] = true
	}
}

// measure computes the coverage.
func (w *window) measure() { w.coverage = w.query.covered(w.found) }

// covered is the weighted share of a claim's terms that were found.
func (q *query) covered(found []float64) float64 {
	sum := 0.0
	for i, f := range found {
		sum += float64(q.terms[i].weight * f)
	}
	return sum / math.Max(q.weight, 1e-9)
}

// joined is the window with the next one, which follows it, read together.
func (w *window) joined(next *window) window {
	out := *w
	out.last, out.compared, out.alike, out.stand = next.last, nil, nil, nil
	out.found, out.pairs = make([]float64, len(w.found)), make([]bool, len(w.pairs))
	for i := range w.found {
		out.found[i] = math.Max(w.found[i], next.found[i])
		out.pairs[i] = w.pairs[i] || next.pairs[i]
	}
	out.measure()
	return out
}

// adjacency is the share of the claim's neighbouring words that stand together in the window too.
func (w *window) adjacency() float64 {
	if len(w.pairs) < 2 {
		return w.coverage
	}
	n := 0
	for _, p := range w.pairs[:len(w.pairs)-1] {
		if p {
			n++
		}
	}
	return float64(n) / float64(len(w.pairs)-1)
}

// sentenceCost is what each further sentence of a window must gain in coverage.
const sentenceCost = 0.03

// bestWindow returns the window of up to maxWindow sentences that covers the claim best, the shortest of equals.
func bestWindow(sentences []window) window {
	first, last, best := 0, 0, sentences[0].coverage
	found := make([]float64, len(sentences[0].found))
	for i := range sentences {
		copy(found, sentences[i].found)
		coverage := sentences[i].coverage
		for k := i; ; k++ {
			if k > i {
				raise(found, sentences[k].found)
				coverage = sentences[i].query.covered(found)
			}
			if c := coverage - float64(sentenceCost*float64(k-i)); c > best+1e-12 {
				first, last, best = i, k, c
			}
			if k-i+1 == maxWindow || k+1 >= len(sentences) {
				break
			}
		}
	}
	w := sentences[first]
	for k := first + 1; k <= last; k++ {
		w = w.joined(&sentences[k])
	}
	return w
}
