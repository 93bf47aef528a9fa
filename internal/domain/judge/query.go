package judge

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sanad/internal/domain/claims"
	"sanad/internal/domain/text"
	"sanad/internal/domain/text/quantity"
	"sanad/internal/exact"
)

// How much kinds of words weigh beside their rarity, and how much forms of a word count for it.
const (
	functionWeight = 0.35 // modals, quantifiers, limits: what they turn is checked apart
	genericWeight  = 0.5  // verbs like receive and include
	numberWeight   = 1.4
	nameWeight     = 1.2

	commonLoss = 0.15
	sameWord   = 1.0
	sameRoot   = 0.95 // another form of the word
	nearWord   = 0.85 // a word spelt nearly the same
	synonym    = 0.8
)

// query is a claim made ready to be looked for in an index.
type query struct {
	index      *Index
	text       string
	marks      marks
	terms      []term
	numbers    []int     // the terms that are quantities
	rare       []int     // the rarest terms, the rarest first
	special    []float64 // what each term weighs in specific
	specials   float64   // the sum of it
	quantities []amount
	wanted     []int    // for retrieval: words of the index that stand for a term, each once
	slots      []uint16 // word id → index into lists
	lists      [][]hit  // the terms that a word stands for; the first list is empty
	hitPool    []hit    // room for the first hits of lists
	dates      []quantity.Date
	undated    []quantity.Date // those that surely are nowhere in the evidence
	weight     float64         // of all terms
	negated    bool
	anywhere   []float64 // for each term how well all that was given has it
	meaning    *meaning
	contained  float64 // share of the claim's content words that all that was given has as they are
	arabic     bool
	items      []item // see claimItems
	pronoun    bool   // its subject is said elsewhere: "They have won awards"
}

// term is one content word or quantity of a claim.
type term struct {
	text.Token
	index    int   // among the claim's terms
	token    int   // among the claim's tokens
	kinds    []int // groups of lexicon/kinds.txt that the term is in
	against  []int // groups of lexicon/opposites.txt that stand against it
	word     int   // id of the term's stem in the index, -1 when it has none
	weight   float64
	rarity   float64 // 0 to 1, see Index.rarity
	tally    int     // how often the evidence has it
	quantity int     // index into query.quantities, -1 for a word
	name     bool
	aside    bool // in a tail of examples, which is not asked for where the rest conflicts
}

// hit says that a word of the index stands for a term, and how well.
type hit struct {
	term  int
	value float64
}

// asidePattern is a tail that gives examples.
var asidePattern = regexp.MustCompile(`(?i)[,،(]\s*(?:e\.g\.|for example|for instance|such as|مثل|مثلا)\s`)

// asideOf finds a claim's tail of examples; most claims show at a glance that they have none.
func asideOf(claim string) []int {
	if !strings.ContainsAny(claim, "(,،") || !(strings.Contains(claim, ".g.") || strings.Contains(claim, " as ") ||
		strings.Contains(claim, "nstance") || strings.Contains(claim, "xample") || strings.Contains(claim, "مثل")) {
		return nil
	}
	return asidePattern.FindStringIndex(claim)
}

// newQuery analyses a claim and looks for its words in the index. It has no terms when the claim has no content words.
func (x *Index) newQuery(claim string) *query {
	q := x.queryOf(claim)
	x.lookUp(q)
	return q
}

// queryOf analyses a claim, without looking up its terms, so that its size can be checked first: looking up a term
// takes time in proportion to the index.
func (x *Index) queryOf(claim string) *query {
	claim = claims.Statement(claim)
	tokens := text.Tokens(claim)
	found := quantity.ReadTokens(claim, tokens)
	quantity.NameMonths(tokens, found)
	q := &query{index: x, text: claim,
		quantities: amounts(found, len(tokens), func(k int) *text.Token { return &tokens[k] })}
	q.dates = quantity.Dates(found)
	q.undated = x.undated(slices.Clone(q.dates))
	q.marks = marksOf(len(tokens), func(i int) string { return tokens[i].Norm })
	q.negated = negations(tokens) > 0
	q.meaning = analyse(tokens, gapMarks(claim, len(tokens), func(i int) text.Span { return tokens[i].Span }))
	seen, main, aside := -1, text.Len(claim), text.Len(claim)
	if m := asideOf(claim); m != nil {
		main, aside = text.Len(claim[:m[0]]), text.Len(claim[:m[1]])
	}
	content := 0
	for i := range tokens {
		if !tokens[i].Stop {
			content++
		}
	}
	q.terms = make([]term, 0, content)
	quantityAt := quantitiesInOrder(q.quantities)
	for i := range tokens {
		t := &tokens[i]
		quantity := quantityAt(t.Start)
		switch {
		case quantity >= 0 && quantity == seen:
			continue // a quantity is one term
		case main <= t.Start && t.Start < aside:
			continue // "e.g."
		case quantity < 0 && (t.Stop || q.meaning.ops[i] == opNot):
			continue
		}
		seen = quantity
		q.terms = append(q.terms, x.newTerm(t, quantity, isName(t, i)))
		last := len(q.terms) - 1
		if quantity >= 0 {
			q.numbers = append(q.numbers, last)
		}
		q.terms[last].index, q.terms[last].token, q.terms[last].aside = last, i, t.Start >= main
	}
	q.pronoun = len(tokens) > 0 && pronouns[tokens[0].Norm]
	q.contained, q.arabic = x.containment(tokens), text.Script(claim) == "ar"
	return q
}

// lookUp looks up the words of the terms in the index.
func (x *Index) lookUp(q *query) {
	q.slots, q.lists, q.hitPool = make([]uint16, len(x.words)), make([][]hit, 1, 2*len(q.terms)+1), make([]hit,
		2*len(q.terms))
	q.anywhere = make([]float64, len(q.terms))
	for i := range q.terms {
		x.prepare(q, i)
	}
	for i := range x.chunks {
		q.meetNames(q.anywhere, x.chunks[i].figures)
	}
	q.rare = q.rarest()
	q.specialise()
}

// quantitiesInOrder returns quantityOf for code points in ascending order, which takes linear time for all of them.
func quantitiesInOrder(list []amount) func(at int) int {
	if !slices.IsSortedFunc(list, func(a, b amount) int { return cmp.Compare(a.Start, b.Start) }) {
		return func(at int) int { return quantityOf(list, at) }
	}
	first := 0
	return func(at int) int {
		for first < len(list) && list[first].End <= at {
			first++
		}
		for i := first; i < len(list) && list[i].Start <= at; i++ {
			if at < list[i].End {
				return i
			}
		}
		return -1
	}
}

// quantityOf returns the quantity that a code point belongs to, or -1.
func quantityOf(list []amount, at int) int {
	for i := range list {
		if q := &list[i]; q.Start <= at && at < q.End {
			return i
		}
	}
	return -1
}

// isName reports whether a word is capitalised inside a sentence, except for forms that contracts and titles write with
// a capital ("the Receiving Party").
func isName(t *text.Token, position int) bool {
	r, _ := utf8.DecodeRuneInString(t.Text)
	return t.Kind == text.Word && unicode.IsUpper(r) && !t.Stop && position > 0 && !isInflected(t.Norm)
}

// isInflected reports whether a word has an ending of such forms after two letters or more.
func isInflected(norm string) bool {
	for _, ending := range [...]string{"ing", "ed", "tion", "ment"} {
		if head, ok := strings.CutSuffix(norm, ending); ok && utf8.RuneCountInString(head) >= 2 {
			return true
		}
	}
	return false
}

func (x *Index) newTerm(t *text.Token, quantity int, name bool) term {
	out := term{Token: *t, word: -1, quantity: quantity, name: name, kinds: kinds().of[t.Stem]}
	for _, side := range opposites().of[t.Stem] {
		out.against = append(out.against, side^1)
	}
	if id, ok := x.ids[t.Stem]; ok {
		out.word = id
	}
	out.rarity = x.rarity(t.Stem, out.word)
	out.weight = 0.6 + float64(0.8*out.rarity)
	switch {
	case quantity >= 0 || t.Kind == text.Number:
		out.weight = math.Max(out.weight, 1) * numberWeight
	case light[t.Norm]:
		out.weight = functionWeight
	case generic()[t.Stem]:
		out.weight = genericWeight
	case name:
		out.weight *= nameWeight
	}
	return out
}

// prepare notes which words of the index stand for term i, and how well and how often all that was given has it.
func (x *Index) prepare(q *query, i int) {
	t := &q.terms[i]
	defer func() {
		if t.tally > 1 && t.quantity < 0 {
			t.weight /= 1 + float64(commonLoss*exact.Log2(float64(t.tally)))
		}
		q.weight += t.weight
	}()
	if t.quantity >= 0 {
		q.anywhere[i] = x.hasQuantity(q, t.quantity)
	}
	measured := t.quantity >= 0 && q.quantities[t.quantity].Unit != "" // found by value and unit only
	for _, n := range x.near(&t.Token, t.word) {
		if !slices.Contains(q.wanted, n.word) {
			q.wanted = append(q.wanted, n.word)
		}
		if measured {
			continue
		}
		q.note(n.word, hit{i, n.value})
		if t.quantity < 0 || q.anywhere[i] < n.value && x.says(q, i, n.word) {
			q.anywhere[i] = math.Max(q.anywhere[i], n.value)
		}
		t.tally += x.tallies[n.word]
	}
}

// hasQuantity returns how well all that was given has a quantity.
func (x *Index) hasQuantity(q *query, k int) float64 {
	best := 0.0
	for i := range x.chunks {
		for _, e := range x.chunks[i].quantities {
			best = math.Max(best, q.meets(k, e))
		}
	}
	return best
}

// says reports whether a number's figure is anywhere without being another quantity's.
func (x *Index) says(q *query, i, word int) bool {
	for _, p := range x.postings[word] {
		c := &x.chunks[p.chunk]
		for _, t := range c.tokens {
			if t.word == word && !q.refutes(i, c.quantities, t.Start) {
				return true
			}
		}
	}
	return false
}

// note adds what a word of the index stands for. Words of a claim beyond the capacity of a slot are ignored.
func (q *query) note(word int, h hit) {
	if q.slots[word] == 0 {
		if len(q.lists) > math.MaxUint16 {
			return
		}
		q.slots[word] = uint16(len(q.lists))
		var list []hit
		if len(q.hitPool) > 0 { // most words stand for one term
			list, q.hitPool = q.hitPool[:0:1], q.hitPool[1:]
		}
		q.lists = append(q.lists, list)
	}
	list := &q.lists[q.slots[word]]
	*list = append(*list, h)
}

// hits returns the terms that a word of the index stands for.
func (q *query) hits(word int) []hit { return q.lists[q.slots[word]] }

// pronouns are words that a claim begins with whose subject stands elsewhere.
var pronouns = wordSet(`it its it's he his she her hers they their theirs this these those that such i we you my our
	your yes no
	هو هي هم هن هما هذا هذه هؤلاء ذلك تلك كما لهم له لها`)

// containment is the share of the content words that are anywhere in the evidence as they are.
func (x *Index) containment(tokens []text.Token) float64 {
	all, found := 0.0, 0.0
	for i := range tokens {
		if t := &tokens[i]; !t.Stop {
			all++
			if x.norms[t.Norm] {
				found++
			}
		}
	}
	return found / math.Max(all, 1)
}
