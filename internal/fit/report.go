package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
)

const (
	reportFile = "docs/judge.md"
	chartFile  = "docs/judge.svg"
	begin      = "<!-- figures: make eval -->\n"
	end        = "<!-- end of figures -->\n"
)

// result is what was measured on one set.
type result struct {
	set      *set
	baseline baseline
	// by the shipped weights; by weights trained without the row's fold; by weights trained without the set
	fitted, cross, left []answer
}

// report measures the judge on all sets, and writes the figures to w and to docs.
func report(w io.Writer, all []*set, shipped judge.Judge) error {
	cross := make([]judge.Judge, folds)
	for k := range folds {
		cross[k] = find(all, func(_ *set, r *row) bool { return r.fold != k }).judge()
	}
	var results []result
	for _, s := range all {
		r := result{set: s, baseline: baselineOf(s)}
		r.fitted = answers(s, func(*row) judge.Judge { return shipped })
		r.cross, r.left = r.fitted, r.fitted
		if s.fitted {
			left := find(all, func(o *set, _ *row) bool { return o != s }).judge()
			r.cross = answers(s, func(r *row) judge.Judge { return cross[r.fold] })
			r.left = answers(s, func(*row) judge.Judge { return left })
		}
		results = append(results, r)
	}
	var b strings.Builder
	table(&b, results)
	contradictions(&b, results)
	languages(&b, results)
	risk(&b, results)
	confusions(&b, results)
	if err := splitting(&b, all); err != nil {
		return err
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return err
	}
	if err := os.WriteFile(chartFile, []byte(chart(results)), 0o644); err != nil {
		return err
	}
	doc, err := os.ReadFile(reportFile)
	if err != nil {
		return err
	}
	head, rest, ok := strings.Cut(string(doc), begin)
	_, tail, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return fmt.Errorf("%s: the marks around the figures are missing", reportFile)
	}
	return os.WriteFile(reportFile, []byte(head+begin+b.String()+end+tail), 0o644)
}

func percent(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	return fmt.Sprintf("%.1f", 100*v)
}

// table prints a line per set and the means of both kinds of sets.
func table(w io.Writer, results []result) {
	fmt.Fprint(w, "\nBalanced accuracy / AUROC of *supported or not*; precision of *supported* on the 80 % most certain rows; share with another verdict than *weak*.\n\n",
		"| set | rows | containment | fitted | cross-validated | set left out | P@80 | coverage | ECE |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, documents := range []bool{true, false} {
		var part []result
		var baselines []baseline
		for _, r := range results {
			if r.set.documents == documents {
				part, baselines = append(part, r), append(baselines, r.baseline)
			}
		}
		mark := bestThreshold(baselines)
		var sum [11]float64
		for _, r := range part {
			f, c, l := measure(r.fitted), measure(r.cross), measure(r.left)
			line := [11]float64{r.baseline.at(mark), r.baseline.area, f.bacc, f.auroc, c.bacc, c.auroc, l.bacc, l.auroc,
				c.p80, c.coverage, c.ece}
			name := r.set.name
			if !r.set.fitted {
				name += " (never fitted)"
			}
			write(w, name, fmt.Sprint(c.n), line)
			for i, v := range line {
				sum[i] += v / float64(len(part))
			}
		}
		name := "**mean of sentences**"
		if documents {
			name = "**mean of documents**"
		}
		write(w, name, "", sum)
	}
}

func write(w io.Writer, name, rows string, v [11]float64) {
	fmt.Fprintf(w, "| %s | %s |", name, rows)
	for i := 0; i < 8; i += 2 {
		fmt.Fprintf(w, " %s / %s |", percent(v[i]), percent(v[i+1]))
	}
	fmt.Fprintf(w, " %s | %s | %s |\n", percent(v[8]), percent(v[9]), percent(v[10]))
}

// contradictions prints the precision and recall of contradicted.
func contradictions(w io.Writer, results []result) {
	fmt.Fprint(w, "\n*Contradicted*, cross-validated: how often it was said, rightly, and what share of the contradicted rows that is.\n\n",
		"| set | contradicted rows | said | right | precision | recall |\n|---|---|---|---|---|---|\n")
	var p, r, n float64
	for _, x := range results {
		m := measure(x.cross)
		if m.con == 0 && m.saidCon == 0 {
			continue
		}
		precision, recall := "–", "–"
		if m.saidCon > 0 {
			precision = percent(m.precisionCon())
		}
		if m.con > 0 {
			recall = percent(m.recallCon())
		}
		fmt.Fprintf(w, "| %s | %d | %d | %d | %s | %s |\n", x.set.name, m.con, m.saidCon, m.rightCon, precision, recall)
		if !x.set.documents {
			p, r, n = p+m.precisionCon(), r+m.recallCon(), n+1
		}
	}
	fmt.Fprintf(w, "| **mean of sentences** | | | | %s | %s |\n", percent(p/n), percent(r/n))
}

// languages prints the figures of each language over all sets.
func languages(w io.Writer, results []result) {
	by := map[string][]answer{}
	for _, r := range results {
		for _, a := range r.cross {
			by[a.row.Lang] = append(by[a.row.Lang], a)
		}
	}
	fmt.Fprint(w, "\nBy language, all rows together, cross-validated.\n\n| language | rows | BAcc / AUROC | P@80 | coverage |\n|---|---|---|---|---|\n")
	for _, lang := range []string{"en", "ar"} {
		m := measure(by[lang])
		fmt.Fprintf(w, "| %s | %d | %s / %s | %s | %s |\n", lang, m.n, percent(m.bacc), percent(m.auroc),
			percent(m.p80), percent(m.coverage))
	}
}

// curve returns the precision of supported and the accuracy at 10, 20 … 100 % coverage: means over the sets of one
// kind.
func curve(results []result, documents bool) (precision, accuracy [10]float64) {
	n := 0.0
	var said [10]float64
	for _, r := range results {
		if r.set.documents != documents {
			continue
		}
		n++
		p, y := make([]float64, len(r.cross)), make([]bool, len(r.cross))
		for i, a := range r.cross {
			p[i], y[i] = a.p, a.row.supported()
		}
		for k := range 10 {
			pr, ac := atCoverage(p, y, 10*(k+1))
			accuracy[k] += ac
			if !math.IsNaN(pr) {
				precision[k], said[k] = precision[k]+pr, said[k]+1
			}
		}
	}
	for k := range 10 {
		precision[k], accuracy[k] = precision[k]/said[k], accuracy[k]/n
	}
	return precision, accuracy
}

// risk prints the risk–coverage curve.
func risk(w io.Writer, results []result) {
	fmt.Fprint(w, "\nThe most certain rows only, cross-validated, mean of the sets where any are said to be supported: precision of *supported* / accuracy.\n\n| share of rows | documents | sentences |\n|---|---|---|\n")
	dp, da := curve(results, true)
	sp, sa := curve(results, false)
	for k := range 10 {
		fmt.Fprintf(w, "| %d %% | %s / %s | %s / %s |\n", 10*(k+1), percent(dp[k]), percent(da[k]), percent(sp[k]),
			percent(sa[k]))
	}
	fmt.Fprint(w, "\n![Accuracy against the share of rows that are decided, for documents and sentences](judge.svg)\n")
}

// confusions prints the most frequent wrong answers by set and label, each with its most certain row.
func confusions(w io.Writer, results []result) {
	fmt.Fprint(w, "\nWrong verdicts that matter most, cross-validated: said to be supported or contradicted, and not so labelled.\n\n",
		"| set | label | said | rows | of the label's rows | most wrong |\n|---|---|---|---|---|---|\n")
	type line struct {
		text  string
		share float64
	}
	var lines []line
	for _, r := range results {
		for _, label := range []string{"supported", "contradicted", "not_found"} {
			for _, said := range []ledger.Verdict{ledger.Supported, ledger.Contradicted} {
				if label == string(said) {
					continue
				}
				all, wrong := 0, []answer(nil)
				for _, a := range r.cross {
					if a.row.Label != label {
						continue
					}
					all++
					if a.verdict == said {
						wrong = append(wrong, a)
					}
				}
				if len(wrong) == 0 {
					continue
				}
				slices.SortStableFunc(wrong,
					func(a, b answer) int { return cmp.Compare(math.Abs(b.p-0.5), math.Abs(a.p-0.5)) })
				share := float64(len(wrong)) / float64(all)
				id := "`" + wrong[0].row.ID + "`"
				if !r.set.fitted {
					id = ""
				}
				lines = append(lines,
					line{fmt.Sprintf("| %s | %s | %s | %d | %s %% | %s |\n", r.set.name, label, said, len(wrong),
						percent(share), id), share})
			}
		}
	}
	slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(b.share, a.share) })
	for _, l := range lines[:min(len(lines), 12)] {
		fmt.Fprint(w, l.text)
	}
	fmt.Fprintln(w)
}

// chart returns the accuracy curves as SVG.
func chart(results []result) string {
	var b strings.Builder
	fmt.Fprint(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 560 320" width="560" height="320" font-family="sans-serif" font-size="12" role="img">
<title>Accuracy against the share of rows that are decided</title>
<rect width="560" height="320" fill="#ffffff"/>
`)
	x := func(k int) float64 { return 60 + float64(k)*52 }
	y := func(v float64) float64 { return 280 - (v-0.5)*480 }
	for _, v := range []float64{0.5, 0.6, 0.7, 0.8, 0.9, 1} {
		fmt.Fprintf(&b, `<path d="M60 %.1fH528" stroke="#d0d0d0"/><text x="52" y="%.1f" text-anchor="end">%.0f %%</text>`+"\n", y(v), y(v)+4, 100*v)
	}
	for k := range 10 {
		fmt.Fprintf(&b, `<text x="%.1f" y="298" text-anchor="middle">%d %%</text>`+"\n", x(k), 10*(k+1))
	}
	for _, kind := range []struct {
		documents   bool
		name, color string
		beside      float64 // distance of the label from the curve's end
	}{{
		documents: true, name: "documents", color: "#0b5cad", beside: -14,
	}, {name: "sentences", color: "#a8480b", beside: 20}} {
		_, accuracy := curve(results, kind.documents)
		var path strings.Builder
		for k, v := range accuracy {
			fmt.Fprintf(&path, "%c%.1f %.1f", "ML"[min(k, 1)], x(k), y(v))
		}
		fmt.Fprintf(&b, `<path d="%s" fill="none" stroke="%s" stroke-width="2"/><text x="%.1f" y="%.1f" fill="%s" text-anchor="end">%s</text>`+"\n", path.String(), kind.color, x(9), y(accuracy[9])+kind.beside, kind.color, kind.name)
	}
	fmt.Fprint(&b, `<text x="294" y="316" text-anchor="middle">share of the rows decided, the most certain first</text>`+"\n</svg>\n")
	return b.String()
}
