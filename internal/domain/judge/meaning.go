package judge

import (
	"strings"
	"sync"
	"unicode/utf8"

	"sanad/internal/domain/text"
)

// meaning is a light analysis of one sentence: its segments, and what each operator does to them. It knows no grammar,
// only the words of lexicon/operators.txt and the marks between words.
type meaning struct {
	tokens   []text.Token
	ops      []operator // of each token; that of a phrase is at its first word
	phrase   []bool     // whether the token is part of an operator's phrase
	segment  []int      // of each token
	part     []int      // of each token, for coordinated parts: "40 in 2021 and 55 in 2022" has two
	joint    []int      // the same without what only commas part
	segments []segment
	width    int // tokens of the segment that is open
	limited  int // where what a "not … unless", "not … but" or "not … without" allows begins; 0 for nowhere
}

// segment is a stretch of a sentence that is negated, conditioned or excepted as one.
type segment struct {
	kind      operator // what it is to the rest: opIf, opExcept, opWithout, …; opNone for a main clause
	main      int      // the segment that it belongs to, itself for a main clause
	negations int
	negator   int // its token, -1 for none
	has       [operatorCount]bool
}

// gapMark is what stands between a token and the one before it.
type gapMark uint8

const (
	gapSpace gapMark = iota
	gapComma
	gapStop // a semicolon, colon, dash or bracket
)

// gapMarks reads what is before each of n tokens.
func gapMarks(s string, n int, span func(i int) text.Span) []gapMark {
	out := make([]gapMark, n)
	at, next := 0, 0 // code point, and the token that comes next
	for _, r := range s {
		for next < n && at >= span(next).End {
			next++
		}
		if next == n {
			break
		}
		if at < span(next).Start {
			switch r {
			case ',', '،', '"', '«', '»', '“', '”':
				out[next] = max(out[next], gapComma)
			case ';', '؛', '—', '–', '(', ')', '[', ']', '.', '!', '?', '؟', '\n', '|':
				out[next] = gapStop
			}
		}
		at++
	}
	return out
}

// shortChunk is the most words between commas that belong to what is before them.
const shortChunk = 4

// analyse reads one sentence.
func analyse(tokens []text.Token, gaps []gapMark) *meaning {
	n := len(tokens)
	m := &meaning{tokens: tokens, ops: make([]operator, n), phrase: make([]bool, n), segment: make([]int, n),
		part: make([]int, n), joint: make([]int, n)}
	m.open(opNone)
	part, joint := 0, 0
	for i := 0; i < n; {
		op, length := m.operator(i)
		// "not …, unless" belongs to what is before the comma
		if i > 0 && gaps[i] == gapStop || i > 0 && gaps[i] == gapComma && op != opUnless && m.leaves(i, gaps) {
			m.open(opNone)
		}
		if i > 0 && (gaps[i] != gapSpace || joins(tokens[i].Norm)) {
			part++
		}
		if i > 0 && (gaps[i] == gapStop || joins(tokens[i].Norm)) {
			joint++
		}
		m.ops[i] = op
		m.apply(op, i, length, gaps[i])
		for k := i; k < i+length; k++ {
			m.segment[k], m.part[k], m.joint[k], m.phrase[k] = len(m.segments)-1, part, joint, op != opNone
		}
		i, m.width = i+length, m.width+length
	}
	return m
}

// operator is operatorAt with what depends on the words around: Arabic ما and ألا negate only before a verb.
func (m *meaning) operator(i int) (operator, int) {
	if m.ops[i] != opNone {
		return m.ops[i], 1 // "not all"
	}
	op, length := operatorAt(m.tokens, i)
	if length > 1 || i+1 >= len(m.tokens) {
		return op, length
	}
	next := m.tokens[i+1].Norm
	switch m.tokens[i].Norm {
	case "ما", "وما", "فما":
		if (i == 0 || m.joint[i-1] != m.joint[max(0, i-2)]) && !afterMa[next] && isArabic(next) && !strings.HasPrefix(next, "ال") {
			return opNot, 1
		}
	case "الا":
		if m.segments[m.segments[len(m.segments)-1].main].negations%2 == 0 && (strings.HasPrefix(next, "ي") ||
			strings.HasPrefix(next, "ت") && i > 0 && m.tokens[i-1].Norm != "شيء") {
			return opNot, 1
		}
	}
	return op, length
}

// afterMa are words before which ما does not negate.
var afterMa = wordSet(`لم عدا زال زالت بين لا يزال اذا هو هي كان خلا دام دامت يلي قل زاد يزيد يقل بعد قبل`)

// open begins a segment.
func (m *meaning) open(kind operator) *segment {
	at := len(m.segments)
	if at > 0 && m.width == 0 {
		at-- // nothing is in the one that is open
		m.segments = m.segments[:at]
	}
	s := segment{kind: kind, main: at, negator: -1}
	if kind != opNone && at > 0 {
		s.main = m.segments[at-1].main
	}
	m.segments, m.width = append(m.segments, s), 0
	return &m.segments[at]
}

// leaves reports whether a comma before token i ends the open segment: what follows is long or negated, or the segment
// was no main clause.
func (m *meaning) leaves(i int, gaps []gapMark) bool {
	if m.segments[len(m.segments)-1].kind != opNone {
		return true
	}
	for k := i; k < len(m.tokens); k++ {
		if k > i && gaps[k] != gapSpace {
			return false
		}
		if op, _ := operatorAt(m.tokens, k); op == opNot || k-i >= shortChunk {
			return true
		}
	}
	return false
}

// joins reports whether a word joins coordinated parts.
func joins(norm string) bool {
	switch norm {
	case "and", "or", "while", "whereas", "but", "اما", "بينما", "واما", "او":
		return true
	}
	return norm == "و" || strings.HasPrefix(norm, "و") && utf8.RuneCountInString(norm) > 3 && !arabicW[norm]
}

// arabicW are words that begin with و by nature.
var arabicW = wordSet(`وزاره وزير وزراء وقت وكاله وكيل ورش ورشه وحده وحدات وثيقه وثائق وظيفه وظائف وسام وضع وصول وقف
	واحد واحده والد والده وفق وفقا وزن ورق وسط وطن وطني وافق وافقت وقع وقعت وصل وصلت وجد وجود ولايه وسيله وسائل ورديه
	ورديات واجب واقع وديعه ودائع وفد وفاه وباء`)

// apply takes the operator of token i into account.
func (m *meaning) apply(op operator, i, length int, gap gapMark) {
	open := &m.segments[len(m.segments)-1]
	switch op {
	case opNone, opBound, opDouble:
		return
	case opNot:
		m.negate(i, length, gap)
		return
	case opExcept:
		if main := &m.segments[open.main]; main.negations%2 == 1 { // "opens nothing … other than": only that
			main.negations--
			main.has[opOnly] = true
			m.limited = i
			return
		}
		open = m.open(op)
	case opUnless:
		if open.negations%2 == 1 { // "not … unless": only if
			open.negations--
			op, m.limited = opIf, i
		}
		open = m.open(op)
	case opWithout:
		if m.ahead(i, opExcept) {
			return
		}
		if open.negations%2 == 1 { // "not … without": only with
			open.negations--
			open.has[opMust] = true
			m.limited = i
			main := open.main
			m.open(opNone).main = main
			return
		}
		open = m.open(op)
	case opRelative:
		if m.says(i) {
			return
		}
		open = m.open(op)
	case opPast, opNow, opEnded:
		if i > 0 && (joins(m.tokens[i].Norm) || joins(m.tokens[i-1].Norm)) {
			open = m.open(opNone)
		}
	case opInstead, opIf, opEvenIf, opAlthough, opContrast, opBecause:
		open = m.open(op)
	}
	if op == opEnded {
		open.negations++
		open.negator = i
	}
	open.has[op] = true
}

// ahead reports whether an operator follows token i.
func (m *meaning) ahead(i int, op operator) bool {
	for k := i + 1; k < len(m.tokens); k++ {
		if o, _ := operatorAt(m.tokens, k); o == op {
			return true
		}
	}
	return false
}

// says reports whether the word "that" at token i leads to what somebody says.
func (m *meaning) says(i int) bool {
	return m.tokens[i].Norm == "that" && (i > 0 && (m.ops[i-1] == opSays || m.ops[i-1] == opPlan) ||
		i > 1 && m.ops[i-2] == opNot)
}

// negate takes a negator into account: "not to his workers" leaves something out, "not all" is some.
func (m *meaning) negate(i, length int, gap gapMark) {
	open := &m.segments[len(m.segments)-1]
	if next := i + length; next < len(m.tokens) {
		norm := m.tokens[next].Norm
		if op, _ := operatorAt(m.tokens, next); op == opAll && norm != "any" && norm != "اي" && m.tokens[i].Norm != "no" {
			open.has[opFew] = true
			m.ops[next] = opFew
			return
		}
		if i > 0 && (m.tokens[i].Norm == "not" && (gap == gapComma || !auxiliary[m.tokens[i-1].Norm]) && particle[norm] ||
			m.tokens[i].Norm == "لا" && isArabicParticle(norm)) {
			s := m.open(opInstead)
			s.has[opInstead] = true
			return
		}
	}
	if open.kind == opIf && len(m.segments) == 1 && isArabic(m.tokens[i].Norm) && i > longCondition {
		open = m.open(opNone) // a condition in front, without a comma
	}
	open.negations++
	open.negator = i
	open.has[opNot] = true
}

// longCondition is the fewest words of an Arabic condition after which a negator begins the main clause.
const longCondition = 3

var (
	auxiliary = wordSet(`is are was were be been am do does did has have had may must can shall should will would could
		might need ought`)
	particle = wordSet(`to by in on at from for with before after the a an of until as`)
	// arabicParticles are before nouns
	arabicParticles = wordSet(`الى على في من عن قبل بعد عند مع لدى`)
)

// isArabicParticle reports whether a word is a preposition, or a noun with one attached.
func isArabicParticle(norm string) bool {
	return arabicParticles[norm] || strings.HasPrefix(norm, "لل") || strings.HasPrefix(norm, "بال") ||
		strings.HasPrefix(norm, "ل") && utf8.RuneCountInString(norm) > 4 || strings.HasPrefix(norm, "قبل")
}

// negative reports whether what a segment speaks of is said not to be so.
func (m *meaning) negative(at int) bool {
	s := &m.segments[at]
	odd := s.negations%2 == 1
	switch s.kind {
	case opExcept, opInstead:
		if s.main != at {
			return !m.negative(s.main)
		}
		return !odd
	case opWithout, opUnless:
		return !odd
	}
	return odd
}

// clausal reports whether a segment is a clause with a predicate of its own.
func (s *segment) clausal() bool {
	switch s.kind {
	case opNone, opAlthough, opContrast, opRelative, opBecause:
		return true
	}
	return false
}

// any reports whether a segment has an operator.
func (m *meaning) any(op operator) bool {
	for i := range m.segments {
		if m.segments[i].has[op] || m.segments[i].kind == op {
			return true
		}
	}
	return false
}

// written returns the first word or phrase of an operator as the text has it, "" if none.
func (m *meaning) written(op operator) string {
	for i, o := range m.ops {
		if o == op {
			return m.tokens[i].Text
		}
	}
	return ""
}

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
	if numbers(tokens, i) || norm == "in" && i+2 < len(tokens) && tokens[i+1].Norm == "case" && numbersThing(tokens, i+2) {
		return opNone, 1
	}
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
