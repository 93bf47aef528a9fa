package main

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"sanad/internal/domain/judge"
)

// objections counts what a rule says no to where the reader alone says supported.
type objections struct {
	rows, right int      // rows that the rule alone keeps from "supported", and those of them that are not
	doubt       float64  // the sum of the reader's own doubt about these rows
	last, saved int      // the same where every other rule that is heeded lets the row pass
	wrong       []string // rows that are supported all the same
}

// objectionKinds are the columns of the report.
var objectionKinds = []struct {
	title string
	sets  []string
}{
	{"sets never learned from", append(slices.Clone(calibrateSets), measureSets[:2]...)},
	{"pairs", []string{"pairs/dev"}},
}

// vetoes measures each rule and each frame against the reader: where the reader alone says supported and the rule
// speaks against it, who is right.
func vetoes(w io.Writer, dir, weights string) error {
	by, err := openReader(weights)
	if err != nil {
		return err
	}
	every, err := load(dir)
	if err != nil {
		return err
	}
	all := named(every, slices.Concat(calibrateSets, measureSets))
	list := seeAll(all, by)
	document, sentence := findBalances(all, true, list), findBalances(all, false, list)
	var balances [folds + 1]*judge.Balances
	for f := range balances {
		if balances[f], err = ready(&judge.Balances{Document: document[f], Sentence: sentence[f]}); err != nil {
			return err
		}
	}
	counts := make([]map[string]*objections, len(objectionKinds))
	base := make([]objections, len(objectionKinds))
	framed := map[string]*objections{}
	for k, kind := range objectionKinds {
		counts[k] = map[string]*objections{}
		for _, s := range named(all, kind.sets) {
			for i := range s.rows {
				r := &s.rows[i]
				if list[r] == nil || r.debatable() || len(list[r].windows) == 0 {
					continue
				}
				b := balances[folds]
				if slices.Contains(calibrateSets, s.name) {
					b = balances[r.fold]
				}
				base[k].count(counts[k], list[r], b, r)
				if !s.pairs {
					countFrames(framed, list[r], b, r)
				}
			}
		}
	}
	fmt.Fprint(w, "\n| rule |")
	for k, kind := range objectionKinds {
		fmt.Fprintf(w, " %s (%d said, %s %% wrong) | reader's doubt | only it |", kind.title, base[k].rows,
			percent(float64(base[k].right)/float64(base[k].rows)))
	}
	fmt.Fprint(w, " surer | wrong about |\n|---|---|---|")
	for range objectionKinds {
		fmt.Fprint(w, "---|---|---|")
	}
	fmt.Fprintln(w)
	names := map[string]bool{}
	for _, c := range counts {
		for name := range c {
			names[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		mark := ""
		if !judge.Heeds(name) {
			mark = " (not heeded)"
		}
		fmt.Fprintf(w, "| %s%s |", name, mark)
		for k := range counts {
			c := counts[k][name]
			if c == nil || c.rows == 0 {
				fmt.Fprint(w, " – | – | – |")
				continue
			}
			fmt.Fprintf(w, " %d of %d | %s | %d of %d |", c.right, c.rows, percent(c.doubt/float64(c.rows)), c.saved, c.last)
		}
		var wrong []string
		sure := 0
		for k := range counts {
			if c := counts[k][name]; c != nil {
				wrong = append(wrong, c.wrong...)
				sure += 2*c.right - c.rows
			}
		}
		fmt.Fprintf(w, " %s |%s\n", map[bool]string{true: "yes", false: "no"}[sure > 0], some(wrong))
	}
	fmt.Fprint(w, "\n| frame | rows of sets whose best window has it | labelled supported | such as |\n|---|---|---|---|\n")
	for _, name := range judge.FrameNames() {
		if c := framed[name]; c != nil {
			fmt.Fprintf(w, "| %s | %d | %d |%s\n", name, c.rows, c.rows-c.right, some(c.wrong))
		} else {
			fmt.Fprintf(w, "| %s | 0 | 0 |\n", name)
		}
	}
	return nil
}

// some is a column of the first of some rows.
func some(ids []string) string {
	out := " "
	for _, id := range ids[:min(len(ids), 6)] {
		out += "`" + id + "` "
	}
	return out + "|"
}

// wrong reports whether a row must not be called supported.
func (r *row) wrong() bool {
	if r.set.pairs {
		return r.never()
	}
	return !r.supported()
}

// count counts a row that the reader alone calls supported for each rule that speaks against it.
func (o *objections) count(by map[string]*objections, s *seen, b *judge.Balances, r *row) {
	best, heeded := 0.0, map[string]bool{}
	objects := map[string]int{} // rule → windows that it keeps from full support
	full, passed := 0, false    // windows that carry the claim, and whether one does that no rule speaks against
	for i := range s.windows {
		w := &s.windows[i]
		p := b.Chance(w, s.document)
		if !judge.Carries(p) {
			continue
		}
		full++
		best = max(best, p)
		rules := slices.Compact(slices.Sorted(slices.Values(w.Rules)))
		for _, rule := range rules {
			objects[rule]++
		}
		rules = slices.DeleteFunc(rules, func(rule string) bool { return !judge.Heeds(rule) })
		switch len(rules) {
		case 0:
			passed = true
		case 1:
			heeded[rules[0]] = true
		}
	}
	if full == 0 {
		return
	}
	o.rows++
	o.right += one(r.wrong())
	for rule, n := range objects {
		if n < full {
			continue
		}
		c := by[rule]
		if c == nil {
			c = &objections{}
			by[rule] = c
		}
		c.rows++
		c.right += one(r.wrong())
		c.doubt += 1 - best
		if !r.wrong() {
			c.wrong = append(c.wrong, r.ID)
		}
		if !passed && (heeded[rule] || !judge.Heeds(rule) && len(heeded) == 0) {
			c.last++
			c.saved += one(r.wrong())
		}
	}
}

// countFrames counts a row for each frame of its best window, whatever the reader says of it.
func countFrames(by map[string]*objections, s *seen, b *judge.Balances, r *row) {
	best := slices.MaxFunc(s.windows, func(v, w judge.Seen) int {
		return int(1e6 * (b.Chance(&v, s.document) - b.Chance(&w, s.document)))
	})
	for _, name := range judge.FrameNames() {
		if !slices.Contains(best.Rules, name) {
			continue
		}
		if by[name] == nil {
			by[name] = &objections{}
		}
		by[name].rows++
		by[name].right += one(r.wrong())
		by[name].wrong = append(by[name].wrong, r.ID)
	}
}
