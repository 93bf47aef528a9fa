package judge

import "math"

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
