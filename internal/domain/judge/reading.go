package judge

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"sanad/internal/domain/text/quantity"
)

// The marks that a probability is compared with.
const (
	fullMark   = 0.85 // above it a passage carries the whole claim, as the rule of verdicts asks (rule L-3)
	floorMark  = 0.20 // below it, it is not evidence on the claim
	coverMark  = 0.40 // likewise for the window's coverage
	partialTop = 0.84 // most that a passage can have that a rule keeps from full support
	mostSure   = 0.99 // most that any can have
	verbatimP  = 0.98 // of a whole sentence that is the claim, word for word
	rowP       = 0.90 // least of a table's row that has all of the claim; set by hand, the sets have almost no tables
)

// reading is a claim compared with one chunk.
type reading struct {
	chunk     int // index of the chunk
	best      window
	sentences []window
	context   float64   // coverage by all of the document that was read
	all       []float64 // for each term how well the chunk has it
	document  []float64 // the same for all of the document that was read
	p         float64   // the probability that the passage supports the claim
	q         float64   // the probability that it contradicts it, where a difference can be named
	figures   *vector
	weights   explainer // what p was computed with
	// outweighed: a sentence elsewhere follows the claim more closely and contradicts it
	outweighed bool
	compared   comparison // of the core sentence
	verbatim   bool       // a whole sentence of the chunk is the claim, word for word
	dating     dating     // of best
	opposing   *contradiction
	vetoed     string // the rule that forbids full support, see veto
	qualified  string // id of how the evidence says less than the claim
}

// read compares a claim with a chunk.
func (x *Index) read(q *query, chunk int) (reading, bool) {
	r := reading{chunk: chunk, sentences: readSentences(q, &x.chunks[chunk])}
	if len(r.sentences) == 0 {
		return r, false
	}
	r.best = bestWindow(r.sentences)
	if rows := x.readTable(q, &x.chunks[chunk], &r.best); rows != nil {
		r.sentences, r.best = rows, bestWindow(rows)
	}
	r.settle(0, len(r.sentences))
	return r, true
}

// settle completes a reading. If one of the sentences first to last is the claim word for word, it is the best window.
func (r *reading) settle(first, last int) {
	for i := range r.sentences {
		if s := &r.sentences[i]; s.first >= first && s.last <= last && s.verbatim() {
			r.best, r.verbatim = *s, true
			break
		}
	}
	r.all = r.whole()
	r.qualified = r.best.qualification()
}

// weigh scores readings once all of them are there: a document's chunks are each other's context.
func (x *Index) weigh(q *query, readings []reading) {
	figures := make([]vector, len(readings))
	for i := range readings {
		r := &readings[i]
		x.gather(q, readings, i)
		r.figures = &figures[i]
		r.opposes()
		if i == 0 {
			partFeatures(r.figures, q, readings)
		} else {
			for f := partLeast; f <= nearMean; f++ {
				r.figures[f] = figures[0][f]
			}
			r.figures[covSpecificAll] = figures[0][covSpecificAll]
		}
	}
	for i := range readings {
		x.describe(readings[i].figures, q, &readings[i])
	}
}

// gather computes for each term how well the document of reading i has it; readings of one document share the results.
func (x *Index) gather(q *query, readings []reading, i int) {
	r := &readings[i]
	document := x.chunks[r.chunk].ref.Document
	for j := range i {
		if x.chunks[readings[j].chunk].ref.Document == document {
			r.document, r.context = readings[j].document, readings[j].context
			return
		}
	}
	r.document = slices.Clone(r.all)
	for j := i + 1; j < len(readings); j++ {
		if x.chunks[readings[j].chunk].ref.Document == document {
			raise(r.document, readings[j].all)
		}
	}
	r.context = q.covered(r.document)
}

// raise lifts each figure of to to that of from, where that is more.
func raise(to, from []float64) {
	for k, f := range from {
		if f > to[k] {
			to[k] = f
		}
	}
}

// whole computes for each term of the claim how well the chunk has it anywhere.
func (r *reading) whole() []float64 {
	out := make([]float64, len(r.best.found))
	for i := range r.sentences {
		raise(out, r.sentences[i].found)
	}
	return out
}

// namesLost is the share of the claim's names that the chunk has nowhere.
func (r *reading) namesLost() float64 {
	names, lost := 0, 0
	for i := range r.best.query.terms {
		t := &r.best.query.terms[i]
		if !t.name {
			continue
		}
		names++
		if r.all[i] == 0 {
			lost++
		}
	}
	if names == 0 {
		return 0
	}
	return float64(lost) / float64(names)
}

// carries reports whether the passage carries the claim whole.
func (r *reading) carries() bool { return r.p > fullMark && r.vetoed == "" }

// sameSense reports whether claim and evidence are both negated or both not. A negation counts against a claim that has
// none only in the window's core, the sentence that covers most: beside it stand many that negate something else.
func (r *reading) sameSense() bool {
	if r.best.query.negated {
		return r.best.negations() > 0
	}
	return r.core().negates() < 0
}

// core is the sentence of the window that covers most of the claim.
func (r *reading) core() *window {
	best := &r.sentences[r.best.first]
	for i := r.best.first + 1; i <= r.best.last; i++ {
		if r.sentences[i].coverage > best.coverage {
			best = &r.sentences[i]
		}
	}
	return best
}

// agrees reports whether one sentence has all of the claim's words and differs from it in nothing that is compared.
func (r *reading) agrees() bool { return r.figures[agrees] == 1 && r.vetoed == "" }

// relevant reports whether the chunk is evidence on the claim at all: it speaks about enough of it, and of more than
// one of its content words.
func (r *reading) relevant() bool {
	content, found, _ := r.content()
	return r.verbatim || r.p >= floorMark && r.best.coverage >= coverMark && (found >= 2 || found == content)
}

// content counts the claim's content words and those that the chunk has, and reports whether the
// document lacks a name.
func (r *reading) content() (all, found int, nameless bool) {
	for i := range r.best.query.terms {
		t := &r.best.query.terms[i]
		switch {
		case t.weight <= genericWeight, r.best.query.meaning.phrase[t.token]:
		case r.all[i] > 0:
			all, found = all+1, found+1
		default:
			all++
			nameless = nameless || t.name && r.document[i] == 0
		}
	}
	return all, found, nameless
}

// hasNumbers reports whether every quantity of the claim is in the chunk.
func (r *reading) hasNumbers() bool {
	for i := range r.best.query.terms {
		t := &r.best.query.terms[i]
		if t.quantity >= 0 && r.all[i] == 0 {
			return false
		}
	}
	return true
}

// round cuts a figure to four digits, so that it is the same on every machine.
func round(v float64) float64 { return math.Round(v*1e4) / 1e4 }

// verbatim reports whether the window's one sentence is the claim word for word.
func (w *window) verbatim() bool { return w.likened().likeness == alike }

// sight is a window of the sources, with what the reader says of it and how its words compare with the claim's.
type sight struct {
	window *Window
	logits Logits
	other  bool // it is a row of a table in which the claim names another one
	across bool // it is in another language than the claim, or in one whose words are not compared
	reading
}

// look reads a claim against its windows, in every language if across is set. It returns none if no source has anything
// to read.
func (x *Index) look(ctx context.Context, by Reader, claim string, across bool) ([]sight, error) {
	q, err := x.ask(claim, across)
	if err != nil {
		return nil, err
	}
	find := x.sources().Windows
	if across {
		find = x.sources().WindowsAcross
	}
	windows := find(claim)
	if !across {
		windows = slices.DeleteFunc(windows, x.isForeign)
	}
	windows, logits, err := scored(ctx, by, q.text, windows, across)
	if err != nil {
		return nil, err
	}
	var out []sight
	var readings []reading
	for i := range windows {
		if r, ok := x.compareWith(q, &windows[i], readings); ok {
			readings = append(readings, r)
			out = append(out, sight{window: &windows[i], logits: logits[i]})
		}
	}
	x.weigh(q, readings)
	veto(readings)
	for i := range out {
		out[i].reading = readings[i]
	}
	x.tellRows(q, out)
	return out, nil
}

// isForeign reports whether a window is in a language that is not covered.
func (x *Index) isForeign(w Window) bool { return x.unread[w.Ref] }

// stopped is a claim with a full stop. The reader learned from sentences that end in one, and its answer differs
// without it.
func stopped(claim string) string {
	claim = strings.TrimSpace(claim)
	if last, _ := utf8.DecodeLastRuneInString(claim); strings.ContainsRune(".!?؟…。", last) {
		return claim
	}
	return claim + "."
}

// scored asks the reader about windows, and returns those that it can read. A claim that is too long is unjudged.
func scored(ctx context.Context, by Reader, claim string, windows []Window, across bool) ([]Window, []Logits, error) {
	var said []quantity.Quantity
	if !across {
		said = figures(itemsOf(claim))
	}
	claim = stopped(claim)
	for len(windows) > 0 {
		passages := make([]string, len(windows))
		for i := range windows {
			passages[i] = inClaimsWords(said, claim, windows[i].Passage())
		}
		logits, err := by.Score(ctx, claim, passages)
		var long *LongError
		switch {
		case errors.As(err, &long) && long.Claim:
			return nil, nil, unjudged("note_claim_tokens")
		case errors.As(err, &long):
			windows = slices.Delete(windows, long.Passage, long.Passage+1)
		default:
			return windows, logits, err
		}
	}
	return nil, nil, nil
}

// compareWith compares a claim with a window; known are the readings of earlier windows, which may be of the same
// chunk.
func (x *Index) compareWith(q *query, w *Window, known []reading) (reading, bool) {
	at := slices.IndexFunc(x.chunks, func(c chunk) bool { return c.ref == w.Ref })
	if at < 0 {
		return reading{}, false
	}
	r := reading{chunk: at}
	if i := slices.IndexFunc(known, func(k reading) bool { return k.chunk == at && k.best.chunk.row == nil }); i >= 0 {
		r.sentences = known[i].sentences
	} else {
		r.sentences = readSentences(q, &x.chunks[at])
	}
	first := -1
	for i := range r.sentences {
		switch s := x.chunks[at].sentences[i].span; {
		case s.End <= w.Span.Start || s.Start >= w.Span.End:
		case first < 0:
			first, r.best = i, r.sentences[i]
		default:
			r.best = r.best.joined(&r.sentences[i])
		}
	}
	if first < 0 {
		return reading{}, false
	}
	if rows := x.readTable(q, &x.chunks[at], &r.best); rows != nil && rows[0].chunk.row.span == w.Span {
		r.sentences, r.best = rows, bestWindow(rows)
	}
	r.settle(r.best.first, r.best.last)
	return r, true
}

// Seen is what balances are found on: one window of a row.
type Seen struct {
	Figures []float64 // in the order of SeenNames
	Rules   []string  // rules and frames that speak against full support, the surest first, whether Embedded heeds them or not
	Same    bool      // a whole sentence is the claim, word for word
}

// See reads a row as Embedded does, and reports whether its evidence is a document. It depends on no balances.
func See(ctx context.Context, by Reader, row Row) (out []Seen, document bool, err error) {
	x := NewIndex(RowSession(row))
	sights, err := x.look(ctx, by, strings.TrimSpace(row.Claim), false)
	for i := range sights {
		s := &sights[i]
		seen := Seen{Rules: s.rules(), Same: s.verbatim}
		if frame := s.framed(); frame != "" {
			seen.Rules = append(seen.Rules, frame)
		}
		for place := range seenNames {
			seen.Figures = append(seen.Figures, s.figureSeen(place))
		}
		out = append(out, seen)
	}
	return out, x.document, err
}
