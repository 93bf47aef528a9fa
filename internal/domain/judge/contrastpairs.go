package judge

import (
	"slices"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/domain/text/quantity"
)

// conflicts adds the words that the match says conflict or, where it contradicts without naming any, those that the
// sentences show.
func (c *contraster) conflicts() {
	list := c.match.Conflicts
	if len(list) == 0 && c.match.Contradicts && !c.out.Apart {
		list = conflicts(c.sentences)
	}
	kind := MarkDiffers
	if c.match.Contradicts {
		kind = MarkConflict
	}
	for _, x := range list {
		c.conflict(x, kind)
	}
}

// conflict adds one conflict. Words that are not found on their side are listed all the same.
func (c *contraster) conflict(x ledger.Conflict, kind MarkKind) {
	a := c.inClaim(x.Claim)
	b := c.inSource(x.Evidence)
	p := pair{kind: kind, about: c.about(x, a, b)}
	p.claim, p.source = c.claimSpan(a.from, a.to), c.sourceSpan(b.from, b.to)
	if p.about == AboutNumber || p.about == AboutWords {
		c.wholeDates(&p)
	}
	head := ""
	switch {
	case x.Claim == "" && b.found():
		if head = c.cellTurns(&p, b); head == "" {
			c.sourceTurns(&p, b)
		}
	case x.Evidence == "" && a.found():
		c.claimTurns(&p, a)
	}
	if p.claim.Len()+p.source.Len() == 0 && len(c.out.Pairs) < maxPairs {
		c.out.Pairs = append(c.out.Pairs, Pair{Kind: kind, About: p.about, Claim: x.Claim, Source: x.Evidence})
		return
	}
	if !c.add(p) {
		return
	}
	if last := &c.out.Pairs[len(c.out.Pairs)-1]; head != "" {
		last.Source = head + ": " + last.Source
	} else if last.Claim == "" && x.Claim != "" {
		last.Claim = x.Claim
	} else if last.Source == "" && x.Evidence != "" {
		last.Source = x.Evidence
	}
}

// wholeDates widens two numbers that stand in dates to these.
func (c *contraster) wholeDates(p *pair) {
	for _, d := range c.query.dates {
		claim := c.claimPart(d.Span)
		for _, e := range c.chunk.dates {
			if within(claim, p.claim) && within(e.Span, p.source) && p.source.Len() > 0 && p.claim.Len() > 0 {
				p.about, p.claim, p.source = AboutDate, claim, e.Span
				return
			}
		}
	}
}

// tokenRange is a range of tokens, both ends included; from is -1 for none.
type tokenRange struct{ from, to int }

func (s tokenRange) found() bool { return s.from >= 0 }

// inClaim finds words in the claim, by the query's tokens.
func (c *contraster) inClaim(words string) tokenRange {
	return c.best(findAll(c.query.meaning.tokens, text.Tokens(words)), func(i int) bool {
		return slices.ContainsFunc(c.query.terms, func(t term) bool { return t.token == i && c.all.found[t.index] > 0 })
	})
}

// inSource finds words in the sentences, by the chunk's tokens.
func (c *contraster) inSource(words string) tokenRange {
	from := c.all.from()
	out := c.best(findAll(c.all.tokens(), text.Tokens(words)), func(i int) bool {
		return i >= 0 && from+i < c.all.to() && c.termAt(from+i) >= 0
	})
	if out.found() {
		out.from, out.to = out.from+from, out.to+from
	}
	return out
}

// best chooses of several places the one that is nearest before a word that both sides have.
func (c *contraster) best(list []tokenRange, shared func(i int) bool) tokenRange {
	out, least := tokenRange{-1, -1}, turnReach+1
	for _, s := range list {
		distance := turnReach
		for k := 1; k < turnReach; k++ {
			if shared(s.to + k) {
				distance = k
				break
			}
		}
		if distance < least {
			out, least = s, distance
		}
	}
	return out
}

// findAll finds where words stand in a text, by their folded forms.
func findAll(tokens, words []text.Token) (out []tokenRange) {
	if len(words) == 0 {
		return nil
	}
	for i := 0; i+len(words) <= len(tokens); i++ {
		k := 0
		for k < len(words) && tokens[i+k].Norm == words[k].Norm {
			k++
		}
		if k == len(words) {
			out = append(out, tokenRange{i, i + k - 1})
		}
	}
	return out
}

// about says what a conflict is about.
func (c *contraster) about(x ledger.Conflict, a, b tokenRange) About {
	switch {
	case x.Kind == "number":
		return AboutNumber
	case x.Kind == "entity" && (dated(x.Claim) || dated(x.Evidence)):
		return AboutDate
	case x.Kind == "entity":
		return AboutWords
	}
	var ops [2]operator
	if a.found() {
		ops[0], _ = operatorAt(c.query.meaning.tokens, a.from)
	}
	if b.found() {
		ops[1], _ = operatorAt(c.chunkTokens(), b.from)
	}
	op := ops[1]
	if op == opNone {
		op = ops[0]
	}
	one := x.Claim == "" || x.Evidence == ""
	switch out := aboutOf[op]; {
	case out == "" && one:
		return AboutNegation
	case out == AboutNegation && !one, out == "":
		return AboutOpposite
	default:
		return out
	}
}

// aboutOf is what a difference in an operator is about.
var aboutOf = map[operator]About{
	opNot: AboutNegation, opEnded: AboutNegation, opDouble: AboutNegation, opWithout: AboutException,
	opExcept: AboutException, opInstead: AboutException, opIf: AboutCondition, opUnless: AboutCondition,
	opEvenIf: AboutCondition, opOnly: AboutOnly, opToo: AboutOnly, opAll: AboutQuantifier, opMost: AboutQuantifier,
	opMany: AboutQuantifier, opSome: AboutQuantifier, opFew: AboutQuantifier, opMust: AboutModality,
	opShould: AboutModality, opAllow: AboutModality, opMaybe: AboutModality, opLatest: AboutBound,
	opEarliest: AboutBound, opBound: AboutBound,
}

// dated reports whether words have a full date.
func dated(words string) bool {
	return len(quantity.Dates(quantity.Read(words))) > 0
}

// chunkTokens are all tokens of the chunk.
func (c *contraster) chunkTokens() []text.Token {
	out := make([]text.Token, len(c.chunk.tokens))
	for i := range c.chunk.tokens {
		out[i] = c.chunk.tokens[i].Token
	}
	return out
}

// termAt is the claim's term that token k of the chunk stands for, -1 if none.
func (c *contraster) termAt(k int) int {
	for _, h := range c.query.hits(c.chunk.tokens[k].word) {
		if c.all.found[h.term] > 0 && !c.query.refutes(h.term, c.chunk.quantities, c.chunk.tokens[k].Start) {
			return h.term
		}
	}
	return -1
}

// turnReach is how far from the word that turns it the word that is turned may be.
const turnReach = 5

// sourceTurns widens a difference of which the source alone has the word: to what it turns, on both sides ("is not
// reimbursed", "is reimbursed"), or to the limit that it begins ("except for contractors").
func (c *contraster) sourceTurns(p *pair, b tokenRange) {
	if p.about != AboutNegation {
		p.source = c.sourceSpan(b.from, c.limitEnd(b.from))
		return
	}
	at := c.anchor(b)
	if !isNegation(c.chunk.tokens[b.from].Norm) || prohibitors[c.chunk.tokens[b.from].Norm] {
		at = -1 // "is prohibited" says it alone, against what the claim permits
	}
	first, last := b.from, b.to
	if at >= 0 {
		first, last = min(b.from, at), max(b.to, at)
	}
	for first > c.all.from() && auxiliary[c.chunk.tokens[first-1].Norm] {
		first--
	}
	p.turnSource, p.source = p.source, c.sourceSpan(first, last)
	if at >= 0 {
		p.claim = c.phrase(c.query.terms[c.termAt(at)].token)
	} else {
		p.claim = c.permission()
	}
}

// cellTurns sets a pair to the cell that consists of words which turn the claim, and to what the claim has of the
// cell's head, which it returns: a row has no words that its "no" turns. "" if the words are no cell below a head.
func (c *contraster) cellTurns(p *pair, b tokenRange) string {
	if p.about != AboutNegation {
		return ""
	}
	sp := c.sourceSpan(b.from, b.to)
	for i := range c.chunk.grids {
		g := &c.chunk.grids[i]
		for _, row := range g.Rows {
			k := slices.IndexFunc(row.Cells, func(cell ledger.Cell) bool { return cell.Span == sp })
			if heads := g.Heads(); k >= 0 && k < len(heads) && heads[k] != "" {
				p.claim, p.source, p.turnSource = c.headInClaim(heads[k]), sp, text.Span{}
				return heads[k]
			}
		}
	}
	return ""
}

// headInClaim is the span of the claim from the first to the last word that a head has too, with the auxiliaries
// before it.
func (c *contraster) headInClaim(head string) text.Span {
	stems := map[string]bool{}
	for _, t := range text.Tokens(head) {
		stems[t.Stem] = !t.Stop
	}
	first, last := -1, -1
	for k, t := range c.query.meaning.tokens {
		if stems[t.Stem] {
			if last = k; first < 0 {
				first = k
			}
		}
	}
	if first < 0 {
		return text.Span{}
	}
	return text.Span{Start: c.phrase(first).Start, End: c.claimSpan(last, last).End}
}

// permission is the span of the first word of the claim that permits or obliges, with the auxiliaries before it.
func (c *contraster) permission() text.Span {
	for i, op := range c.query.meaning.ops {
		if op == opAllow || op == opMust {
			return c.phrase(i)
		}
	}
	return text.Span{}
}

// anchor is the nearest token after, or else before, some tokens of the source that the claim has too; -1 if none.
func (c *contraster) anchor(b tokenRange) int {
	for k := b.to + 1; k < c.all.to() && k <= b.to+turnReach; k++ {
		if c.termAt(k) >= 0 {
			return k
		}
	}
	for k := b.from - 1; k >= c.all.from() && k >= b.from-turnReach; k-- {
		if c.termAt(k) >= 0 {
			return k
		}
	}
	return -1
}

// phrase is the span of a token of the query with the auxiliaries before it: "is reimbursed".
func (c *contraster) phrase(token int) text.Span {
	first := token
	for first > 0 && auxiliary[c.query.meaning.tokens[first-1].Norm] && c.places[first-1] == c.places[first]-1 {
		first--
	}
	return c.claimSpan(first, token)
}

// limitWords is the most words of a limit that are shown.
const limitWords = 9

// limitEnd is the last token of the limit that begins at token from of the source.
func (c *contraster) limitEnd(from int) int {
	last := from
	for k := from + 1; k < c.all.to() && k < from+limitWords && c.chunk.tokens[k].gap == gapSpace &&
		c.chunk.tokens[k].sentence == c.chunk.tokens[from].sentence; k++ {
		last = k
	}
	return last
}

// claimTurns widens a difference of which the claim alone has the word.
func (c *contraster) claimTurns(p *pair, a tokenRange) {
	if p.about != AboutNegation {
		return
	}
	t := c.turned(a)
	if t < 0 {
		return
	}
	token := c.query.terms[t].token
	first := min(a.from, token)
	for first > 0 && auxiliary[c.query.meaning.tokens[first-1].Norm] {
		first--
	}
	p.turnClaim, p.claim = p.claim, c.claimSpan(first, max(a.to, token))
	for k := c.all.from(); k < c.all.to(); k++ {
		if c.termAt(k) == t {
			p.source = c.statement(k)
			return
		}
	}
}

// statement is the span of a token of the source that the claim negates, with the auxiliaries before it or, if it has
// none, with the words beside it.
func (c *contraster) statement(k int) text.Span {
	first, last := k, k
	for first > c.all.from() && auxiliary[c.chunk.tokens[first-1].Norm] {
		first--
	}
	if first < k {
		return c.sourceSpan(first, k)
	}
	for first > c.all.from() && first > k-besideWords && c.chunk.tokens[first].gap == gapSpace {
		first--
	}
	for last+1 < c.all.to() && last < k+besideWords && c.chunk.tokens[last+1].gap == gapSpace {
		last++
	}
	return c.sourceSpan(first, last)
}

// besideWords is how many words on either side are shown of what has no auxiliary.
const besideWords = 2

// turned is the term of the claim that its tokens a turn round: the nearest after them, or else before them, that the
// source has too; -1 if none.
func (c *contraster) turned(a tokenRange) int {
	before := -1
	for i := range c.query.terms {
		t := &c.query.terms[i]
		switch {
		case t.token < 0 || c.all.found[i] == 0:
		case t.token > a.to && t.token <= a.to+turnReach:
			return i
		case t.token < a.from && t.token >= a.from-turnReach:
			before = i
		}
	}
	return before
}

// dates adds the dates of the claim that the sentences write otherwise, or have another one for.
func (c *contraster) dates() {
	for _, d := range c.query.dates {
		var other *quantity.Date
		same := false
		for i := range c.chunk.dates {
			e := &c.chunk.dates[i]
			if !within(c.all.span(), e.Span) {
				continue
			}
			if d.Same(*e) {
				same = true
				c.dated(d, *e, MarkEqual)
				break
			}
			if nearDate(d, *e) && !d.MayBe(*e) {
				other = e
			}
		}
		if !same && other != nil {
			c.dated(d, *other, c.unequal())
		}
	}
}

// unequal is the kind of what a figure differs by: a conflict only where nothing else was named for the contradiction.
func (c *contraster) unequal() MarkKind {
	if c.match.Contradicts && len(c.match.Conflicts) == 0 && len(c.out.Pairs) == 0 {
		return MarkConflict
	}
	return MarkDiffers
}

// dated adds a pair of dates, unless both are written the same way.
func (c *contraster) dated(d, e quantity.Date, kind MarkKind) {
	p := pair{kind: kind, about: AboutDate, claim: c.claimPart(d.Span), source: e.Span}
	if kind != MarkEqual || text.Fold(text.Slice(c.claim, p.claim)) != text.Fold(c.chunk.ruler.Slice(e.Span)) {
		c.add(p)
	}
}

func within(outer, inner text.Span) bool { return outer.Start <= inner.Start && inner.End <= outer.End }

// claimPart is a span of the query's text as one of the claim.
func (c *contraster) claimPart(sp text.Span) text.Span {
	tokens := c.query.meaning.tokens
	first, last := -1, -1
	for i := range tokens {
		if tokens[i].Start < sp.End && sp.Start < tokens[i].End {
			if last = i; first < 0 {
				first = i
			}
		}
	}
	if first < 0 {
		return text.Span{}
	}
	out := c.claimSpan(first, last)
	out.Start -= max(0, tokens[first].Start-sp.Start) // a currency sign
	out.Start = max(0, out.Start)
	return out
}

// quantities links the claim's quantities with equal ones of the sentences that are written otherwise, and sets against
// each other those that are in one another's place.
func (c *contraster) quantities() {
	for i := range c.query.terms {
		k := c.query.terms[i].quantity
		if k < 0 {
			continue
		}
		q := c.query.quantities[k]
		if e, ok := c.equal(q); ok {
			c.linked(q, e)
			continue
		}
		for s := range c.sentences {
			w := &c.sentences[s]
			if w.found[i] > 0 || w.chunk.hasQuantity(q) {
				continue
			}
			if e, n := w.rivals(i, q); n == 1 && e.from == q.from {
				c.add(pair{kind: c.unequal(), about: AboutNumber, claim: c.claimPart(q.Span), source: e.Span})
				break
			}
		}
	}
}

// equal finds in the sentences the quantity that says the same as one of the claim and was read as the same kind of
// figure: the surest, of these one with the same bound, and of these one that is written alike.
func (c *contraster) equal(q amount) (out amount, ok bool) {
	likeness := func(e amount) (out [3]float64) {
		out[0] = sameQuantity(q, e)
		for i, alike := range []bool{e.Bound == q.Bound, e.Raw == q.Raw} {
			if alike {
				out[i+1] = 1
			}
		}
		return out
	}
	best := [3]float64{}
	for i := range c.sentences {
		for _, e := range c.chunk.sentences[c.sentences[i].first].quantities {
			if same := likeness(e); e.from == q.from && same[0] > 0 && slices.Compare(same[:], best[:]) > 0 {
				out, ok, best = e, true, same
			}
		}
	}
	return out, ok
}

// linked adds two quantities of equal value: as a difference where one is a least and the other a greatest value, else,
// where they are written otherwise, as equal, unless one alone has a bound.
func (c *contraster) linked(q, e amount) {
	if q.side()*e.side() < 0 {
		kind := c.unequal()
		if core := c.core(); core.compare().cancelled {
			kind = MarkInstead // the same limit, said of what is allowed and of what is not
		}
		c.add(pair{kind: kind, about: AboutBound, claim: c.bounded(q.Span, c.query.meaning.tokens, c.claimPart),
			source: c.bounded(e.Span, c.chunkTokens(), func(sp text.Span) text.Span { return sp })})
		return
	}
	kind := MarkEqual
	if q.Bound != e.Bound {
		kind = c.otherwise()
	}
	if text.Fold(q.Raw) != text.Fold(e.Raw) {
		c.add(pair{kind: kind, about: AboutNumber, claim: c.claimPart(q.Span), source: e.Span})
	}
}

// bounded widens a quantity to the words before it that make it a bound.
func (c *contraster) bounded(sp text.Span, tokens []text.Token, in func(text.Span) text.Span) text.Span {
	at := slices.IndexFunc(tokens, func(t text.Token) bool { return t.End > sp.Start })
	for k := max(0, at-boundReach-1); k < at; k++ {
		if op, _ := operatorAt(tokens, k); op == opBound || op == opLatest || op == opEarliest {
			return in(text.Span{Start: tokens[k].Start, End: sp.End})
		}
	}
	return in(sp)
}

// contradicted reports whether words are found by which the passage contradicts the claim.
func (c *contraster) contradicted() bool {
	return slices.ContainsFunc(c.out.Pairs, func(p Pair) bool { return p.Kind == MarkConflict && p.Claim != "" && p.Source != "" })
}

// operators adds, where the passage does not carry the claim whole, by which words it says less or otherwise.
func (c *contraster) operators() {
	if c.match.Support == ledger.Full && !c.match.Contradicts || IsUnsure(c.match) || c.contradicted() {
		return
	}
	w := c.core()
	found := w.compareNow()
	bothFree := isFree(c.query.meaning.tokens) && isFree(w.tokens()) // "costs nothing" and "free of charge"
	if found.conflict.Kind != "" && !bothFree {
		c.conflict(found.conflict, MarkDiffers)
	}
	claim, source := c.query.meaning, w.meaning()
	if found.modality {
		c.operator(claim, source, w.from(), AboutModality, []operator{opMust}, []operator{opAllow, opMaybe, opShould})
	}
	if found.condition {
		c.operator(claim, source, w.from(), AboutCondition, nil, []operator{opIf, opUnless})
	}
	if found.planned && c.match.NoteSaid.ID == planNote {
		c.operator(claim, source, w.from(), AboutModality, nil, []operator{opPlan})
	}
}

// core is the sentence that covers the claim best.
func (c *contraster) core() *window {
	best := &c.sentences[0]
	for i := range c.sentences {
		if c.sentences[i].coverage > best.coverage+1e-12 {
			best = &c.sentences[i]
		}
	}
	return best
}

// operator adds the first words of some operators of the claim against those of others of the source.
func (c *contraster) operator(claim, source *meaning, from int, about About, inClaim, inSource []operator) {
	p := pair{kind: MarkDiffers, about: about}
	first := func(m *meaning, ops []operator) int {
		return slices.IndexFunc(m.ops, func(op operator) bool { return slices.Contains(ops, op) })
	}
	if i := first(claim, inClaim); i >= 0 {
		_, n := operatorAt(claim.tokens, i)
		p.claim = c.claimSpan(i, i+n-1)
	}
	if k := first(source, inSource); k >= 0 {
		_, n := operatorAt(source.tokens, k)
		last := from + k + n - 1
		if about == AboutCondition {
			last = c.limitEnd(from + k)
		}
		p.source = c.sourceSpan(from+k, last)
	}
	if p.source.Len() > 0 {
		c.add(p)
	}
}

// instead adds other words in the place of a few of the claim's.
func (c *contraster) instead() {
	w := c.core()
	for _, g := range w.align().gaps {
		if len(g.lost) == 0 || len(g.own) == 0 || len(g.lost) > smallGap || len(g.own) > smallGap {
			continue
		}
		if slices.ContainsFunc(g.lost, func(i int) bool { return c.all.found[i] > 0 || c.query.terms[i].token < 0 }) {
			continue
		}
		if c.isFigure(g.lost) && !slices.ContainsFunc(g.own, func(k int) bool {
			return quantityOf(c.chunk.quantities, c.chunk.tokens[k].Start) >= 0
		}) {
			continue // no word stands instead of a figure
		}
		first, last := c.query.terms[g.lost[0]].token, c.query.terms[g.lost[len(g.lost)-1]].token
		own, ok := c.standIns(g.own, c.isFigure(g.lost) || c.inClaimFigure(c.claimSpan(first, last)))
		if !ok || c.query.meaning.turnsIn(first, last) {
			continue
		}
		if last-first > smallGap || own.to-own.from > smallGap {
			continue
		}
		about := AboutWords
		if t := &c.query.terms[g.lost[0]]; t.name {
			about = AboutName
		}
		c.add(pair{kind: MarkInstead, about: about, claim: c.claimSpan(first, last), source: c.sourceSpan(own.from, own.to)})
	}
}

// standIns are those of some words of the source that may stand in the place of words of the claim: they follow each
// other without a mark between them, are of no other cell of a table, and neither turn nor limit anything; a figure
// stands for a figure alone. It reports false where none is left.
func (c *contraster) standIns(own []int, figure bool) (tokenRange, bool) {
	out := tokenRange{own[0], own[0]}
	inTable := slices.ContainsFunc(c.chunk.grids, func(g ledger.Grid) bool {
		return within(g.Span, c.chunk.tokens[own[0]].Span)
	})
	if inTable || !figure && c.inFigure(own[0]) {
		return out, false
	}
	for _, k := range own[1:] {
		if !figure && c.inFigure(k) || slices.ContainsFunc(c.chunk.tokens[out.to+1:k+1], func(t token) bool { return t.gap != gapSpace }) {
			break
		}
		out.to = k
	}
	m := analyse(c.chunkTokens()[out.from:out.to+1], make([]gapMark, out.to+1-out.from))
	return out, !m.turnsIn(0, out.to-out.from)
}

// inClaimFigure reports whether words of the claim are in a figure, also in one without a number: "a decade".
func (c *contraster) inClaimFigure(sp text.Span) bool {
	return slices.ContainsFunc(c.claimFigures, func(q quantity.Quantity) bool { return overlapping(q.Span, sp) })
}

// inFigure reports whether a token of the source is a part of a figure.
func (c *contraster) inFigure(k int) bool {
	return slices.ContainsFunc(c.sourceFigures, func(q quantity.Quantity) bool { return overlapping(q.Span, c.chunk.tokens[k].Span) })
}

// turnsIn reports whether one of the words [first, last] turns or limits what is said, or joins parts of it.
func (m *meaning) turnsIn(first, last int) bool {
	for i := first; i <= last && i < len(m.ops); i++ {
		if m.phrase[i] && aboutOf[m.ops[i]] != "" || m.ops[i] == opContrast || m.ops[i] == opAlthough || joins(m.tokens[i].Norm) {
			return true
		}
	}
	return false
}

// isFigure reports whether one of some terms is a figure.
func (c *contraster) isFigure(terms []int) bool {
	return slices.ContainsFunc(terms, func(i int) bool { return c.query.terms[i].quantity >= 0 })
}

// reworded sets against each other the words that stand for one another without being forms of one word: they may
// well say the same, and a reader has to see that they differ. Under a contradiction they would be taken for its
// reason, so there it names none.
func (c *contraster) reworded() {
	if c.match.Contradicts {
		return
	}
	for i := range c.query.terms {
		t := &c.query.terms[i]
		if t.quantity >= 0 || t.token < 0 || c.all.found[i] == 0 || c.all.found[i] >= sameRoot || light[t.Norm] ||
			c.query.meaning.phrase[t.token] {
			continue
		}
		for k := c.all.from(); k < c.all.to(); k++ {
			if c.termAt(k) != i || taken(c.out.Source.Marks, c.chunk.tokens[k].Span) {
				continue
			}
			if root := arabicRoot(t.Stem); root == "" || root != arabicRoot(c.chunk.tokens[k].Stem) {
				c.add(pair{kind: MarkInstead, about: AboutWords, claim: c.claimSpan(t.token, t.token),
					source: c.sourceSpan(k, k)})
			}
			break
		}
	}
}

// lost names the claim's words that the sentences lack, neighbours together. Those that the passage has elsewhere are
// listed apart.
func (c *contraster) lost() {
	var run []int
	for i := 0; i <= len(c.query.terms); i++ {
		if i < len(c.query.terms) && c.isLost(i) && (len(run) == 0 || c.joined(run[len(run)-1], i)) {
			run = append(run, i)
			continue
		}
		c.lose(run)
		if run = nil; i < len(c.query.terms) && c.isLost(i) {
			run = []int{i}
		}
	}
}

// isLost reports whether the sentences lack a term that no pair has.
func (c *contraster) isLost(i int) bool {
	t := &c.query.terms[i]
	if c.all.found[i] > 0 || t.token < 0 || t.quantity < 0 && (light[t.Norm] || generic()[t.Stem]) {
		return false
	}
	return !taken(c.out.Claim.Marks, c.termSpan(i))
}

// termSpan is where a term is in the claim: a quantity whole.
func (c *contraster) termSpan(i int) text.Span {
	t := &c.query.terms[i]
	if t.quantity >= 0 {
		return c.claimPart(c.query.quantities[t.quantity].Span)
	}
	return c.claimSpan(t.token, t.token)
}

// joined reports whether two terms that follow one another are named together: nothing but a space is between them,
// and the passage has both or neither.
func (c *contraster) joined(a, b int) bool {
	between := text.Slice(c.claim, text.Span{Start: c.termSpan(a).End, End: c.termSpan(b).Start})
	return strings.TrimSpace(between) == "" && (c.query.anywhere[a] > 0) == (c.query.anywhere[b] > 0)
}

// lose names terms that follow one another.
func (c *contraster) lose(run []int) {
	if len(run) == 0 {
		return
	}
	sp := text.Span{Start: c.termSpan(run[0]).Start, End: c.termSpan(run[len(run)-1]).End}
	list, mark := &c.out.Missing, true
	if c.query.anywhere[run[0]] > 0 {
		list, mark = &c.out.Elsewhere, false
	}
	words := text.Slice(c.claim, sp)
	if !mark && len(findAll(c.chunkTokens(), text.Tokens(words))) == 0 {
		words = c.elsewhere(run)
	}
	if mark && !taken(c.out.Claim.Marks, sp) {
		c.out.Claim.Marks = append(c.out.Claim.Marks, Mark{Span: sp, Kind: MarkMissing})
	}
	if words != "" && len(*list) < maxLost && !slices.Contains(*list, words) {
		*list = append(*list, words)
	}
}

// elsewhere are the words of the passage that stand for terms of the claim, as it writes them, in the claim's order.
func (c *contraster) elsewhere(run []int) string {
	var out []string
	for _, i := range run {
		best, word := 0.0, ""
		for _, e := range c.chunk.quantities {
			if k := c.query.terms[i].quantity; k >= 0 && c.query.meets(k, e) > best {
				best, word = c.query.meets(k, e), e.Raw
			}
		}
		for k := range c.chunk.tokens {
			t := &c.chunk.tokens[k]
			for _, h := range c.query.hits(t.word) {
				if h.term == i && h.value > best && !c.query.refutes(i, c.chunk.quantities, t.Start) {
					best, word = h.value, t.Text
				}
			}
		}
		if word != "" && !slices.Contains(out, word) {
			out = append(out, word)
		}
	}
	return strings.Join(out, " ")
}

// shared marks the words of the sentences that the claim has too; runs of them with only function words between are one
// mark.
func (c *contraster) shared() {
	var runs []text.Span
	open := false
	for k := c.all.from(); k < c.all.to(); k++ {
		t := &c.chunk.tokens[k]
		sp := t.Span
		switch {
		case taken(c.out.Source.Marks, sp):
			open = false
		case c.shares(k):
			if open {
				runs[len(runs)-1].End = sp.End
				continue
			}
			runs, open = append(runs, sp), true
		case !t.Stop:
			open = false
		}
	}
	for _, sp := range runs {
		if !taken(c.out.Source.Marks, sp) {
			c.out.Source.Marks = append(c.out.Source.Marks, Mark{Span: sp, Kind: MarkSame})
		}
	}
}

// shares reports whether token k of the source is a word, a quantity or a part of a date that the claim has too.
func (c *contraster) shares(k int) bool {
	if c.termAt(k) >= 0 {
		return true
	}
	t := &c.chunk.tokens[k]
	e := quantityOf(c.chunk.quantities, t.Start)
	return e >= 0 && c.query.hasQuantity(c.chunk.quantities[e])
}
