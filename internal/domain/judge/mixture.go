package judge

import (
	"sanad/internal/domain/text"
)

// mixtures looks for a claim that joins words of two parallel parts of a sentence: of "40 million in 2021 and 55
// million in 2022" the claim "40 million in 2022". Each of the two words must have its rival in the other's part, one
// that the claim lacks.
func (c *comparer) mixtures() {
	own := c.ownWords()
	for i := range c.shared {
		a := &c.shared[i]
		if len(a.tokens) != 1 {
			continue
		}
		for k := range c.shared {
			b := &c.shared[k]
			if k == i || len(b.tokens) != 1 || c.claim.joint[a.claim] != c.claim.joint[b.claim] {
				continue
			}
			x, y := a.tokens[0], b.tokens[0]
			p, q := c.source.part[x], c.source.part[y]
			if p >= q || !c.parallel(p, q) {
				continue
			}
			if c.rival(own, x, q) && c.rival(own, y, p) || c.short() && (c.rival(own, x, q) && c.owns(own, p) ||
				c.rival(own, y, p) && c.owns(own, q)) {
				c.out.mixed = true
				return
			}
		}
	}
}

// ownWords marks the words of the sentence that the claim lacks.
func (c *comparer) ownWords() []bool {
	out := make([]bool, len(c.source.tokens))
	for i := range c.source.tokens {
		t := &c.window.chunk.tokens[c.window.from()+i]
		unit := t.Kind != text.Number && quantityOf(c.window.chunk.sentences[c.window.first].quantities, t.Start) >= 0
		out[i] = !t.Stop && !c.source.phrase[i] && !unit && !c.window.claims(t)
	}
	for i := range c.shared {
		for _, k := range c.shared[i].tokens {
			out[k] = false
		}
	}
	return out
}

// rival reports whether a part has a word that the claim lacks and that is to it what word at is to its own part: of
// one kind, or after the same little word.
func (c *comparer) rival(own []bool, at, part int) bool {
	m := c.source
	for k, yes := range own {
		if !yes || m.part[k] != part {
			continue
		}
		a, b := &m.tokens[at], &m.tokens[k]
		switch {
		case a.Kind != b.Kind:
		case a.Kind == text.Number:
			return true
		case overlap(kinds().of[a.Stem], kinds().of[b.Stem]), text.IsCapitalised(a.Text) && text.IsCapitalised(b.Text) && at > 0:
			return true
		case at > 0 && k > 0 && m.tokens[at-1].Stop && m.tokens[at-1].Norm == m.tokens[k-1].Norm:
			return true
		case at > 0 && k > 0 && m.tokens[at-1].Stem != "" && m.tokens[at-1].Stem == m.tokens[k-1].Stem:
			return true
		case m.follow(at) != "" && m.follow(at) == m.follow(k):
			return true
		}
	}
	return false
}

// follow is the content word right after token i, "" if none is.
func (m *meaning) follow(i int) string {
	if i+1 >= len(m.tokens) || m.tokens[i+1].Stop {
		return ""
	}
	return m.tokens[i+1].Norm
}

// owns reports whether a part has a content word that the claim lacks.
func (c *comparer) owns(own []bool, part int) bool {
	for k, yes := range own {
		if yes && c.source.part[k] == part {
			return true
		}
	}
	return false
}

// unlike is by how many words two parts may differ and still be parallel.
const unlike = 4

// parallel reports whether two parts are of about one length.
func (c *comparer) parallel(p, q int) bool {
	n := 0
	for _, part := range c.source.part {
		switch part {
		case p:
			n++
		case q:
			n--
		}
	}
	return n <= unlike && -n <= unlike
}

// shortParts is the most words of a sentence in which one rival is enough: its parts are then hardly about
// different things.
const shortParts = 16

func (c *comparer) short() bool { return len(c.source.tokens) <= shortParts }
