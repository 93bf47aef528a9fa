package judge

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/domain/text/quantity"
	"sanad/internal/words"
)

// Between English and Arabic nothing is read and nothing is weighed. A sentence in the other language supports a claim
// only if it has all of its figures, a word of the list of translations for each of its words and no other ones; if one
// figure of such a sentence says otherwise, it contradicts. Anything else is left unjudged.

// acrossP is the probability of a sentence that says all of a claim in the other language; set by hand.
const acrossP = 0.90

// translations are the Arabic stems that stand for an English one, of translations.txt.
var translations = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for _, line := range lexiconLines("translations.txt") {
		f := strings.Fields(line)
		out[f[0]] = f[1:]
	}
	return out
})

// acrossSentence is a sentence with figures of the sources.
type acrossSentence struct {
	chunk, sentence int
	text            string
	*acrossItems
}

// readAcross reads the sentences of the sources that a claim in the other language may be compared with.
func (x *Index) readAcross() (out []acrossSentence) {
	for i := range x.chunks {
		c := &x.chunks[i]
		for k := range c.sentences {
			s := c.ruler.Slice(c.sentences[k].span)
			if script := text.Script(s); script != "latin" && script != "ar" {
				continue
			}
			if items := itemsAcross(s); items.figures > 0 {
				for i := range items.items {
					if f := items.items[i].figure; f != nil {
						c.doubt(f, c.sentences[k].span.Start)
					}
				}
				out = append(out, acrossSentence{chunk: i, sentence: k, text: s, acrossItems: items})
			}
		}
	}
	return out
}

// translated returns the match of a sentence that says the claim in the other language, or says it but for one figure;
// nil for none. A claim without a figure is not compared.
func (x *Index) translated(claim string) *ledger.Match {
	other, known := map[string]string{"latin": "ar", "ar": "latin"}[text.Script(claim)]
	if !known || x.foreign || !x.spoken[other] || text.IsForeign(claim) {
		return nil
	}
	mine := itemsAcross(claim)
	if mine.figures == 0 || len(mine.items) > maxTerms {
		return nil
	}
	var found *ledger.Match
	for _, s := range x.sentencesAcross() {
		if s.arabic == mine.arabic {
			continue
		}
		relation, f, g := mine.stand(s.acrossItems)
		switch {
		case relation == quantity.Same:
			return x.matchTranslated(&s)
		case relation == quantity.Other && found == nil:
			found = x.matchTranslated(&s)
			claimed, theirs := f.in(claim), g.in(s.text)
			found.Support, found.Contradicts = ledger.None, true
			found.Conflicts = []ledger.Conflict{{Kind: "number", Claim: claimed, Evidence: theirs}}
			found.Note, found.NoteSaid = "", domain.Message{}
			found.Remark(words.Msg("note_says", "Claim", claimed, "Source", theirs))
		}
	}
	return found
}

// matchTranslated is the match of a sentence that says all of a claim in the other language.
func (x *Index) matchTranslated(s *acrossSentence) *ledger.Match {
	c := &x.chunks[s.chunk]
	m := &ledger.Match{Chunk: c.ref, Snippet: s.text, Similarity: acrossP, Support: ledger.Full,
		Quote:    text.Placement{Kind: text.Exact, Span: c.sentences[s.sentence].span},
		Features: []ledger.Feature{{Name: "score", Value: acrossP}}}
	m.Remark(words.Msg("note_translated"))
	return m
}

// acrossItems is what a sentence says: its content words and figures in their order, and what turns or limits them.
type acrossItems struct {
	items    []item
	figures  int
	turns    [operatorCount]bool
	arabic   bool
	question bool
}

// plainOperators neither turn nor limit what they stand by.
var plainOperators = []operator{opNone, opRelative, opFrom, opTo, opNow, opPoints, opLatest, opEarliest}

// itemsAcross reads a sentence without what only leads to a figure.
func itemsAcross(s string) *acrossItems {
	out := &acrossItems{arabic: text.Script(s) == "ar", question: strings.ContainsAny(s, "?؟")}
	tokens := text.Tokens(s)
	found := quantity.ReadTokens(s, tokens)
	next := 0
	for i := 0; i < len(tokens); {
		t := &tokens[i]
		for next < len(found) && found[next].Start < t.End {
			if f := &found[next]; f.IsFigure() {
				out.items, out.figures = append(out.items, item{figure: f}), out.figures+1
			}
			next++
		}
		if slices.ContainsFunc(found, func(f quantity.Quantity) bool {
			return f.Start < t.End && t.Start < f.End || f.Belongs(t.Span)
		}) {
			i++
			continue
		}
		op, length := operatorAt(tokens, i)
		switch {
		case op == opIf && t.Norm == atWord && leadsToFigure(tokens[i+length:], found):
			op = opNone // "عند درجة حرارة ٢٠ مئوية", not "عند الطلب"
		case op == opBound && t.Norm == "under" && next < len(found) && found[next].Label != "":
			op = opFrom // under Law No. 6
		}
		switch {
		case t.Norm == atWord && op == opNone:
		case op == opMaybe: // "may" is both
			out.turns[opAllow] = true
		case t.Norm == "per":
		case op != opNone && !slices.Contains(plainOperators, op):
			out.turns[op] = true
		case op == opNone && !t.Stop && t.Kind == text.Word:
			out.items = append(out.items, item{word: t.Stem, start: t.Start, after: t.Norm})
		case t.Kind == text.Number:
			out.items = append(out.items, item{word: t.Norm, start: t.Start, after: t.Norm})
		}
		i += length
	}
	return out
}

// atWord is Arabic for "at", and for "when" before what happens.
var atWord = text.Fold("عند")

// leadsToFigure reports whether the first of some words that says something is a figure's.
func leadsToFigure(tokens []text.Token, found []quantity.Quantity) bool {
	for i := range tokens {
		t := &tokens[i]
		if slices.ContainsFunc(found, func(f quantity.Quantity) bool {
			return f.IsFigure() && f.Said.Start < t.End && t.Start < f.End
		}) {
			return true
		}
		if !leading[t.Norm] && !measuring[t.Norm] {
			return false
		}
	}
	return false
}

// stand tells how a sentence of the other language stands to the claim: Same if it says all of it and nothing else,
// Other if that is so but for one figure, which is returned with its own; else Unlike.
func (a *acrossItems) stand(b *acrossItems) (relation quantity.Relation, claim, source said) {
	if a.figures != b.figures || a.turns != b.turns || a.question != b.question {
		return quantity.Unlike, claim, source
	}
	at, ok := a.pair(b)
	if !ok || !a.inTurn(b, at) || figuresApart(a, b, at) {
		return quantity.Unlike, claim, source
	}
	relation = quantity.Same
	for i, k := range at {
		if k < 0 || a.items[i].figure == nil {
			continue
		}
		f, g := a.items[i].figure, b.items[k].figure
		switch against(f, g) {
		case alike:
			if (f.Unit == "") != (g.Unit == "") {
				return quantity.Unlike, claim, source
			}
		case otherFigure:
			if relation == quantity.Other || f.Kind != g.Kind {
				return quantity.Unlike, claim, source
			}
			relation, claim, source = quantity.Other, said{Quantity: f}, said{Quantity: g}
		default:
			return quantity.Unlike, claim, source
		}
	}
	return relation, claim, source
}

// said is a figure as it is written with what belongs to it.
type said struct{ *quantity.Quantity }

func (f said) in(s string) string {
	span, _ := f.InText()
	return strings.TrimSpace(text.Slice(s, span))
}

// pair finds for each item of the claim its place in the sentence, -1 for a word that says nothing by itself. The
// figures are paired in their order. ok is false if something of either side has no counterpart.
func (a *acrossItems) pair(b *acrossItems) (at []int, ok bool) {
	taken, last := make([]bool, len(b.items)), -1
	for i := range a.items {
		place := a.placeOf(i, b, taken, last)
		switch {
		case place >= 0:
			taken[place] = true
			if a.items[i].figure != nil {
				last = place
			}
		case a.items[i].figure != nil || !a.idle(i):
			return nil, false
		}
		at = append(at, place)
	}
	for k := range b.items {
		if !taken[k] && (b.items[k].figure != nil || !b.idle(k)) {
			return nil, false
		}
	}
	worded := false // figures alone say nothing
	for i, k := range at {
		worded = worded || k >= 0 && a.items[i].figure == nil
	}
	return at, worded
}

// placeOf returns the item of a sentence that stands for one of the claim, -1 for none. A figure's is behind the last
// one; of several words, one that says something of its own comes first: "temperature" is حرارة in "درجة حرارة".
func (a *acrossItems) placeOf(i int, b *acrossItems, taken []bool, last int) int {
	place := -1
	for k := range b.items {
		switch {
		case taken[k] || (a.items[i].figure == nil) != (b.items[k].figure == nil):
		case a.items[i].figure != nil:
			if k > last {
				return k
			}
		case !a.stands(i, b, k):
		case !b.idle(k):
			return k
		case place < 0:
			place = k
		}
	}
	return place
}

// idle reports whether a word says nothing of its own beside the figures: "amounts to", "قدره", and "temperature"
// beside degrees, which measure nothing else.
func (a *acrossItems) idle(i int) bool {
	word := a.items[i].after
	return leading[word] || measuring[word] && slices.ContainsFunc(a.items, func(it item) bool {
		return it.figure != nil && slices.Contains(measures[it.figure.Unit], word)
	})
}

// measures are the words for what the units measure that measure one thing only, by unit.
var measures = func() map[string][]string {
	out := map[string][]string{}
	for units, list := range map[string]string{
		"°C °F ° K":    "temperature temperatures حرارة الحرارة بحرارة",
		"mmHg Pa":      "pressure pressures ضغط الضغط ضغطا بضغط",
		"m/hour":       "speed speeds سرعة السرعة بسرعة",
		"V":            "voltage voltages جهد الجهد بجهد",
		"Hz":           "frequency frequencies تردد التردد بتردد ترددا",
		"kg":           "weight mass وزن الوزن بوزن وزنا كتلة الكتلة",
		"m²":           "area areas مساحة المساحة بمساحة",
		"m³":           "volume volumes حجم الحجم بحجم",
		"second month": "duration مدة المدة",
	} {
		for unit := range strings.FieldsSeq(units) {
			for w := range strings.FieldsSeq(list) {
				out[unit] = append(out[unit], text.Fold(w))
			}
		}
	}
	return out
}()

// measuring are all words of measures.
var measuring = func() map[string]bool {
	out := map[string]bool{}
	for _, list := range measures {
		for _, w := range list {
			out[w] = true
		}
	}
	return out
}()

var leading = wordSet(`amount amounts amounted value number equal equals come comes came reach reaches reached stand
	stands stood measure measures measured lasts lasted run runs consist consists consisted comprise comprises located
	lie lies place took takes date
	يبلغ تبلغ بلغ بلغت البالغ البالغه قدره قدرها مقداره مقدارها بمقدار بواقع قيمه قيمته قيمتها بقيمه عدد عددهم عددها مده
	مدته مدتها لمده نسبه نسبته نسبتها بنسبه مبلغ بمبلغ يساوي تساوي يعادل تعادل وصل وصلت يصل تصل يستمر تستمر استمر استمرت
	يدوم تدوم يتم تتم تم تمت يكون تكون بموجب يتالف تتالف يتكون تتكون يضم تضم يقع تقع موعد موعده موعدها تاريخ بتاريخ درجه
	بدرجه نسمه لدى`)

// stands reports whether a word of the claim and one of the sentence stand for each other.
func (a *acrossItems) stands(i int, b *acrossItems, k int) bool {
	english, arabic := a.items[i], b.items[k]
	if english.after == arabic.after {
		return true
	}
	if a.arabic {
		english, arabic = arabic, english
	}
	for _, stem := range translations()[english.word] {
		if sameArabic(stem, &arabic) {
			return true
		}
	}
	return false
}

// sameArabic reports whether a word of the list of translations is one of a sentence, apart from what is attached to a
// noun or conjugates a verb. The verb of a list's noun has its root: "استثمار" for "يستثمر".
func sameArabic(listed string, found *item) bool {
	if listed == found.word {
		return true
	}
	verb := isVerbal(found.after)
	if verb && arabicRoot(listed) != "" && arabicRoot(listed) == arabicRoot(found.word) {
		return true
	}
	if happens(found.word, listed) {
		return true
	}
	least := rootLetters
	if verb {
		least--
	}
	mine, theirs := barer(listed, least), barer(found.word, least)
	return slices.ContainsFunc(mine, func(x string) bool { return slices.Contains(theirs, x) })
}

// happens reports whether an Arabic word is the noun of what happens by itself to a verb's noun that the list has:
// انخفاض to خفض, انضغاط to ضغط.
func happens(word, listed string) bool {
	l := []rune(listed)
	return len(l) == rootLetters && word == "ان"+string(l[:2])+"ا"+string(l[2])
}

// isVerbal reports whether an Arabic word may be a verb in the present.
func isVerbal(norm string) bool {
	return (strings.HasPrefix(norm, "ي") || strings.HasPrefix(norm, "ت")) && utf8.RuneCountInString(norm) > rootLetters-1
}

// barer returns a stem, and the same without a letter attached before it or a verb's ending, if so many letters are
// left.
func barer(stem string, least int) []string {
	out := []string{stem}
	for _, letter := range [...]string{"ب", "ل", "ك", "و", "ف", "ي", "ت", "ن", "س"} {
		if rest, ok := strings.CutPrefix(stem, letter); ok && utf8.RuneCountInString(rest) >= least {
			out = append(out, rest)
		}
	}
	for _, s := range out {
		if rest, ok := strings.CutSuffix(s, "ت"); ok && utf8.RuneCountInString(rest) >= rootLetters {
			out = append(out, rest)
		}
	}
	return out
}

// inTurn reports whether the places of a claim's items in the sentence keep its order: only neighbours in both may be
// exchanged ("annual fee", "الرسم السنوي"), the verb that an Arabic sentence begins with stands anywhere, and so does
// the only figure if it ends one of the sentences: "يبلغ عدد سكان المنطقة 5,000".
func (a *acrossItems) inTurn(b *acrossItems, at []int) bool {
	verb := func(i int) bool {
		if a.arabic {
			return i == 0 && a.beginsWithVerb()
		}
		return at[i] == 0 && b.beginsWithVerb()
	}
	last := a.figures == 1 && (a.endsInFigure() || b.endsInFigure())
	for i := range at {
		for k := i + 1; k < len(at); k++ {
			if at[i] < 0 || at[k] < 0 || at[i] < at[k] || verb(i) || verb(k) {
				continue
			}
			if last && (a.items[i].figure != nil || a.items[k].figure != nil) {
				continue
			}
			if k-i > 1 && !a.besideFigure(i, k) || at[i]-at[k] > 1 && (k-i > 1 || !b.besideFigure(at[k], at[i])) {
				return false
			}
		}
	}
	return true
}

// besideFigure reports whether nothing but the sentence's only figure stands between two items: "the district has 1.4M
// residents" says the number of its residents.
func (a *acrossItems) besideFigure(i, k int) bool {
	return a.figures == 1 && k-i == 2 && a.items[i+1].figure != nil
}

// endsInFigure reports whether nothing but idle words follows the last figure.
func (a *acrossItems) endsInFigure() bool {
	for i := len(a.items) - 1; i >= 0; i-- {
		if a.items[i].figure != nil || !a.idle(i) {
			return a.items[i].figure != nil
		}
	}
	return false
}

// beginsWithVerb reports whether the first word of an Arabic sentence may be a verb: it has no article.
func (a *acrossItems) beginsWithVerb() bool {
	return a.items[0].figure == nil && !strings.HasPrefix(a.items[0].after, "ال") &&
		!strings.HasPrefix(a.items[0].after, "لل")
}

// figuresApart reports whether figures that belong together in the claim, as a pair or range, do not in the sentence.
func figuresApart(a, b *acrossItems, at []int) bool {
	for i, k := range at {
		if f := a.items[i].figure; f != nil && (f.Link != quantity.NoLink) != (b.items[k].figure.Link != quantity.NoLink) {
			return true
		}
	}
	return false
}

// isAcross reports whether a claim could not be judged because its sources are in the other language.
func isAcross(err error) bool {
	var e *domain.Error
	return errors.As(err, &e) && e.Message.ID == differentLanguages
}

// decides reports whether matches support or contradict a claim.
func decides(matches []ledger.Match) bool {
	return slices.ContainsFunc(matches, func(m ledger.Match) bool { return m.Contradicts || m.Support == ledger.Full })
}

// withTranslated adds what a source in the other language says, where the claim's own language decides nothing. A claim
// of which nothing is found stays unjudged if no passage as a whole is in its language.
func (x *Index) withTranslated(claim string, matches []ledger.Match, p float64, err error) ([]ledger.Match, float64,
	error) {
	if err != nil && !isAcross(err) || decides(matches) {
		return matches, p, err
	}
	m := x.translated(claim)
	if m == nil {
		if err == nil && len(matches) == 0 && !x.sharesScript(claim) {
			return nil, 0.5, unjudged(differentLanguages)
		}
		return matches, p, err
	}
	p = m.Similarity
	if m.Contradicts {
		p = 1 - p
	}
	matches = append(slices.DeleteFunc(matches, func(o ledger.Match) bool { return o.Chunk == m.Chunk }), *m)
	ledger.SortMatches(matches)
	return matches[:min(len(matches), maxMatches)], round(p), nil
}
