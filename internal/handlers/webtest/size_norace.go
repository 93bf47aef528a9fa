//go:build !race

package webtest

// Sized returns the first number: without the race detector, as in make interop, a test makes the full number of things.
func Sized(full, _ int) int { return full }
