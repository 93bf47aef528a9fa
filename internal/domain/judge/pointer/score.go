package pointer

import (
	"cmp"
	"slices"

	"sanad/internal/domain/evidence"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
)

// Score is what a scorer says of one sentence and the claim, each from 0 to 1.
type Score struct{ Supports, Contradicts float64 }

// Sentences are the texts that a scorer is asked about: those that do not speak to the judge.
func (q *Question) Sentences() (out []string) {
	for _, o := range q.shownObjects() {
		out = append(out, q.shown(o.Span))
	}
	return out
}

// Statement is the claim as a scorer is asked about it.
func (q *Question) Statement() string { return q.shown(q.Claim) }

func (q *Question) shownObjects() (out []evidence.Object) {
	for _, o := range q.Objects {
		if !q.hidden[o.PointerID] {
			out = append(out, o)
		}
	}
	return out
}

// How a scorer's figures become a word.
const (
	sayMark   = 0.5 // from it on, a sentence supports or contradicts
	mostCited = 3   // sentences that the word rests on
)

// Weigh makes an outcome of the scores of Sentences, held to the same rules as a model's answer.
func (q *Question) Weigh(scores []Score, own judge.Judge, t Trust) (Outcome, error) {
	objects := q.shownObjects()
	if len(scores) != len(objects) {
		return Outcome{}, unjudged("cause_model_scores")
	}
	out := Outcome{Said: ledger.NotFound}
	var support, against float64
	for _, s := range scores {
		support, against = max(support, s.Supports), max(against, s.Contradicts)
	}
	figure := func(s Score) float64 { return s.Supports }
	switch {
	case max(support, against) < sayMark:
		return out, nil
	case against > support:
		out.Said, out.Stated = ledger.Contradicted, &against
		figure = func(s Score) float64 { return s.Contradicts }
	default:
		out.Said, out.Stated = ledger.Supported, &support
	}
	var places []int
	for i := range scores {
		if figure(scores[i]) >= sayMark {
			places = append(places, i)
		}
	}
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(figure(scores[b]), figure(scores[a])) })
	var cited []evidence.Object
	for _, i := range places[:min(len(places), mostCited)] {
		cited = append(cited, objects[i])
	}
	out.rest(q, cited, own, t, "")
	return out, nil
}
