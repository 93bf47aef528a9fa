package judge

import (
	"math"
	"regexp"
	"slices"
	"unicode"
	"unicode/utf8"

	"sanad/internal/domain/text"
)

// How much kinds of words weigh beside their rarity, and how much forms of a word count for it.
const (
	functionWeight = 0.35 // modals, quantifiers, limits: what they turn is checked apart
	genericWeight  = 0.5  // verbs like receive and include
	numberWeight   = 1.4
	nameWeight     = 1.2

	sameWord = 1.0
	synonym  = 0.9
	nearWord = 0.8
)

// query is a claim made ready to be looked for in an index.
type query struct {
	text       string
	words      string // as spaced gives it
	terms      []term
	quantities []text.Quantity
	concepts   []int    // for retrieval, each once
	slots      []uint16 // word id → index into lists
	lists      [][]hit  // the terms that a word stands for; the first list is empty
	weight     float64  // of all terms
	negated    bool
}

// term is one content word or quantity of a claim.
type term struct {
	text.Token
	word     int // id of the term's stem in the index, -1 when it has none
	concept  int // likewise
	weight   float64
	quantity int // index into query.quantities, -1 for a word
	name     bool
	aside    bool // in a tail of examples, which is not asked for where the rest conflicts
}

// hit says that a word of the index stands for a term, and how well.
type hit struct {
	term  int
	value float64
}

// answerPattern is the answer to a question before the statement itself: "Yes, …". It is no word of the claim.
var answerPattern = regexp.MustCompile(`(?i)^\s*(?:yes|no|نعم|لا|كلا|أجل)\s*[,،:.!–—]\s+`)

// asidePattern is a tail that gives examples.
var asidePattern = regexp.MustCompile(`(?i)[,،(]\s*(?:e\.g\.|for example|for instance|such as|مثل|مثلا)\s`)

// newQuery analyses a claim. It has no terms when the claim has no content words.
func (x *Index) newQuery(claim string) *query {
	claim = answerPattern.ReplaceAllString(claim, "")
	q := &query{text: claim, words: spaced(claim), quantities: text.Quantities(claim)}
	tokens := text.Tokens(claim)
	q.negated = negations(tokens) > 0
	seen, main, aside := -1, text.Len(claim), text.Len(claim)
	if m := asidePattern.FindStringIndex(claim); m != nil {
		main, aside = text.Len(claim[:m[0]]), text.Len(claim[:m[1]])
	}
	for i, t := range tokens {
		quantity := quantityOf(q.quantities, t.Start)
		switch {
		case quantity >= 0 && quantity == seen:
			continue // a quantity is one term
		case main <= t.Start && t.Start < aside:
			continue // "e.g."
		case quantity < 0 && (t.Stop || isNegation(t.Norm)):
			continue
		}
		seen = quantity
		q.terms = append(q.terms, x.newTerm(t, quantity, isName(t, i)))
		q.terms[len(q.terms)-1].aside = t.Start >= main
	}
	q.slots, q.lists = make([]uint16, len(x.words)), make([][]hit, 1)
	for i := range q.terms {
		x.prepare(q, i)
	}
	return q
}

// quantityOf gives the quantity that a code point belongs to, or -1.
func quantityOf(list []text.Quantity, at int) int {
	return slices.IndexFunc(list, func(q text.Quantity) bool { return q.Start <= at && at < q.End })
}

// isName tells a capitalised word inside a sentence, but for forms that contracts and titles write with a capital
// ("the Receiving Party").
func isName(t text.Token, position int) bool {
	r, _ := utf8.DecodeRuneInString(t.Text)
	return t.Kind == text.Word && unicode.IsUpper(r) && !t.Stop && position > 0 && !inflected.MatchString(t.Norm)
}

var inflected = regexp.MustCompile(`..(ing|ed|tion|ment)$`)

func (x *Index) newTerm(t text.Token, quantity int, name bool) term {
	out := term{Token: t, word: -1, concept: -1, quantity: quantity, name: name}
	if id, ok := x.ids[t.Stem]; ok {
		out.word = id
	}
	concept, known := x.concept(t.Stem)
	if known {
		out.concept = concept
	}
	out.weight = 0.6 + 0.8*x.rarity(concept, known)
	switch {
	case quantity >= 0 || t.Kind == text.Number:
		out.weight = math.Max(out.weight, 1) * numberWeight
	case light[t.Norm]:
		out.weight = functionWeight
	case generic[canonical(t.Stem)]:
		out.weight = genericWeight
	case name:
		out.weight *= nameWeight
	}
	return out
}

// prepare notes which words of the index stand for term i.
func (x *Index) prepare(q *query, i int) {
	t := &q.terms[i]
	q.weight += t.weight
	if t.concept >= 0 && !slices.Contains(q.concepts, t.concept) {
		q.concepts = append(q.concepts, t.concept)
	}
	if t.quantity >= 0 && q.quantities[t.quantity].Unit != "" {
		return // by value and unit only
	}
	near := x.near(t)
	for _, id := range near {
		q.note(id, hit{i, x.likeness(t, id)})
		if !slices.Contains(q.concepts, x.concepts[id]) {
			q.concepts = append(q.concepts, x.concepts[id])
		}
	}
}

// note adds what a word of the index stands for. A claim with more words than a slot can tell apart ignores the rest.
func (q *query) note(word int, h hit) {
	if q.slots[word] == 0 {
		if len(q.lists) > math.MaxUint16 {
			return
		}
		q.slots[word] = uint16(len(q.lists))
		q.lists = append(q.lists, nil)
	}
	list := &q.lists[q.slots[word]]
	*list = append(*list, h)
}

// hits gives the terms that a word of the index stands for.
func (q *query) hits(word int) []hit { return q.lists[q.slots[word]] }

// near lists the words of the index that stand for a term.
func (x *Index) near(t *term) []int {
	var out []int
	if t.concept >= 0 {
		for _, s := range append([]string{x.words[t.concept]}, groups[x.words[t.concept]]...) {
			if id, ok := x.ids[s]; ok && !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
	}
	if t.Kind == text.Number || utf8.RuneCountInString(t.Stem) < 4 {
		return out
	}
	for _, id := range x.heads[headOf(t.Stem)] {
		if !slices.Contains(out, id) && related(t.Stem, x.words[id]) {
			out = append(out, id)
		}
	}
	return out
}

// likeness is how well a word found by near stands for a term.
func (x *Index) likeness(t *term, id int) float64 {
	switch {
	case id == t.word:
		return sameWord
	case t.concept >= 0 && x.concepts[id] == t.concept:
		return synonym
	}
	return nearWord
}
