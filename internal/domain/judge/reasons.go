package judge

import (
	"math"
	"slices"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/domain/text/quantity"
	"sanad/internal/words"
)

// closeMark is how much of the claim a sentence must say, apart from what conflicts, for a negation in it to count.
const closeMark = 0.80

// shortClaim is the most content words of a claim of which none may be missing: in a short claim each may be the point.
const shortClaim = 3

// smallClaim is the most content words of a claim of which a passage must have thinMark: with fewer, its likelihood
// rests on little.
const (
	smallClaim = 4
	thinMark   = 0.5
)

// veto names the rule by which a passage cannot carry the whole claim however likely the model finds it, "" for none.
// These are errors that no reader would forgive; the balance of errors does not need them.
func (r *reading) veto() string {
	if all := r.vetoes(); len(all) > 0 {
		return all[0]
	}
	return ""
}

// vetoes names all such rules, the surest first.
func (r *reading) vetoes() (out []string) {
	if r.verbatim {
		return nil
	}
	core := r.core()
	rest := core.otherwise()
	content, found, _ := r.content()
	add := func(name string, yes bool) {
		if yes {
			out = append(out, name)
		}
	}
	if rest >= closeMark {
		out = r.compared.vetoes(rest)
	}
	if core.chunk.row != nil { // a row is no sentence: the order of its cells and what parts them say nothing
		out = slices.DeleteFunc(out, func(name string) bool { return name == "exchanged" || name == "mixed" })
	}
	if r.isFreeRow() {
		out = slices.DeleteFunc(out, func(name string) bool { return denials[name] })
	}
	add("counterpart", r.compared.counterpart.Kind != "")
	add("sign", !r.compared.cancelled && core.otherSigns())
	add("permuted", core.permuted())
	add("figure", core.likened().likeness >= openFigure && core.likened().likeness <= lesserOther ||
		r.best.figuresStand().relation < quantity.Fits)
	add("cell", r.best.otherCell())
	add("contradiction", r.opposing != nil)
	add("outweighed", r.outweighed)
	add("date", r.dating != datesAgree)
	add("number", r.lacksNumber())
	add("negation", !r.isFreeRow() && !r.sameSense() && rest >= closeMark && core.coverage < compareMark)
	add("modality", r.qualified != "" && rest >= closeMark)
	add("bound", !r.compared.cancelled && core.otherBound())
	add("swapped", core.chunk.row == nil && core.swapped())
	add("point", found < content && content <= shortClaim)
	add("thin", content <= smallClaim && float64(found) < thinMark*float64(content))
	return out
}

// weakVetoes are rules that only keep a passage from full support: the weights know what they are about, so the
// likelihood is left as it is.
var weakVetoes = map[string]bool{"number": true, "point": true, "thin": true, "modality": true,
	"cancelled": true, "figure": true, "counterpart": true}

// longSentence is the fewest words of a sentence that says too much for a difference in it to be surely about the
// claim.
const longSentence = 30

// refuted reports whether the rule found means that the passage contradicts the claim.
func (r *reading) refuted() bool {
	core := r.core()
	return r.vetoed != "" && !weakVetoes[r.vetoed] && (r.opposing != nil || core.to()-core.from() < longSentence)
}

// otherwise is how much of the claim one sentence says, apart from words that an opposite or a word of their kind
// stands for.
func (w *window) otherwise() float64 {
	rest, _ := w.rest(func(t *term) bool {
		return w.found[t.index] == 0 && (len(t.against) > 0 || len(t.kinds) > 0 || w.query.meaning.phrase[t.token])
	})
	return rest
}

// lacksNumber reports whether a quantity of the claim is nowhere in all that was given.
func (r *reading) lacksNumber() bool {
	for i := range r.best.query.terms {
		t := &r.best.query.terms[i]
		if t.quantity >= 0 && r.best.query.anywhere[i] == 0 {
			return true
		}
	}
	return false
}

// planNote is the id of the note that the passage says as a plan what the claim says as a fact.
const planNote = "note_plan"

// reasons are the ids of what is said of a window that a rule or a frame keeps from full support. Each says only what
// the rule looks for.
var reasons = map[string]string{
	"unread": "note_unread_word", "polarity": "note_negation", "denies": "note_negation", "exception": "note_exception",
	"evenif": "note_even_if", "only": "note_only", "time": "note_time", "comparison": "note_comparison",
	"cancelled": "note_limit_turned", "bound": "note_bound", "exchanged": "note_exchanged", "permuted": "note_exchanged",
	"mixed": "note_mixed", "sign": "note_sign", "unit": "note_unit", "cell": "note_cell", "date": "note_date",
	"figure": "note_number", "counterpart": "note_says_quoted",

	frameOrder: "note_order", frameQuestion: "note_question", frameMistake: "note_mistake", frameDenied: "note_denied",
	frameHearsay: "note_hearsay", frameFormer: "note_former",
}

// because says why the reading does not support the claim in full.
func (r *reading) because() domain.Message {
	switch {
	case r.vetoed != "" && r.keepsDeadline():
		return words.Msg("note_in_deadline")
	case r.vetoed == "contradiction" && r.opposing.stands():
		return r.opposing.note
	case r.vetoed == "contradiction":
		return words.Msg("note_otherwise")
	case r.vetoed == "counterpart":
		c := r.compared.counterpart
		return words.Msg("note_says_quoted", "Claim", words.Quoted(c.Claim), "Source", words.Quoted(c.Evidence))
	case r.vetoed == "figure":
		if said := r.figureSaid(); said.ID != "" || r.best.figuresStand().doubtful { // the ledger says why (rule L-39)
			return said
		}
	}
	return words.Msg(reasons[r.vetoed])
}

// figureSaid says which figure of the claim the passage says otherwise, or in a way that may mean another.
func (r *reading) figureSaid() domain.Message {
	stand := r.best.figuresStand()
	if stand.crossed {
		return words.Msg("note_mixed")
	}
	if l := r.core().likened(); l.likeness == openFigure || l.likeness == lesserOther {
		stand = figureStand{relation: quantity.Open, claim: l.claim, source: l.source}
	}
	if claim, evidence, ok := r.core().otherNumber(); ok {
		return words.Msg("note_says", "Claim", claim.Raw, "Source", evidence.Raw)
	}
	if stand.relation.Supports() || text.Fold(stand.claim) == text.Fold(stand.source) {
		return domain.Message{}
	}
	return words.Msg("note_says", "Claim", stand.claim, "Source", stand.source)
}

// caused reports whether a named difference is that of the rule that is heeded. A comparison names the first difference
// that it finds, and looks for negations first.
func (s *sight) caused(c *contradiction) bool {
	switch s.vetoed {
	case "contradiction":
		return c == s.opposing
	case "figure", "date":
		return c.conflict.Kind == "number"
	case "polarity", "denies":
		return c.conflict.Kind == "negation"
	case "exception", "evenif", "only":
		return c.conflict.Kind == "negation" && s.compared.polarity == 0
	}
	return false
}

// stands reports whether a named difference is there: each side has its words, and the other side has not.
func (c *contradiction) stands() bool {
	w := c.window
	claim, source := text.Tokens(w.query.text), w.tokens()
	mine, theirs := text.Tokens(c.conflict.Claim), text.Tokens(c.conflict.Evidence)
	return len(mine)+len(theirs) > 0 && (len(mine) == 0 || contains(claim, mine) && !contains(source, mine)) &&
		(len(theirs) == 0 || contains(source, theirs) && !contains(claim, theirs))
}

// contains reports whether words stand one behind the other in a text.
func contains(tokens, words []text.Token) bool { return len(findAll(tokens, words)) > 0 }

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
	case r.vetoed == "comparison", r.vetoed == "cancelled":
		m.Remark(words.Msg(reasons[r.vetoed]))
	case r.vetoed == "bound":
		m.Remark(words.Msg("note_bound"))
	case r.keepsDeadline():
		m.Remark(words.Msg("note_in_deadline"))
	case !r.hasNumbers():
		m.Remark(words.Msg("note_number"))
	case !r.sameSense():
		m.Remark(words.Msg("note_negation"))
	case r.qualified != "":
		m.Remark(words.Msg(r.qualified))
	case r.compared.planned:
		m.Remark(words.Msg(planNote))
	case len(m.Missing) > 0:
		m.Remark(words.Msg("note_mention", "Words", words.ListOf(m.Missing)))
	}
	return m
}

// restFeature is the name of a contradiction's feature that says how closely it follows the rest of the claim. It is
// stored.
const restFeature = "rest_of_claim"

// against is a reading that contradicts the claim.
func (r *reading) against(c *contradiction) ledger.Match {
	m := r.found(c.window)
	m.Similarity = r.q
	m.Support, m.Contradicts = ledger.None, true
	m.Remark(c.note)
	m.Conflicts = []ledger.Conflict{c.window.chunk.asWritten(c.conflict)}
	m.Features = append(m.Features, ledger.Feature{Name: restFeature, Value: round(c.rest)})
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
		word := w.query.written(t)
		if w.found[i] > 0 || light[t.Norm] && t.quantity < 0 || seen[word] {
			continue
		}
		seen[word] = true
		out = append(out, word)
	}
	return out
}

// written is a term as the claim writes it: a quantity whole.
func (q *query) written(t *term) string {
	if t.quantity >= 0 {
		return q.quantities[t.quantity].Raw
	}
	return t.Text
}
