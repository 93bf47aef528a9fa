package judge

import (
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/words"
)

// weakMark is the probability above which a mere other word in the place of the claim's contradicts.
const weakMark = 0.90

// difference names what in one sentence stands against the claim, without asking how closely the sentence follows it:
// another number, a negation on one side, an opposite, another word of one kind, or another name.
func (w *window) difference() (ledger.Conflict, domain.Message, bool) {
	if claim, evidence, ok := w.otherNumber(); ok {
		return ledger.Conflict{Kind: "number", Claim: claim.Raw, Evidence: evidence.Raw},
			words.Msg("note_says", "Claim", claim.Raw, "Source", evidence.Raw), true
	}
	at, compared := w.negates(), w.coverage >= compareMark // then compare says what is negated
	if !compared && at >= 0 && !w.query.negated {
		word := w.chunk.tokens[at].Text
		return ledger.Conflict{Kind: "negation", Evidence: word},
			words.Msg("note_source_negates", "Word", words.Quoted(word)), true
	}
	if !compared && at < 0 && w.query.negated {
		word := w.query.negation()
		return ledger.Conflict{Kind: "negation", Claim: word},
			words.Msg("note_claim_negates", "Word", words.Quoted(word)), true
	}
	if claim, evidence, ok := w.opposite(); ok {
		return ledger.Conflict{Kind: "negation", Claim: claim.Text, Evidence: evidence.Text},
			words.Msg("note_opposite", "Claim", words.Quoted(claim.Text), "Source", words.Quoted(evidence.Text)), true
	}
	a := w.align()
	for _, i := range a.lost {
		for _, k := range a.own {
			t, s := &w.query.terms[i], &w.chunk.tokens[k]
			if overlap(t.kinds, w.query.index.kinds[s.word]) || t.Kind == text.Number && s.Kind == text.Number {
				return w.other(t, k)
			}
		}
	}
	if claim, evidence, ok := w.otherName(); ok {
		return ledger.Conflict{Kind: "entity", Claim: claim.Text, Evidence: evidence.Text},
			words.Msg("note_names", "Claim", claim.Text, "Source", evidence.Text), true
	}
	return ledger.Conflict{}, domain.Message{}, false
}

// reworded names another word in the place of one of the claim's, which may well say the same.
func (w *window) reworded() (ledger.Conflict, domain.Message, bool) {
	for _, g := range w.align().gaps {
		if len(g.lost) > 0 && len(g.own) > 0 && len(g.lost) <= smallGap && len(g.own) <= smallGap {
			return w.other(&w.query.terms[g.lost[0]], g.own[0])
		}
	}
	return ledger.Conflict{}, domain.Message{}, false
}

// other is the conflict of a word of the claim with token k in its place.
func (w *window) other(t *term, k int) (ledger.Conflict, domain.Message, bool) {
	c := ledger.Conflict{Kind: "entity"}
	if t.Kind == text.Number {
		c.Kind = "number"
	}
	c.Claim, c.Evidence = w.written(t, k)
	return c, words.Msg("note_says_quoted", "Claim", words.Quoted(c.Claim), "Source", words.Quoted(c.Evidence)), true
}

// written returns a word of the claim and token k as they are written; two numbers with all of their words.
func (w *window) written(t *term, k int) (claim, evidence string) {
	at := quantityOf(w.chunk.quantities, w.chunk.tokens[k].Start)
	if t.quantity >= 0 && at >= 0 {
		return w.query.quantities[t.quantity].Raw, w.chunk.quantities[at].Raw
	}
	return t.Text, w.chunk.tokens[k].Text
}
