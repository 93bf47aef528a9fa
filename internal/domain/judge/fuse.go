package judge

import (
	"cmp"
	"slices"
)

// fuseK keeps the first ranks of one ranking from deciding alone (Cormack, Clarke and Büttcher, 2009: reciprocal rank
// fusion).
const fuseK = 60

// Fuse joins rankings of places, best first, by reciprocal rank: a place at rank r of a ranking, from 1, counts
// 1/(60+r) there. Of equal places the smaller comes first. A place that a ranking names twice counts once, where it
// stands first.
func Fuse(rankings ...[]int) []int {
	scores := map[int]float64{}
	var out []int
	for _, ranking := range rankings {
		counted := map[int]bool{}
		for _, place := range ranking {
			if counted[place] {
				continue
			}
			counted[place] = true
			if _, seen := scores[place]; !seen {
				out = append(out, place)
			}
			scores[place] += 1 / float64(fuseK+len(counted))
		}
	}
	slices.SortFunc(out, func(a, b int) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b)) })
	return out
}
