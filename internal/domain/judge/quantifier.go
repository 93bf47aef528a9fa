package judge

import (
	"slices"
)

// quantifierReach is how many words before its word a quantifier may be.
const quantifierReach = 3

// quantifierOf is the quantifier of token i; opNone if it has none.
func (m *meaning) quantifierOf(i int) operator {
	for k := i - 1; k >= 0 && k >= i-quantifierReach; k-- {
		switch op := m.ops[k]; op {
		case opAll, opMost, opMany, opSome, opFew:
			return op
		}
		if !m.tokens[k].Stop && !m.phrase[k] && k < i-1 {
			break
		}
	}
	return opNone
}

// implies lists for each quantifier those that follow from it.
var implies = map[operator][]operator{
	opAll: {opAll, opMost, opMany, opSome, opNone}, opMost: {opMost, opMany, opSome}, opMany: {opMany, opSome},
	opSome: {opSome}, opFew: {opFew, opSome},
}

// quantifiers compares the quantifiers of shared words.
func (c *comparer) quantifiers() {
	for i := range c.shared {
		s := &c.shared[i]
		a := c.claim.quantifierOf(s.claim)
		for _, k := range s.tokens {
			b := c.source.quantifierOf(k)
			if a == b || b == opNone || a == opNone && b != opFew || slices.Contains(implies[b], a) {
				continue
			}
			if c.claim.negative(c.claim.segment[s.claim]) && c.source.negative(c.source.segment[k]) {
				continue // "not any" and "none"
			}
			c.out.quantity = true
			c.name("negation", c.claim.written(a), c.source.written(b))
		}
	}
}
