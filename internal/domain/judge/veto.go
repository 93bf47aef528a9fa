package judge

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
	add("cell", r.best.otherCell())
	add("contradiction", r.opposing != nil)
	add("outweighed", r.outweighed)
	add("date", r.dating != datesAgree)
	add("number", r.lacksNumber())
	add("negation", !r.sameSense() && rest >= closeMark && core.coverage < compareMark)
	add("modality", r.qualified != "" && rest >= closeMark)
	add("bound", !r.compared.cancelled && core.otherBound())
	add("swapped", core.swapped())
	add("point", found < content && content <= shortClaim)
	add("thin", content <= smallClaim && float64(found) < thinMark*float64(content))
	return out
}

// weakVetoes are rules that only keep a passage from full support: the weights know what they are about, so the
// likelihood is left as it is.
var weakVetoes = map[string]bool{"number": true, "point": true, "thin": true, "modality": true,
	"cancelled": true}

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
