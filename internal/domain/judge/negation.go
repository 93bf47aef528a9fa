package judge

import (
	"slices"

	"sanad/internal/domain/text"
)

var (
	negators    = wordSet(`not no never neither nor none cannot without nothing nobody don't doesn't didn't isn't aren't wasn't weren't won't can't couldn't wouldn't shouldn't hasn't haven't hadn't mustn't لا ليس ليست ليسوا لم لن غير بدون دون عدم ولا ولم ولن وليس`)
	prohibitors = wordSet(`prohibited prohibits prohibit forbidden forbids banned barred refused denied failed refuses denies unable يحظر يمنع محظور ممنوع تحظر تمنع`)
	// behind these a negator states a limit and turns nothing round: "no more than", "not only", "لا يقل عن"
	limits = wordSet(`only more less later earlier fewer longer limited least exceed exceeding يقل تقل يزيد تزيد يتجاوز تتجاوز يتعدى تتعدى`)
)

func isNegation(norm string) bool { return negators[norm] || prohibitors[norm] }

// negations counts the negations of a sentence; a limit is none.
func negations(tokens []text.Token) int {
	n := 0
	for i, t := range tokens {
		if isNegation(t.Norm) && !(i+1 < len(tokens) && limits[tokens[i+1].Norm]) {
			n++
		}
	}
	return n
}

// negates finds the negation of a sentence that stands by a word the claim has too; -1 for none.
func (w *window) negates() int {
	tokens := w.chunk.tokens[w.from():w.to()]
	for i, t := range tokens {
		if !isNegation(t.Norm) || i+1 < len(tokens) && limits[tokens[i+1].Norm] {
			continue
		}
		for _, next := range tokens[i+1 : min(len(tokens), i+5)] {
			if !next.Stop && !light[next.Norm] && len(w.query.hits(next.word)) > 0 {
				return w.from() + i
			}
		}
	}
	return -1
}

// opposite finds a word of the sentence that is the opposite of a claim's word which the sentence lacks.
func (w *window) opposite() (claim text.Token, evidence text.Token, ok bool) {
	for i := range w.query.terms {
		t := &w.query.terms[i]
		if w.found[i] > 0 {
			continue
		}
		for _, s := range w.chunk.tokens[w.from():w.to()] {
			if slices.Contains(antonyms[t.Stem], s.Stem) && len(w.query.hits(s.word)) == 0 {
				return t.Token, s.Token, true
			}
		}
	}
	return claim, evidence, false
}

// negation is the claim's first negating word.
func (q *query) negation() string {
	for _, t := range text.Tokens(q.text) {
		if isNegation(t.Norm) {
			return t.Text
		}
	}
	return ""
}
