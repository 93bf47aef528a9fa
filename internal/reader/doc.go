// Package reader runs the embedded model: a transformer encoder that reads a passage and a claim together and says
// whether the passage supports the claim, contradicts it, or does neither. It knows nothing of reviews.
//
// The same pair has the same logits, to the bit, on every machine and beside every other pair. All products of matrices
// are exact sums of int8 products. What remains in floating point is computed in one fixed order, without fused
// operations and without the functions of package math that differ by machine.
package reader
