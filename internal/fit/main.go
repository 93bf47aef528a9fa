// Command fit finds the embedded judge's weights and measures it.
package main

import (
	"flag"
	"fmt"
	"math"
	"os"
	"sort"
	"strconv"
)

var (
	con    = flag.Bool("con", false, "")
	vetoes = flag.String("vetoes", "", "")
	capAt  = flag.Float64("cap", 0.49, "")
	out    = flag.String("write", "", "")
	back   = flag.Bool("background", false, "")
	nTrees = flag.Int("trees", 150, "")
	depth  = flag.Int("depth", 3, "")
	rate   = flag.Float64("rate", 0.06, "")
	lambda = flag.Float64("lambda", 5, "")
	least  = flag.Float64("least", 8, "")
	drop   = flag.Float64("drop", 0.5, "")
	sub    = flag.Float64("sample", 0.7, "")
	blend  = flag.Float64("blend", 0.5, "share of the trees")
	ridge  = flag.Float64("ridge", 0.01, "")
	docw   = flag.Float64("docw", 1, "")
	pick   = flag.String("pick", "max", "")
	verb   = flag.Bool("v", false, "")
	ablate = flag.String("ablate", "", "")
	errs   = flag.String("errs", "", "")
)

func main() {
	flag.BoolVar(&byRow, "byrow", false, "")
	flag.Parse()
	all, err := load("/work/shared/eval/dev")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if *back {
		if err := writeBackground(os.Stdout, all); err != nil {
			panic(err)
		}
		return
	}
	if *con {
		runCon(all)
		return
	}
	run(all)
}

type model func(x []float64) float64

var names, signs = figures()

func train(all []*set, keep func(s *set, r *row) bool) (model, *forest, *logit) {
	var ex []example
	for _, s := range all {
		if !s.fitted {
			continue
		}
		var part []example
		pos, neg := 0.0, 0.0
		for i := range s.rows {
			r := &s.rows[i]
			if !keep(s, r) || r.fault != nil || len(r.sample.Passages) == 0 {
				continue
			}
			e := example{x: r.sample.Passages[0]}
			if r.supported() {
				e.y = 1
				pos++
			} else {
				neg++
			}
			part = append(part, e)
		}
		w := 500.0
		if s.documents {
			w *= *docw
		}
		for i := range part {
			if part[i].y == 1 {
				part[i].weight = w / 2 / pos
			} else {
				part[i].weight = w / 2 / neg
			}
		}
		ex = append(ex, part...)
	}
	f := grow(ex, boosting{trees: *nTrees, depth: *depth, rate: *rate, lambda: *lambda, least: *least / 4, drop: *drop, sample: *sub, bins: 64, signs: signs, seed: 7})
	l := fitLogit(ex, *ridge, signs)
	return func(x []float64) float64 { return *blend*f.score(x) + (1-*blend)*l.score(x) }, f, l
}

func (r *row) p(m model) float64 {
	if r.fault != nil {
		return 0.5
	}
	if len(r.sample.Passages) == 0 {
		return 0.02
	}
	best := 0.0
	for i, x := range r.sample.Passages {
		p := 1 / (1 + math.Exp(-m(x)))
		for k, c := range *vetoes {
			if c == '1' && r.sample.Vetoes[i][k] {
				p = math.Min(p, *capAt*p)
			}
		}
		best = math.Max(best, p)
		if *pick == "top" {
			break
		}
	}
	return best
}

func run(all []*set) {
	full, f, l := train(all, func(*set, *row) bool { return true })
	if *out != "" {
		if err := save(*out+"/support.json", weights(f, l, *blend)); err != nil {
			panic(err)
		}
		_, cf, cl := trainCon(all, func(*set, *row) bool { return true })
		if err := save(*out+"/conflict.json", weights(cf, cl, *blend)); err != nil {
			panic(err)
		}
		return
	}
	if *verb {
		g := f.gains(len(names))
		idx := make([]int, len(names))
		for i := range idx {
			idx[i] = i
		}
		sort.Slice(idx, func(a, b int) bool { return g[idx[a]] > g[idx[b]] })
		for _, i := range idx {
			fmt.Printf("%-26s gain %8.1f  logit %6.3f\n", names[i], g[i], l.weight[i])
		}
	}
	cv := map[int]model{}
	for k := range folds {
		cv[k], _, _ = train(all, func(s *set, r *row) bool { return r.fold != k })
	}
	head := []string{"doc", "sent", "doc-lso", "sent-lso"}
	sums := map[string][]float64{}
	fmt.Printf("%-16s %5s %5s | %-28s | %-28s | %-20s\n", "set", "n", "base", "CV  bacc best auroc p80 ece", "LSO bacc best auroc p80", "fitted bacc auroc")
	for _, s := range all {
		lso := full
		if s.fitted {
			lso, _, _ = train(all, func(o *set, r *row) bool { return o != s })
		}
		var y []bool
		var a, b, c []float64
		for i := range s.rows {
			r := &s.rows[i]
			y = append(y, r.supported())
			m := full
			if s.fitted {
				m = cv[r.fold]
			}
			a = append(a, r.p(m))
			b = append(b, r.p(lso))
			c = append(c, r.p(full))
		}
		if *errs == s.name {
			dumpErrors(s, a)
		}
		ma, mb, mc := measure(a, y, .5), measure(b, y, .5), measure(c, y, .5)
		pc := func(v float64) string { return strconv.FormatFloat(100*v, 'f', 1, 64) }
		fmt.Printf("%-16s %5d %5s | %s %s %s %s %s | %s %s %s %s | %s %s\n", s.name, len(y), pc(ma.base), pc(ma.bacc), pc(ma.best), pc(ma.auroc), pc(ma.p80), pc(ma.ece), pc(mb.bacc), pc(mb.best), pc(mb.auroc), pc(mb.p80), pc(mc.bacc), pc(mc.auroc))
		k := "sent"
		if s.documents {
			k = "doc"
		}
		add := func(k string, m measured) {
			sums[k] = append(sums[k], m.bacc, m.best, m.auroc, m.p80)
		}
		add(k, ma)
		add(k+"-lso", mb)
	}
	for _, h := range head {
		v := sums[h]
		var t [4]float64
		for i := range v {
			t[i%4] += v[i] / float64(len(v)/4) * 100
		}
		fmt.Printf("%-10s bacc %.1f  best %.1f auroc %.1f p80 %.1f\n", h, t[0], t[1], t[2], t[3])
	}
}

func dumpErrors(s *set, p []float64) {
	idx := make([]int, len(p))
	for i := range idx {
		idx[i] = i
	}
	wrong := func(i int) float64 {
		if s.rows[i].supported() {
			return 1 - p[i]
		}
		return p[i]
	}
	sort.SliceStable(idx, func(a, b int) bool { return wrong(idx[a]) > wrong(idx[b]) })
	for _, i := range idx[:80] {
		r := &s.rows[i]
		t := r.Evidence[0].Text
		if len(t) > 900 {
			t = t[:900]
		}
		fmt.Printf("--- p=%.2f %s %s\n C: %s\n E: %s\n", p[i], r.Label, r.ID, r.Claim, t)
	}
}
