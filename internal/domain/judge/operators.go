package judge

import (
	"strings"
	"sync"

	"sanad/internal/domain/text"
)

// operator is what a word or phrase does to the words by it: it negates, limits, conditions, places in time, …
type operator uint8

// The operators, in the order of operatorNames.
const (
	opNone operator = iota
	opNot
	opBound
	opDouble
	opEnded
	opStill
	opPast
	opNow
	opOnly
	opToo
	opExcept
	opInclude
	opWithout
	opInstead
	opIf
	opUnless
	opEvenIf
	opAlthough
	opContrast
	opRelative
	opSays
	opPlan
	opMaybe
	opMust
	opShould
	opAllow
	opAll
	opMost
	opMany
	opSome
	opFew
	opBefore
	opAfter
	opBecause
	opLeads
	opThan
	opFrom
	opTo
	opBy
	opPoints
	opLatest
	opEarliest
	operatorCount
)

// operatorNames are the names of the operators in lexicon/operators.txt.
var operatorNames = [operatorCount]string{"", "not", "bound", "double", "ended", "still", "past", "now", "only", "too",
	"except", "include", "without", "instead", "if", "unless", "evenif", "although", "contrast", "relative", "says",
	"plan", "maybe", "must", "should", "allow", "all", "most", "many", "some", "few", "before", "after", "because",
	"leads", "than", "from", "to", "by", "points", "latest", "earliest"}

// operatorPhrase is a phrase by the words after its first one.
type operatorPhrase struct {
	rest []string
	op   operator
}

// operatorTable finds phrases by their first word, the longest first.
var operatorTable = sync.OnceValue(readOperators)

func readOperators() map[string][]operatorPhrase {
	ops := map[string]operator{}
	for i, name := range operatorNames {
		ops[name] = operator(i)
	}
	table := map[string][]operatorPhrase{}
	for _, line := range lexiconLines("operators.txt") {
		name, phrases, _ := strings.Cut(line, ":")
		op, ok := ops[name]
		if !ok {
			panic("judge: operators.txt: no operator " + name)
		}
		for p := range strings.SplitSeq(phrases, "|") {
			words := strings.Fields(text.Fold(p))
			list, at := table[words[0]], 0
			for at < len(list) && len(list[at].rest) >= len(words)-1 {
				at++
			}
			table[words[0]] = append(list[:at:at], append([]operatorPhrase{{words[1:], op}}, list[at:]...)...)
		}
	}
	return table
}

// operatorAt finds the operator that begins at token i, and how many tokens it has; opNone and 1 if none.
func operatorAt(tokens []text.Token, i int) (operator, int) {
	norm := tokens[i].Norm
	phrases, ok := operatorTable()[norm]
	if !ok {
		if strings.HasSuffix(norm, "n't") {
			return opNot, 1
		}
		rest, prefixed := strings.CutPrefix(norm, "و")
		if !prefixed {
			rest, prefixed = strings.CutPrefix(norm, "ف")
		}
		if !prefixed {
			return opNone, 1
		}
		phrases = operatorTable()[rest]
	}
	for _, p := range phrases {
		if i+len(p.rest) >= len(tokens) && len(p.rest) > 0 {
			continue
		}
		k := 0
		for k < len(p.rest) && tokens[i+1+k].Norm == p.rest[k] {
			k++
		}
		if k == len(p.rest) {
			return p.op, 1 + k
		}
	}
	return opNone, 1
}
