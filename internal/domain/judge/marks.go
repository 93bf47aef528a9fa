package judge

import (
	"strings"
	"sync"

	"sanad/internal/domain/text"
)

// marks says which words of some families a text has, a bit for each family, and for each extreme word.
type marks uint64

const (
	saysMust marks = 1 << iota
	saysMay
	saysAll
	saysSome
	saysCondition
	saysException
	saysHedge
	firstExtreme
)

// markedPhrase is a phrase of a family by the words after its first one.
type markedPhrase struct {
	rest []string
	bit  marks
}

// markTable finds phrases by their first word.
var markTable = sync.OnceValue(func() map[string][]markedPhrase {
	table := map[string][]markedPhrase{}
	add := func(bit marks, phrases ...string) {
		for _, p := range phrases {
			words := strings.Fields(p)
			table[words[0]] = append(table[words[0]], markedPhrase{words[1:], bit})
		}
	}
	add(saysMust, mustWords...)
	add(saysMay, mayWords...)
	add(saysAll, allWords...)
	add(saysSome, someWords...)
	add(saysCondition, conditionals...)
	add(saysException, exceptions...)
	add(saysHedge, hedges...)
	for i, p := range extremes {
		add(firstExtreme<<i, p)
	}
	return table
})

// extremeMarks are the bits of all extreme words.
const extremeMarks = ^(firstExtreme - 1)

// marksOf reads the families of n words.
func marksOf(n int, word func(i int) string) marks {
	table := markTable()
	var out marks
	for i := range n {
		w := word(i)
		phrases := table[w]
		if phrases == nil && (strings.HasPrefix(w, "و") || strings.HasPrefix(w, "ف")) {
			phrases = table[w[len("و"):]]
		}
		for _, p := range phrases {
			k := 0
			for k < len(p.rest) && i+1+k < n && word(i+1+k) == p.rest[k] {
				k++
			}
			if k == len(p.rest) {
				out |= p.bit
			}
		}
	}
	return out
}

// sense is what a word does to what stands by it.
type sense uint8

const (
	negates sense = 1 << iota // "not", "refused"; one that states a limit ("no more than") doesn't
	lightWord
)

// senseOf returns the sense of token i.
func senseOf(tokens []text.Token, i int) sense {
	var out sense
	if isNegation(tokens[i].Norm) && !limited(tokens, i) {
		out |= negates
	}
	if light[tokens[i].Norm] {
		out |= lightWord
	}
	return out
}
