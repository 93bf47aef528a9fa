package reader

import (
	"fmt"
	"math"
)

// Tokenizers.
const (
	WordPiece = iota
	Unigram
)

// Forms of GELU.
const (
	ExactGELU = iota // by the error function
	TanhGELU         // by its approximation with tanh
)

// Form says in what a model differs from another one of its dimensions: how its tokenizer cuts texts, which marks it
// has, and two choices of its layers. The fields of Unigram are 0 for WordPiece, and the other way round.
type Form struct {
	Tokenizer                      int
	Unknown, Begin, Separator      int // ids of the marks
	Separators                     int // how many stand between passage and claim: 1 or 2
	GELU                           int
	Epsilon                        float32 // added to variances when a layer is normalised
	Lower, StripAccents, Ideograms bool    // WordPiece: lower case; no accents; an ideogram is a word of its own
	LongestWord                    int     // WordPiece: of a longer one, in code points, nothing is known
	SplitSpace                     bool    // Unigram: any white space separates words, and is dropped
	OneSpace                       bool    // Unigram: several spaces are one
	StripLeft, StripRight          bool    // Unigram: white space at the ends of a text is dropped
}

// plain is the form of the shipped model, and of every file of version 1: BERT, uncased.
var plain = Form{
	Separators: 1, Epsilon: normEpsilon, Lower: true, StripAccents: true, Ideograms: true, LongestWord: longestWord,
}

// formFields is how many numbers a form is in a file.
const formFields = 9

// Bits of a form's choices in a file.
const (
	bitLower = 1 << iota
	bitStripAccents
	bitIdeograms
	bitSplitSpace
	bitOneSpace
	bitStripLeft
	bitStripRight
	bitsEnd
)

// choices returns the choices of a form by their bits.
func (f *Form) choices() map[uint32]*bool {
	return map[uint32]*bool{
		bitLower: &f.Lower, bitStripAccents: &f.StripAccents, bitIdeograms: &f.Ideograms, bitSplitSpace: &f.SplitSpace,
		bitOneSpace: &f.OneSpace, bitStripLeft: &f.StripLeft, bitStripRight: &f.StripRight,
	}
}

// numbers returns a form as it is stored.
func (f *Form) numbers() (numbers [formFields]uint32) {
	for i, v := range []int{f.Tokenizer, f.Unknown, f.Begin, f.Separator, f.Separators, f.GELU, f.LongestWord} {
		numbers[i] = uint32(v)
	}
	numbers[7] = math.Float32bits(f.Epsilon)
	for bit, choice := range f.choices() {
		if *choice {
			numbers[8] |= bit
		}
	}
	return numbers
}

// setNumbers sets a form to what is stored.
func (f *Form) setNumbers(numbers [formFields]uint32) {
	for i, v := range []*int{&f.Tokenizer, &f.Unknown, &f.Begin, &f.Separator, &f.Separators, &f.GELU, &f.LongestWord} {
		*v = int(numbers[i])
	}
	f.Epsilon = math.Float32frombits(numbers[7])
	for bit, choice := range f.choices() {
		*choice = numbers[8]&bit != 0
	}
}

// check refuses what the package does not compute, in a model of a number of pieces.
func (f *Form) check(pieces int) error {
	within := func(v, least, most int) bool { return v >= least && v <= most }
	last := pieces - 1
	switch {
	case !within(f.Tokenizer, WordPiece, Unigram), !within(f.GELU, ExactGELU, TanhGELU):
		return fmt.Errorf("reader: tokenizer %d and GELU %d are not supported", f.Tokenizer, f.GELU)
	case !within(f.Unknown, 0, last), !within(f.Begin, 0, last), !within(f.Separator, 0, last), !within(f.Separators, 1, 2):
		return fmt.Errorf("reader: the marks %d, %d and %d (%d between two texts) are not supported",
			f.Unknown, f.Begin, f.Separator, f.Separators)
	case !(f.Epsilon >= 1e-13 && f.Epsilon <= 1e-2):
		return fmt.Errorf("reader: %v added to variances is not supported; from 1e-13 to 1e-2 is", f.Epsilon)
	case f.Tokenizer == WordPiece && !within(f.LongestWord, 1, 1000):
		return fmt.Errorf("reader: words of at most %d characters are not supported; from 1 to 1000 are", f.LongestWord)
	}
	return nil
}

// marks is how many tokens the model's own marks take: one before the passage, some after it, one after the claim.
func (f *Form) marks() int { return f.Separators + 2 }

// adapt returns a kernel that computes a model's form. What the shipped model does not need is portable alone.
func (f *Form) adapt(k kernel) kernel {
	if f.GELU == TanhGELU {
		k.gelu = geluTanh
	}
	if epsilon := f.Epsilon; epsilon != normEpsilon {
		k.normalise = func(x, residual, gain, shift []float32) { normaliseBy(epsilon, x, residual, gain, shift) }
	}
	return k
}

// geluTanh replaces each number x by ½·x·(1+tanh(√(2/π)·(x+0.044715·x³))).
func geluTanh(x []float32) {
	const slope, cube = 0.7978845608028654, 0.044715
	for i, v := range x {
		inner := float32(slope * (v + float32(float32(float32(v*v)*v)*cube)))
		half := float32(v * 0.5)
		x[i] = half + float32(half*tanh(inner))
	}
}
