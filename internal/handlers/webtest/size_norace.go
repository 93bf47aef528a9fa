//go:build !race

package webtest

// Sized gives how much of a thing a test makes: without the race detector, as make interop runs it, the full number.
func Sized(full, _ int) int { return full }
