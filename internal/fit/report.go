package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
)

// answer is the judge's answer for a row.
type answer struct {
	row        *row
	verdict    ledger.Verdict
	confidence float64
	p          float64
}

// crossScores scores each row by models that saw no set of its block; sets that are never fitted have the last one to
// themselves, and so the shipped weights.
func crossScores(all []*set) ([]scored, []models) {
	var out []scored
	found := make([]models, blocks+1)
	for b := range found {
		found[b] = find(all, func(r *row) bool { return r.block() != b })
	}
	for _, s := range all {
		for i := range s.rows {
			out = append(out, found[s.rows[i].block()].score(&s.rows[i]))
		}
	}
	return out, found
}

// leftOut judges each row by a judge whose weights and curves saw no set of its block.
func leftOut(all []*set, scores []scored, found []models) map[*row]answer {
	judges := make([]judge.Judge, blocks+1)
	for b := range judges {
		judges[b] = judge.NewLexicalWith(found[b].support.weights(), found[b].conflict.weights(),
			calibrate(scores, func(r *row) bool { return r.block() != b }))
	}
	return answers(all, func(r *row) judge.Judge { return judges[r.block()] })
}

// answers judges rows, each by the judge that by returns for it.
func answers(all []*set, by func(*row) judge.Judge) map[*row]answer {
	list := map[*row]*answer{}
	for _, s := range all {
		for i := range s.rows {
			list[&s.rows[i]] = &answer{row: &s.rows[i]}
		}
	}
	eachRow(all, func(r *row) {
		res := judge.JudgeRow(r.Row, by(r))
		a := list[r]
		a.verdict, a.confidence, a.p = ledger.Unjudged, res.Confidence, res.PSupported
		if res.Verdict != nil {
			a.verdict = *res.Verdict
		}
	})
	out := map[*row]answer{}
	for r, a := range list {
		out[r] = *a
	}
	return out
}

const (
	reportFile = "docs/judge.md"
	byReader   = "<!-- figures with the reader: make eval -->\n"
	byWords    = "<!-- figures by words: make eval -->\n"
	end        = "<!-- end of figures -->\n"
)

// publish writes figures to docs, between the mark begin and the next end.
func publish(begin, figures string) error {
	doc, err := os.ReadFile(reportFile)
	if err != nil {
		return err
	}
	head, rest, ok := strings.Cut(string(doc), begin)
	_, tail, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return fmt.Errorf("%s: %q, or the end of its figures, is missing", reportFile, strings.TrimSpace(begin))
	}
	return os.WriteFile(reportFile, []byte(head+begin+figures+end+tail), 0o644)
}

// Heads of the tables of sets and of pairs.
const (
	columns = "| set | rows | containment | AUROC (above containment; 95 % of resamples) | supported: precision at recall | " +
		"shown − precision | ECE | contradicted: precision at recall |\n|---|---|---|---|---|---|---|---|\n"
	pairColumns = "| pairs | never allowed, said supported | found | false contradictions | balance | strict | rank |\n" +
		"|---|---|---|---|---|---|---|\n"
)

// report prints the figures of sets left out whole.
func report(w io.Writer, all []*set, got map[*row]answer) {
	for _, documents := range []bool{true, false} {
		fmt.Fprint(w, "\n"+columns)
		var sum figures
		for _, s := range all {
			if s.documents != documents || s.pairs {
				continue
			}
			f := figuresOf(s, got)
			f.print(w, s.name)
			if s.share != little {
				sum.add(f)
			}
		}
		sum.mean().print(w, "**mean**")
	}
	pooled(w, all, got)
	fmt.Fprint(w, "\n"+pairColumns)
	for _, lang := range []string{"en", "ar"} {
		pairsReport(w, all[len(all)-1], lang, got)
	}
}

// pooled prints the calibration of each kind of evidence and language, all product-like sets together.
func pooled(w io.Writer, all []*set, got map[*row]answer) {
	fmt.Fprint(w, "\n| product-like sets, pooled | rows | ECE | supported: shown | right |\n|---|---|---|---|---|\n")
	for _, name := range []string{"document en", "sentence en", "document ar", "sentence ar"} {
		var p []float64
		var y []bool
		var said, right, shown float64
		for _, s := range all {
			if s.pairs || s.share == little {
				continue
			}
			for i := range s.rows {
				r := &s.rows[i]
				if r.sample.Curve != name {
					continue
				}
				p, y = append(p, got[r].p), append(y, r.supported())
				if got[r].verdict == ledger.Supported {
					said, shown = said+1, shown+got[r].confidence
					if r.supported() {
						right++
					}
				}
			}
		}
		fmt.Fprintf(w, "| %s | %d | %s | %s | %s |\n", name, len(p), percent(calibrationError(p, y)), percent(shown/said),
			percent(right/said))
	}
}

// figures are those of one set.
type figures struct {
	sets, rows                               float64
	contained, auroc, ece                    float64
	said, right, labelled, shown             float64
	saidCon, rightCon, labelledCon, shownCon float64
	gains                                    []float64 // above containment, of each resample
}

func figuresOf(s *set, got map[*row]answer) figures {
	f := figures{sets: 1, rows: float64(len(s.rows))}
	var p, c []float64
	var y []bool
	var groups []int
	for i := range s.rows {
		r := &s.rows[i]
		a := got[r]
		groups = append(groups, r.group)
		p, c, y = append(p, a.p), append(c, r.plain), append(y, r.supported())
		if r.supported() {
			f.labelled++
		}
		if r.Label == "contradicted" {
			f.labelledCon++
		}
		switch a.verdict {
		case ledger.Supported:
			f.said++
			f.shown += a.confidence
			if r.supported() {
				f.right++
			}
		case ledger.Contradicted:
			f.saidCon++
			f.shownCon += a.confidence
			if r.Label == "contradicted" {
				f.rightCon++
			}
		}
	}
	f.contained, _ = auroc(c, y)
	f.auroc, _ = auroc(p, y)
	f.ece = calibrationError(p, y)
	f.gains = gains(p, c, y, groups)
	return f
}

func (f *figures) add(o figures) {
	f.sets++
	f.contained, f.auroc, f.ece = f.contained+o.contained, f.auroc+o.auroc, f.ece+o.ece
	f.said, f.right, f.labelled, f.shown = f.said+o.said, f.right+o.right, f.labelled+o.labelled, f.shown+o.shown
	f.saidCon, f.rightCon, f.labelledCon = f.saidCon+o.saidCon, f.rightCon+o.rightCon, f.labelledCon+o.labelledCon
	f.shownCon += o.shownCon
	f.rows += o.rows
	if f.gains == nil {
		f.gains = make([]float64, len(o.gains))
	}
	for i, g := range o.gains {
		if math.IsNaN(g) { // of a set that cannot be resampled: its difference as it is
			g = o.auroc - o.contained
		}
		f.gains[i] += g
	}
}

func (f *figures) mean() *figures {
	f.contained, f.auroc, f.ece = f.contained/f.sets, f.auroc/f.sets, f.ece/f.sets
	for i := range f.gains {
		f.gains[i] /= f.sets
	}
	return f
}

func (f *figures) print(w io.Writer, name string) {
	fmt.Fprintf(w, "| %s | %.0f | %s | %s (%s; %s) | %s at %s | %s | %s | %s at %s (%s) |\n", name, f.rows,
		percent(f.contained), percent(f.auroc), points(f.auroc-f.contained), interval(f.gains), percent(f.right/f.said),
		percent(f.right/f.labelled), points((f.shown-f.right)/f.said), percent(f.ece), percent(f.rightCon/f.saidCon),
		percent(f.rightCon/f.labelledCon), points((f.shownCon-f.rightCon)/f.saidCon))
}

// calibrationError is that of probabilities in ten bins.
func calibrationError(p []float64, y []bool) (sum float64) {
	var sums [10]float64
	for i := range p {
		b := min(9, int(p[i]*10))
		sums[b] += p[i]
		if y[i] {
			sums[b]--
		}
	}
	for _, s := range sums {
		sum += math.Abs(s) / float64(len(p))
	}
	return sum
}

// pairsReport prints the figures of the pairs as their scorer does.
func pairsReport(w io.Writer, s *set, lang string, got map[*row]answer) {
	var never, said, follows, found, mistaken, couples, won, both, strict float64
	ids := map[string][]*row{}
	for i := range s.rows {
		r := &s.rows[i]
		if r.Lang != lang {
			continue
		}
		ids[r.Pair] = append(ids[r.Pair], r)
		v := got[r].verdict
		if r.Ideal == "supported" {
			follows++
			if v == ledger.Supported {
				found++
			}
			if v == ledger.Contradicted {
				mistaken++
			}
		}
		if r.never() {
			never++
			if v == ledger.Supported {
				said++
			}
		}
	}
	for _, rs := range ids {
		right := !slices.ContainsFunc(rs, func(r *row) bool {
			return (got[r].verdict == ledger.Supported) != (r.Ideal == "supported")
		})
		if slices.ContainsFunc(rs, func(r *row) bool { return r.Ideal == "supported" }) && slices.ContainsFunc(rs,
			(*row).never) {
			both++
			if right {
				strict++
			}
		}
		for _, a := range rs {
			for _, b := range rs {
				if a.Ideal == "supported" && b.never() {
					couples++
					switch p, q := got[a].p, got[b].p; {
					case p > q:
						won++
					case p == q:
						won += 0.5
					}
				}
			}
		}
	}
	fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %s |\n", lang, percent(said/never), percent(found/follows),
		percent(mistaken/follows), percent((found/follows+1-said/never)/2), percent(strict/both), percent(won/couples))
}
