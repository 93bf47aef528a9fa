package judge

import (
	"slices"
	"strings"

	"sanad/internal/domain/text"
	"sanad/internal/domain/text/quantity"
)

// containedP is the least probability that a sentence supports a claim which it says word for word, if what stands around
// the claim only places it and the reader, too, sees support. docs/judge.md says how often that is right.
const containedP = 0.88

// placing are the words that a part may begin with which only places a statement: "in case 12", "of the signing".
var placing = wordSet(`in on at by of for from with within during under before after until since over near through
	throughout across against and as`)

// plainAround are the operators that may stand beside a statement and leave it as it is.
var plainAround = []operator{opNone, opBound, opFrom, opTo, opBy, opToo, opInclude, opBefore, opAfter, opBecause, opPoints,
	opLatest, opEarliest, opAll}

// contained reports whether one sentence of the window says the claim word for word and figure for figure, and what
// stands before and behind it neither turns, limits, conditions nor reports it; or whether a row of a table does.
func (r *reading) contained() bool {
	if r.best.chunk.row != nil { // a row has all of the claim, and its figures below the heads that the claim names
		return r.best.coverage >= sameRest && len(figures(r.best.query.claimItems())) > 0 && r.best.figuresStand().all
	}
	claim := r.best.query.claimItems()
	if len(claim) < leastContained || narrows(r.best.query.text) {
		return false
	}
	for i := r.best.first; i <= r.best.last; i++ {
		if says(claim, r.sentenceText(i)) {
			return true
		}
	}
	return false
}

// narrowing are the operators by which more words say less: "nobody smokes here" does not follow from "nobody smokes here
// on Sundays".
var narrowing = []operator{opNot, opEnded, opOnly, opExcept, opWithout, opInstead, opIf, opUnless, opAll, opMost, opFew, opThan}

// narrows reports whether a claim says more than a sentence does that has more words.
func narrows(claim string) bool {
	tokens := text.Tokens(claim)
	for i := 0; i < len(tokens); {
		op, length := operatorAt(tokens, i)
		if slices.Contains(narrowing, op) {
			return true
		}
		i += length
	}
	return false
}

// leastContained is how many words and figures a claim must have: few may stand anywhere.
const leastContained = 4

// says reports whether a sentence has the items of a claim in one run, with nothing around them but what places them.
func says(claim []item, sentence string) bool {
	all := itemsOf(sentence)
	for from := 0; from+len(claim) <= len(all); from++ {
		to := from + len(claim)
		if !sameItems(claim, all[from:to]) {
			continue
		}
		before := text.Slice(sentence, text.Span{End: all[from].at()})
		behind := ""
		if to < len(all) {
			behind = text.Slice(sentence, text.Span{Start: all[to].at(), End: text.Len(sentence)})
		}
		return placesBefore(before) && placesBehind(behind)
	}
	return false
}

func sameItems(a, b []item) bool {
	return slices.EqualFunc(a, b, func(x, y item) bool {
		if x.figure == nil || y.figure == nil {
			return x.figure == y.figure && x.word == y.word
		}
		return against(x.figure, y.figure) == alike
	})
}

// at is where the item begins, in code points.
func (x *item) at() int {
	if x.figure != nil {
		return x.figure.Said.Start
	}
	return x.start
}

// placesBefore reports whether what stands before a statement is none, or a part of its own.
func placesBefore(s string) bool {
	s = strings.TrimSpace(s)
	tokens := text.Tokens(s)
	return len(tokens) == 0 || (placing[tokens[0].Norm] || strings.HasSuffix(s, ",") || strings.HasSuffix(s, ";")) && plain(s, tokens)
}

// placesBehind reports whether what stands behind a statement is none, or goes on from it.
func placesBehind(s string) bool {
	tokens := text.Tokens(s)
	return len(tokens) == 0 || placing[tokens[0].Norm] && plain(s, tokens)
}

// plain reports whether a part has no operator but those of plainAround. Those of its figures are theirs: May is a month.
func plain(s string, tokens []text.Token) bool {
	figures := quantity.ReadTokens(s, tokens)
	for i := 0; i < len(tokens); {
		op, length := operatorAt(tokens, i)
		within := slices.ContainsFunc(figures, func(f quantity.Quantity) bool {
			return f.Said.Start <= tokens[i].Start && tokens[i].End <= f.Said.End
		})
		if !within && !slices.Contains(plainAround, op) {
			return false
		}
		i += length
	}
	return true
}
