package judge

import (
	"fmt"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// difference names what in one sentence stands against the claim, without asking how closely the sentence follows it:
// another number, a negation on one side, an opposite, another word of one kind, another name, or another word in the
// same place.
func (w *window) difference() (ledger.Conflict, string, bool) {
	if claim, evidence, ok := w.otherNumber(); ok {
		return ledger.Conflict{Kind: "number", Claim: claim.Raw,
				Evidence: evidence.Raw}, fmt.Sprintf("The claim says %s, the source says %s.", claim.Raw,
				evidence.Raw), true
	}
	at := w.negates()
	if at >= 0 && !w.query.negated {
		word := w.chunk.tokens[at].Text
		return ledger.Conflict{Kind: "negation",
			Evidence: word}, fmt.Sprintf("The source negates it (%q), the claim does not.", word), true
	}
	if at < 0 && w.query.negated {
		word := w.query.negation()
		return ledger.Conflict{Kind: "negation",
			Claim: word}, fmt.Sprintf("The claim negates it (%q), the source does not.", word), true
	}
	if claim, evidence, ok := w.opposite(); ok {
		return ledger.Conflict{Kind: "negation", Claim: claim.Text,
				Evidence: evidence.Text}, fmt.Sprintf("The claim says %q, the source says the opposite: %q.",
				claim.Text,
				evidence.Text), true
	}
	a := w.align()
	for _, i := range a.lost {
		for _, k := range a.own {
			t, s := &w.query.terms[i], &w.chunk.tokens[k]
			if overlap(t.kinds, w.query.index.kinds[s.word]) || t.Kind == text.Number && s.Kind == text.Number {
				return other(t.Text, s.Text, t.Kind)
			}
		}
	}
	if claim, evidence, ok := w.otherName(); ok {
		return ledger.Conflict{Kind: "entity", Claim: claim.Text,
				Evidence: evidence.Text}, fmt.Sprintf("The claim names %s, the source names %s.", claim.Text,
				evidence.Text), true
	}
	for _, g := range a.gaps {
		if len(g.lost) > 0 && len(g.own) > 0 && len(g.lost) <= smallGap && len(g.own) <= smallGap {
			t, s := &w.query.terms[g.lost[0]], &w.chunk.tokens[g.own[0]]
			return other(t.Text, s.Text, t.Kind)
		}
	}
	return ledger.Conflict{}, "", false
}

// other is the conflict of one word with another in its place.
func other(claim, evidence string, kind text.Kind) (ledger.Conflict, string, bool) {
	c := ledger.Conflict{Kind: "entity", Claim: claim, Evidence: evidence}
	if kind == text.Number {
		c.Kind = "number"
	}
	return c, fmt.Sprintf("The claim says %q, the source says %q.", claim, evidence), true
}
