package judge

import (
	"fmt"
	"math"

	"sanad/internal/domain/ledger"
)

// How closely one sentence must follow the claim, apart from what conflicts, before the conflict contradicts.
const (
	restMark    = 0.80 // share of the claim's other terms that the sentence has
	negatedMark = 0.90 // the same for negations and opposites, which misled more often when tried
	namedMark   = 0.95 // the same for names
	shareMark   = 0.35 // share of the sentence's own words that the claim has
	restTerms   = 2    // other terms at least
	numberMark  = 0.25 // coverage of the whole claim, from which the number that conflicts is missing
	otherCover  = 0.40 // the same where no number conflicts
)

// contradiction is a sentence that says otherwise.
type contradiction struct {
	window   *window
	conflict ledger.Conflict
	rest     float64 // how closely the sentence follows the rest of the claim, 0 to 1
	note     string
}

// contradicts finds the sentence of a chunk that contradicts the claim most closely, if any.
func (r *reading) contradicts() *contradiction {
	var best *contradiction
	for i := range r.sentences {
		w := &r.sentences[i]
		if w.coverage < numberMark || !w.query.negated && w.share() < shareMark {
			continue
		}
		if c := w.conflict(); c != nil && (w.coverage >= otherCover || c.conflict.Kind == "number") && (best == nil ||
			c.rest > best.rest+1e-12) {
			best = c
		}
	}
	return best
}

// conflictMark is the likelihood from which a difference that can be named contradicts: chosen for a precision of 80 %
// on sentences, see docs/judge.md.
const conflictMark = 0.70

// disputes finds the contradiction that the model sees in the passage's core sentence, if a difference can be named
// there.
func (r *reading) disputes(weights *Weights) *contradiction {
	core := r.core()
	if core.coverage < numberMark {
		return nil
	}
	p := round(likelihood(weights.logOdds(r.figures)))
	if p < conflictMark {
		return nil
	}
	if c, note, ok := core.difference(); ok {
		return &contradiction{window: core, conflict: c, rest: p, note: note}
	}
	return nil
}

// closestOpposing finds the sentence, in any chunk read, that contradicts the claim and covers most of it.
func closestOpposing(readings []reading) *window {
	var best *window
	for i := range readings {
		if c := readings[i].opposing; c != nil && (best == nil || c.window.coverage > best.coverage) {
			best = c.window
		}
	}
	return best
}

// outweigh tells a reading of a sentence that contradicts the claim. Where that one covers more of the claim than any
// single sentence of the reading, the reading has gathered the claim from something else.
func (r *reading) outweigh(other *window) {
	r.outweighed = other != nil && r.core().coverage < other.coverage
}

// conflict compares one sentence with the claim: numbers first, then negation, opposites and names.
func (w *window) conflict() *contradiction {
	if claim, evidence, ok := w.otherNumber(); ok {
		if rest, n := w.rest(func(t *term) bool { return t.quantity >= 0 && w.query.quantities[t.quantity] == claim }); rest >= restMark && (n >= restTerms || n == 1 && w.sameBut()) {
			return &contradiction{window: w, conflict: ledger.Conflict{
				Kind: "number", Claim: claim.Raw, Evidence: evidence.Raw,
			}, rest: rest,
				note: fmt.Sprintf("The claim says %s, the source says %s.", claim.Raw, evidence.Raw)}
		}
	}
	if c := w.turned(); c != nil {
		return c
	}
	if claim, evidence, ok := w.otherName(); ok {
		if rest, n := w.rest(func(t *term) bool { return t.Start == claim.Start }); rest >= namedMark && n > restTerms {
			return &contradiction{window: w, conflict: ledger.Conflict{
				Kind: "entity", Claim: claim.Text, Evidence: evidence.Text,
			}, rest: rest,
				note: fmt.Sprintf("The claim names %s, the source names %s.", claim.Text, evidence.Text)}
		}
	}
	return nil
}

// turned finds a negation on one side only, or a word and its opposite.
func (w *window) turned() *contradiction {
	rest, n := w.rest(func(*term) bool { return false })
	if at := w.negates(); rest >= negatedMark && n > restTerms && w.numbersFound() == 1 &&
		w.query.negated != (at >= 0) {
		c := &contradiction{window: w, rest: rest}
		if at >= 0 {
			word := w.chunk.tokens[at].Text
			c.conflict = ledger.Conflict{Kind: "negation", Evidence: word}
			c.note = fmt.Sprintf("The source negates it (%q), the claim does not.", word)
		} else {
			word := w.query.negation()
			c.conflict = ledger.Conflict{Kind: "negation", Claim: word}
			c.note = fmt.Sprintf("The claim negates it (%q), the source does not.", word)
		}
		return c
	}
	claim, evidence, ok := w.opposite()
	if !ok || w.query.negated != (w.negates() >= 0) {
		return nil
	}
	if rest, n := w.rest(func(t *term) bool { return t.Start == claim.Start }); rest >= negatedMark && n >= restTerms {
		return &contradiction{window: w, conflict: ledger.Conflict{
			Kind: "negation", Claim: claim.Text, Evidence: evidence.Text,
		}, rest: rest,
			note: fmt.Sprintf("The claim says %q, the source says the opposite: %q.", claim.Text, evidence.Text)}
	}
	return nil
}

// rest is the coverage of the claim's terms other than those that conflict, and how many content terms of them are
// found.
func (w *window) rest(conflicts func(*term) bool) (coverage float64, found int) {
	all, sum := 0.0, 0.0
	for i := range w.query.terms {
		t := &w.query.terms[i]
		if conflicts(t) || t.aside {
			continue
		}
		all += t.weight
		sum += float64(t.weight * w.found[i])
		if w.found[i] > 0 && t.weight > functionWeight {
			found++
		}
	}
	return sum / math.Max(all, 1e-9), found
}

// sameBut reports whether a sentence of one content word and a quantity says the same of the claim's one content word.
func (w *window) sameBut() bool {
	content, all := 0, 0
	for i := range w.query.terms {
		t := &w.query.terms[i]
		if t.quantity < 0 {
			content++
		}
	}
	for _, t := range w.chunk.tokens[w.from():w.to()] {
		if !t.Stop && quantityOf(w.chunk.sentences[w.first].quantities, t.Start) < 0 {
			all++
		}
	}
	return content == 1 && all == 1
}

// share is how much of the sentence the claim speaks about: its content words that the claim has too.
func (w *window) share() float64 {
	all, shared := 0, 0
	for _, t := range w.chunk.tokens[w.from():w.to()] {
		if t.Stop {
			continue
		}
		all++
		if len(w.query.hits(t.word)) > 0 || quantityOf(w.chunk.sentences[w.first].quantities, t.Start) >= 0 {
			shared++
		}
	}
	return float64(shared) / math.Max(1, float64(all))
}
