package judge

import "sanad/internal/exact"

// feature is one figure about a claim and a passage, by its place in a vector.
type feature int

// The figures, by the idea they come from. Their order is that of model.json.
const (
	covSentence     feature = iota // coverage.go
	covWindow                      // by one to three sentences
	covChunk                       // by the whole chunk
	covAll                         // by all that was given
	covExact                       // by the window, counting equal stems only
	covPlain                       // by the window, each content word counting the same
	covHead                        // the first half of the claim
	covTail                        // the second half
	covRare                        // the claim's three rarest words
	covRareAll                     // the same, by all that was given
	covSpecific                    // by the window, counting words that are everywhere in the evidence less
	covSpecificAll                 // the same, by all that was given
	covSpecificBest                // and by the best sentence for it
	covTopical                     // by the window, what the evidence is about being taken as read
	partLeast                      // coverage.go
	partMean
	nearLeast
	nearMean
	lostWindow   // how much is missing from the window, not as a share
	lostAll      // how much is missing from all that was given
	lostWorst    // the rarity of the rarest word that the window lacks
	lostWorstAll // the same, of all that was given
	adjacency    // coverage.go
	longestRun
	inOrder
	inverted
	compact
	charGrams // coverage.go
	nameCover // align.go
	nameCoverAll
	nameOther
	numberCover // quantities.go
	numberCoverAll
	numberOther
	numberLost
	negationDiffers // negation.go
	negationClaim
	negationCore
	oppositeWord
	turnedCover
	turnedRest
	modalityLess // qualifiers.go
	quantifierLess
	conditionLess
	exceptionLess
	extremeLost
	hedgeLess
	slotFilled // align.go
	slotBeside
	lostCount // align.go
	ownCount
	gapAdded
	gapSwapped
	gapOther
	swapRest
	pureSwap
	kindNumber
	kindWord
	kindName
	kindRest
	density // features.go
	evidenceLength
	claimLength
	sentenceLength
	windowSize
	others
	oneSentence
	polarityDiffers // negation.go
	exceptionLost   // qualifiers.go
	conditionLost
	evenIfDiffers
	onlyLost
	quantifierDiffers // qualifiers.go
	saidAsPlan        // qualifiers.go
	modalityDiffers
	timeDiffers    // compare.go
	sidesExchanged // sides.go
	partsMixed     // sides.go
	antonymTurns   // negation.go
	unitDiffers    // quantities.go
	kindDiffers    // compare.go
	sameWords      // word for word
	ruled          // contradict.go: a sentence contradicts by rule
	ruledRest      // and follows the rest of the claim so closely
	differences    // how many of the above
	agrees         // the sentence has all of the claim's words, and nothing differs
	contained      // by words as written, in all that was given
	arabicText
	featureCount
)

// vector is what the model reads of a claim and a passage.
type vector [featureCount]float64

// idea is what a feature is about; a match lists the weight of each idea.
type idea int

const (
	byCoverage idea = iota
	byContext
	byOrder
	byLetters
	byNames
	byNumbers
	byNegation
	byModality
	byWording
	byLength
	ideaCount
)

// featureTable names each figure and says which way it may move the likelihood of support: 1 up, -1 down, 0 either.
var featureTable = [featureCount]struct {
	name string
	sign int
	idea idea
}{
	covSentence: {"coverage_sentence", 1, byCoverage}, covWindow: {"coverage", 1, byCoverage},
	covChunk: {"coverage_chunk", 1, byCoverage}, covAll: {"context", 1, byContext},
	covExact: {"coverage_exact", 1, byCoverage}, covPlain: {"coverage_plain", 1, byCoverage},
	covHead: {"coverage_head", 1, byCoverage}, covTail: {"coverage_tail", 1, byCoverage},
	covRare: {"coverage_rare", 1, byCoverage}, covRareAll: {"context_rare", 1, byContext},
	covSpecific:    {"coverage_specific", 1, byCoverage},
	covSpecificAll: {"context_specific", 1, byContext}, covSpecificBest: {"coverage_specific_sentence", 1, byCoverage},
	covTopical: {"coverage_topical", 1, byCoverage},
	partLeast:  {"part_least", 1, byCoverage}, partMean: {"part_mean", 1, byCoverage},
	nearLeast: {"near_least", 1, byCoverage}, nearMean: {"near_mean", 1, byCoverage},
	lostWindow: {"missing", -1, byCoverage}, lostAll: {"missing_everywhere", -1, byContext},
	lostWorst: {"missing_rarest", -1, byCoverage}, lostWorstAll: {"missing_rarest_everywhere", -1, byContext},
	adjacency: {"adjacency", 1, byOrder}, longestRun: {"longest_run", 1, byOrder}, inOrder: {"order", 1, byOrder},
	inverted: {"inverted", -1, byOrder}, compact: {"compact", 1, byOrder},
	charGrams: {"letters", 1, byLetters},
	nameCover: {"names", 1, byNames}, nameCoverAll: {"names_anywhere", 1, byNames},
	nameOther:   {"other_name", -1, byNames},
	numberCover: {"numbers", 1, byNumbers}, numberCoverAll: {"numbers_anywhere", 1, byNumbers},
	numberOther: {"other_number", -1, byNumbers}, numberLost: {"numbers_missing", -1, byNumbers},
	negationDiffers: {"negation_differs", -1, byNegation}, negationClaim: {"negation_claim", 0, byNegation},
	negationCore: {"negation_source", 0, byNegation}, oppositeWord: {"opposite", -1, byNegation},
	turnedCover: {"turned_coverage", -1, byNegation}, turnedRest: {"turned_swapped", 1, byNegation},
	modalityLess: {"modality_less", -1, byModality}, quantifierLess: {"quantifier_less", -1, byModality},
	conditionLess: {"condition", -1, byModality}, exceptionLess: {"exception", -1, byModality},
	extremeLost: {"extreme_missing", -1, byModality}, hedgeLess: {"hedge", -1, byModality},
	slotFilled: {"other_word", -1, byWording}, slotBeside: {"other_word_beside", -1, byWording},
	lostCount: {"missing_words", -1, byCoverage}, ownCount: {"own_words", 0, byWording},
	gapAdded: {"added", -1, byWording}, gapSwapped: {"swapped", -1, byWording}, gapOther: {"reworded", 0, byWording},
	swapRest: {"swapped_rest", 0, byWording}, pureSwap: {"swapped_alone", -1, byWording},
	kindNumber: {"swapped_number", -1, byNumbers}, kindWord: {"swapped_kind", -1, byWording},
	kindName: {"swapped_name", -1, byNames}, kindRest: {"swapped_kind_rest", -1, byWording},
	density: {"density", 1, byLength}, evidenceLength: {"evidence_length", 0, byLength},
	claimLength: {"claim_length", 0, byLength}, sentenceLength: {"sentence_length", 0, byLength},
	windowSize: {"window", 0, byLength}, others: {"other_sentences", 0, byContext},
	oneSentence:     {"one_sentence", 0, byLength},
	polarityDiffers: {"polarity", -1, byNegation}, exceptionLost: {"exception_lost", -1, byModality},
	conditionLost: {"condition_lost", -1, byModality}, evenIfDiffers: {"even_if", -1, byModality},
	onlyLost: {"only", -1, byModality}, quantifierDiffers: {"quantifier", -1, byModality},
	saidAsPlan: {"plan", -1, byModality}, modalityDiffers: {"obligation", -1, byModality},
	timeDiffers: {"time", -1, byModality}, sidesExchanged: {"exchanged", -1, byOrder},
	partsMixed: {"mixed", -1, byOrder}, antonymTurns: {"antonym", 0, byNegation},
	unitDiffers: {"unit", -1, byNumbers}, kindDiffers: {"kind", -1, byWording}, sameWords: {"verbatim", 1, byOrder},
	ruled: {"contradiction_rule", -1, byNegation}, ruledRest: {"contradiction_rest", -1, byNegation},
	differences: {"differences", -1, byWording}, agrees: {"agrees", 1, byWording},
	contained: {"contained", 1, byContext}, arabicText: {"arabic", 0, byLength},
}

// describe completes the vector of a reading that was weighed; partFeatures have filled their part of it.
func (x *Index) describe(v *vector, q *query, r *reading) {
	core := r.core()
	x.coverageFeatures(v, q, r)
	topicFeatures(v, q, r)
	orderFeatures(v, &r.best)
	v[charGrams] = r.best.sharedGrams()
	nameFeatures(v, r)
	numberFeatures(v, r)
	negationFeatures(v, r, core)
	modalityFeatures(v, r)
	slotFeatures(v, core)
	alignFeatures(v, core)
	x.lengthFeatures(v, q, r, core)
	r.compared = core.compare()
	r.compared.features(v)
	if r.verbatim {
		v[sameWords] = 1
	}
	if r.opposing != nil {
		v[ruled], v[ruledRest] = 1, r.opposing.rest
	}
	v[contained] = q.contained
	if q.arabic {
		v[arabicText] = 1
	}
	r.agreement(core)
	v.turn(r)
}

// agreement counts what differs between the claim and the core sentence.
func (r *reading) agreement(core *window) {
	v := r.figures
	for f := exceptionLost; f <= kindDiffers; f++ {
		v[differences] += v[f]
	}
	for _, f := range []feature{polarityDiffers, numberOther, oppositeWord, nameOther} {
		if v[f] > 0 {
			v[differences]++
		}
	}
	missing := false
	for i := range core.query.terms {
		t := &core.query.terms[i]
		missing = missing || core.found[i] == 0 && t.weight > functionWeight && !core.query.meaning.phrase[t.token]
	}
	if !missing && v[differences] == 0 && !core.query.pronoun {
		v[agrees] = 1
	}
}

// lengthFeatures measures how much text there is, how much of the sentence is about the claim, and how many others are
// too.
func (x *Index) lengthFeatures(v *vector, q *query, r *reading, core *window) {
	v[density] = core.share()
	v[evidenceLength] = exact.Log2(1 + float64(x.size))
	v[claimLength] = exact.Log2(1 + float64(len(q.terms)))
	v[sentenceLength] = exact.Log2(1 + float64(core.to()-core.from()))
	v[windowSize] = float64(r.best.last - r.best.first)
	near := 0.0
	for i := range r.sentences {
		if r.sentences[i].coverage >= 0.7*core.coverage {
			near++
		}
	}
	v[others] = exact.Log2(near + 1)
	if len(x.chunks) == 1 && len(r.sentences) == 1 {
		v[oneSentence] = 1
	}
}
