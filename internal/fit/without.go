package main

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"sanad/internal/domain/judge"
)

// idea is a group of figures and rules that one piece of the judge computes, and that would go together.
type idea struct{ name, figures, rules string }

// ideas lists them. A figure that only sums up others (differences, agrees) is computed again without them.
var ideas = []idea{
	{"coverage, in detail", "coverage_sentence coverage_chunk coverage_exact coverage_plain coverage_head coverage_tail " +
		"coverage_rare context_rare coverage_specific context_specific coverage_specific_sentence coverage_topical", ""},
	{"parts of the claim", "part_least part_mean near_least near_mean", ""},
	{"how much is missing", "missing missing_everywhere missing_rarest missing_rarest_everywhere", ""},
	{"order", "longest_run order inverted compact", ""},
	{"letters", "letters", ""},
	{"names", "names names_anywhere other_name", ""},
	{"numbers, dates, bounds", "numbers numbers_anywhere other_number numbers_missing unit",
		"figure date unit bound cancelled"},
	{"negation in the sentence",
		"negation_differs negation_claim negation_source opposite turned_coverage turned_swapped", ""},
	{"what is negated", "polarity antonym", "polarity"},
	{"families of words", "modality_less quantifier_less condition exception extreme_missing hedge", ""},
	{"exceptions, conditions, only", "exception_lost condition_lost even_if only", "exception evenif only"},
	{"quantifiers", "quantifier", ""},
	{"modality", "plan obligation", ""},
	{"time", "time", "time"},
	{"sides", "exchanged", "exchanged comparison"},
	{"mixture", "mixed", "mixed"},
	{"a word of its kind", "kind swapped_number swapped_kind swapped_name swapped_kind_rest", ""},
	{"other words in its place", "other_word other_word_beside", ""},
	{"alignment", "missing_words own_words added swapped reworded swapped_rest swapped_alone", ""},
	{"length", "density evidence_length claim_length sentence_length window other_sentences one_sentence", ""},
	{"contradiction by rule", "contradiction_rule contradiction_rest", "contradiction"},
	{"tables", "", "cell"},
	{"frames", "", strings.Join(judge.FrameNames(), " ")},
}

// counted are the figures that differences counts, each as its own value or as one.
var counted = strings.Fields("exception_lost condition_lost even_if only quantifier plan obligation time exchanged mixed antonym " +
	"unit kind polarity other_number opposite other_name")

// isRead reports whether the judge with a reader counts a figure of the idea or heeds a rule of it. The other ideas are
// there for the judge by words.
func (d *idea) isRead() bool {
	return d.rules != "" || slices.ContainsFunc(strings.Fields(d.figures), func(name string) bool {
		return slices.Contains(counted, name) || slices.ContainsFunc(slices.Concat(supportParts, conflictParts),
			func(p part) bool { return p.figure == name })
	})
}

// places finds figures by their names.
func places(figures []string) (out []int) {
	for _, name := range figures {
		out = append(out, slices.Index(judge.SeenNames(), name))
	}
	return out
}

// without is a window as it would be seen without an idea.
func (d *idea) without(w *judge.Seen) judge.Seen {
	out := judge.Seen{Figures: slices.Clone(w.Figures), Same: w.Same}
	for _, rule := range w.Rules {
		if !slices.Contains(strings.Fields(d.rules), rule) {
			out.Rules = append(out.Rules, rule)
		}
	}
	sums := places([]string{"differences", "agrees", "missing_words"})
	gone := places(strings.Fields(d.figures))
	for _, p := range places(counted) {
		if slices.Contains(gone, p) && w.Figures[p] > 0 {
			out.Figures[sums[0]]--
		}
	}
	if out.Figures[sums[0]] = math.Max(0, out.Figures[sums[0]]); out.Figures[sums[0]] == 0 && w.Figures[sums[0]] > 0 &&
		w.Figures[sums[2]] == 0 {
		out.Figures[sums[1]] = 1
	}
	for _, p := range gone {
		out.Figures[p] = 0
	}
	return out
}

// trial is what a judge of some balances says of rows, contradictions apart.
type trial struct {
	chance map[*row]float64
	full   map[*row]bool
}

// try finds balances on what is seen, and asks the judge about each row.
func try(all []*set, list map[*row]*seen) (*trial, error) {
	document, sentence := findBalances(all, true, list), findBalances(all, false, list)
	out := &trial{map[*row]float64{}, map[*row]bool{}}
	for f := range document {
		b, err := ready(&judge.Balances{Document: document[f], Sentence: sentence[f]})
		if err != nil {
			return nil, err
		}
		for r, s := range list {
			if own := slices.Contains(calibrateSets, r.set.name); own && r.fold != f || !own && f != folds {
				continue
			}
			for i := range s.windows {
				p := b.Chance(&s.windows[i], s.document)
				if slices.ContainsFunc(s.windows[i].Rules, judge.Heeds) && !s.windows[i].Same {
					p = math.Min(p, mostOfPart)
				}
				out.chance[r] = math.Max(out.chance[r], p)
			}
			out.full[r] = judge.Carries(out.chance[r])
		}
	}
	return out, nil
}

// mostOfPart is the most that a window can have that a rule keeps from full support.
const mostOfPart = 0.84

// without prints what each idea is worth: over the reader's fixed answers the balances are found again without it. For
// Arabic, which has no reader, a logistic model of the rules' figures is found again.
func without(w io.Writer, dir, weights string) error {
	by, err := openReader(weights)
	if err != nil {
		return err
	}
	every, err := load(dir)
	if err != nil {
		return err
	}
	own, err := writtenRows(written)
	if err != nil {
		return err
	}
	group(append(slices.Clip(every), own))
	all := named(every, slices.Concat(calibrateSets, measureSets))
	both := append(slices.Clip(all), own)
	list := seeAll(both, by)
	base, err := try(both, list)
	if err != nil {
		return err
	}
	fmt.Fprint(w, "English, with the reader. A change of mean AUROC in points, and what 95 of 100 resamples lie between:\n\n"+
		"| without | documents | sentences | written | pairs found | confident errors that rise |\n"+
		"|---|---|---|---|---|---|\n")
	for i := range ideas {
		d := &ideas[i]
		if !d.isRead() {
			continue
		}
		less := map[*row]*seen{}
		for r, s := range list {
			t := &seen{document: s.document}
			for k := range s.windows {
				t.windows = append(t.windows, d.without(&s.windows[k]))
			}
			less[r] = t
		}
		got, err := try(both, less)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s |", d.name, change(all, true, base.chance, got.chance),
			change(all, false, base.chance, got.chance), change([]*set{own}, true, base.chance, got.chance))
		found, rise := 0, map[string]int{}
		for r := range list {
			switch {
			case !r.set.pairs || r.debatable():
			case r.never():
				rise[r.Topic] += one(got.full[r]) - one(base.full[r])
			case r.Ideal == "supported":
				found += one(got.full[r]) - one(base.full[r])
			}
		}
		fmt.Fprintf(w, " %+d |", found)
		for _, topic := range slices.Sorted(maps.Keys(rise)) {
			if rise[topic] > 0 {
				fmt.Fprintf(w, " %s %+d", topic, rise[topic])
			}
		}
		fmt.Fprintln(w, " |")
	}
	return withoutInArabic(w, every)
}

// change is by how much the mean AUROC of sets changes, with what 95 of 100 resamples lie between.
func change(all []*set, documents bool, before, after map[*row]float64) string {
	var sums []float64
	n, diff := 0.0, 0.0
	for _, s := range all {
		if s.documents != documents || s.pairs {
			continue
		}
		var p, q []float64
		var y []bool
		var groups []int
		for i := range s.rows {
			r := &s.rows[i]
			if v, ok := after[r]; ok {
				p, q, y, groups = append(p, v), append(q, before[r]), append(y, r.supported()), append(groups, r.group)
			}
		}
		if len(p) == 0 {
			continue
		}
		a, _ := auroc(p, y)
		b, _ := auroc(q, y)
		n, diff = n+1, diff+a-b
		if sums == nil {
			sums = make([]float64, resamples)
		}
		for k, g := range gains(p, q, y, groups) {
			sums[k] += g
		}
	}
	for k := range sums {
		sums[k] /= n
	}
	return fmt.Sprintf("%s (%s)", points(diff/n), interval(sums))
}

// withoutInArabic does the same for the rules that judge Arabic, by groups of rows left out.
func withoutInArabic(w io.Writer, every []*set) error {
	sampleAll(every)
	base := scoreArabic(every, nil)
	fmt.Fprint(w, "\nArabic, by rules:\n\n| without | sentences | pairs, rank |\n|---|---|---|\n")
	rank := func(p map[*row]float64) float64 { return ranked(every[len(every)-1], p) }
	fmt.Fprintf(w, "| nothing | – | %s |\n", percent(rank(base)))
	for i := range ideas {
		d := &ideas[i]
		if d.figures == "" {
			continue
		}
		got := scoreArabic(every, places(strings.Fields(d.figures)))
		fmt.Fprintf(w, "| %s | %s | %s |\n", d.name, change(every, false, base, got), percent(rank(got)))
	}
	return nil
}

// scoreArabic finds a logistic model without some figures on all sets, and scores the Arabic rows by one that did not
// see their fold. A passage that agrees in everything comes before others, one that a rule refutes behind them.
func scoreArabic(every []*set, gone []int) map[*row]float64 {
	first := func(r *row) []float64 { return r.sample.Passages[0] }
	out := map[*row]float64{}
	for f := range folds {
		var examples []example
		for _, s := range every {
			part, yes := s.examples(func(r *row) bool { return r.fold != f }, first, func(r *row) (bool, bool) { return r.supported(), true })
			for i := range part {
				e := &part[i]
				e.x = lacking(e.x, gone)
				e.weight = setWeight * s.share / 2 / float64(len(part)-yes)
				if e.y == 1 {
					e.weight = setWeight * s.share / 2 / float64(yes)
				}
			}
			examples = append(examples, part...)
		}
		m := fitLogit(examples, ridge, signs)
		for _, s := range every {
			for i := range s.rows {
				r := &s.rows[i]
				if r.Lang != "ar" || r.fold != f {
					continue
				}
				out[r] = math.Inf(-1)
				for k, x := range r.sample.Passages {
					p := m.score(lacking(x, gone))
					switch {
					case r.sample.Refuted[k]:
						p -= stratumGap
					case x[agreesAt] == 1 && r.sample.Vetoes[k] == "":
						p += stratumGap
					}
					out[r] = math.Max(out[r], p)
				}
			}
		}
	}
	return out
}

// stratumGap is more log-odds than passages of one stratum differ by.
const stratumGap = 100

// lacking returns figures without some.
func lacking(x []float64, gone []int) []float64 {
	if len(gone) == 0 {
		return x
	}
	out := slices.Clone(x)
	for _, p := range gone {
		out[p] = 0
	}
	return out
}

// ranked is the share of pairs of Arabic rows, one that follows and one that must not be supported, in which the first
// scores higher.
func ranked(s *set, p map[*row]float64) float64 {
	pairs := map[string][]*row{}
	for i := range s.rows {
		if r := &s.rows[i]; r.Lang == "ar" {
			pairs[r.Pair] = append(pairs[r.Pair], r)
		}
	}
	won, all := 0.0, 0.0
	for _, rows := range pairs {
		for _, a := range rows {
			for _, b := range rows {
				if a.Ideal != "supported" || !b.never() {
					continue
				}
				all++
				switch {
				case p[a] > p[b]:
					won++
				case p[a] == p[b]:
					won += 0.5
				}
			}
		}
	}
	return won / all
}
