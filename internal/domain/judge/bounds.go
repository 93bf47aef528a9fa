package judge

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/domain/text/quantity"
)

// maxRivals is how many figures of the passage stand beside one of the claim that has no counterpart among them.
const maxRivals = 3

// ofFigures reports whether a pair is about a figure, a bound or a date.
func (a About) ofFigures() bool { return a == AboutNumber || a == AboutBound || a == AboutDate }

// readFigures reads the figures of both sides. Those that the query leaves out, as what an answer says about itself,
// are not the claim's.
func (c *contraster) readFigures() {
	for _, q := range quantity.Read(c.claim) {
		if slices.ContainsFunc(c.places, func(i int) bool { return overlapping(c.given[i].Span, q.Span) }) {
			c.claimFigures = append(c.claimFigures, q)
		}
	}
	if c.chunk != nil {
		c.sourceFigures = quantity.Read(c.chunk.text)
	}
}

func overlapping(a, b text.Span) bool { return a.Start < b.End && b.Start < a.End }

// whole widens a span that holds a part of a figure to all that the figure says: "10 days" to "at most 10 days".
func whole(in text.Slicer, sp text.Span, figures []quantity.Quantity) text.Span {
	for i := range figures {
		if q := &figures[i]; sp.Len() > 0 && overlapping(q.Span, sp) {
			said := saidSpan(q)
			sp = text.Span{Start: min(sp.Start, said.Start), End: max(sp.End, said.End)}
		}
	}
	words := in.Slice(sp)
	sp.Start += text.Len(words) - text.Len(strings.TrimLeft(words, " \u00a0"))
	return sp
}

// saidSpan is where a figure stands with the words beside it that belong to it.
func saidSpan(q *quantity.Quantity) text.Span {
	out := text.Span{Start: min(q.Start, q.Said.Start), End: max(q.End, q.Said.End)}
	if q.Behind.Len() > 0 {
		out.End = max(out.End, q.Behind.End)
	}
	return out
}

// withVerb is what a span says: with the verb of its bound, where other words stand between.
func withVerb(ruler text.Slicer, sp text.Span, figures []quantity.Quantity) string {
	words := ruler.Slice(sp)
	for i := range figures {
		if q := &figures[i]; overlapping(q.Span, sp) && q.Apart.Len() > 0 && !overlapping(q.Apart, sp) {
			return ruler.Slice(q.Apart) + " … " + words
		}
	}
	return words
}

// figures sets each figure, limit and date of the claim beside what the passage has for it: the pair that was found, the
// same figure, those of its kind, or nothing.
func (c *contraster) figures() {
	ruler := text.NewRuler(c.claim)
	seen, taken := make([]bool, len(c.out.Pairs)), map[int]bool{}
	last := -1 // the figure whose pair is the last one
	for i := range c.claimFigures {
		q := &c.claimFigures[i]
		if len(c.out.Figures) == maxPairs {
			return
		}
		if inCode(ruler, q) && c.pairOf(q) == 0 {
			continue
		}
		if n := len(c.out.Figures); c.pairOf(q) == 0 && last >= 0 && last == i-1 && ranged(ruler, &c.claimFigures[i-1], q) {
			c.out.Figures[n-1] = joinedPair(c.out.Figures[n-1], trimmed(c.beside(q, ruler, taken)),
				ruler.Slice(text.Span{Start: saidSpan(&c.claimFigures[i-1]).Start, End: saidSpan(q).End}))
			continue
		}
		if n := c.pairOf(q); n > 0 {
			if !seen[n-1] {
				c.out.Figures = append(c.out.Figures, c.out.Pairs[n-1])
			}
			seen[n-1] = true
		} else if q.Kind != quantity.Identifier && q.Kind != quantity.Mark && q.Kind != quantity.Ordinal &&
			(!q.Implied || q.Bound != quantity.NoBound) && !c.inItsDate(q) {
			c.out.Figures = append(c.out.Figures, trimmed(c.beside(q, ruler, taken)))
			last = i
		}
	}
	for n, p := range c.out.Pairs { // one that only the passage has
		if p.About.ofFigures() && !seen[n] && len(c.out.Figures) < maxPairs {
			c.out.Figures = append(c.out.Figures, p)
		}
	}
}

// rangeWords are what stands between the two figures of a range.
var rangeWords = wordSet(`to – - — إلى الى حتى`)

// ranged reports whether two figures are one range: "200 to 800".
func ranged(claim text.Slicer, a, b *quantity.Quantity) bool {
	if a.End > b.Start {
		return false
	}
	between := strings.TrimSpace(claim.Slice(text.Span{Start: a.End, End: b.Start}))
	return rangeWords[between] && a.Kind == quantity.Amount && b.Kind == quantity.Amount
}

// joinedPair is the pair of a range, of those of its two figures: as unlike as the less alike of them.
func joinedPair(a, b Pair, words string) Pair {
	out := b
	for _, k := range []MarkKind{MarkConflict, MarkDiffers, MarkMissing, MarkInstead, MarkEqual, MarkSame} {
		if a.Kind == k || b.Kind == k {
			out.Kind = k
			break
		}
	}
	out.Claim = strings.TrimSpace(words)
	if a.Source == "" || a.Source == b.Source {
		return out
	}
	between := " · "
	if first, _, _ := strings.Cut(b.Source, " "); rangeWords[first] {
		between = " "
	}
	if out.Source = a.Source; b.Source != "" {
		out.Source += between + b.Source
	}
	return out
}

// codeDigits is how many digits before or behind a colon make a code, such as ISO/IEC 27001:2022, and no time of day.
const codeDigits = 3

// inCode reports whether a figure is a part of a code or of the name of a standard, which says no quantity: digits that
// a colon joins, of more places than a time has, or that stand behind "ISO", "IEC" or the like.
func inCode(claim text.Slicer, q *quantity.Quantity) bool {
	n := claim.Len()
	at := func(i int) string {
		if i < 0 || i >= n {
			return ""
		}
		return claim.Slice(text.Span{Start: i, End: i + 1})
	}
	digit := func(i int) bool { c := at(i); return len(c) == 1 && c[0] >= '0' && c[0] <= '9' }
	start, end := q.Start, q.End
	for !digit(start) && start < end {
		start++
	}
	for digit(end) {
		end++
	}
	first, last := start, end // of the code
	for digit(first-1) || at(first-1) == ":" && digit(first-2) {
		first--
	}
	for digit(last) || at(last) == ":" && digit(last+1) {
		last++
	}
	code := claim.Slice(text.Span{Start: first, End: last})
	for _, part := range strings.Split(code, ":") {
		if strings.Contains(code, ":") && len(part) >= codeDigits {
			return true
		}
	}
	before := strings.Fields(claim.Slice(text.Span{End: first}))
	return len(before) > 0 && standards[strings.ToLower(before[len(before)-1])]
}

// standards are the bodies that number their standards.
var standards = wordSet(`iso iec iso/iec ieee rfc nist iso-iec آيزو أيزو ايزو الآيزو الأيزو`)

// pairOf returns the number of the pair that a figure of the claim stands in, 0 if none.
func (c *contraster) pairOf(q *quantity.Quantity) int {
	for _, m := range c.out.Claim.Marks {
		if m.Pair > 0 && overlapping(m.Span, q.Span) && c.out.Pairs[m.Pair-1].About.ofFigures() {
			return m.Pair
		}
	}
	return 0
}

// beside sets one figure of the claim beside the passage's. taken has the figures of the passage, by index, that stand
// beside an earlier one.
func (c *contraster) beside(q *quantity.Quantity, claim text.Slicer, taken map[int]bool) Pair {
	p := Pair{Kind: MarkMissing, About: AboutNumber, Claim: withVerb(claim, saidSpan(q), c.claimFigures)}
	if q.Kind == quantity.Day {
		p.About = AboutDate
	}
	if c.chunk == nil {
		return p
	}
	ruler := text.NewRuler(c.chunk.text)
	if i := c.same(q, taken); i >= 0 {
		taken[i] = true
		said := saidSpan(&c.sourceFigures[i])
		p.Source = withVerb(ruler, said, c.sourceFigures)
		c.out.Claim.Agreed, c.out.Source.Agreed = append(c.out.Claim.Agreed, saidSpan(q)), append(c.out.Source.Agreed, said)
		p.Kind = MarkEqual
		switch {
		case quantity.Compare(*q, c.sourceFigures[i]) != quantity.Same:
			p.Kind = c.otherwise()
		case text.Fold(p.Claim) == text.Fold(p.Source):
			p.Kind = MarkSame
		}
		name, before := nameBefore(claim, q), nameBefore(ruler, &c.sourceFigures[i])
		if name != "" && text.Fold(name) == text.Fold(before) {
			p.Claim, p.Source = name+" "+p.Claim, before+" "+p.Source
		}
		return p
	}
	if i := c.sameApart(q); i >= 0 {
		e := &c.sourceFigures[i]
		taken[i] = true
		p.Source, p.Kind = withVerb(ruler, saidSpan(e), c.sourceFigures), c.otherwise()
		if q.Kind == quantity.Day && (q.Bound == quantity.NoBound || e.Bound == quantity.NoBound) {
			p.Kind = MarkInstead // "from 1 May" and "begins on 1 May": what stands around says how the day is meant
		}
		return p
	}
	var list []string
	for _, i := range c.rivalsOf(q) {
		if words := withVerb(ruler, saidSpan(&c.sourceFigures[i]), c.sourceFigures); !slices.Contains(list, words) {
			list = append(list, words)
		}
	}
	if len(list) > 0 {
		p.Kind, p.Source = c.otherwise(), strings.Join(list[:min(len(list), maxRivals)], " · ")
		if len(list) == 1 && inDeadline(*q, c.sourceFigures[c.rivalsOf(q)[0]]) {
			p.Kind = MarkInstead
		}
	}
	return p
}

// nameBefore is the word before a bare number, which says what it numbers: "Priority 1". "" for a figure that says it
// itself.
func nameBefore(ruler text.Slicer, q *quantity.Quantity) string {
	if q.Kind != quantity.Amount || q.Unit != "" || q.Sort != "" || q.Bound != quantity.NoBound {
		return ""
	}
	before := ruler.Slice(text.Span{Start: max(0, q.Said.Start-wordReach), End: q.Said.Start})
	tokens := text.Tokens(before)
	if len(tokens) == 0 || strings.TrimSpace(before) == "" {
		return ""
	}
	last := tokens[len(tokens)-1]
	if last.Stop || text.Slice(before, text.Span{Start: last.End, End: text.Len(before)}) != " " {
		return ""
	}
	return last.Text
}

// trimmed is a pair without blanks around its words.
func trimmed(p Pair) Pair {
	p.Claim, p.Source = strings.TrimSpace(p.Claim), strings.TrimSpace(p.Source)
	return p
}

// otherwise is the kind of a figure that is not the claim's: a difference, unless the passage carries the claim whole.
func (c *contraster) otherwise() MarkKind {
	if c.match.Support == ledger.Full && !c.match.Contradicts {
		return MarkInstead
	}
	return MarkDiffers
}

// same returns the figure of the passage that says what one of the claim says: in the sentences before all others, one
// that stands beside no other figure before one that does; -1 if none.
func (c *contraster) same(q *quantity.Quantity, taken map[int]bool) int {
	best, least := -1, 0
	for i := range c.sourceFigures {
		e := &c.sourceFigures[i]
		relation := quantity.Compare(*q, *e)
		if !relation.Supports() || relation == quantity.Fits && c.claimHas(e) {
			continue
		}
		rank := int(quantity.Same-relation) + 1
		if !within(c.all.span(), e.Span) {
			rank += 4
		}
		if taken[i] {
			rank += 2
		}
		if best < 0 || rank < least {
			best, least = i, rank
		}
	}
	return best
}

// sameApart returns the figure of the sentences that has the value of one of the claim, and another bound; -1 if none.
func (c *contraster) sameApart(q *quantity.Quantity) int {
	plain := *q
	plain.Bound = quantity.NoBound
	return slices.IndexFunc(c.sourceFigures, func(e quantity.Quantity) bool {
		e.Bound = quantity.NoBound
		return e.Kind == q.Kind && within(c.all.span(), e.Span) && quantity.Compare(plain, e) == quantity.Same
	})
}

// inItsDate reports whether a year of the claim is in a date of the sentences: there it is no figure of its own.
func (c *contraster) inItsDate(q *quantity.Quantity) bool {
	return q.IsYear() && c.chunk != nil && slices.ContainsFunc(c.sourceFigures, func(e quantity.Quantity) bool {
		return e.Kind == quantity.Day && e.Date.Year == int(q.Value.Float()) && within(c.all.span(), e.Span)
	})
}

// fits reports whether a figure of the source may stand in the place of one of the claim: it is of the same kind, and
// a year and a count are not.
func fits(q, e *quantity.Quantity) bool { return q.Kind == e.Kind && q.IsYear() == e.IsYear() }

// rivalsOf returns the figures of the sentences that could stand in the place of one of the claim: of its kind and unit,
// in no pair, and not in the claim as well.
func (c *contraster) rivalsOf(q *quantity.Quantity) (out []int) {
	for i := range c.sourceFigures {
		e := &c.sourceFigures[i]
		if relation := quantity.Compare(*q, *e); relation != quantity.Other && relation != quantity.Open ||
			!fits(q, e) || !within(c.all.span(), e.Span) || taken(pairsOf(c.out.Source.Marks), e.Span) {
			continue
		}
		if !c.claimHas(e) {
			out = append(out, i)
		}
	}
	beside := c.wordsBeside(c.given, q.Span)
	near := func(i int) int { // those that stand by most of the words which stand by the claim's
		n := 0
		for stem := range c.wordsBeside(c.chunkTokens(), c.sourceFigures[i].Span) {
			if beside[stem] {
				n++
			}
		}
		return -n
	}
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(near(a), near(b)) })
	if len(out) > 1 && near(out[0]) < near(out[1]) {
		out = out[:1]
	}
	return out
}

// besideReach is how many words on either side of a figure stand by it.
const besideReach = 4

// wordsBeside are the stems of the content words by a figure.
func (c *contraster) wordsBeside(tokens []text.Token, figure text.Span) map[string]bool {
	out := map[string]bool{}
	at := sort.Search(len(tokens), func(k int) bool { return tokens[k].Start >= figure.Start })
	end := sort.Search(len(tokens), func(k int) bool { return tokens[k].Start >= figure.End })
	for k := max(0, at-besideReach); k < min(len(tokens), end+besideReach); k++ {
		if (k < at || k >= end) && !tokens[k].Stop {
			out[tokens[k].Stem] = true
		}
	}
	return out
}

// claimHas reports whether the claim has a figure of the passage too.
func (c *contraster) claimHas(e *quantity.Quantity) bool {
	return slices.ContainsFunc(c.claimFigures, func(q quantity.Quantity) bool { return quantity.Compare(q, *e) == quantity.Same })
}

// pairsOf are the marks that stand in a pair.
func pairsOf(marks []Mark) []Mark {
	return slices.DeleteFunc(slices.Clone(marks), func(m Mark) bool { return m.Pair == 0 })
}

// deciding marks the words of the sentences that can turn or limit what they say, and their figures: they are read
// beside the words that both sides have.
func (c *contraster) deciding() {
	mark := func(sp text.Span) {
		if sp.Len() > 0 && within(c.all.span(), sp) && !taken(c.out.Source.Marks, sp) {
			c.out.Source.Marks = append(c.out.Source.Marks, Mark{Span: sp, Kind: MarkDecides})
		}
	}
	for i := range c.sourceFigures {
		q := &c.sourceFigures[i]
		mark(saidSpan(q))
		mark(q.Apart)
	}
	from, m := c.all.from(), c.all.meaning()
	for i := range m.ops {
		op, n := operatorAt(m.tokens, i)
		if aboutOf[op] == "" && !tells[op] && !softening[m.tokens[i].Norm] {
			continue
		}
		for k := i; k < i+n; k++ { // one of several may be marked
			mark(c.sourceSpan(from+k, from+k))
		}
	}
}

// tells are the operators, beside those of aboutOf, that decide what a sentence says: of time, of a plan, of somebody's
// word.
var tells = map[operator]bool{opStill: true, opPast: true, opNow: true, opPlan: true, opSays: true, opAlthough: true,
	opBefore: true, opAfter: true}

// softening are words that make less of what follows and that the judge does not compare.
var softening = wordSet(`try tries tried trying attempt attempts seek seeks strive strives aiming goal target targets
	endeavour endeavours endeavor endeavors effort efforts normally typically يحاول تحاول يسعى تسعى يهدف تهدف`)

// boundReach is how many words before a quantity are searched for what makes it a bound.
const boundReach = 3

// apartReach is how many words before a number may call it a least or greatest value.
const apartReach = 6

// limitNamed returns 1 if a quantity is called a minimum shortly before it, -1 for a maximum, 0 for neither.
func limitNamed(q *quantity.Quantity, n int, token func(k int) *text.Token) int {
	at := sort.Search(n, func(k int) bool { return token(k).Start >= q.Start })
	for k := at - 1; k >= 0 && k >= at-apartReach; k-- {
		switch norm := token(k).Norm; {
		case token(k).Kind == text.Number:
			return 0
		case minima[norm]:
			return 1
		case maxima[norm]:
			return -1
		}
	}
	return 0
}

var (
	minima = wordSet(`minimum الادنى ادنى`)
	maxima = wordSet(`maximum الاقصى اقصى القصوى`)
)

// side is what a quantity bounds, whichever way it is said.
func (a *amount) side() int {
	if a.bound != 0 {
		return a.bound
	}
	return a.named
}

// otherBound reports whether the sentence says "less than" of a number of which the claim says "more than", or the
// other way round.
func (w *window) otherBound() bool {
	if len(w.query.quantities) == 0 && w.otherLimit() {
		return true
	}
	for _, claim := range w.query.quantities {
		if claim.side() == 0 {
			continue
		}
		same, other := false, false
		for _, e := range w.chunk.sentences[w.first].quantities {
			if e.Doubtful || sameQuantity(claim, e) == 0 {
				continue
			}
			if e.side() == -claim.side() || e.side() == 0 && claim.open {
				other = true
			} else {
				same = true
			}
		}
		if other && !same {
			return true
		}
	}
	return false
}

// otherLimit reports whether claim and sentence limit what they count in words, as in an Arabic dual, to the other
// side.
func (w *window) otherLimit() bool {
	says := func(tokens []text.Token, word string) bool {
		return slices.ContainsFunc(tokens, func(t text.Token) bool { return t.Norm == word })
	}
	claim, source := w.query.meaning.tokens, w.tokens()
	for _, sides := range [][2]string{{"least", "most"}, {"الاقل", "الاكثر"}, {"ادني", "اقصي"}} {
		for _, s := range [][2]string{sides, {sides[1], sides[0]}} {
			if says(claim, s[0]) && says(source, s[1]) && !says(claim, s[1]) && !says(source, s[0]) {
				return true
			}
		}
	}
	return false
}

// comparatives looks for a comparison of the claim ("fewer than in 2023") where the sentence has no comparison.
func (c *comparer) comparatives() {
	a, b := c.claim, c.source
	if a.sidesOf(byRank) == nil || b.sidesOf(byRank) != nil || slices.Contains(b.ops, opBound) {
		return
	}
	for i := range a.tokens {
		if !ranks(&a.tokens[i]) || c.bounds(i) {
			continue
		}
		c.out.compared = true
		for k := range b.tokens {
			if b.tokens[k].Stem == a.tokens[i].Stem {
				c.out.compared = false
				return
			}
		}
	}
}

// ranks reports whether a word puts what it is said of above or below another.
func ranks(t *text.Token) bool {
	return down[t.Norm] || up[t.Norm] || t.Norm == "more" || t.Norm == "greater"
}

// boundWords is the most words between a comparative and the number that it bounds: "more than 40".
const boundWords = 2

// bounds reports whether the comparative at token i of the claim only bounds a number.
func (c *comparer) bounds(i int) bool {
	for _, q := range c.window.query.quantities {
		for k := i + 1; k <= i+boundWords && k < len(c.claim.tokens); k++ {
			if c.claim.tokens[k].Start == q.Start {
				return true
			}
		}
	}
	return false
}

// cancels looks for a negation of the one side that does to a bound what the other side says without it. Such sentences
// nearly say the same, so that the negation is no difference, but a rule still keeps them from full support.
func (c *comparer) cancels() {
	if c.out.polarity < polarityMark && !c.forbidsAllowed() {
		return
	}
	source := c.window.chunk.sentences[c.window.first].quantities
	for i := range c.window.query.quantities {
		for k := range source {
			if c.sameLimit(&c.window.query.quantities[i], &source[k]) {
				c.out.cancelled, c.out.polarity, c.out.conflict = true, 0, ledger.Conflict{}
				return
			}
		}
	}
}

// sameLimit reports whether claim and sentence set the same limit, the one as what is allowed and the other as what is
// not: "at most 200 litres may be stored", "storage of more than 200 litres is prohibited". A negation may be a part of
// the limit as it was read: "may not store more than 200 litres" is at most 200.
func (c *comparer) sameLimit(q, e *amount) bool {
	if q.bound == 0 || e.Doubtful || sameQuantity(*q, *e) == 0 {
		return false
	}
	within := c.claim.negatedIn(&q.Quantity) != c.source.negatedIn(&e.Quantity)
	if q.bound == -e.bound {
		return q.open != e.open && !within
	}
	return q.bound == e.bound && q.open == e.open && within
}

// forbidsAllowed reports whether the words that differ are one that allows and one that forbids.
func (c *comparer) forbidsAllowed() bool {
	a, b := c.claim.operatorOf(c.out.conflict.Claim), c.source.operatorOf(c.out.conflict.Evidence)
	return c.out.antonym && (a == opAllow && b == opNot || a == opNot && b == opAllow)
}

// operatorOf is the operator of a word as the text has it.
func (m *meaning) operatorOf(word string) operator {
	for i := range m.tokens {
		if m.tokens[i].Text == word {
			return m.ops[i]
		}
	}
	return opNone
}

// negatedIn reports whether a word that is read as a part of a figure's bound negates its sentence.
func (m *meaning) negatedIn(q *quantity.Quantity) bool {
	for i := range m.tokens {
		if m.ops[i] == opNot && q.Belongs(m.tokens[i].Span) {
			return true
		}
	}
	return false
}

// onlyTurned reports whether nothing speaks against the passage but that it forbids beyond a limit what the claim
// allows up to it, or the other way round. Each other figure of the claim is there.
func (r *reading) onlyTurned() bool {
	if !r.compared.cancelled || r.best.figuresStand().relation < quantity.Fits {
		return false
	}
	return !slices.ContainsFunc(r.vetoes(), func(rule string) bool { return !besideTurned[rule] })
}

// keepsDeadline reports whether nothing speaks against the passage but that a time of the claim lies within the least
// that the source asks for: "two days before" where something is free "until 24 hours before". Who says what must be
// done has to say the source's time.
func (r *reading) keepsDeadline() bool {
	q := r.best.query
	if q.meaning.any(opMust) {
		return false
	}
	source, kept := r.best.figures(), false
	for _, f := range figures(q.claimItems()) {
		if best, _ := bestOf(&f, source); best.Supports() {
			continue
		}
		if !slices.ContainsFunc(source, func(s quantity.Quantity) bool { return inDeadline(f, s) }) {
			return false
		}
		kept = true
	}
	if !kept {
		return false
	}
	free := isFree(q.meaning.tokens) && isFree(r.core().tokens())
	return !slices.ContainsFunc(r.vetoes(), func(rule string) bool {
		return !besideTurned[rule] && rule != "figure" && !(free && denials[rule])
	})
}

// inDeadline reports whether a time of a claim keeps a deadline of a source.
func inDeadline(claim, source quantity.Quantity) bool {
	return source.Deadline && claim.Bound == quantity.NoBound && quantity.Compare(claim, source) == quantity.Open
}

// denials are the rules that a word like the "nothing" of "costs nothing" sets off.
var denials = wordSet(`polarity denies negation exception only`)

// freeOfCharge are phrases that say that nothing is to be paid.
var freeOfCharge = text.FoldAll(`free`, `costs nothing`, `cost nothing`, `no charge`, `no fee`, `without charge`,
	`without a fee`, `at no cost`, `مجانا`, `مجاني`, `مجانية`, `بلا رسوم`, `بدون رسوم`, `دون رسوم`, `بلا مقابل`, `دون مقابل`)

// isFree reports whether a text says that nothing is to be paid.
func isFree(tokens []text.Token) bool {
	var b strings.Builder
	for i := range tokens {
		b.WriteString(" " + tokens[i].Norm)
	}
	said := b.String() + " "
	return slices.ContainsFunc(freeOfCharge, func(p string) bool { return strings.Contains(said, " "+p+" ") })
}

// besideTurned are the rules that a limit which is said the other way round sets off, and those that only keep a passage
// from full support.
var besideTurned = wordSet(`cancelled bound negation modality number point thin`)
