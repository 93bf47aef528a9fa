//go:build race

package db_test

// sized returns how much of a thing a test makes: under the race detector, which is about ten times slower, the
// smaller number.
func sized(_, underRace int) int { return underRace }
