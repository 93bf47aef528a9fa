package typeset

import (
	"slices"

	"golang.org/x/text/unicode/bidi"
)

// fillRemoved gives characters removed by rule X9 the level of the character before them, so that they don't split runs
// (UAX #9 5.2, "retaining BNs"). They are not drawn.
func fillRemoved(levels []int8, base int8) {
	last := base
	for i, l := range levels {
		if l == removed {
			levels[i] = last
		}
		last = levels[i]
	}
}

// visualOrder returns the indices of a line's pieces from left to right (L2), given each piece's level.
func visualOrder(levels []int8) []int {
	order := make([]int, len(levels))
	highest, lowestOdd := int8(0), int8(maxDepth)
	for i, l := range levels {
		order[i] = i
		highest = max(highest, l)
		if l&1 == 1 {
			lowestOdd = min(lowestOdd, l)
		}
	}
	for level := highest; level >= lowestOdd && level > 0; level-- {
		reverseRuns(order, levels, level)
	}
	return order
}

// reverseRuns reverses every stretch of pieces at or above a level. The stretches are those of the logical text; their
// pieces are still adjacent at this point.
func reverseRuns(order []int, levels []int8, level int8) {
	for i := 0; i < len(order); i++ {
		if levels[order[i]] < level {
			continue
		}
		end := i
		for end < len(order) && levels[order[end]] >= level {
			end++
		}
		slices.Reverse(order[i:end])
		i = end
	}
}

// class returns a character's bidirectional class.
func class(r rune) bidi.Class {
	props, _ := bidi.LookupRune(r)
	return props.Class()
}
