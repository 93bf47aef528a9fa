package judge

import (
	"regexp"
	"slices"

	"sanad/internal/domain"
	"sanad/internal/domain/text"
	"sanad/internal/words"
)

// reasons are the ids of what is said of a window that a rule or a frame keeps from full support. Each says only what the
// rule looks for. Rules that surerThanReader leaves out are here too: with other weights they may be heeded.
var reasons = map[string]string{
	"unread": "note_unread_word", "plan": "note_plan", "hedged": "note_hedged", "permitted": "note_permits",
	"condition": "note_condition", "polarity": "note_negation", "negation": "note_negation", "exception": "note_exception",
	"evenif": "note_even_if", "only": "note_only", "quantifier": "note_shares", "time": "note_time",
	"comparison": "note_comparison", "cancelled": "note_bound", "bound": "note_bound", "exchanged": "note_exchanged",
	"swapped": "note_exchanged", "mixed": "note_mixed", "unit": "note_unit", "kind": "note_kind", "cell": "note_cell",
	"date": "note_date", "figure": "note_number", "number": "note_number",

	frameOrder: "note_order", frameQuestion: "note_question", frameMistake: "note_mistake", frameDenied: "note_denied",
	frameHearsay: "note_hearsay", frameFormer: "note_former",
}

// because says why the reading does not support the claim in full.
func (r *reading) because() domain.Message {
	switch {
	case r.vetoed == "contradiction" && r.opposing.stands():
		return r.opposing.note
	case r.vetoed == "contradiction":
		return words.Msg("note_otherwise")
	case r.vetoed == "figure":
		if claim, evidence, ok := r.core().otherNumber(); ok {
			return words.Msg("note_says", "Claim", claim.Raw, "Source", evidence.Raw)
		}
	case r.vetoed == "modality":
		return words.Msg(r.qualified)
	}
	return words.Msg(reasons[r.vetoed])
}

// caused reports whether a named difference is that of the rule that is heeded. A comparison names the first difference
// that it finds, and looks for negations first.
func (s *sight) caused(c *contradiction) bool {
	switch s.vetoed {
	case "contradiction":
		return c == s.opposing
	case "figure", "date":
		return c.conflict.Kind == "number"
	case "polarity":
		return c.conflict.Kind == "negation"
	case "exception", "evenif", "only", "quantifier":
		return c.conflict.Kind == "negation" && s.compared.polarity == 0
	case "kind":
		return c.conflict.Kind == "entity" && s.compared.polarity == 0
	}
	return false
}

// stands reports whether a named difference is there: each side has its words, and the other side has not.
func (c *contradiction) stands() bool {
	w := c.window
	var source []text.Token
	for _, t := range w.chunk.tokens[w.from():w.to()] {
		source = append(source, t.Token)
	}
	claim := text.Tokens(w.query.text)
	mine, theirs := text.Tokens(c.conflict.Claim), text.Tokens(c.conflict.Evidence)
	return len(mine)+len(theirs) > 0 && (c.conflict.Kind != "number" || w.readsFigures()) &&
		(len(mine) == 0 || contains(claim, mine) && !contains(source, mine)) &&
		(len(theirs) == 0 || contains(source, theirs) && !contains(claim, theirs))
}

// partFigure is a figure that is read as a part of one: the 5 of "2,5 %" or of ".5".
var partFigure = regexp.MustCompile(`(?:^|[^\p{Nd}.,٬])[.,٫]\p{Nd}|\p{Nd},\p{Nd}{1,2}(?:\P{Nd}|$)|\p{Nd}\.\p{Nd}{3},\p{Nd}`)

// readsFigures reports whether the figures of claim and sentence are surely read as they are meant: a comma for decimals
// or a leading point is not.
func (w *window) readsFigures() bool {
	return !partFigure.MatchString(w.query.text) && !partFigure.MatchString(w.chunk.ruler.Slice(w.span()))
}

// contains reports whether words stand one behind the other in a text.
func contains(tokens, words []text.Token) bool {
	for i := 0; i+len(words) <= len(tokens); i++ {
		if slices.EqualFunc(tokens[i:i+len(words)], words, func(a, b text.Token) bool { return a.Norm == b.Norm }) {
			return true
		}
	}
	return false
}
