package judge

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
	partLeast                      // parts.go
	partMean
	nearLeast
	nearMean
	lostWindow   // how much is missing from the window, not as a share
	lostAll      // how much is missing from all that was given
	lostWorst    // the rarity of the rarest word that the window lacks
	lostWorstAll // the same, of all that was given
	adjacency    // order.go
	longestRun
	inOrder
	inverted
	compact
	charGrams // grams.go
	nameCover // entity.go
	nameCoverAll
	nameOther
	numberCover // numbers.go
	numberCoverAll
	numberOther
	numberLost
	negationDiffers // negation.go
	negationClaim
	negationCore
	oppositeWord
	turnedCover
	turnedRest
	modalityLess // modality.go
	quantifierLess
	conditionLess
	exceptionLess
	extremeLost
	hedgeLess
	slotFilled // slots.go
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
	density // length.go
	evidenceLength
	claimLength
	sentenceLength
	windowSize
	others
	oneSentence
	featureCount
)

// vector is what the model reads of a claim and a passage.
type vector [featureCount]float64

// featureTable names each figure and says which way it may move the likelihood of support: 1 up, -1 down, 0 either.
var featureTable = [featureCount]struct {
	name string
	sign int
}{
	covSentence: {"coverage_sentence", 1}, covWindow: {"coverage", 1}, covChunk: {"coverage_chunk", 1}, covAll: {"context", 1},
	covExact: {"coverage_exact", 1}, covPlain: {"coverage_plain", 1}, covHead: {"coverage_head", 1}, covTail: {"coverage_tail", 1},
	covRare: {"coverage_rare", 1}, covRareAll: {"context_rare", 1}, covSpecific: {"coverage_specific", 1},
	covSpecificAll: {"context_specific", 1}, covSpecificBest: {"coverage_specific_sentence", 1}, covTopical: {"coverage_topical", 1},
	partLeast: {"part_least", 1}, partMean: {"part_mean", 1}, nearLeast: {"near_least", 1}, nearMean: {"near_mean", 1},
	lostWindow: {"missing", -1}, lostAll: {"missing_everywhere", -1}, lostWorst: {"missing_rarest", -1}, lostWorstAll: {"missing_rarest_everywhere", -1},
	adjacency: {"adjacency", 1}, longestRun: {"longest_run", 1}, inOrder: {"order", 1}, inverted: {"inverted", -1}, compact: {"compact", 1},
	charGrams: {"letters", 1},
	nameCover: {"names", 1}, nameCoverAll: {"names_anywhere", 1}, nameOther: {"other_name", -1},
	numberCover: {"numbers", 1}, numberCoverAll: {"numbers_anywhere", 1}, numberOther: {"other_number", -1}, numberLost: {"numbers_missing", -1},
	negationDiffers: {"negation_differs", -1}, negationClaim: {"negation_claim", 0}, negationCore: {"negation_source", 0}, oppositeWord: {"opposite", -1},
	turnedCover: {"turned_coverage", -1}, turnedRest: {"turned_swapped", 1},
	modalityLess: {"modality_less", -1}, quantifierLess: {"quantifier_less", -1}, conditionLess: {"condition", -1}, exceptionLess: {"exception", -1},
	extremeLost: {"extreme_missing", -1}, hedgeLess: {"hedge", -1},
	slotFilled: {"other_word", -1}, slotBeside: {"other_word_beside", -1},
	lostCount: {"missing_words", -1}, ownCount: {"own_words", 0}, gapAdded: {"added", -1}, gapSwapped: {"swapped", -1}, gapOther: {"reworded", 0},
	swapRest: {"swapped_rest", 0}, pureSwap: {"swapped_alone", -1}, kindNumber: {"swapped_number", -1}, kindWord: {"swapped_kind", -1},
	kindName: {"swapped_name", -1}, kindRest: {"swapped_kind_rest", -1},
	density: {"density", 1}, evidenceLength: {"evidence_length", 0}, claimLength: {"claim_length", 0}, sentenceLength: {"sentence_length", 0},
	windowSize: {"window", 0}, others: {"other_sentences", 0}, oneSentence: {"one_sentence", 0},
}

// describe computes the vector of a reading that was weighed.
func (x *Index) describe(q *query, readings []reading, r *reading) *vector {
	v := &vector{}
	core := r.core()
	x.coverageFeatures(v, q, r)
	partFeatures(v, q, readings, r)
	orderFeatures(v, &r.best)
	v[charGrams] = r.best.sharedGrams()
	nameFeatures(v, r)
	numberFeatures(v, r)
	negationFeatures(v, r, core)
	modalityFeatures(v, r)
	slotFeatures(v, core)
	alignFeatures(v, core)
	x.lengthFeatures(v, q, r, core)
	v.turn(r)
	return v
}
