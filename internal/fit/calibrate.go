package main

import (
	"cmp"
	"math"
	"slices"

	"sanad/internal/domain/judge"
)

// scored is what a model that never saw a row's block says of it.
type scored struct {
	row      *row
	support  float64 // log-odds of the passage that decides
	stratum  stratum // of that passage
	conflict float64 // log-odds that the closest passage contradicts
}

// stratum is what curve a passage belongs to.
type stratum int

const (
	vetoed stratum = iota // a rule keeps it from full support
	ordinary
	agreeing // it has all of the claim's words, and nothing differs
)

// agreesAt and ruledAt are the places of the figures that tell the strata.
var agreesAt, ruledAt = slices.Index(names, "agrees"), slices.Index(names, "contradiction_rule")

// score asks the models about a row: the passage of the best stratum that supports most decides.
func (m models) score(r *row) scored {
	out := scored{row: r, support: math.Inf(-1)}
	for i, x := range r.sample.Passages {
		p, at := m.support.score(x), ordinary
		switch {
		case r.sample.Refuted[i]:
			at = vetoed
		case x[agreesAt] == 1 && r.sample.Vetoes[i] == "":
			at = agreeing
		}
		if at > out.stratum || at == out.stratum && p > out.support {
			out.support, out.stratum = p, at
		}
	}
	if len(r.sample.Passages) > 0 {
		out.conflict = m.conflict.score(r.sample.Passages[0])
	}
	return out
}

// point is a labelled score with its weight.
type point struct {
	x, weight float64
	y         float64 // 1 for a row that is one, 0 for another; more where labels are known to miss some (ceiling)
}

// calibrate finds the curves on scores that keep selects. Sets weigh alike within a curve; the pairs, which are no
// sample of what comes, count only where there is little else.
func calibrate(all []scored, keep func(*row) bool) *judge.Calibration {
	c := &judge.Calibration{Support: map[string]judge.Curve{}, Conflict: map[string]judge.Curve{}}
	use := func(want func(*scored) bool, y func(*row) bool, x func(*scored) float64) []point {
		var out []point
		count := map[*set]float64{}
		for pass := range 2 { // first count, then weigh
			for i := range all {
				s := &all[i]
				if !s.row.set.fitted || !keep(s.row) || s.row.debatable() || len(s.row.sample.Passages) == 0 || !want(s) {
					continue
				}
				if pass == 0 {
					count[s.row.set]++
					continue
				}
				out = append(out, point{x(s), s.row.set.like / max(count[s.row.set], leastOfSet), float64(one(y(s.row)))})
			}
		}
		return out
	}
	yes := func(r *row) bool { return r.supported() }
	no := func(r *row) bool { return r.Label == "contradicted" }
	support := func(s *scored) float64 { return s.support }
	conflict := func(s *scored) float64 { return s.conflict }
	for _, arabic := range []bool{false, true} {
		for _, document := range []bool{false, true} {
			name := judge.CurveName(document, arabic)
			of := func(s *scored) bool { return s.row.sample.Curve == name }
			if arabic && document { // too few rows: all that is Arabic
				of = func(s *scored) bool { return s.row.Lang == "ar" }
			}
			for at, prefix := range []string{vetoed: "vetoed ", ordinary: "", agreeing: "agreeing "} {
				parts := bins
				if stratum(at) == agreeing {
					parts = fewBins
				}
				c.Support[prefix+name] = curve(use(func(s *scored) bool {
					return of(s) && s.stratum == stratum(at) && !s.row.sample.Verbatim
				}, yes, support), parts)
			}
			for _, byRule := range []bool{false, true} {
				prefix, parts := "", bins
				if byRule {
					prefix, parts = "ruled ", fewBins
				}
				c.Conflict[prefix+name] = curve(use(func(s *scored) bool {
					return of(s) && s.row.sample.Differs && s.row.set.contradicts() &&
						(s.row.sample.Passages[0][ruledAt] == 1) == byRule
				}, no, conflict), parts)
			}
		}
	}
	c.Support["unread"] = judge.Curve{{0, 0.05}}
	return c
}

// leastOfSet is the number of rows in a curve below which a set weighs less.
const leastOfSet = 150

// curve fits an isotonic regression, smoothed to a few points.
func curve(points []point, parts float64) judge.Curve {
	if len(points) == 0 {
		return judge.Curve{{0, 0.5}}
	}
	slices.SortStableFunc(points, func(a, b point) int { return cmp.Compare(a.x, b.x) })
	type block struct{ x, y, weight float64 }
	total := 0.0
	for _, p := range points {
		total += p.weight
	}
	// first bins of equal weight, so that no point rests on a few rows, then pool adjacent violators
	var blocks []block
	var open block
	for i, p := range points {
		open.x += float64(p.x * p.weight)
		open.y += float64(p.weight * p.y)
		open.weight += p.weight
		if open.weight >= total/parts || i == len(points)-1 {
			blocks = append(blocks, open)
			open = block{}
			for n := len(blocks); n > 1 && blocks[n-2].y/blocks[n-2].weight >= blocks[n-1].y/blocks[n-1].weight; n-- {
				a, b := blocks[n-2], blocks[n-1]
				blocks = append(blocks[:n-2], block{a.x + b.x, a.y + b.y, a.weight + b.weight})
			}
		}
	}
	var out judge.Curve
	for _, b := range blocks {
		// two rows' weight of doubt on either side
		p := math.Min((b.y+float64(0.5*doubt*total))/(b.weight+float64(doubt*total)), surest)
		if n := len(out); n > 0 && short(b.x/b.weight) <= out[n-1][0] {
			continue
		}
		out = append(out, [2]float64{short(b.x / b.weight), math.Round(p*1e4) / 1e4})
	}
	return out
}

const (
	bins    = 14.0  // equal parts of the rows that a curve is made of at most
	fewBins = 2.0   // the same of passages that agree: how closely they do tells little more
	surest  = 0.98  // of a curve
	doubt   = 0.001 // weight of an unseen row for and against, in parts of all
)
