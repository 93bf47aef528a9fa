package judge

import (
	"math"
	"slices"
	"strconv"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// Lexical is the embedded judge: it compares words, numbers, names and negations, needs no network and no model, and
// says why (Match.Features, Conflicts, Missing, Note).
type Lexical struct{ support, conflict *Weights }

// NewLexical makes the embedded judge.
func NewLexical() Lexical { return Lexical{support(), conflict()} }

// NewLexicalWith makes a judge of other weights, to measure them.
func NewLexicalWith(support, conflict *Weights) Lexical {
	return Lexical{support.flatten(), conflict.flatten()}
}

// Name is "lexical".
func (Lexical) Name() string { return "lexical" }

// Version changes whenever the same input may give another result.
func (Lexical) Version() string { return "8" }

// Parameters are what the result depends on besides the input.
func (Lexical) Parameters() map[string]string {
	f := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	return map[string]string{
		"bm25_k1": f(bm25K1), "bm25_b": f(bm25B), "chunks": strconv.Itoa(topCount), "window": strconv.Itoa(maxWindow),
		"full": f(fullMark), "floor": f(floorMark), "contradiction": f(conflictMark),
	}
}

// Judge reads the claim against the chunks that BM25 finds for it.
func (l Lexical) Judge(c *ledger.Claim, x *Index) ([]ledger.Match, error) {
	matches, _, err := l.estimate(c, x)
	return matches, err
}

// estimate is Judge that tells too how likely the claim is supported, 0 to 1, also where there is no match.
func (l Lexical) estimate(c *ledger.Claim, x *Index) ([]ledger.Match, float64, error) {
	readings, err := x.readAll(c.Text)
	if err != nil {
		return nil, 0.5, err
	}
	l.rate(readings)
	for i := range readings {
		readings[i].weights = l.support
	}
	matches := x.matches(readings)
	best := 0.0
	for i := range readings {
		best = math.Max(best, readings[i].p)
	}
	if slices.ContainsFunc(matches, func(m ledger.Match) bool { return m.Contradicts }) {
		best = math.Min(best, fullMark) / 2
	}
	return matches, round(best), nil
}

// rate tells how likely each passage supports the claim, and finds what contradicts it.
func (l Lexical) rate(readings []reading) {
	for i := range readings {
		r := &readings[i]
		r.dating = r.best.dating()
		if r.opposing = r.contradicts(); r.opposing != nil && r.opposing.window.dating() == datesOpen {
			r.opposing = nil // the words of the two dates differ, but they may be one
		}
	}
	top, opposing := closest(readings), closestOpposing(readings)
	for i := range readings {
		r := &readings[i]
		r.outweigh(opposing)
		r.p = likelihood(l.support.logOdds(r.figures))
		switch r.vetoed = r.veto(); r.vetoed {
		case "":
		case "thin", "date": // its likelihood still tells it from others, only full support would rest on little
			r.p = math.Min(r.p, vetoed)
		default:
			r.p *= vetoed
		}
		r.p = round(r.p)
		if i == top && r.opposing == nil && !r.carries() && r.dating != datesOpen {
			r.opposing = r.disputes(l.conflict)
		}
	}
}

// closest returns the passage that follows the claim most closely.
func closest(readings []reading) int {
	top := 0
	for i := range readings {
		if readings[i].rank() > readings[top].rank() {
			top = i
		}
	}
	return top
}

// rank orders the passages of a claim by how closely they follow it; the first stands for its claim when weights are
// found.
func (r *reading) rank() float64 {
	return float64(0.65*r.best.coverage) + float64(0.15*r.best.adjacency()) +
		float64(0.20*r.context) - float64(0.15*(1-r.best.numbersFound())) - float64(0.08*r.namesLost())
}

// maxTerms is how many content words a claim may have.
const maxTerms = 400

// readAll holds a claim against its candidates, in the order in which BM25 finds them.
func (x *Index) readAll(claim string) ([]reading, error) {
	if err := x.covers(claim); err != nil {
		return nil, err
	}
	q := x.newQuery(claim)
	if len(q.terms) == 0 {
		return nil, unjudged("The claim has no words that can be compared with a source.")
	}
	if len(q.terms) > maxTerms {
		return nil, unjudged("The claim is too long to be judged as one statement: split it.")
	}
	var out []reading
	for _, chunk := range x.retrieve(q) {
		if r, ok := x.read(q, chunk); ok {
			out = append(out, r)
		}
	}
	x.weigh(q, out)
	return out, nil
}

// covers tells by an error when the claim's language is not covered, or none of the sources is in a script of it. The
// session's language counts where it is stated, else what the claim shows of its own.
func (x *Index) covers(claim string) error {
	script := text.Script(claim)
	covered, known := coveredTag(x.lang)
	if script == "other" || known && !covered || !known && isForeign(claim) {
		return unjudged("The claim's language is not covered: this judge reads English and Arabic.")
	}
	if len(x.chunks) == 0 {
		return nil
	}
	if x.foreign {
		return unjudged("The sources' language is not covered: this judge reads English and Arabic.")
	}
	if script == "none" || script == "mixed" || x.scripts[script] || x.scripts["mixed"] || x.scripts["none"] {
		return nil
	}
	return unjudged("The claim and the sources are in different languages, which this judge cannot compare.")
}

// maxMatches is how many matches a claim keeps.
const maxMatches = 5

// matches makes the matches of what was read: contradictions, and what carries the claim whole or in part.
func (x *Index) matches(readings []reading) []ledger.Match {
	carried := map[int]bool{} // documents that carry the claim whole
	for i := range readings {
		if readings[i].carries() {
			carried[x.chunks[readings[i].chunk].ref.Document] = true
		}
	}
	var out []ledger.Match
	for i := range readings {
		r := &readings[i]
		c := r.opposing
		if c != nil && (carried[x.chunks[r.chunk].ref.Document] || len(carried) > 0 && c.conflict.Kind != "number") {
			c = nil // the document itself says so elsewhere
		}
		switch {
		case c != nil && !r.carries():
			out = append(out, r.against(c))
		case r.relevant():
			out = append(out, r.match())
		}
	}
	ledger.SortMatches(out)
	return out[:min(len(out), maxMatches)]
}
