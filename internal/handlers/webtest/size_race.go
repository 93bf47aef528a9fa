//go:build race

package webtest

// Sized returns the second number: under the race detector, which is about ten times slower, a test makes fewer things.
func Sized(_, underRace int) int { return underRace }
