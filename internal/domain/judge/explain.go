package judge

import (
	"math"
	"slices"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/words"
)

// match is a reading that carries the claim, whole or in part.
func (r *reading) match() ledger.Match {
	m := r.found(&r.best)
	m.Similarity, m.Support = r.p, ledger.Partial
	switch {
	case r.carries():
		m.Support = ledger.Full
	case slices.Contains(FrameNames(), r.vetoed):
		m.Remark(r.because())
	case r.vetoed == "cell":
		m.Remark(words.Msg("note_cell"))
	case r.vetoed == "comparison":
		m.Remark(words.Msg("note_comparison"))
	case r.vetoed == "bound":
		m.Remark(words.Msg("note_bound"))
	case !r.hasNumbers():
		m.Remark(words.Msg("note_number"))
	case !r.sameSense():
		m.Remark(words.Msg("note_negation"))
	case r.qualified != "":
		m.Remark(words.Msg(r.qualified))
	case r.compared.planned:
		m.Remark(words.Msg("note_plan"))
	case len(m.Missing) > 0:
		m.Remark(words.Msg("note_mention", "Words", words.ListOf(m.Missing)))
	}
	return m
}

// against is a reading that contradicts the claim.
func (r *reading) against(c *contradiction) ledger.Match {
	m := r.found(c.window)
	m.Similarity = r.q
	m.Support, m.Contradicts = ledger.None, true
	m.Remark(c.note)
	m.Conflicts = []ledger.Conflict{c.window.chunk.asWritten(c.conflict)}
	m.Features = append(m.Features, ledger.Feature{Name: "rest_of_claim", Value: round(c.rest)})
	return m
}

// found is what any match says of the window it rests on.
func (r *reading) found(w *window) ledger.Match {
	span, ruler := w.span(), w.chunk.ruler
	if row := w.chunk.row; row != nil {
		span, ruler = row.span, row.chunk.ruler
	}
	return ledger.Match{
		Chunk: w.chunk.ref, Snippet: ruler.Slice(span), Quote: text.Placement{Kind: text.Exact, Span: span},
		Missing: w.missing(), Features: r.features(w),
	}
}

// explainer tells what each figure of a window added to the log-odds of support, beside those of a typical window.
type explainer interface {
	shares(v *vector) (each vector, base float64)
}

// features names the figures that explain a match in a fixed order: one for each idea, with what the idea's figures
// together add to the likelihood of support, then the likelihood.
func (r *reading) features(w *window) []ledger.Feature {
	each, base := r.weights.shares(r.figures)
	var by [ideaCount]float64
	for i, s := range each {
		by[featureTable[i].idea] += s
	}
	v := r.figures
	agree := 0.0
	if r.sameSense() {
		agree = 1
	}
	unqualified := 0.0
	if r.qualified == "" {
		unqualified = 1
	}
	swaps := math.Min(1, v[gapSwapped]+v[kindWord]+v[kindNumber]+v[kindName])
	return []ledger.Feature{
		{Name: "coverage", Value: round(w.coverage), Weight: round(by[byCoverage])},
		{Name: "adjacency", Value: round(w.adjacency()), Weight: round(by[byOrder])},
		{Name: "context", Value: round(r.context), Weight: round(by[byContext])},
		{Name: "letters", Value: round(v[charGrams]), Weight: round(by[byLetters])},
		{Name: "numbers", Value: round(w.numbersFound()), Weight: round(by[byNumbers])},
		{Name: "names", Value: round(1 - r.namesLost()), Weight: round(by[byNames])},
		{Name: "negation", Value: agree, Weight: round(by[byNegation])},
		{Name: "modality", Value: unqualified, Weight: round(by[byModality])},
		{Name: "wording", Value: 1 - swaps, Weight: round(by[byWording])},
		{Name: "length", Value: round(v[density]), Weight: round(by[byLength])},
		{Name: "typical", Value: round(likelihood(base)), Weight: round(base)},
		{Name: "score", Value: r.p},
	}
}

// missing lists the claim's content words that the window lacks, each once, as the claim writes them.
func (w *window) missing() []string {
	var out []string
	seen := map[string]bool{}
	for i := range w.query.terms {
		t := &w.query.terms[i]
		word := t.Text
		if t.quantity >= 0 {
			word = w.query.quantities[t.quantity].Raw
		}
		if w.found[i] > 0 || light[t.Norm] && t.quantity < 0 || seen[word] {
			continue
		}
		seen[word] = true
		out = append(out, word)
	}
	return out
}
