package judge

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/exact"
)

// Labelled is what a reader says of a claim whose verdict a person gave.
type Labelled struct {
	Verdict            ledger.Verdict // weak and not found are "neither"
	Group              string         // what has the same evidence or the same session
	Supports, Contrary float64        // the most that a window does, as Logits prefer it
}

// Preferred returns what the reader says most of a claim, over the windows that it is read against, and whether there
// are any.
func (e Embedded) Preferred(claim string, x *Index) (l Labelled, found bool, err error) {
	sights, err := x.look(e.within, e.reader, strings.TrimSpace(claim), true)
	l.Supports, l.Contrary = math.Inf(-1), math.Inf(-1)
	for i := range sights {
		l.Supports = math.Max(l.Supports, sights[i].logits.support())
		l.Contrary = math.Max(l.Contrary, sights[i].logits.contradiction())
	}
	return l, len(sights) > 0, err
}

// LeastLabelled is the fewest rows of each verdict that a reader is calibrated on.
const LeastLabelled = 30

// calibrationFolds is in how many parts rows are split to measure a calibration on rows that it was not found on.
const calibrationFolds = 5

// noClass is the preference for a class that a model lacks: its bias is far below all others.
const noClass = -1000

// Calibrated is what was found on labelled rows, and how well it does on rows that it was not found on.
type Calibrated struct {
	Rows, Supported, Contradicted, Neither int
	RightBefore, RightAfter                float64 // share of rows whose class is right
	ErrorBefore, ErrorAfter                float64 // mean distance of probability and share right, by tenths
	Shown, ShownRight                      int     // rows that are supported after, and how many of them rightly
	Balances                               []byte  // to be stored, and read by ReadBalances
}

// Calibrate finds how a reader's preference becomes a probability. It refuses too few rows of a verdict, and a reader
// that does not prefer what is right. With a reader of two classes nothing is ever contradicted, and no such row is
// needed.
func Calibrate(reader string, rows []Labelled) (out Calibrated, err error) {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b Labelled) int { return cmp.Compare(a.Group, b.Group) })
	two := !slices.ContainsFunc(rows, func(l Labelled) bool { return l.Contrary > noClass })
	for _, l := range rows {
		switch {
		case l.Verdict == ledger.Supported:
			out.Supported++
		case l.Verdict == ledger.Contradicted && !two:
			out.Contradicted++
		default:
			out.Neither++
		}
	}
	out.Rows = len(rows)
	if least := min(out.Supported, out.Neither); least < LeastLabelled || !two && out.Contradicted < LeastLabelled {
		return out, domain.Refuse(domain.Invalid, "", "refused_reader_rows", "N", LeastLabelled, "Supported", out.Supported,
			"Contradicted", out.Contradicted, "Neither", out.Neither)
	}
	if groups := len(slices.CompactFunc(slices.Clone(rows), func(a, b Labelled) bool { return a.Group == b.Group })); groups < calibrationFolds {
		return out, domain.Refuse(domain.Invalid, "", "refused_reader_groups", "Count", groups, "N", calibrationFolds)
	}
	found := fitBoth(rows, two)
	for _, s := range []Sum{found.Support, found.Conflict} {
		if len(s.Parts) > 0 && s.Parts[0].Weight <= 0 {
			return out, domain.Refuse(domain.Invalid, "", "refused_reader_opposite")
		}
	}
	out.measure(rows, two)
	out.Balances, err = json.Marshal(Balances{Reader: reader, Document: found, Sentence: found})
	return out, err
}

// fitBoth finds both probabilities.
func fitBoth(rows []Labelled, two bool) Balance {
	support := fitLine(rows, func(l *Labelled) (float64, bool) { return l.Supports, l.Verdict == ledger.Supported })
	out := Balance{
		Support:  Sum{Bias: support[0], Parts: []Part{{Figure: "reads_support", Weight: support[1]}}},
		Conflict: Sum{Bias: -exact.MostExponent},
	}
	if !two {
		conflict := fitLine(rows, func(l *Labelled) (float64, bool) { return l.Contrary, l.Verdict == ledger.Contradicted })
		out.Conflict = Sum{Bias: conflict[0], Parts: []Part{{Figure: "reads_conflict", Weight: conflict[1]}}}
	}
	return out
}

// lineSteps is how many of Newton's steps find a line: it stands still after fewer than ten.
const lineSteps = 50

// fitLine finds bias and slope of the log-odds that a row is one (Platt 1999). So that few rows do not make sure, each
// is counted as nearly 1 or nearly 0, and large slopes cost a little.
func fitLine(rows []Labelled, of func(l *Labelled) (x float64, is bool)) (line [2]float64) {
	const ridge = 0.01
	yes, no := 0.0, 0.0
	for i := range rows {
		if _, is := of(&rows[i]); is {
			yes++
		} else {
			no++
		}
	}
	high, low := (yes+1)/(yes+2), 1/(no+2)
	line[0] = exact.Log((yes + 1) / (no + 1))
	for range lineSteps {
		var g [2]float64
		h := [3]float64{ridge, 0, ridge}
		g[1] = float64(ridge * line[1])
		for i := range rows {
			x, is := of(&rows[i])
			want := low
			if is {
				want = high
			}
			p := likelihood(line[0] + float64(line[1]*x))
			d, w := p-want, float64(p*(1-p))
			g[0] += d
			g[1] += float64(d * x)
			h[0] += w
			h[1] += float64(w * x)
			h[2] += float64(float64(w*x) * x)
		}
		det := float64(h[0]*h[2]) - float64(h[1]*h[1])
		step := [2]float64{(float64(h[2]*g[0]) - float64(h[1]*g[1])) / det, (float64(h[0]*g[1]) - float64(h[1]*g[0])) / det}
		most := math.Max(math.Abs(step[0]), math.Abs(step[1]))
		if !(most < math.Inf(1)) {
			return line
		}
		shrink := 1 / math.Max(1, most)
		line[0] -= float64(step[0] * shrink)
		line[1] -= float64(step[1] * shrink)
		if most < 1e-9 {
			break
		}
	}
	return line
}

// measure judges each row by what was found on the rows of other groups.
func (out *Calibrated) measure(rows []Labelled, two bool) {
	plain := uncalibrated.Document
	var before, after, is []float64
	for fold := range calibrationFolds {
		var others, own []Labelled
		for i, group := 0, 0; i < len(rows); i++ {
			if i > 0 && rows[i].Group != rows[i-1].Group {
				group++
			}
			if group%calibrationFolds == fold {
				own = append(own, rows[i])
			} else {
				others = append(others, rows[i])
			}
		}
		found := fitBoth(others, two)
		for i := range own {
			l := &own[i]
			p, q := found.of(l)
			raw, against := plain.of(l)
			before, after = append(before, raw), append(after, p)
			right := 0.0
			if l.Verdict == ledger.Supported {
				right = 1
			}
			is = append(is, right)
			if classOf(raw, against) == l.class(two) {
				out.RightBefore++
			}
			if classOf(p, q) == l.class(two) {
				out.RightAfter++
			}
			if p > fullMark && p >= q {
				out.Shown++
				out.ShownRight += int(right)
			}
		}
	}
	n := float64(len(rows))
	out.RightBefore, out.RightAfter = out.RightBefore/n, out.RightAfter/n
	out.ErrorBefore, out.ErrorAfter = calibrationError(before, is), calibrationError(after, is)
}

// of returns the probabilities that a claim is supported and contradicted.
func (b *Balance) of(l *Labelled) (p, q float64) {
	return likelihood(b.Support.of(func(int) float64 { return l.Supports })),
		likelihood(b.Conflict.of(func(int) float64 { return l.Contrary }))
}

// class is 1 for supported, -1 for contradicted, 0 for neither.
func (l *Labelled) class(two bool) int {
	switch {
	case l.Verdict == ledger.Supported:
		return 1
	case l.Verdict == ledger.Contradicted && !two:
		return -1
	}
	return 0
}

// classOf is the class that two probabilities speak for.
func classOf(p, q float64) int {
	switch {
	case p >= 0.5 && p >= q:
		return 1
	case q >= 0.5:
		return -1
	}
	return 0
}

// calibrationError is the mean distance between a probability and the share that is right, over tenths of it.
func calibrationError(p, is []float64) float64 {
	var sums, right [10]float64
	for i := range p {
		tenth := min(int(p[i]*10), 9)
		sums[tenth] += p[i]
		right[tenth] += is[i]
	}
	total := 0.0
	for i := range sums {
		total += math.Abs(sums[i] - right[i])
	}
	return total / math.Max(1, float64(len(p)))
}
