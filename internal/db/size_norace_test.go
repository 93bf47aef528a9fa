//go:build !race

package db_test

// sized returns how much of a thing a test makes: without the race detector, as make interop runs it, the full number.
func sized(full, _ int) int { return full }
