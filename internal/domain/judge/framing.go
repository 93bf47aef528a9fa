package judge

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"sanad/internal/domain/text"
)

// A sentence may say its words without stating them. These are the frames that it may say them under; a claim that
// leaves the frame out is not supported by it. Each is the name of a veto.
const (
	frameOrder    = "order"    // it tells a judge what to answer
	frameQuestion = "question" // it asks
	frameMistake  = "mistake"  // it gives an example of what is wrong
	frameDenied   = "denied"   // what stands behind it says that it is not so
	frameHearsay  = "hearsay"  // it passes on what nobody answers for
	frameFormer   = "former"   // it tells of what was, the claim of what is
)

// cueFrames are the frames that lexicon/frames.txt has phrases for, in the order in which they are looked for.
var cueFrames = []string{frameMistake, frameDenied, frameHearsay, frameFormer}

// FrameNames lists the frames.
func FrameNames() []string { return append([]string{frameOrder, frameQuestion}, cueFrames...) }

// scope says which words of a text stand under a phrase.
type scope string

const (
	scopeAfter   scope = "after"   // those behind it
	scopeBefore  scope = "before"  // those before it, in its own sentence or the one before
	scopePart    scope = "part"    // those of its own part of the sentence
	scopePast    scope = "past"    // the same, where the part says what was
	scopeHeading scope = "heading" // those below it
	scopeKept    scope = "kept"    // none: a claim that has it keeps the frame
)

// cue is a phrase of lexicon/frames.txt.
type cue struct {
	frame string
	scope scope
	words []cueWord
}

// cueWord is one place of a cue: a word, or a mark of what the place must be.
type cueWord struct {
	mark rune // '^', '.', '~', '#' or '!', as lexicon/frames.txt explains; 0 for a word
	any  []string
}

// cues are the phrases of lexicon/frames.txt, by their frame.
var cues = sync.OnceValue(func() map[string][]cue {
	out := map[string][]cue{}
	for _, line := range lexiconLines("frames.txt") {
		head, phrases, _ := strings.Cut(line, ":")
		frame, of, _ := strings.Cut(head, " ")
		if !slices.Contains(cueFrames, frame) {
			panic("judge: frames.txt: no frame " + frame)
		}
		for phrase := range strings.SplitSeq(phrases, "|") {
			c := cue{frame: frame, scope: scope(of)}
			for _, w := range strings.Fields(phrase) {
				c.words = append(c.words, readCueWord(w))
			}
			out[frame] = append(out[frame], c)
		}
	}
	return out
})

func readCueWord(w string) cueWord {
	var out cueWord
	if strings.ContainsRune("^.~#!", rune(w[0])) {
		out.mark, w = rune(w[0]), w[1:]
	}
	for v := range strings.SplitSeq(w, "/") {
		out.any = append(out.any, text.Fold(v))
	}
	return out
}

// utterance is a text in which cues are looked for.
type utterance struct {
	tokens []text.Token
	gaps   []gapMark // before each token; nil if they are not known
	read   *meaning  // which part of the sentence each token is in; nil likewise
}

// utter reads a text.
func utter(s string) utterance {
	tokens := text.Tokens(s)
	gaps := gapMarks(s, len(tokens), func(i int) text.Span { return tokens[i].Span })
	u := utterance{tokens, gaps, analyse(tokens, slices.Clone(gaps))}
	ruler := text.NewRuler(s)
	for i := 1; i < len(tokens); i++ { // a colon ends no part of what is said, but a phrase
		if strings.Contains(ruler.Slice(text.Span{Start: tokens[i-1].End, End: tokens[i].Start}), ":") {
			gaps[i] = gapStop
		}
	}
	return u
}

// cueReach is the most words that ~ stands for.
const cueReach = 3

// has reports whether a cue stands at token i, and returns the token behind it.
func (u *utterance) has(c *cue, i int) (end int, ok bool) { return u.match(c.words, i, i) }

// match matches the places of a cue that began at token first from token i on.
func (u *utterance) match(words []cueWord, first, i int) (int, bool) {
	if len(words) == 0 {
		return i, true
	}
	w, rest := &words[0], words[1:]
	inside := i < len(u.tokens)
	switch w.mark {
	case '^':
		if i > 0 && (u.gaps == nil || u.gaps[i] != gapStop) {
			return 0, false
		}
		return u.match(rest, first, i)
	case '.':
		if inside && u.gaps != nil && u.gaps[i] == gapSpace {
			return 0, false
		}
		return u.match(rest, first, i)
	case '!':
		if i > 0 && slices.Contains(w.any, u.tokens[i-1].Norm) {
			return 0, false
		}
		return u.match(rest, first, i)
	case '~':
		for n := 0; n <= cueReach && i+n <= len(u.tokens); n++ {
			if end, ok := u.match(rest, first, i+n); ok {
				return end, true
			}
			if i+n < len(u.tokens) && u.gaps != nil && u.gaps[i+n] == gapStop {
				break
			}
		}
		return 0, false
	case '#':
		if !inside || !isYearToken(&u.tokens[i]) {
			return 0, false
		}
		return u.match(rest, first, i+1)
	}
	if !inside || i > first && u.gaps != nil && u.gaps[i] == gapStop || !w.is(u.tokens[i].Norm, i == first) {
		return 0, false
	}
	return u.match(rest, first, i+1)
}

// is reports whether a word may stand in the place. Arabic prefixes و and ف are taken off a first word.
func (w *cueWord) is(norm string, first bool) bool {
	if slices.Contains(w.any, norm) {
		return true
	}
	if rest, ok := strings.CutPrefix(norm, "و"); ok && first {
		return slices.Contains(w.any, rest)
	}
	rest, ok := strings.CutPrefix(norm, "ف")
	return ok && first && slices.Contains(w.any, rest)
}

func isYearToken(t *text.Token) bool {
	return t.Kind == text.Number && len(t.Norm) == 4 && (t.Norm[0] == '1' || t.Norm[0] == '2')
}

// anyOf reports whether the text has a phrase of a frame with one of these scopes; with none given, with any scope.
func (u *utterance) anyOf(frame string, scopes ...scope) bool {
	for k := range cues()[frame] {
		c := &cues()[frame][k]
		if len(scopes) > 0 && !slices.Contains(scopes, c.scope) {
			continue
		}
		for i := range u.tokens {
			if _, ok := u.has(c, i); ok {
				return true
			}
		}
	}
	return false
}

// framed names the frame that the source puts around the claim's words and the claim leaves out, or "". It is "" too if
// another sentence of the window says as much without a frame.
func (r *reading) framed() string {
	w := &r.best
	if w.chunk.row != nil {
		return ""
	}
	claim := utterance{tokens: w.query.meaning.tokens}
	for i := max(0, w.first-1); i <= min(w.last+1, len(w.chunk.sentences)-1); i++ { // beside it too, as rule J-9 has it
		if Addresses(r.sentenceText(i)) && !Addresses(w.query.text) {
			return frameOrder
		}
	}
	found, most := "", r.core().coverage
	for i := w.first; i <= w.last; i++ {
		if r.sentences[i].coverage < sayMark*most {
			continue
		}
		frame := r.frameOf(i, func(frame string) bool { return w.query.keeps(frame, &claim) })
		if frame == "" {
			return ""
		}
		if found == "" {
			found = frame
		}
	}
	return found
}

// sayMark is how much of what its window says of a claim a sentence must say to count as what says it.
const sayMark = 0.9

// leastSaid is the least coverage of a sentence that may be framed.
const leastSaid = 0.5

// sentenceText is the text of sentence i of the chunk.
func (r *reading) sentenceText(i int) string {
	c := r.best.chunk
	return c.ruler.Slice(c.sentences[i].span)
}

// frameOf names the frame of sentence i; keeps reports whether the claim has it too.
func (r *reading) frameOf(i int, keeps func(frame string) bool) string {
	if r.sentences[i].coverage < leastSaid {
		return "" // what carries the claim is said by the window as a whole
	}
	own, about := utter(r.sentenceText(i)), r.sentences[i].aboutClaim()
	if !keeps(frameQuestion) && r.asked(i, &own, about) {
		return frameQuestion
	}
	for _, frame := range cueFrames {
		if !keeps(frame) && (own.frames(frame, about) || r.framedAround(i, frame)) {
			return frame
		}
	}
	return ""
}

// aboutClaim lists the sentence's content words, by their place in it, that the claim has.
func (w *window) aboutClaim() (out []int) {
	for k := w.from(); k < w.to(); k++ {
		if t := &w.chunk.tokens[k]; !t.Stop && len(w.query.hits(t.word)) > 0 || t.Kind == text.Number && w.query.says(t.Norm) {
			out = append(out, k-w.from())
		}
	}
	return out
}

// says reports whether the claim has a word as it is.
func (q *query) says(norm string) bool {
	return slices.ContainsFunc(q.meaning.tokens, func(t text.Token) bool { return t.Norm == norm })
}

// frames reports whether a phrase of the sentence puts most of the words at these places under a frame.
func (u *utterance) frames(frame string, about []int) bool {
	for k := range cues()[frame] {
		c := &cues()[frame][k]
		if c.scope == scopeHeading || c.scope == scopeKept {
			continue
		}
		for i := range u.tokens {
			end, ok := u.has(c, i)
			if !ok || frame == frameMistake && u.negatedBefore(i) {
				continue
			}
			if u.holds(c, about, i, end) && (c.scope != scopePast || u.tellsPast(u.read.joint[i])) {
				return true
			}
		}
	}
	return false
}

// leastUnder is the share of the claim's words in a sentence, in quarters, that must stand under a phrase.
const leastUnder = 3

// holds reports whether nearly all words at these places stand under a phrase of the tokens [from, to), and every
// number.
func (u *utterance) holds(c *cue, about []int, from, to int) bool {
	under, outside := map[string]bool{}, map[string]bool{}
	for _, at := range about {
		if at >= len(u.tokens) {
			break // the sentence alone is cut into fewer words
		}
		t := &u.tokens[at]
		switch {
		case u.under(c.scope, at, from, to):
			under[t.Stem] = true
		case at < from || at >= to: // no word of the phrase itself
			outside[t.Stem] = t.Kind == text.Number
		}
	}
	lost := 0
	for stem, number := range outside {
		switch {
		case under[stem]:
		case number:
			return false
		default:
			lost++
		}
	}
	if (c.scope == scopePart || c.scope == scopePast) && u.turns(from) {
		return slices.ContainsFunc(about, func(at int) bool {
			return at < len(u.tokens) && u.tokens[at].Kind == text.Number && u.under(c.scope, at, from, to)
		})
	}
	return len(under) > 0 && lost*leastUnder <= len(under)*(4-leastUnder)
}

// under reports whether a word stands under a phrase of the tokens [from, to).
func (u *utterance) under(s scope, at, from, to int) bool {
	switch s {
	case scopeAfter:
		return at >= to
	case scopeBefore:
		return at < from
	case scopePart, scopePast:
		return u.read.joint[at] == u.read.joint[from] && u.aside(at) == u.aside(from) && (!u.turns(from) || u.read.part[at] == u.read.part[from])
	}
	return false
}

// aside is the relative clause that token i is in, -1 for none: "where ships are said to vanish".
func (u *utterance) aside(i int) int {
	at := u.read.segment[i]
	if s := &u.read.segments[at]; s.kind == opRelative || s.kind == opIf && s.main != at {
		return at
	}
	return -1
}

// turns reports whether the part of the sentence that token i is in also says what is now: "the fee, formerly 20, is
// now 30". Then only what stands between the same commas is under a phrase, and only a number tells the two apart.
func (u *utterance) turns(i int) bool {
	for k, op := range u.read.ops {
		if op == opNow && u.read.joint[k] == u.read.joint[i] {
			return true
		}
	}
	return false
}

// negatedBefore reports whether one of the two words before token i negates it: "it would not be wrong to say".
func (u *utterance) negatedBefore(i int) bool {
	for k := max(0, i-2); k < i; k++ {
		if op, _ := operatorAt(u.tokens, k); op == opNot {
			return true
		}
	}
	return false
}

// denialReach is how far from its beginning a sentence that denies the one before may say so.
const denialReach = 5

// framedAround reports whether what stands around sentence i puts it under a frame: the sentence behind it denies it,
// the one before announces it, or the heading does.
func (r *reading) framedAround(i int, frame string) bool {
	sentences := r.best.chunk.sentences
	if frame == frameDenied && i+1 < len(sentences) {
		next := utter(r.sentenceText(i + 1))
		for k := range cues()[frame] {
			c := &cues()[frame][k]
			for at := 0; c.scope == scopeBefore && at <= denialReach && at < len(next.tokens); at++ {
				if _, ok := next.has(c, at); ok {
					return true
				}
			}
		}
	}
	if i > 0 && strings.HasSuffix(strings.TrimSpace(r.sentenceText(i-1)), ":") {
		before := utter(r.sentenceText(i - 1))
		if before.anyOf(frame, scopeAfter, scopeHeading) {
			return true
		}
	}
	above := utter(r.best.chunk.heading)
	return above.anyOf(frame, scopeHeading)
}

// answers are words that an answer begins with which says yes to a question.
var answers = wordSet(`yes yeah yep yup ok okay sure exactly indeed certainly absolutely correct right definitely
	نعم بلى اجل صحيح طبعا بالتاكيد`)

// didYouKnow is how a question begins that tells what it asks.
var didYouKnow = []string{"did you know", "do you know that", "هل تعلم", "هل علمت", "اتعلم ان"}

// asked reports whether sentence i, read as own, asks what the claim says at these places and the text doesn't answer:
// the sentence behind it doesn't say yes, and the rest of the window adds nothing of the claim.
func (r *reading) asked(i int, own *utterance, about []int) bool {
	whole := strings.TrimSpace(r.sentenceText(i))
	s := strings.TrimRight(whole, " \t\n\"'”’»)*_")
	if !strings.HasSuffix(s, "?") && !strings.HasSuffix(s, "؟") {
		return false
	}
	if last, _ := utf8.DecodeRuneInString(whole[len(s):]); strings.ContainsRune("\"”»", last) && last != utf8.RuneError &&
		strings.IndexAny(whole, "\"“«") > 0 {
		return false // only what is quoted in it is a question
	}
	folded := text.Fold(whole)
	if slices.ContainsFunc(didYouKnow, func(opening string) bool { return strings.Contains(folded, opening) }) {
		return false
	}
	said := 0
	for _, at := range about {
		if slices.Contains(own.read.ops[min(at, len(own.tokens)):], opContrast) {
			said++ // "it helps the students, but does it help the school?"
		}
	}
	if 2*said > len(about) {
		return false
	}
	if i+1 < len(r.best.chunk.sentences) {
		if next := text.Tokens(r.sentenceText(i + 1)); len(next) > 0 && answers[next[0].Norm] {
			return false
		}
	}
	for t, found := range r.best.found {
		if found > 0 && r.sentences[i].found[t] == 0 {
			return false
		}
	}
	return true
}

// keeps reports whether the claim itself has a frame: it passes on a rumour, says what was, or denies.
func (q *query) keeps(frame string, claim *utterance) bool {
	says := q.meaning.any(opSays)
	switch frame {
	case frameQuestion:
		return strings.HasSuffix(q.text, "?") || strings.HasSuffix(q.text, "؟")
	case frameMistake, frameDenied:
		if q.negated || says {
			return true
		}
	case frameHearsay:
		if says {
			return true
		}
	case frameFormer:
		if q.meaning.any(opPast) || tellsPast(q.meaning.tokens) {
			return true
		}
	}
	return claim.anyOf(frame)
}

// tellsPast reports whether a part of a sentence says what was.
func (u *utterance) tellsPast(joint int) bool {
	first := slices.Index(u.read.joint, joint)
	last := first
	for last < len(u.tokens) && u.read.joint[last] == joint {
		last++
	}
	return tellsPast(u.tokens[first:last])
}

var (
	pastWords = wordSet(`was were wasn't weren't had hadn't did didn't became began came went got gave took made said saw
		knew found left held kept led lost won met paid ran sat sold sent spent spoke stood taught told thought understood
		wore wrote grew fell felt flew fought drew drove bought brought built broke chose rose sang stole swam won born
		كان كانت كانوا كنا سابقا`)
	// presentPassive are words after which a form in -ed is no past: "is required"
	presentPassive = wordSet(`is are am be being been isn't aren't get gets have has not also now always only`)
)

// tellsPast reports whether words say what was: a verb that is only past, or a form in -ed that no "is" stands before.
func tellsPast(tokens []text.Token) bool {
	for i := range tokens {
		norm := tokens[i].Norm
		if pastWords[norm] {
			return true
		}
		if len(norm) < 4 || !strings.HasSuffix(norm, "ed") || strings.HasSuffix(norm, "eed") {
			continue
		}
		if i == 0 || presentPassive[tokens[i-1].Norm] || i > 1 && presentPassive[tokens[i-2].Norm] ||
			tokens[i-1].Norm == "the" || tokens[i-1].Norm == "a" || tokens[i-1].Norm == "an" {
			continue
		}
		return true
	}
	return false
}

// Addresses reports whether a sentence speaks to the judge instead of its readers: it tells it to disregard what it was
// told, or what to answer, or calls it by name. Such a sentence is no evidence. It is meant to be careful: an ordinary
// sentence that it takes for such is lost as evidence, so it needs an order together with its object.
func Addresses(sentence string) bool {
	folded := text.Fold(sentence)
	return slices.ContainsFunc(addressing(), func(p *regexp.Regexp) bool { return p.MatchString(folded) })
}

// addressing are the patterns of lexicon/addresses.txt.
var addressing = onFirstUse("addresses.txt", func(name string) (out []*regexp.Regexp) {
	var parts []string // the name of each, and what it stands for
	for _, line := range lexiconLines(name) {
		if part, pattern, ok := strings.Cut(line, " := "); ok {
			parts = append(parts, "<"+part+">", pattern)
			continue
		}
		out = append(out, regexp.MustCompile(strings.NewReplacer(parts...).Replace(line)))
	}
	return out
})
