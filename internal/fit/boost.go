package main

import (
	"math"
	"slices"
)

// example is one labelled vector with its weight.
type example struct {
	x      []float64
	y      float64
	weight float64
}

// node is a node of a tree: its children are at left and left+1; a leaf has left 0.
type node struct {
	feature int
	cut     float64 // x <= cut goes left
	left    int
	value   float64
}

// tree is a decision tree; node 0 is its root.
type tree []node

func (t tree) value(x []float64) float64 {
	i := 0
	for t[i].left != 0 {
		if x[t[i].feature] <= t[i].cut {
			i = t[i].left
		} else {
			i = t[i].left + 1
		}
	}
	return t[i].value
}

// forest is a sum of trees, in log-odds.
type forest struct {
	bias  float64
	trees []tree
}

func (f *forest) score(x []float64) float64 {
	s := f.bias
	for _, t := range f.trees {
		s += t.value(x)
	}
	return s
}

// boosting holds the parameters for growing a forest.
type boosting struct {
	trees  int
	depth  int
	rate   float64
	lambda float64 // penalty on a leaf's value
	least  float64 // minimum weight of a leaf
	drop   float64 // share of the features withheld from each tree
	sample float64 // share of the examples a tree sees
	bins   int
	signs  []int
	seed   uint64
}

// splitMix is a small random generator (splitmix64) that returns the same numbers on every machine.
type splitMix uint64

func (s *splitMix) next() float64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return float64((z^z>>31)>>11) / (1 << 53)
}

// grower holds the binned examples.
type grower struct {
	boosting
	examples []example
	bin      [][]uint8   // feature → example → bin
	cuts     [][]float64 // feature → upper ends of its bins
	grad     []float64
	hess     []float64
	in       []bool
	use      []bool
}

// grow trains a forest that separates examples with y 1 from those with 0.
func grow(examples []example, b boosting) *forest {
	g := &grower{boosting: b, examples: examples}
	g.binAll()
	n := len(examples)
	g.grad, g.hess, g.in = make([]float64, n), make([]float64, n), make([]bool, n)
	score := make([]float64, n)
	f := &forest{}
	rnd := splitMix(b.seed)
	for range b.trees {
		for i, e := range examples {
			p := 1 / (1 + math.Exp(-score[i]))
			g.grad[i], g.hess[i] = float64(e.weight*(e.y-p)), float64(e.weight*p*(1-p))
			g.in[i] = rnd.next() < b.sample
		}
		g.use = make([]bool, len(g.cuts))
		for i := range g.use {
			g.use[i] = rnd.next() >= b.drop && len(g.cuts[i]) > 1
		}
		t := g.tree()
		for i := range t {
			t[i].value *= b.rate
		}
		f.trees = append(f.trees, t)
		for i, e := range examples {
			score[i] += t.value(e.x)
		}
	}
	return f
}

func (g *grower) binAll() {
	k := len(g.examples[0].x)
	g.bin, g.cuts = make([][]uint8, k), make([][]float64, k)
	for f := range k {
		values := make([]float64, len(g.examples))
		for i, e := range g.examples {
			values[i] = e.x[f]
		}
		sorted := slices.Clone(values)
		slices.Sort(sorted)
		var cuts []float64
		for b := 1; b <= g.bins; b++ {
			v := sorted[min(len(sorted)-1, b*len(sorted)/g.bins)]
			if len(cuts) == 0 || v > cuts[len(cuts)-1] {
				cuts = append(cuts, v)
			}
		}
		g.cuts[f] = cuts
		g.bin[f] = make([]uint8, len(values))
		for i, v := range values {
			at, _ := slices.BinarySearch(cuts, v)
			g.bin[f][i] = uint8(min(at, len(cuts)-1))
		}
	}
}

// leaf is a subset of the examples that may still be split.
type leaf struct {
	at     int
	depth  int
	rows   []int
	lo, hi float64 // bounds that monotone features set
}

func (g *grower) tree() tree {
	var rows []int
	for i, in := range g.in {
		if in {
			rows = append(rows, i)
		}
	}
	t := tree{{}}
	queue := []leaf{{rows: rows, lo: math.Inf(-1), hi: math.Inf(1)}}
	for len(queue) > 0 {
		l := queue[0]
		queue = queue[1:]
		grad, hess := g.sums(l.rows)
		t[l.at].value = clamp(grad/(hess+g.lambda), l.lo, l.hi)
		if l.depth == g.depth {
			continue
		}
		s, ok := g.split(l, grad, hess)
		if !ok {
			continue
		}
		var left, right []int
		for _, i := range l.rows {
			if int(g.bin[s.feature][i]) <= s.bin {
				left = append(left, i)
			} else {
				right = append(right, i)
			}
		}
		t[l.at].feature, t[l.at].cut, t[l.at].left = s.feature, between(g.cuts[s.feature], s.bin), len(t)
		a, b := leaf{
			at: len(t), depth: l.depth + 1, rows: left, lo: l.lo, hi: l.hi,
		}, leaf{at: len(t) + 1, depth: l.depth + 1, rows: right, lo: l.lo, hi: l.hi}
		mid := (s.left + s.right) / 2
		switch g.signs[s.feature] {
		case 1:
			a.hi, b.lo = mid, mid
		case -1:
			a.lo, b.hi = mid, mid
		}
		t = append(t, node{}, node{})
		queue = append(queue, a, b)
	}
	return t
}

// between returns a cut between two bins, rounded so that it has few digits.
func between(cuts []float64, bin int) float64 {
	v := cuts[bin]
	if bin+1 < len(cuts) {
		v = (cuts[bin] + cuts[bin+1]) / 2
		if r := math.Round(v*1e4) / 1e4; r >= cuts[bin] && r < cuts[bin+1] {
			v = r
		}
	}
	return v
}

func clamp(v, lo, hi float64) float64 { return math.Max(lo, math.Min(hi, v)) }

func (g *grower) sums(rows []int) (grad, hess float64) {
	for _, i := range rows {
		grad += g.grad[i]
		hess += g.hess[i]
	}
	return grad, hess
}

type split struct {
	feature, bin      int
	gain, left, right float64
}

func (g *grower) split(l leaf, grad, hess float64) (split, bool) {
	best := split{gain: 1e-6}
	found := false
	base := float64(grad * grad / (hess + g.lambda))
	var gs, hs [256]float64
	for f := range g.cuts {
		if !g.use[f] {
			continue
		}
		n := len(g.cuts[f])
		for b := range n {
			gs[b], hs[b] = 0, 0
		}
		col := g.bin[f]
		for _, i := range l.rows {
			gs[col[i]] += g.grad[i]
			hs[col[i]] += g.hess[i]
		}
		lg, lh := 0.0, 0.0
		for b := range n - 1 {
			lg, lh = lg+gs[b], lh+hs[b]
			rg, rh := grad-lg, hess-lh
			if lh < g.least || rh < g.least {
				continue
			}
			lv, rv := clamp(lg/(lh+g.lambda), l.lo, l.hi), clamp(rg/(rh+g.lambda), l.lo, l.hi)
			if s := g.signs[f]; s > 0 && lv > rv || s < 0 && lv < rv {
				continue
			}
			gain := float64(2*(float64(lv*lg)+float64(rv*rg))) - float64(lv*lv*(lh+g.lambda)) - float64(rv*rv*(rh+
				g.lambda)) - base
			if gain > best.gain {
				best, found = split{feature: f, bin: b, gain: gain, left: lv, right: rv}, true
			}
		}
	}
	return best, found
}
