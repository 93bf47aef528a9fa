package judge

import (
	"math"
	"strconv"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// Lexical is the embedded judge: it compares words, numbers, names and negations, needs no network and no model, and
// says why (Match.Features, Conflicts, Missing, Note).
type Lexical struct {
	support, conflict *Weights
	calibration       *Calibration
}

// NewLexical makes the embedded judge.
func NewLexical() Lexical { return Lexical{support(), conflict(), calibration()} }

// NewLexicalWith makes a judge of other weights, to measure them.
func NewLexicalWith(support, conflict *Weights, calibration *Calibration) Lexical {
	return Lexical{support.flatten(), conflict.flatten(), calibration}
}

// Name is "lexical".
func (Lexical) Name() string { return "lexical" }

// Version changes whenever the same input may give another result.
func (Lexical) Version() string { return "13" }

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

// estimate is Judge, and also returns the probability that the claim is supported, 0 to 1, even without a match.
func (l Lexical) estimate(c *ledger.Claim, x *Index) ([]ledger.Match, float64, error) {
	stated := x.Stated(c)
	matches, p, err := l.compare(stated, x)
	return x.withTranslated(stated, x.withoutLoose(c, matches), p, err)
}

// compare is estimate in the claim's own language.
func (l Lexical) compare(claim string, x *Index) ([]ledger.Match, float64, error) {
	readings, err := x.readAll(claim)
	if err != nil {
		return nil, 0.5, err
	}
	l.rate(x, readings)
	for i := range readings {
		readings[i].weights = l.support
	}
	matches := x.matches(readings)
	if len(readings) == 0 {
		return matches, l.calibration.Support["unread"].at(0), nil
	}
	best := 0.0
	for i := range readings {
		best = math.Max(best, readings[i].p)
	}
	for i := range matches {
		if matches[i].Contradicts {
			best = math.Min(best, 1-matches[i].Similarity)
		}
	}
	return matches, round(best), nil
}

// veto finds for each passage what forbids full support.
func veto(readings []reading) {
	opposing := closestOpposing(readings)
	for i := range readings {
		r := &readings[i]
		r.outweigh(opposing)
		r.vetoed = r.veto()
	}
}

// rate computes the probabilities that each passage supports and contradicts the claim.
func (l Lexical) rate(x *Index, readings []reading) {
	veto(readings)
	for i := range readings {
		r := &readings[i]
		name := CurveName(x.document, r.best.query.arabic)
		odds := l.support.logOdds(r.figures)
		switch {
		case r.verbatim:
			r.p = verbatimP
		case r.agrees() && r.best.chunk.row != nil:
			r.p = math.Max(rowP, l.calibration.Support["agreeing "+name].at(odds))
		case r.agrees():
			r.p = l.calibration.Support["agreeing "+name].at(odds)
		case r.refuted():
			r.p = l.calibration.Support["vetoed "+name].at(odds)
		default:
			r.p = l.calibration.Support[name].at(odds)
		}
		if r.onlyTurned() || r.keepsDeadline() {
			r.p = math.Max(r.p, evenOdds)
		}
		if r.vetoed == "" && r.p > fullMark {
			r.vetoed = r.framed()
		}
		if r.vetoed != "" {
			r.p = math.Min(r.p, partialTop)
		}
		r.p = round(math.Min(r.p, mostSure))
		if r.opposing != nil {
			name = "ruled " + name
		}
		r.q = l.calibration.Conflict[name].at(l.conflict.logOdds(r.figures))
		if r.opposing != nil && r.opposing.sure {
			r.q = math.Max(r.q, figureP)
		}
		r.q = round(math.Min(r.q, mostSure))
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

// maxTerms is the most content words of a claim that is judged.
const maxTerms = 400

// ask makes a claim ready to be compared, or returns an error if it cannot be. If across is set, its language doesn't
// matter.
func (x *Index) ask(claim string, across bool) (*query, error) {
	if err := x.covers(claim); err != nil && !across {
		return nil, err
	}
	q := x.queryOf(claim)
	if len(q.terms) == 0 {
		return nil, unjudged("note_words")
	}
	if len(q.terms) > maxTerms {
		return nil, unjudged("note_long")
	}
	x.lookUp(q)
	return q, nil
}

// readAll compares a claim with its candidates, in the order in which BM25 finds them.
func (x *Index) readAll(claim string) ([]reading, error) {
	q, err := x.ask(claim, false)
	if err != nil {
		return nil, err
	}
	var out []reading
	for _, chunk := range x.retrieve(q) {
		if x.chunks[chunk].foreign {
			continue // words of another language agree by chance
		}
		if r, ok := x.read(q, chunk); ok {
			out = append(out, r)
		}
	}
	x.weigh(q, out)
	return out, nil
}

// covers returns an error if the claim's language is not covered, or if no sentence of the sources is in the claim's
// script. The session's language counts if it is stated; otherwise the claim's own words decide.
func (x *Index) covers(claim string) error {
	script := text.Script(claim)
	covered, known := text.CoveredTag(x.lang)
	if script == "other" || known && !covered || !known && text.IsForeign(claim) {
		return unjudged("note_claim_lang")
	}
	if len(x.chunks) > 0 && x.foreign {
		return unjudged(sourceLanguage)
	}
	if x.sharesScript(claim) || x.spoken[script] || x.spoken["mixed"] {
		return nil
	}
	return unjudged(differentLanguages)
}

// sharesScript reports whether some passage as a whole is in a script of the claim, or there are no passages.
func (x *Index) sharesScript(claim string) bool {
	script, passages := text.Script(claim), x.scripts
	return len(x.chunks) == 0 || script == "none" || script == "mixed" || passages[script] || passages["mixed"] ||
		passages["none"]
}

// agreedMark is the probability of support from which a passage is not a contradiction, whatever else differs.
const agreedMark = 0.5

// maxMatches is the most matches that a claim keeps.
const maxMatches = 5

// matches makes the matches of what was read: contradictions, and what carries the claim whole or in part.
func (x *Index) matches(readings []reading) []ledger.Match {
	carried := false
	for i := range readings {
		carried = carried || readings[i].carries()
	}
	var out []ledger.Match
	for i, top := 0, closest(readings); i < len(readings); i++ {
		r := &readings[i]
		var c *contradiction
		if i == top || r.opposing != nil {
			c = r.disputes()
		}
		switch {
		case c != nil && (r.p < agreedMark || c.sure) && c.certain(r.q) && (!carried || c.sameMatter()):
			out = append(out, r.against(c))
		case r.relevant():
			out = append(out, r.match())
		}
	}
	ledger.SortMatches(out)
	return out[:min(len(out), maxMatches)]
}

// How closely a sentence must follow a claim that another passage carries for it to contradict that claim.
const (
	sameRest  = 0.98 // share of the claim's other terms that the sentence has
	sameShare = 0.70 // share of the sentence's own words that the claim has
)

// sameMatter reports whether a contradiction speaks about the very thing that the claim does.
func (c *contradiction) sameMatter() bool { return c.rest >= sameRest && c.window.share() >= sameShare }
