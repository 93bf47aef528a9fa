//go:build race

package db_test

// sized returns the size of a test: the smaller one, as the race detector is about ten times slower.
func sized(_, underRace int) int { return underRace }
