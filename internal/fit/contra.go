package main

import (
	"fmt"
	"math"
)

func trainCon(all []*set, keep func(s *set, r *row) bool) (model, *forest, *logit) {
	var ex []example
	for _, s := range all {
		if !s.fitted {
			continue
		}
		var part []example
		for i := range s.rows {
			r := &s.rows[i]
			if !keep(s, r) || r.fault != nil || len(r.sample.Passages) == 0 || s.name == "wice" && false {
				continue
			}
			if r.sample.Kind[0] == "" {
				continue
			}
			e := example{x: r.sample.Passages[0]}
			if r.Label == "contradicted" {
				e.y = 1
			}
			part = append(part, e)
		}
		for i := range part {
			part[i].weight = 500 / float64(len(part))
		}
		ex = append(ex, part...)
	}
	free := make([]int, len(names))
	f := grow(ex, boosting{trees: *nTrees, depth: *depth, rate: *rate, lambda: *lambda, least: *least / 4, drop: *drop, sample: *sub, bins: 64, signs: free, seed: 11})
	l := fitLogit(ex, *ridge, free)
	return func(x []float64) float64 { return *blend*f.score(x) + (1-*blend)*l.score(x) }, f, l
}

func runCon(all []*set) {
	cv := map[int]model{}
	sup := map[int]model{}
	for k := range folds {
		keep := func(s *set, r *row) bool { return r.fold != k }
		cv[k], _, _ = trainCon(all, keep)
		sup[k], _, _ = train(all, keep)
	}
	full, _, _ := trainCon(all, func(*set, *row) bool { return true })
	fullSup, _, _ := train(all, func(*set, *row) bool { return true })
	for _, mode := range []string{"rule", "model", "either"} {
		for _, mark := range []float64{0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8} {
			line := fmt.Sprintf("%-7s %.2f ", mode, mark)
			var P, R float64
			for _, s := range all {
				tp, fp, all := 0, 0, 0
				for i := range s.rows {
					r := &s.rows[i]
					con := r.Label == "contradicted"
					if con {
						all++
					}
					if r.fault != nil || len(r.sample.Passages) == 0 {
						continue
					}
					m, sp := full, fullSup
					if s.fitted {
						m, sp = cv[r.fold], sup[r.fold]
					}
					hit, supported := false, r.p(sp) >= 0.5
					for k, x := range r.sample.Passages {
						rule := r.sample.Rule[k]
						mod := r.sample.Kind[k] != "" && 1/(1+math.Exp(-m(x))) >= mark && !supported
						hit = hit || rule && mode != "model" || mod && mode != "rule"
						break
					}
					if hit && con {
						tp++
					} else if hit {
						fp++
					}
				}
				p, rc := 100*float64(tp)/math.Max(1, float64(tp+fp)), 100*float64(tp)/math.Max(1, float64(all))
				line += fmt.Sprintf("| %s %d/%d P%.0f R%.0f ", s.name[:3], tp, tp+fp, p, rc)
				if !s.documents {
					P += p / 3
					R += rc / 3
				}
			}
			fmt.Printf("%s || sentence P %.1f R %.1f\n", line, P, R)
			if mode == "rule" {
				break
			}
		}
	}
}
