//go:build race

package webtest

// Sized gives how much of a thing a test makes: under the race detector, which is about ten times slower, the smaller
// number.
func Sized(_, underRace int) int { return underRace }
