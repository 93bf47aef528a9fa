// Package thorough tells tests how much of an exhaustive walk to take: all of it in make thorough, which sets
// SANAD_THOROUGH, and otherwise a sample. The sample is drawn with SANAD_SEED, which the gate derives from the commit,
// so that every commit looks at other cases; a failure names the seed, with which the same cases are drawn again.
package thorough

import (
	"hash/fnv"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// On reports whether the whole walk is asked for.
func On() bool { return os.Getenv("SANAD_THOROUGH") != "" }

// Times returns how often a test does something: sample times in the gate, all times in make thorough.
func Times(sample, all int) int {
	if On() {
		return all
	}
	return sample
}

// Random returns the random numbers of a test, and logs their seed. Every test draws its own.
func Random(t testing.TB) *rand.Rand {
	t.Helper()
	seed := os.Getenv("SANAD_SEED")
	if seed == "" {
		seed = "1"
	}
	t.Logf("again with the same cases: SANAD_SEED=%s", seed)
	h := fnv.New64a()
	_, _ = h.Write([]byte(seed + " " + t.Name()))
	return rand.New(rand.NewPCG(h.Sum64(), 0)) //nolint:gosec // a sample of cases is to be drawn again, not to be a secret
}

// Sample returns n of the cases in their order, drawn by random; in make thorough all of them.
func Sample[T any](random *rand.Rand, all []T, n int) []T {
	if On() || n >= len(all) {
		return all
	}
	chosen := random.Perm(len(all))[:n]
	slices.Sort(chosen)
	out := make([]T, n)
	for i, at := range chosen {
		out[i] = all[at]
	}
	return out
}
