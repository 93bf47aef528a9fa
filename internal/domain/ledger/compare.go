package ledger

import "slices"

// Compared reports whether a claim shows how far the machine can be trusted: a judge gave it a verdict, and a person's
// verdict is settled (Entry.Settled: not stale, not sealed, and two reviewers do not differ).
func Compared(machine Verdict, settled bool) bool { return settled && machine.Valid() }

// Table counts claims by two verdicts, in the order of Verdicts: one by row, the other by column, row by row. The
// caller chooses what is compared: two reviewers (Summary.Pairs), or the machine with people. nil is the empty table.
type Table []int

// Add counts n claims; it ignores verdicts other than the four.
func (t *Table) Add(row, column Verdict, n int) {
	i, j := slices.Index(Verdicts, row), slices.Index(Verdicts, column)
	if i < 0 || j < 0 {
		return
	}
	if *t == nil {
		*t = make(Table, len(Verdicts)*len(Verdicts))
	}
	(*t)[i*len(Verdicts)+j] += n
}

// AddAll adds the counts of another table.
func (t *Table) AddAll(other Table) {
	for _, row := range Verdicts {
		for _, column := range Verdicts {
			if n := other.At(row, column); n != 0 {
				t.Add(row, column, n)
			}
		}
	}
}

// At returns the number of claims with these two verdicts.
func (t Table) At(row, column Verdict) int {
	i, j := slices.Index(Verdicts, row), slices.Index(Verdicts, column)
	if i < 0 || j < 0 || t == nil {
		return 0
	}
	return t[i*len(Verdicts)+j]
}

// Row returns the number of claims of a row.
func (t Table) Row(v Verdict) (n int) {
	for _, w := range Verdicts {
		n += t.At(v, w)
	}
	return n
}

// Agreement computes how far the two agree. Kappa is (observed − expected) / (1 − expected) (Cohen 1960), where
// expected is the agreement by chance: that of two who choose each of the four verdicts as often as these did, but at
// random.
func (t Table) Agreement() Agreement {
	k := len(Verdicts)
	if len(t) != k*k {
		return Agreement{}
	}
	var a Agreement
	rows, columns := make([]int, k), make([]int, k)
	for i, n := range t {
		a.Both += n
		rows[i/k] += n
		columns[i%k] += n
		if i/k == i%k {
			a.Same += n
		}
	}
	chance := 0
	for i := range k {
		chance += rows[i] * columns[i]
	}
	if n := a.Both; n >= MinKappa && chance < n*n {
		observed, expected := float64(a.Same)/float64(n), float64(chance)/float64(n*n)
		kappa := (observed - expected) / (1 - expected)
		a.Kappa = &kappa
	}
	return a
}

// ConfidenceBins is the number of equal bins into which a Histogram divides the figures from 0 to 1; the last one
// includes 1. Histograms are stored, so the number never changes.
const ConfidenceBins = 10

// Histogram counts claims by the machine's verdict, in the order of Verdicts, and by the figure that is shown beside it:
// ConfidenceBins counts per verdict. Claims without a figure are left out: those that are unjudged or not found, and
// those whose verdict a person set. nil is the empty histogram.
type Histogram []int

// add counts an entry.
func (s *Histogram) add(e *Entry) {
	v := slices.Index(Verdicts, e.Machine)
	if e.Override || v < 0 || e.FigureSource() == "" {
		return
	}
	if *s == nil {
		*s = make(Histogram, len(Verdicts)*ConfidenceBins)
	}
	bin := min(ConfidenceBins-1, max(0, int(e.Shown()*ConfidenceBins)))
	(*s)[v*ConfidenceBins+bin]++
}

// At returns the number of claims of a verdict in a bin, from 0.
func (s Histogram) At(v Verdict, bin int) int {
	i := slices.Index(Verdicts, v)
	if i < 0 || bin < 0 || bin >= ConfidenceBins || len(s) != len(Verdicts)*ConfidenceBins {
		return 0
	}
	return s[i*ConfidenceBins+bin]
}

// Bin returns the number of claims in a bin, whatever their verdict.
func (s Histogram) Bin(bin int) (n int) {
	for _, v := range Verdicts {
		n += s.At(v, bin)
	}
	return n
}
