package main

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"sanad/internal/domain/judge"
)

// The sets by what the reader's judge may do with them (spec/17-reader.md). The reader learned from none of the first
// two; of the third it learned from all rows but those that unseen.txt names, and a row that it learned from is not
// measured.
var (
	calibrateSets = strings.Fields("dev/wice dev/factcheck_bench train/diasumfact dev/fm2 train/fm2_more")
	measureSets   = strings.Fields("dev/ragtruth_qa dev/factscore_bio pairs/dev")
	learnedSets   = strings.Fields("dev/fever_sym train/gensearch train/summedits train/bump train/xsum_faith train/begin " +
		"train/negnli train/breaking_nli")
)

// writtenSets are the documents that were written for the training and that it did not learn from. The balances for
// documents are found on them too.
var writtenSets = []string{"written, kept"}

// unseen names the rows of learned sets that rows.py of the training keeps aside, whole groups of them.
//
//go:embed unseen.txt
var unseen string

// unseenRows returns the learned sets with their unseen rows alone.
func unseenRows(all []*set) []*set {
	aside := strings.Fields(unseen)
	var out []*set
	for _, s := range named(all, learnedSets) {
		part := *s
		part.rows = slices.DeleteFunc(slices.Clone(s.rows), func(r row) bool { return !slices.Contains(aside, r.ID) })
		for i := range part.rows {
			part.rows[i].set, part.rows[i].place = &part, i
		}
		out = append(out, &part)
	}
	return out
}

// writtenShare is what the written documents weigh against another set. Their claims share few words with the text, and
// teach not to count on shared words; answers of models take over most of theirs. With 1 ragtruth_qa loses a point and
// a half.
const writtenShare = 0.5

// curveSets are those of calibrateSets that curves are made of: people labelled them by their evidence alone. In
// factcheck_bench, whose labels are about the world, and diasumfact, about whole meetings, a sentence that says a claim
// is often labelled as not supporting it.
var curveSets = append(strings.Fields("dev/wice dev/fm2 train/fm2_more"), writtenSets...)

// part is a figure that the balances may use, and which way it may count: 1 for, -1 against, 0 either.
type part struct {
	figure string
	sign   int
}

// supportParts and conflictParts are what the two sums of a balance are made of. Whatever is added here must raise the
// figures of sets left out.
var (
	supportParts = []part{
		{"reads_support", 1}, {"reads_conflict", -1}, {"coverage", 1}, {"numbers_anywhere", 1}, {"differences", -1},
		{"agrees", 1},
	}
	conflictParts = []part{{"reads_conflict", 1}, {"reads_support", -1}, {"contradiction_rule", 1}, {"differences", 1}}
)

// seen is what the judge sees of a row before calibration.
type seen struct {
	windows  []judge.Seen
	document bool
}

// seeAll reads the English rows of sets.
func seeAll(all []*set, by judge.Reader) map[*row]*seen {
	list := map[*row]*seen{}
	for _, s := range all {
		for i := range s.rows {
			if s.rows[i].Lang != "ar" {
				list[&s.rows[i]] = &seen{}
			}
		}
	}
	eachRow(all, func(r *row) {
		if out := list[r]; out != nil {
			out.windows, out.document, _ = judge.See(context.Background(), by, r.Row) // one that is unjudged has no windows
		}
		r.plain = containment(r)
	})
	return list
}

// sum is a Sum that is being found, with the places of its figures in a window.
type sum struct {
	judge.Sum
	places []int
}

func newSum(parts []part) *sum {
	out := &sum{}
	for _, p := range parts {
		out.Parts = append(out.Parts, judge.Part{Figure: p.figure})
		out.places = append(out.places, slices.Index(judge.SeenNames(), p.figure))
	}
	return out
}

// of returns the figures of a window that the sum counts.
func (m *sum) of(w *judge.Seen) []float64 {
	out := make([]float64, len(m.places))
	for i, p := range m.places {
		out[i] = w.Figures[p]
	}
	return out
}

func (m *sum) score(w *judge.Seen) float64 {
	s := m.Bias
	for i, p := range m.places {
		s += float64(m.Parts[i].Weight * w.Figures[p])
	}
	return s
}

// best returns the window of a row that scores highest; nil if it has none.
func (m *sum) best(s *seen) *judge.Seen {
	var out *judge.Seen
	for i := range s.windows {
		if w := &s.windows[i]; out == nil || m.score(w) > m.score(out) {
			out = w
		}
	}
	return out
}

// rounds is how many times each row's best window is chosen again with the weights found so far.
const rounds = 4

// findSum finds the weights of a sum on rows that keep selects: each row by its best window, each set and each class of
// it weighing alike.
func findSum(parts []part, sets []*set, list map[*row]*seen, keep, label func(*row) bool) *sum {
	m := newSum(parts)
	signs := make([]int, len(parts))
	for i, p := range parts {
		signs[i] = p.sign
	}
	m.Parts[0].Weight = float64(parts[0].sign)
	for range rounds {
		var all []example
		for _, s := range sets {
			var of []example
			yes := 0.0
			for i := range s.rows {
				r := &s.rows[i]
				if list[r] == nil || !keep(r) || r.debatable() || len(list[r].windows) == 0 {
					continue
				}
				e := example{x: m.of(m.best(list[r]))}
				if label(r) {
					e.y = 1
					yes++
				}
				of = append(of, e)
			}
			share := setWeight / 2
			if slices.Contains(writtenSets, s.name) {
				share *= writtenShare
			}
			for i := range of {
				of[i].weight = share / (float64(len(of)) - yes)
				if of[i].y == 1 {
					of[i].weight = share / yes
				}
			}
			all = append(all, of...)
		}
		l := fitLogit(all, readerRidge, signs)
		m.Bias = l.bias
		for i := range m.Parts {
			m.Parts[i].Weight = short(l.weight[i] / l.scale[i])
			m.Bias -= float64(m.Parts[i].Weight * l.mean[i])
		}
		m.Bias = short(m.Bias)
	}
	return m
}

// readerRidge holds the weights of a sum small.
const readerRidge = 0.02

// findBalances finds the balances for a kind of evidence. Sets of sentences teach what documents say too: few sets of
// documents may be fitted on, and what their labels ask for differs. A row's own fold is never in what its curve is
// made of.
func findBalances(all []*set, documents bool, list map[*row]*seen) [folds + 1]judge.Balance {
	var mine, both []*set
	for _, s := range named(all, slices.Concat(calibrateSets, writtenSets)) {
		if documents || !s.documents {
			mine = append(mine, s)
		}
		if s.contradicts() {
			both = append(both, s)
		}
	}
	labelled := named(mine, curveSets)
	supports := func(r *row) bool { return r.supported() }
	contradicts := func(r *row) bool { return r.Label == "contradicted" }
	var support, conflict [folds + 1]*sum
	for f := range support {
		keep := func(r *row) bool { return r.fold != f }
		support[f] = findSum(supportParts, mine, list, keep, supports)
		conflict[f] = findSum(conflictParts, both, list, keep, contradicts)
	}
	var out [folds + 1]judge.Balance
	for f := range out {
		out[f].Support, out[f].Conflict = support[f].Sum, conflict[f].Sum
		out[f].Support.Curve = curveOf(labelled, list, f, support, supports, true)
		out[f].Conflict.Curve = curveOf(withContradictions(labelled), list, f, conflict, contradicts, false)
	}
	return out
}

func withContradictions(all []*set) []*set {
	return slices.DeleteFunc(slices.Clone(all), func(s *set) bool { return !s.contradicts() })
}

// curveOf makes a curve of the rows that are not in fold f, each scored by weights that did not see its fold. With
// anchored what a set's labels miss is made up for.
func curveOf(sets []*set, list map[*row]*seen, f int, by [folds + 1]*sum, label func(*row) bool, anchored bool) judge.Curve {
	var points []point
	for _, s := range sets {
		var mine []point
		n := 0.0
		for i := range s.rows {
			r := &s.rows[i]
			if list[r] == nil {
				continue
			}
			if n++; r.fold != f && len(list[r].windows) > 0 {
				mine = append(mine, point{by[r.fold].score(by[r.fold].best(list[r])), 0, float64(one(label(r)))})
			}
		}
		worth := 1.0
		if anchored {
			worth = 1 / ceiling(mine)
		}
		for i := range mine {
			mine[i].weight, mine[i].y = 1/max(n, leastOfSet), float64(mine[i].y*worth)
		}
		points = append(points, mine...)
	}
	return extended(curve(points, bins))
}

// extended lengthens a curve by two units at either end, along the log-odds that a sum is made of: what scores beyond
// the mean of the outermost rows differs too.
func extended(c judge.Curve) judge.Curve {
	beyond := func(end [2]float64, by float64) [2]float64 {
		p := 1 / (1 + math.Exp(-math.Log(end[1]/(1-end[1]))-by))
		return [2]float64{short(end[0] + by), math.Round(math.Min(p, surest)*1e4) / 1e4}
	}
	first, last := c[0], c[len(c)-1]
	return slices.Concat(judge.Curve{beyond(first, -2), beyond(first, -1)}, c, judge.Curve{beyond(last, 1), beyond(last, 2)})
}

// anchorRight is how often what scores highest is taken to be right.
const anchorRight = 0.87

// ceiling is the share of what is supported that a set labels so, 1 at most: the tenth of its rows that scores highest
// is taken to be supported nearly always, and what is labelled otherwise there is an error of the labels, as frequent
// elsewhere (Elkan and Noto 2008).
func ceiling(rows []point) float64 {
	sorted := slices.Clone(rows)
	slices.SortStableFunc(sorted, func(a, b point) int { return cmp.Compare(b.x, a.x) })
	top := sorted[:(len(sorted)+9)/10]
	yes := 0.0
	for _, p := range top {
		yes += p.y
	}
	return math.Min(1, yes/float64(len(top))/anchorRight)
}

func named(all []*set, names []string) (out []*set) {
	for _, s := range all {
		if slices.Contains(names, s.name) {
			out = append(out, s)
		}
	}
	return out
}

// reading measures the judge that has a reader, and with write stores what was found.
func reading(dir, weights string, write bool) error {
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
	every = append(every, own)
	group(every)
	all := append(named(every, slices.Concat(calibrateSets, measureSets, writtenSets)), unseenRows(every)...)
	list := seeAll(all, by)
	document, sentence := findBalances(all, true, list), findBalances(all, false, list)
	var judges [folds + 1]judge.Embedded
	for f := range judges {
		b := &judge.Balances{Reader: by.Digest(), Document: document[f], Sentence: sentence[f]}
		if f == folds && write {
			if err := save(filepath.Join(judgeDir, "weights", "reader.json"), b); err != nil {
				return err
			}
		}
		if b, err = ready(b); err != nil {
			return err
		}
		judges[f] = judge.NewEmbeddedWith(by, b)
	}
	after := answers(all, func(r *row) judge.Judge {
		if slices.Contains(calibrateSets, r.set.name) || slices.Contains(writtenSets, r.set.name) {
			return judges[r.fold]
		}
		return judges[folds]
	})
	pairs := named(all, []string{"pairs/dev"})
	before := answers(pairs, func(*row) judge.Judge { return judge.NewLexical() })
	var b strings.Builder
	withReader(&b, all, after)
	fmt.Fprint(&b, "\nPairs in English, by words and by the reader:\n\n"+pairColumns)
	for _, s := range pairs {
		pairsReport(&b, s, "en", before)
		pairsReport(&b, s, "en", after)
		byTopic(&b, s, before, after)
	}
	fmt.Print(b.String())
	if weights != shipped {
		return nil
	}
	return publish(byReader, b.String())
}

// withReader prints the figures of the judge that has a reader.
func withReader(w io.Writer, all []*set, after map[*row]answer) {
	for _, kind := range []struct {
		title string
		sets  []string
	}{
		{"Nothing learned, nothing fitted", measureSets},
		{"Nothing learned, calibrated on other groups of the same sets", calibrateSets},
		{"Unseen rows of learned sets", learnedSets},
		{"Documents written like those that were learned; the reader saw none of these, the balances other ones of them", writtenSets},
	} {
		fmt.Fprintf(w, "\n%s:\n\n%s", kind.title, columns)
		var sentences, documents figures
		for _, s := range named(all, kind.sets) {
			if s.pairs {
				continue
			}
			f := figuresOf(s, after)
			f.print(w, s.name)
			if s.documents {
				documents.add(f)
			} else {
				sentences.add(f)
			}
		}
		if sentences.sets > 0 {
			sentences.mean().print(w, "**mean, sentences**")
		}
		documents.mean().print(w, "**mean, documents**")
	}
}

// byTopic prints the confident errors and what is found by phenomenon.
func byTopic(w io.Writer, s *set, before, after map[*row]answer) {
	fmt.Fprint(w, "\n| phenomenon | never allowed | said supported, words → reader | follow | found, words → reader |\n|---|---|---|---|---|\n")
	var topics []string
	for i := range s.rows {
		if r := &s.rows[i]; r.Lang != "ar" && !slices.Contains(topics, r.Topic) {
			topics = append(topics, r.Topic)
		}
	}
	slices.Sort(topics)
	for _, topic := range topics {
		var n, follow, wrong0, wrong1, found0, found1 int
		for i := range s.rows {
			r := &s.rows[i]
			if r.Lang == "ar" || r.Topic != topic {
				continue
			}
			b, a := before[r].verdict == "supported", after[r].verdict == "supported"
			if r.never() {
				n++
				wrong0 += one(b)
				wrong1 += one(a)
			}
			if r.Ideal == "supported" {
				follow++
				found0 += one(b)
				found1 += one(a)
			}
		}
		fmt.Fprintf(w, "| %s | %d | %d → %d | %d | %d → %d |\n", topic, n, wrong0, wrong1, follow, found0, found1)
	}
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// ready makes balances as they are read from a file.
func ready(b *judge.Balances) (*judge.Balances, error) {
	data, err := json.Marshal(b)
	if err != nil {
		return nil, err
	}
	return judge.ReadBalances(data)
}
