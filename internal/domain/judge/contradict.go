package judge

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/words"
)

// How closely one sentence must follow the claim, apart from what conflicts, before the conflict contradicts.
const (
	restMark    = 0.80 // share of the claim's other terms that the sentence has
	negatedMark = 0.90 // the same for negations and opposites, which misled more often when tried
	turnedShare = 0.50 // share of the words that the sentence has from which a difference in negation turns them round
	namedMark   = 0.95 // the same for names
	eventMark   = 0.65 // the same for a year
	shareMark   = 0.35 // share of the sentence's own words that the claim has
	restTerms   = 2    // other terms at least
	numberMark  = 0.25 // coverage of the whole claim, from which the number that conflicts is missing
	otherCover  = 0.40 // the same where no number conflicts
)

// contradiction is a sentence that says otherwise.
type contradiction struct {
	window   *window
	conflict ledger.Conflict
	rest     float64 // how closely the sentence follows the rest of the claim, 0 to 1
	note     domain.Message
	weak     bool // only another word, which may say the same
	sure     bool // the sentence is the claim but for a figure
}

// certain reports whether a contradiction of some probability is said.
func (c *contradiction) certain(q float64) bool {
	return q > weakMark || q > conflictMark && !c.weak || c.sure
}

// contradicts finds the sentence of a chunk that contradicts the claim most closely, if any.
func (r *reading) contradicts() *contradiction {
	var best *contradiction
	for i := range r.sentences {
		w := &r.sentences[i]
		if w.coverage < numberMark || w.isRowOnly() || !w.query.negated && w.share() < shareMark {
			continue
		}
		if c := w.conflict(); c != nil && (w.coverage >= otherCover || c.conflict.Kind == "number") && (best == nil ||
			c.rest > best.rest+1e-12) {
			best = c
		}
	}
	return best
}

// conflictMark is the probability above which a difference that can be named contradicts: chosen for a precision of
// 85 % on sentences, see docs/judge.md.
const conflictMark = 0.70

// opposes finds the sentence that contradicts the claim by rule. Two dates of different words may be one.
func (r *reading) opposes() {
	r.dating = r.best.dating()
	if r.verbatim {
		return
	}
	if r.opposing = r.best.otherHead(); r.opposing != nil {
		return
	}
	if r.opposing = r.otherFigures(); r.opposing != nil || r.open() {
		return
	}
	if r.opposing = r.contradicts(); r.opposing != nil && r.opposing.window.dating() == datesOpen {
		r.opposing = nil
	}
}

// disputes is the contradiction by rule, or that of the passage's core sentence if a difference can be named there.
func (r *reading) disputes() *contradiction {
	core := r.core()
	switch {
	case r.verbatim || r.open() || r.dating == datesOpen || core.isRowOnly():
		return nil
	case r.opposing != nil:
		return r.opposing
	case core.coverage < numberMark:
		return nil
	}
	if r.compared.cancelled {
		return nil
	}
	if r.compared.conflict.Kind != "" {
		rest, _ := core.rest(func(*term) bool { return false })
		return &contradiction{window: core, conflict: r.compared.conflict, rest: rest, note: r.compared.conflictNote()}
	}
	rest, _ := core.rest(func(*term) bool { return false })
	if c, note, ok := core.difference(); ok {
		return &contradiction{window: core, conflict: c, rest: rest, note: note}
	}
	if c, note, ok := core.reworded(); ok {
		return &contradiction{window: core, conflict: c, rest: rest, note: note, weak: true}
	}
	return nil
}

// closestOpposing finds the sentence, in any chunk read, that contradicts the claim and covers most of it.
func closestOpposing(readings []reading) *window {
	var best *window
	for i := range readings {
		if c := readings[i].opposing; c != nil && (best == nil || c.window.coverage > best.coverage) {
			best = c.window
		}
	}
	return best
}

// outweigh informs a reading of a sentence that contradicts the claim. Where that one covers more of the claim than any
// single sentence of the reading, the reading has gathered the claim from something else.
func (r *reading) outweigh(other *window) {
	r.outweighed = other != nil && r.core().coverage < other.coverage
}

// conflict compares one sentence with the claim: numbers first, then negation, opposites and names.
func (w *window) conflict() *contradiction {
	if claim, evidence, ok := w.otherNumber(); ok {
		if rest, n := w.rest(func(t *term) bool { return t.quantity >= 0 && w.query.quantities[t.quantity] == claim }); rest >= restMark && (n >= restTerms || n == 1 && w.sameBut()) {
			return &contradiction{window: w, conflict: ledger.Conflict{
				Kind: "number", Claim: claim.Raw, Evidence: evidence.Raw,
			}, rest: rest,
				note: words.Msg("note_says", "Claim", claim.Raw, "Source", evidence.Raw)}
		}
	}
	if c := w.turned(); c != nil {
		return c
	}
	if name, k, ok := w.otherName(); ok {
		if rest, n := w.rest(func(t *term) bool { return t.Start == name.Start }); rest >= namedMark && n > restTerms {
			c, note := w.otherwiseNamed(name, k)
			return &contradiction{window: w, conflict: c, rest: rest, note: note}
		}
	}
	return nil
}

// turned finds a negation or a word's opposite that turns round what the sentence says of the claim's words.
func (w *window) turned() *contradiction {
	rest, n := w.rest(func(*term) bool { return false })
	compared := w.compare()
	if compared.antonym {
		rest, n = w.rest(func(t *term) bool { return len(t.against) > 0 && w.found[t.index] == 0 })
	}
	if compared.cancelled || rest < negatedMark || n < restTerms || w.numbersFound() < 1 || compared.polarity < turnedShare && !compared.limited ||
		compared.conflict.Kind == "" {
		return nil
	}
	return &contradiction{window: w, rest: rest, conflict: compared.conflict, note: compared.conflictNote()}
}

// conflictNote says the conflict in words.
func (c *comparison) conflictNote() domain.Message {
	claim, evidence := c.conflict.Claim, c.conflict.Evidence
	both := []any{"Claim", words.Quoted(claim), "Source", words.Quoted(evidence)}
	switch {
	case c.conflict.Kind == "entity":
		return words.Msg("note_says_quoted", both...)
	case claim == "" && isNegator(evidence):
		return words.Msg("note_source_negates", "Word", words.Quoted(evidence))
	case evidence == "" && isNegator(claim):
		return words.Msg("note_claim_negates", "Word", words.Quoted(claim))
	case claim == "":
		return words.Msg("note_source_limits", "Word", words.Quoted(evidence))
	case evidence == "":
		return words.Msg("note_claim_limits", "Word", words.Quoted(claim))
	case c.antonym:
		return words.Msg("note_opposite", both...)
	}
	return words.Msg("note_says_quoted", both...)
}

// isNegator reports whether a word negates what stands by it.
func isNegator(word string) bool {
	tokens := text.Tokens(word)
	if len(tokens) == 0 {
		return false
	}
	op, _ := operatorAt(tokens, 0)
	return op == opNot
}

// rest is the coverage of the claim's terms other than those that conflict, and how many content terms of them are
// found.
func (w *window) rest(conflicts func(*term) bool) (coverage float64, found int) {
	all, sum := 0.0, 0.0
	for i := range w.query.terms {
		t := &w.query.terms[i]
		if conflicts(t) || t.aside {
			continue
		}
		all += t.weight
		sum += float64(t.weight * w.found[i])
		if w.found[i] > 0 && t.weight > functionWeight {
			found++
		}
	}
	return sum / math.Max(all, 1e-9), found
}

// sameBut reports whether a sentence of one content word and a quantity says the same of the claim's one content word.
func (w *window) sameBut() bool {
	content, all := 0, 0
	for i := range w.query.terms {
		t := &w.query.terms[i]
		if t.quantity < 0 {
			content++
		}
	}
	for _, t := range w.chunk.tokens[w.from():w.to()] {
		if !t.Stop && quantityOf(w.chunk.sentences[w.first].quantities, t.Start) < 0 {
			all++
		}
	}
	return content == 1 && all == 1
}

// share is how much of the sentence the claim speaks about: its content words that the claim has too.
func (w *window) share() float64 {
	all, shared := 0, 0
	for _, t := range w.chunk.tokens[w.from():w.to()] {
		if t.Stop {
			continue
		}
		all++
		if len(w.query.hits(t.word)) > 0 || quantityOf(w.chunk.sentences[w.first].quantities, t.Start) >= 0 {
			shared++
		}
	}
	return float64(shared) / math.Max(1, float64(all))
}

// weakMark is the probability above which a mere other word in the place of the claim's contradicts.
const weakMark = 0.90

// difference names what in one sentence stands against the claim, without asking how closely the sentence follows it:
// another number, a negation on one side, an opposite, another word of one kind, or another name.
func (w *window) difference() (ledger.Conflict, domain.Message, bool) {
	if claim, evidence, ok := w.otherNumber(); ok && w.replaces(claim) {
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
			if t.quantity >= 0 && !w.replaces(w.query.quantities[t.quantity]) {
				continue
			}
			if overlap(t.kinds, w.query.index.kinds[s.word]) || t.Kind == text.Number && s.Kind == text.Number {
				return w.other(t, k)
			}
		}
	}
	if t, k, ok := w.otherName(); ok {
		c, note := w.otherwiseNamed(t, k)
		return c, note, true
	}
	return ledger.Conflict{}, domain.Message{}, false
}

// replaces reports whether another number in the place of the claim's says otherwise. A year is of an event: another
// year says otherwise only if the sentence has the rest of the claim.
func (w *window) replaces(claim amount) bool {
	if claim.Unit != "" || !text.IsYear(claim.Value.Float()) {
		return true
	}
	rest, _ := w.rest(func(t *term) bool { return t.quantity >= 0 && w.query.quantities[t.quantity] == claim })
	return rest >= eventMark
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

// otherwiseNamed is the conflict of a name of the claim with token k in its place.
func (w *window) otherwiseNamed(t *term, k int) (ledger.Conflict, domain.Message) {
	claim, evidence := w.written(t, k)
	return ledger.Conflict{Kind: "entity", Claim: claim, Evidence: evidence},
		words.Msg("note_names", "Claim", claim, "Source", evidence)
}

// written returns a word of the claim and token k as they are written: two numbers with all of their words, two words
// of names or titles with these, unless one text has both. A row of a table keeps the words of its cells.
func (w *window) written(t *term, k int) (claim, evidence string) {
	at := quantityOf(w.chunk.quantities, w.chunk.tokens[k].Start)
	if t.quantity >= 0 && at >= 0 {
		return w.query.quantities[t.quantity].Raw, w.chunk.quantities[at].Raw
	}
	evidence = w.chunk.tokens[k].Text
	if !capital(t.Token) || !capital(w.chunk.tokens[k].Token) || w.chunk.row != nil {
		return t.Text, evidence
	}
	mine, theirs := w.query.meaning.tokens, w.tokens()
	a, b := titleAround(mine, text.NewRuler(w.query.text), t.token), titleAround(theirs, w.chunk.ruler, k-w.from())
	if contains(theirs, mine[a.from:a.to+1]) || contains(mine, theirs[b.from:b.to+1]) {
		return t.Text, evidence
	}
	return text.Slice(w.query.text, text.Span{Start: mine[a.from].Start, End: mine[a.to].End}),
		w.chunk.ruler.Slice(text.Span{Start: theirs[b.from].Start, End: theirs[b.to].End})
}

// inTitles are the small words that names and titles have inside: "Head of Finance", "Omar bin Said".
var inTitles = wordSet("of the de la da di du del der van von den bin bint ibn al el")

// maxTitle is the most words of a name or title. More words with capitals side by side are a heading.
const maxTitle = 7

// titleAround is the name or title that token at belongs to: words with capitals side by side. A sentence's first word,
// which has a capital whatever it is, is left out where it limits or is a participle: "All Danes", "Flying Emirates".
func titleAround(tokens []text.Token, ruler text.Ruler, at int) tokenRange {
	beside := func(i int) bool { // nothing but a space, a hyphen or the point of "J." and "Dr." is before token i
		between := ruler.Slice(text.Span{Start: tokens[i-1].End, End: tokens[i].Start})
		return between == " " || between == "-" || between == ". " && tokens[i-1].Len() <= 2
	}
	named := func(i int) bool {
		op, _ := operatorAt(tokens, i)
		return capital(tokens[i]) && (i > 0 || op == opNone && !isInflected(tokens[i].Norm))
	}
	out := tokenRange{at, at}
	for i := at - 1; i >= 0 && beside(i+1) && (named(i) || inTitles[tokens[i].Norm]); i-- {
		if named(i) {
			out.from = i
		}
	}
	for i := at + 1; i < len(tokens) && beside(i) && (named(i) || inTitles[tokens[i].Norm]); i++ {
		if named(i) {
			out.to = i
		}
	}
	if out.to-out.from >= maxTitle {
		return tokenRange{at, at}
	}
	return out
}

// withoutLoose returns the matches of a claim that only text left out of the sources says, without what contradicts it
// loosely. Such a text stands beside others on its subject that say nothing of it, and to a reader any of them may seem
// to say otherwise: there only a difference that can be named, in a sentence which has the rest of the claim, does.
func (x *Index) withoutLoose(c *ledger.Claim, matches []ledger.Match) []ledger.Match {
	if x.leftOut(c.Text) == nil {
		return matches
	}
	return slices.DeleteFunc(matches, func(m ledger.Match) bool {
		return m.Contradicts && !slices.ContainsFunc(m.Features, func(f ledger.Feature) bool {
			return f.Name == restFeature && f.Value >= closeMark
		})
	})
}

// counterparts are the two sides of one thing: buyer and seller, locked and unlocked. As in opposites, side 2k stands
// against side 2k+1.
var counterparts = onFirstUse("counterparts.txt", readOpposites)

// otherSide looks for a word of the claim in whose place the sentence has its counterpart. It asks for the words as
// they are: "employee" is a form of "employer", and yet the other side. A sentence or a claim that has both sides
// speaks of both.
func (c *comparer) otherSide() {
	w := c.window
	for i := range w.query.terms {
		t := &w.query.terms[i]
		if t.quantity >= 0 || t.token < 0 {
			continue
		}
		for k := w.from(); k < w.to(); k++ {
			s := &w.chunk.tokens[k]
			if !c.counter(t.token, k-w.from()) {
				continue
			}
			if rest, _ := w.rest(func(o *term) bool { return o.index == i }); rest >= kindMark {
				c.out.counterpart = ledger.Conflict{Kind: "entity", Claim: t.Text, Evidence: s.Text}
				return
			}
		}
	}
}

// counter reports whether token i of the claim and token k of the sentence are counterparts, and neither text has the
// other's. Where only one of them is negated both may say the same, which polarity compares.
func (c *comparer) counter(i, k int) bool {
	if c.claim.deniedApart(i) != c.source.deniedApart(k) {
		return false
	}
	mine, theirs := c.claim.tokens[i], c.source.tokens[k]
	if isPrefixed(mine.Norm, theirs.Norm) && !c.claim.phrase[i] && !c.source.phrase[k] { // "less" and "unless" are phrases
		return !c.source.has(mine.Stem) && !c.claim.has(theirs.Stem)
	}
	for _, side := range counterparts().of[mine.Stem] {
		if slices.Contains(counterparts().of[theirs.Stem], side^1) && !c.source.onSide(side) && !c.claim.onSide(side^1) {
			return true
		}
	}
	return false
}

// deniedApart reports whether what word i stands in is negated, apart from what the word itself denies: "forbidden".
func (m *meaning) deniedApart(i int) bool {
	return m.negative(m.segment[i]) != slices.Contains(denying, m.ops[i])
}

var denying = []operator{opNot, opExcept, opWithout, opInstead}

// onSide reports whether the text has a word of a side of counterparts.
func (m *meaning) onSide(side int) bool {
	for i := range m.tokens {
		if slices.Contains(counterparts().of[m.tokens[i].Stem], side) {
			return true
		}
	}
	return false
}

// has reports whether the text has a word of this stem.
func (m *meaning) has(stem string) bool {
	for i := range m.tokens {
		if m.tokens[i].Stem == stem {
			return true
		}
	}
	return false
}

// leastPrefixed is the fewest letters of a word that a prefix turns round: "it" is not the opposite of "unit".
const leastPrefixed = 4

// isPrefixed reports whether one of two English words is the other with a prefix that denies it: "insured" and
// "uninsured".
func isPrefixed(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if utf8.RuneCountInString(a) < leastPrefixed {
		return false
	}
	rest, found := strings.CutSuffix(b, a)
	return found && (rest == "un" || rest == "non" || rest == "non-")
}
