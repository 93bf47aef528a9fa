package ledger

import "strings"

// ModelSays begins the note on a match that a model made; its word follows (rule J-9). Notes are stored.
const ModelSays = "Model says: "

// ModelWord returns the word that the note on a model's match repeats, "" if it is another note, and whether the word
// stands alone: not where the embedded judge disagrees, or a sentence beside the evidence speaks to the judge. What the
// model writes itself is in parentheses, so that it cannot pass for an objection.
func ModelWord(note string) (word Verdict, alone bool) {
	rest, ok := strings.CutPrefix(note, ModelSays)
	if !ok {
		return Unjudged, false
	}
	end := strings.TrimLeft(rest, "abcdefghijklmnopqrstuvwxyz_")
	word = Verdict(rest[:len(rest)-len(end)])
	return word, end == "." || strings.HasPrefix(end, " (") && strings.HasSuffix(end, ").")
}

// Cap is why a model's "supported" is weak. Caps are answered by the API.
type Cap string

// The caps, "" where there is none.
const (
	CapUnmeasured Cap = "unmeasured" // how often the model is right is not measured
	CapShare      Cap = "share"      // it is measured, and not above what full support takes
	CapObjection  Cap = "objection"  // the embedded judge disagrees, or a sentence beside the evidence speaks to the judge
)

// CappedBy returns why the machine's verdict is weak although a model says supported.
func (e *Entry) CappedBy() Cap {
	if e.Machine != Weak || e.Best == nil {
		return ""
	}
	switch word, alone := ModelWord(e.Best.Note); {
	case word != Supported:
		return ""
	case !alone:
		return CapObjection
	case e.Best.Support == Full:
		return CapShare
	}
	return CapUnmeasured
}
